"""What an answer must not use: seen in its source and in its calls, told with the student's line, judged by policy."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from project.sandboxed import Limits, cells, make_given

from autograder.config import Forbidden, load_grading
from autograder.forbidden import find_uses, judge, read_source
from autograder.sandbox import Sandbox, Use
from autograder.sandbox.uses import read_uses
from kit.case import Outcome

NAMES = [
    "torch.nn.functional.scaled_dot_product_attention",
    "torch.nn.functional.multi_head_attention_forward",
    "torch.nn.MultiheadAttention",
]
RULE = Forbidden(names=NAMES, policy="no_points")
IMPORTS = "import importlib, torch\nimport torch.nn.functional as F\nfrom torch import nn"
SDPA, DETOUR = "scaled_dot_product_attention", "torch._C.DisableTorchFunction"
SPELLINGS = {  # what the answer does -> who sees it: its source, its calls
    f"return F.{SDPA}(Q, K, V)": "both",
    f"return torch.nn.functional.{SDPA}(Q, K, V)": "both",
    f"from torch.nn.functional import {SDPA} as dot\n    return dot(Q, K, V)": "both",
    f"dot = F.{SDPA}\n    return dot(Q, K, V)": "both",
    f"return getattr(F, '{SDPA}')(Q, K, V)": "both",
    f"return torch.ops.aten.{SDPA}(Q, K, V)": "both",
    "return nn.MultiheadAttention(6, 2, batch_first=True)(Q[None], K[None], V[None])[0][0]": "both",
    "return getattr(F, 'scaled_dot_' + 'product_attention')(Q, K, V)": "calls",
    "return getattr(importlib.import_module('torch.nn.functional'), SECRET)(Q, K, V)": "calls",
    f"with {DETOUR}():\n        return F.{SDPA}(Q, K, V)": "source",
}


def write_answer(body: str) -> str:
    """The cell of an answer with this body."""
    return f"SECRET = 'scaled_dot_' + 'product_attention'\ndef attention(Q, K, V):\n    {body}\n"


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    with Sandbox(make_given(tmp_path_factory.mktemp("course")), Limits()) as sandbox:
        yield sandbox


def watch_call(sandbox: Sandbox, *sources: str) -> list[Use]:
    """Call the answer of a notebook once and return what it was seen to use."""
    tensors = [torch.randn(3, 6) for _ in range(3)]
    with sandbox.run(cells(*sources)) as run, run.fork("", 10, RULE.short_names) as student:
        student.stand_ins(["attention"])["attention"](*tensors)
        return student.used


@pytest.mark.parametrize("body", SPELLINGS)
def test_every_spelling_is_seen_in_the_source_or_in_the_calls(sandbox: Sandbox, body: str) -> None:
    answer = write_answer(body)
    in_source = find_uses(read_source([IMPORTS, answer]), ["attention"], RULE)
    in_calls = watch_call(sandbox, IMPORTS, answer)
    seen = {(True, True): "both", (False, True): "calls", (True, False): "source"}
    assert seen[bool(in_source), bool(in_calls)] == SPELLINGS[body]
    for use in [*in_source, *in_calls]:
        assert use.line is not None
        assert answer.split("\n")[use.line - 1].strip() == use.code


HARMLESS = {
    "a function of one's own with that name": (
        f"def {SDPA}(Q, K, V): return Q",
        f"def attention(Q, K, V): return {SDPA}(Q, K, V)",
    ),
    "a comparison in another cell": (
        "def attention(Q, K, V): return Q",
        f"F.{SDPA}(torch.ones(2, 2), torch.ones(2, 2), torch.ones(2, 2))",
    ),
    "a comparison whose result has the name of a variable of the answer": (
        "def attention(Q, K, V):\n    Y = Q\n    return Y",
        f"Q = K = V = torch.ones(2, 2)\nY = F.{SDPA}(Q, K, V)",
    ),
    "a docstring and a comment": (
        f'def attention(Q, K, V):\n    """Like {SDPA}(Q, K, V)."""\n    return Q  # F.{SDPA}',
    ),
    "another question's layer": (
        "class TransformerLayer(nn.Module):\n    attn = nn.MultiheadAttention(6, 2)",
        "def attention(Q, K, V): return Q",
    ),
    "a helper that is only shared": (
        f"def scale(Q): return Q\ndef reference(Q): return F.{SDPA}(scale(Q), Q, Q)",
        "def attention(Q, K, V): return scale(Q)",
    ),
}


@pytest.mark.parametrize("case", HARMLESS)
def test_what_the_answer_does_not_reach_is_not_counted(sandbox: Sandbox, case: str) -> None:
    sources = [IMPORTS, *HARMLESS[case]]
    assert find_uses(read_source(sources), ["attention"], RULE) == []
    assert watch_call(sandbox, *sources) == []


def test_a_helper_is_followed_in_the_source() -> None:
    helper = f"def helper(Q, K, V):\n    return F.{SDPA}(Q, K, V)"
    answer = "def attention(Q, K, V):\n    return helper(Q, K, V)"
    (use,) = find_uses(read_source([IMPORTS, helper, answer]), ["attention"], RULE)
    assert (use.line, use.code) == (2, f"return F.{SDPA}(Q, K, V)")


def test_a_traced_function_is_followed_to_what_was_traced() -> None:
    module = f"class M(nn.Module):\n    def forward(self, q, k, v):\n        return F.{SDPA}(q, k, v)\n"
    traced = module + "m = torch.jit.trace(M(), ())"
    answer = "def attention(Q, K, V):\n    return m(Q, K, V)"
    (use,) = find_uses(read_source([IMPORTS, traced, answer]), ["attention"], RULE)
    assert (use.line, use.code) == (3, f"return F.{SDPA}(q, k, v)")


@pytest.mark.parametrize("again", ["attention = torch.no_grad()(attention)", "attention = attention", "attention += 0"])
def test_an_answer_that_is_wrapped_afterwards_is_still_read(again: str) -> None:
    answer = f"def attention(Q, K, V):\n    return F.{SDPA}(Q, K, V)"
    (use,) = find_uses(read_source([IMPORTS, answer, again]), ["attention"], RULE)
    assert use.line == 2


def test_an_answer_that_is_written_anew_replaces_the_old_one() -> None:
    old, new = f"def attention(Q, K, V):\n    return F.{SDPA}(Q, K, V)", "attention = lambda Q, K, V: Q"
    assert find_uses(read_source([IMPORTS, old, new]), ["attention"], RULE) == []


def test_nothing_is_watched_where_nothing_is_forbidden(sandbox: Sandbox) -> None:
    answer = write_answer(f"return F.{SDPA}(Q, K, V)")
    with sandbox.run(cells(IMPORTS, answer)) as run, run.fork("", 10) as student:
        student.stand_ins(["attention"])["attention"](*[torch.ones(2, 2)] * 3)
        assert student.used == []


def test_what_the_process_tells_is_checked() -> None:
    told = [["a", 3, "x\x1b"], ["b", 3, ""], ["a", "3", 4], ["a", 10**9, "y"], "a", None]
    assert read_uses(told, ("a",)) == [Use("a", 3, "x?"), Use("a", None, ""), Use("a", None, "y")]
    assert read_uses({"a": 1}, ("a",)) == []


def test_the_policy_decides_about_the_points() -> None:
    passed, use = Outcome("passed"), Use(SDPA, 2, f"return F.{SDPA}(Q, K, V)")
    assert judge(passed, [use], RULE.model_copy(update={"policy": "flag"})) is passed
    assert judge(passed, [], RULE) is passed
    assert judge(passed, [use], None) is passed
    outcome = judge(passed, [use], RULE)
    assert outcome.reason == "forbidden"
    assert str(outcome.failure) == (
        "scaled_dot_product_attention is ruled out in this question: write the computation yourself.\n"
        "  your line 2: return F.scaled_dot_product_attention(Q, K, V)"
    )


def test_the_questions_of_attention_rule_pytorchs_out_and_the_layer_does_not(tmp_path: Path) -> None:
    rules = {id: question.forbidden for id, question in load_grading().questions.items()}
    assert {id for id, rule in rules.items() if rule} == {"q01_simple_attention", "q02_attention", "q04_multi_head"}
