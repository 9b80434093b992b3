"""What an answer must not use: seen in its source and in its calls, told with the student's line, judged by policy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import torch
from project.sandboxed import Limits, cells, make_given

from autograder.config import Forbidden, load_grading
from autograder.forbidden import describe_use, judge
from autograder.reach import find_uses
from autograder.sandbox import Sandbox, Use
from autograder.sandbox.uses import read_uses
from autograder.search import read_names
from kit.case import Outcome

NAMES = [
    "torch.nn.functional.scaled_dot_product_attention",
    "torch.nn.functional.multi_head_attention_forward",
    "torch.nn.MultiheadAttention",
]
RULE = Forbidden(names=NAMES, policy="no_points")
IMPORTS = "import importlib, torch\nimport torch.nn.functional as F\nfrom torch import nn"
SDPA, DETOUR = "scaled_dot_product_attention", "torch._C.DisableTorchFunction"
OPERATORS = ["_scaled_dot_product_flash_attention_for_cpu", "_scaled_dot_product_attention_math"]
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
    f"with {DETOUR}():\n        return F.{SDPA}(Q, K, V)": "both",
    "return torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(*(T[None, None] for T in (Q, K, V)))[0]": "both",
    "return torch._scaled_dot_product_attention_math(Q, K, V)[0]": "both",
    "return getattr(torch, '_' + SECRET + '_math')(Q, K, V)[0]": "calls",
    f"return torch.vmap(F.{SDPA})(Q[None], K[None], V[None])": "both",
    "return torch.vmap(getattr(F, SECRET))(Q[None], K[None], V[None])": "calls",
    "return in_a_thread(lambda: getattr(F, SECRET)(Q, K, V))": "calls",
    "return in_a_thread(lambda: getattr(nn, 'Multihead' + 'Attention')(6, 2)(Q, K, V)[0])": "calls",
    "return getattr(nn, 'Transformer' + 'EncoderLayer')(6, 2, batch_first=True)(Q[None])": "calls",
    "return scripted(Q, K, V)": "both",
    "return after_a_magic(Q, K, V)": "both",
    "return heads(Q[None], K[None], V[None])[0]": "both",
}
EARLIER = f"""
import threading
def in_a_thread(work):
    done = []
    thread = threading.Thread(target=lambda: done.append(work()))
    thread.start()
    thread.join()
    return done[0]
SECRET = 'scaled_dot_' + 'product_attention'
if SECRET:
    @torch.jit.script
    def scripted(q, k, v):
        return torch.nn.functional.{SDPA}(q, k, v)
heads = nn.MultiheadAttention(6, 2, batch_first=True)
"""
WITH_MAGIC = f"""here = %pwd
def after_a_magic(q, k, v):
    return F.{SDPA}(q, k, v)
"""


def write_answer(body: str) -> str:
    """The cell of an answer with this body."""
    return f"def attention(Q, K, V):\n    {body}\n"


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    with Sandbox(make_given(tmp_path_factory.mktemp("course")), Limits()) as sandbox:
        yield sandbox


def search(sources: Sequence[str], cells: int | None = None) -> list[Use]:
    """Where the answer of a notebook uses what is ruled out, as its source shows."""
    return find_uses(read_names(sources)[0], ["attention"], RULE.short_names, cells)


def watch_call(sandbox: Sandbox, *sources: str) -> list[Use]:
    """Call the answer of a notebook once and return what it was seen to use."""
    tensors = [torch.randn(3, 6) for _ in range(3)]
    with sandbox.run(cells(*sources)) as run, run.fork("", 10, RULE.short_names) as student:
        student.stand_ins(["attention"])["attention"](*tensors)
        return student.used


@pytest.mark.parametrize("body", SPELLINGS)
def test_every_spelling_is_seen_in_the_source_or_in_the_calls(sandbox: Sandbox, body: str) -> None:
    sources = [IMPORTS, EARLIER, WITH_MAGIC, write_answer(body)]
    in_source, in_calls = search(sources), watch_call(sandbox, *sources)
    seen = {(True, True): "both", (False, True): "calls", (True, False): "source"}
    assert seen[bool(in_source), bool(in_calls)] == SPELLINGS[body]
    lines = {(number, line.strip()) for source in sources for number, line in enumerate(source.split("\n"), start=1)}
    for use in [*in_source, *in_calls]:
        assert use.certain
        assert use.name in {*RULE.short_names, *OPERATORS}
        if "scripted" not in body or use in in_source:  # what PyTorch has compiled calls from no line of Python
            assert (use.line, use.code) in lines


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
    "an alias of a later comparison that is a variable of the answer": (
        "def attention(Q, K, V):\n    attn = Q\n    return attn",
        f"from torch.nn.functional import {SDPA} as attn\nattn(*[torch.ones(2, 2)] * 3)",
    ),
    "an alias of an earlier comparison that is a variable of the answer": (
        f"attn = F.{SDPA}\nattn(*[torch.ones(2, 2)] * 3)",
        "def attention(Q, K, V):\n    attn = Q\n    return [attn for attn in attn][0] if attn is None else attn",
    ),
    "an alias within a function that the answer does not call": (
        "def attention(Q, K, V):\n    ref = Q\n    return ref",
        f"def compare():\n    ref = F.{SDPA}\n    return ref(*[torch.ones(2, 2)] * 3)",
    ),
    "a helper of the name that another function gives to it": (
        "def dot(Q): return Q\ndef attention(Q, K, V): return dot(Q)",
        f"def compare():\n    from torch.nn.functional import {SDPA} as dot\n    return dot",
    ),
    "an alias that had another value when the helper was made of it": (
        f"dot = lambda Q: Q\nmine = dot\ndot = F.{SDPA}",
        "def attention(Q, K, V): return mine(Q)",
    ),
    "a method that the answer does not call": (
        f"class Heads:\n    def run(self, Q): return Q\n    def compare(self, Q): return F.{SDPA}(Q, Q, Q)",
        "def attention(Q, K, V): return Heads().run(Q)",
    ),
    "a function within the answer that is not called": (
        f"def attention(Q, K, V):\n    def compare(): return F.{SDPA}(Q, K, V)\n    return Q",
    ),
    "a method of one's own with that name": (
        f"class Heads:\n    def {SDPA}(self, Q): return Q",
        f"def attention(Q, K, V):\n    heads = Heads()\n    return heads.{SDPA}(Q)",
    ),
    "a file that a cell writes": (
        f"%%writefile reference.py\nimport torch.nn.functional as F\ndef dot(Q): return F.{SDPA}(Q, Q, Q)",
        "dot = lambda Q: Q\ndef attention(Q, K, V): return dot(Q)",
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
    assert search(sources) == []
    assert watch_call(sandbox, *sources) == []


@pytest.mark.parametrize(
    "later",
    [
        f"from torch.nn.functional import {SDPA} as helper",
        f"helper = F.{SDPA}",
        f"def helper(Q): return F.{SDPA}(Q, Q, Q)",
        f"def attention(Q, K, V): return F.{SDPA}(Q, K, V)",
    ],
)
def test_what_stands_below_the_check_does_not_count(later: str) -> None:
    answer = "def helper(Q): return Q\ndef attention(Q, K, V): return helper(Q)"
    sources = [IMPORTS, answer, 'grader.check("q02_attention")', later]
    assert search(sources, cells=3) == []
    assert search(sources) != []


UNCERTAIN = {
    "one of two values": f"if COMPARE: dot = F.{SDPA}\nelse: dot = mine\ndef attention(Q, K, V): return dot(Q, K, V)",
    "a result that is read": f"Y = F.{SDPA}(*[torch.ones(2, 2)] * 3)\ndef attention(Q, K, V): return Q + Y",
    "a text": f"def attention(Q, K, V):\n    print('{SDPA}')\n    return Q",
    "a module that a call finds": f"def attention(Q, K, V): return importlib.import_module(NAME).{SDPA}(Q, K, V)",
}


@pytest.mark.parametrize("case", UNCERTAIN)
def test_what_is_only_likely_is_told_to_staff_and_costs_nothing(case: str) -> None:
    (use,) = search([IMPORTS, UNCERTAIN[case]])
    assert not use.certain
    passed = Outcome("passed")
    assert judge(passed, [use], RULE) is passed
    assert "has cost no point" in describe_use(use)


def test_certain_uses_come_before_likely_ones() -> None:
    answer = f"def attention(Q, K, V):\n    print('{SDPA}')\n    return F.{SDPA}(Q, K, V)"
    assert [use.line for use in search([IMPORTS, answer])] == [3, 2]


@pytest.mark.parametrize("names", [("softmax",), ("softmax", SDPA)])
def test_a_function_without_a_watch_of_its_own_is_seen_in_calls(sandbox: Sandbox, names: tuple[str, ...]) -> None:
    sources = cells(IMPORTS, "def attention(Q, K, V):\n    return torch.softmax(Q, -1)")
    with sandbox.run(sources) as run, run.fork("", 10, names) as student:
        student.stand_ins(["attention"])["attention"](*[torch.ones(2, 2)] * 3)
        assert student.used == [Use("softmax", 2, "return torch.softmax(Q, -1)")]


@pytest.mark.parametrize("body", [f"return F.{SDPA}(Q, K, V)", "return heads(Q, K, V)[0]"])
def test_watched_functions_keep_their_values_and_gradients(sandbox: Sandbox, body: str) -> None:
    source = "import torch\nfrom torch import nn\nimport torch.nn.functional as F\ntorch.manual_seed(1)\n"
    source += f"heads = nn.MultiheadAttention(6, 2)\ndef attention(Q, K, V): {body}"
    arguments = [torch.randn(3, 6, dtype=torch.float32, requires_grad=True) for _ in range(3)]
    found = []
    for names in ((), RULE.short_names):
        with sandbox.run(cells(source)) as run, run.fork("", 10, names) as student:
            value = student.stand_ins(["attention"])["attention"](*arguments)
            found.append([value, *torch.autograd.grad(value.square().sum(), arguments)])
            assert bool(student.used) is bool(names)
    torch.testing.assert_close(found[0], found[1], rtol=0, atol=0)


def test_a_cell_that_cannot_be_read_is_told_of_and_one_that_is_no_python_is_not() -> None:
    sources = ["x = (", "%%bash\nls", "x = 1 +" + " 1 +" * 20_000 + " 1", "", "!ls\nx = 1", "x = !ls\n?x"]
    assert read_names(sources)[1] == [2]


@pytest.mark.parametrize(
    "source",
    [
        "x = a" + ".b" * 1500,
        "def attention(Q, K, V):\r    return 1",
        "if x: pass\n" + "elif x: pass\n" * 900,
        "\n" * 40_000 + "x = 1",
        "a = torch\n" + "".join(f"a{i} = a{i - 1}.b\n" for i in range(1, 2000)) + "def attention(): return a1999",
        "def attention(): pass\n" + "for i in x: attention = lambda: attention\n" * 1000,
    ],
    ids=["attributes", "carriage return", "elif", "blank lines", "aliases", "bindings"],
)
def test_no_source_ends_the_search(source: str) -> None:
    assert search([IMPORTS, source]) == []


def test_a_helper_is_followed_in_the_source() -> None:
    helper = f"def helper(Q, K, V):\n    return F.{SDPA}(Q, K, V)"
    answer = "def attention(Q, K, V):\n    return helper(Q, K, V)"
    (use,) = search([IMPORTS, helper, answer])
    assert (use.line, use.code) == (2, f"return F.{SDPA}(Q, K, V)")


def test_a_traced_function_is_followed_to_what_was_traced() -> None:
    module = f"class M(nn.Module):\n    def forward(self, q, k, v):\n        return F.{SDPA}(q, k, v)\n"
    traced = module + "m = torch.jit.trace(M(), ())"
    answer = "def attention(Q, K, V):\n    return m(Q, K, V)"
    (use,) = search([IMPORTS, traced, answer])
    assert (use.line, use.code) == (3, f"return F.{SDPA}(q, k, v)")


@pytest.mark.parametrize("again", ["attention = torch.no_grad()(attention)", "attention = attention", "attention += 0"])
def test_an_answer_that_is_wrapped_afterwards_is_still_read(again: str) -> None:
    answer = f"def attention(Q, K, V):\n    return F.{SDPA}(Q, K, V)"
    (use,) = search([IMPORTS, answer, again])
    assert use.line == 2


def test_an_answer_that_is_written_anew_replaces_the_old_one() -> None:
    old, new = f"def attention(Q, K, V):\n    return F.{SDPA}(Q, K, V)", "attention = lambda Q, K, V: Q"
    assert search([IMPORTS, old, new]) == []


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
