"""What students are given: data, training loops, experiments that wait, and figures one can read."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import plotly.graph_objects as go
import pytest
import torch
from torch import Tensor, nn

from autograder import tree
from given import counting, digits, words
from given.experiment import QUESTION_OF, Unwritten, experiment
from given.figures import averaging, equivariance, norms, parameters, positions, scaling, vit
from given.heads import split_heads
from given.offsets import offset_spread, pairs_by_offset, running_mean
from given.parts import describe_parts
from given.scaling import measure_scaling
from solutions.q02_attention import attention
from solutions.q03_softmax_jacobian import softmax_jacobian_norm
from solutions.q06_transformer_layer import TransformerLayer
from solutions.q11_patchify import patchify


def test_the_sentences_have_11_and_12_words_and_end_in_an_ambiguous_bank() -> None:
    assert (len(words.RIVER), len(words.CASH)) == (11, 12)
    for sentence in (words.RIVER, words.CASH):
        bank = dict(zip(words.FEATURES, words.embed_words(sentence)[-1].tolist(), strict=True))
        assert bank == {"water": 1, "money": 1, "motion": 0, "place": 1, "grammar": 0}
    assert words.embed_words(["the"]).tolist() == [[0, 0, 0, 0, 1]]


def test_counts_are_those_of_the_other_equal_tokens() -> None:
    tokens, counts = counting.draw_texts(50, torch.Generator().manual_seed(0))
    by_hand = [[min(text.count(token) - 1, 7) for token in text] for text in tokens.tolist()]
    assert counts.tolist() == by_hand
    assert tokens.shape == (50, 16)
    assert set(tokens.flatten().tolist()) == set(range(8))


def test_the_marginal_error_is_the_entropy_of_the_counts() -> None:
    _, counts = counting.draw_texts(20_000, torch.Generator().manual_seed(0))
    share = counts.flatten().bincount(minlength=8) / counts.numel()
    assert counting.marginal_error() == pytest.approx(-(share * share.log()).sum().item(), abs=0.01)
    assert counting.marginal_error() == pytest.approx(1.62, abs=0.005)


def test_counting_is_learned_from_the_same_texts_every_time() -> None:
    errors = counting.train_counting(TransformerLayer, pre_norm=True, learning_rate=1e-3, steps=12)
    assert errors == counting.train_counting(TransformerLayer, pre_norm=True, learning_rate=1e-3, steps=12)
    assert len(errors) == 12
    assert errors[-1] < errors[0]


def test_only_a_pre_norm_stack_ends_in_a_norm() -> None:
    kinds = {pre_norm: type(counting.LayerStack(TransformerLayer, pre_norm).final_norm) for pre_norm in (True, False)}
    assert kinds == {True: nn.LayerNorm, False: nn.Identity}


def test_digits_are_split_into_1300_and_497_without_overlap() -> None:
    train, held_out = digits.load_digits()
    assert (len(train.images), len(train.labels), len(held_out.images)) == (1300, 1300, 497)
    rows = {tuple(image.flatten().tolist()) for part in (train, held_out) for image in part.images}
    assert len(rows) == 1797
    assert (train.images.min(), train.images.max()) == (0, 1)
    assert set(held_out.labels.tolist()) == set(range(10))


def make_classifier() -> nn.Module:
    torch.manual_seed(0)
    return nn.Sequential(nn.Flatten(), nn.Linear(64, 10))


def test_fitting_twice_with_one_seed_gives_the_same_losses_and_learns() -> None:
    train, held_out = digits.load_digits()
    recipe: dict[str, Any] = {"epochs": 2, "batch": 64, "learning_rate": 1e-2}
    model = make_classifier()
    losses = digits.fit(model, *train, **recipe, seed=3)
    assert losses == digits.fit(make_classifier(), *train, **recipe, seed=3)
    assert losses != digits.fit(make_classifier(), *train, **recipe, seed=4)
    assert len(losses) == 2 * 21
    assert all(type(loss) is float for loss in losses)
    assert digits.measure_accuracy(model, held_out) > 0.8


def test_training_uses_one_core_and_gives_the_others_back() -> None:
    before = torch.get_num_threads()
    used: list[int] = []

    class Spy(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.out = nn.Linear(4, 3)

        def forward(self, images: Tensor) -> Tensor:
            used.append(torch.get_num_threads())
            return self.out(images)

    torch.set_num_threads(2)
    try:
        labels = torch.zeros(5, dtype=torch.int64)
        digits.fit(Spy(), torch.rand(5, 4), labels, epochs=1, batch=5, learning_rate=0.1, seed=0)
        assert (used, torch.get_num_threads()) == ([1], 2)
    finally:
        torch.set_num_threads(before)


def test_training_needs_neither_plotly_nor_otter_nor_a_progress_bar() -> None:
    code = """
import sys
sys.modules.update(dict.fromkeys(("plotly", "otter", "tqdm", "sklearn", "IPython")))
import torch
from given import counting, digits
model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(4, 3))
images, labels = torch.rand(5, 2, 2), torch.zeros(5, dtype=torch.int64)
print(digits.fit(model, images, labels, epochs=1, batch=2, learning_rate=0.1, seed=0))
"""
    run = subprocess.run([sys.executable, "-c", code], cwd=tree.ASSIGNMENT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout.count(",") == 2


def raise_unwritten() -> None:
    raise NotImplementedError("q02_attention: not written yet")


def test_an_experiment_says_which_answer_it_waits_for(capsys: pytest.CaptureFixture[str]) -> None:
    result = experiment(raise_unwritten)
    experiment(lambda: rope(torch.ones(2, 2)))  # type: ignore[name-defined]  # noqa: F821
    experiment(lambda: result.layers)
    experiment(lambda: result(torch.ones(1)))
    expected = ["write q02_attention first", "write q09_rope first", *2 * ["write q02_attention first"]]
    assert capsys.readouterr().out.splitlines() == expected
    assert isinstance(result, Unwritten)


@pytest.mark.parametrize("error", [NotImplementedError("of PyTorch"), NameError(name="scores"), ValueError("q02")])
def test_an_experiment_lets_every_other_error_through(error: Exception) -> None:
    def run() -> None:
        raise error

    with pytest.raises(type(error)):
        experiment(run)


def test_an_experiment_puts_its_result_in_the_place_of_its_name() -> None:
    @experiment
    def answer() -> int:
        return 42

    assert answer == 42


def test_an_experiment_computes_on_the_cpu_whatever_the_default_device() -> None:
    torch.set_default_device("meta")  # stands for a GPU, whose generators are of another kind too
    try:
        rows = experiment(lambda: measure_scaling(attention, softmax_jacobian_norm, [4], trials=2))
        assert torch.empty(0).device.type == "meta"
    finally:
        torch.set_default_device(None)
    assert rows[0].variance > 0


def test_every_name_that_students_write_is_known_to_experiments() -> None:
    for name, question in QUESTION_OF.items():
        assert f" {name}(" in (tree.SOLUTIONS / f"{question}.py").read_text()
    assert {path.stem for path in tree.SOLUTIONS.glob("q*.py")} == set(QUESTION_OF.values())


def test_heads_are_split_so_that_they_can_be_put_together_again() -> None:
    mha = nn.MultiheadAttention(6, 3, bias=False)
    W_q, W_k, W_v, W_o = split_heads(mha)
    assert [tuple(W.shape) for W in W_q] == 3 * [(6, 2)]
    packed = torch.cat([torch.cat(W, dim=1) for W in (W_q, W_k, W_v)], dim=1).T
    assert torch.equal(packed, mha.in_proj_weight)
    assert torch.equal(W_o.T, mha.out_proj.weight)


def test_spread_is_zero_only_where_the_offset_decides() -> None:
    n = torch.arange(5.0)
    toeplitz = (n - n.unsqueeze(1)).sin()
    assert offset_spread(toeplitz) == 0
    for place in ((0, 3), (3, 3), (4, 1)):
        disturbed = toeplitz.clone()
        disturbed[place] += 0.5
        assert offset_spread(disturbed) == pytest.approx(0.5)
    offsets, values = pairs_by_offset(toeplitz)
    torch.testing.assert_close(values, offsets.float().sin())


def test_the_running_mean_widens_with_the_offset() -> None:
    values = torch.randn(300, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    means = running_mean(values)
    torch.testing.assert_close(means[:20], values[:20])
    torch.testing.assert_close(means[200], values[190:211].mean())
    torch.testing.assert_close(means[-1], values[285:].mean())


def draw_all() -> dict[str, go.Figure]:
    """Every figure, from small inputs."""
    alpha = torch.eye(11), torch.eye(12)
    vector, matrix = torch.arange(5.0), torch.eye(6)
    rows = measure_scaling(attention, softmax_jacobian_norm, [2, 4], N=5, trials=3)
    runs = {(pre_norm, rate): [2.0, 1.0, rate] for pre_norm in (True, False) for rate in (1e-3, 1e-2)}
    images = torch.rand(6, 8, 8)
    labels = torch.arange(6)
    return {
        "weights": averaging.draw_weights([words.RIVER, words.CASH], list(alpha)),
        "bank": averaging.draw_bank(vector, 2 * vector, 3 * vector),
        "scaling": scaling.draw_scaling(rows),
        "parameters": parameters.draw_parameters([1, 2], [3, 3], [4, 10**30], 8),
        "norms": norms.draw_norms(runs, 1e-2, 1.5),
        "good": equivariance.draw_good((vector, vector), (vector, -vector)),
        "encoding": positions.draw_encoding(matrix),
        "offsets": positions.draw_offsets(matrix, torch.zeros(11), "Scores", "score"),
        "matrices": positions.draw_matrices({"one": matrix, "other": matrix}, "Matrices"),
        "decay": positions.draw_decay(torch.rand(50), torch.rand(50)),
        "looks": vit.draw_looks(images, labels, labels, torch.rand(6, 16), patchify, P=2),
    }


def test_every_figure_has_a_title_labelled_axes_and_the_white_template() -> None:
    white = go.Figure(layout_template="plotly_white").layout.template
    for name, figure in draw_all().items():
        layout = figure.layout
        assert layout.title.text, name
        assert layout.template == white, name
        assert layout.width == 840, name
        assert 350 <= layout.height <= 600, name
        shown = [axis for axis in [*figure.select_xaxes(), *figure.select_yaxes()] if axis.visible is not False]
        unlabelled = [axis for axis in shown if not axis.title.text and not axis.matches]
        assert not unlabelled, (name, unlabelled)


def test_small_weights_are_not_written_into_the_heat_map() -> None:
    alpha = torch.full((11, 11), 0.04)
    alpha[0, 0] = 0.05
    figure = averaging.draw_weights([words.RIVER], [alpha])
    texts = [text for row in figure.data[0].text for text in row if text]
    assert texts == ["0.05"]


def test_scaling_measures_the_students_attention() -> None:
    def uniform(Q: Tensor, K: Tensor, V: Tensor) -> tuple[Tensor, Tensor]:
        alpha = torch.full((len(Q), len(K)), 1 / len(K))
        return alpha @ V, alpha

    rows = measure_scaling(uniform, softmax_jacobian_norm, [4], N=5, trials=3)
    assert [row.largest_weight for row in rows] == pytest.approx([0.2, 0.2])


def test_given_modules_fit_on_a_screen_and_name_no_other_folder() -> None:
    for path in (file for file in Path(tree.GIVEN).rglob("*.py") if file.name != "checks.py"):
        text = path.read_text()
        assert len(text.splitlines()) < 200, path.name
        assert "solutions" not in text, path.name


def test_what_is_left_in_a_model_is_described() -> None:
    def leave(change: Callable[[nn.Module], Any]) -> set[str]:
        model = nn.Sequential(nn.Linear(2, 3), nn.LayerNorm(3))
        before = describe_parts(model)
        assert describe_parts(model) == before
        change(model)
        return set(describe_parts(model)) - set(before)

    assert leave(lambda model: model(torch.ones(1, 2)).sum().backward()) == set()
    assert leave(lambda model: model[1].eval()) == {"1 is in eval mode"}
    assert leave(lambda model: model.register_forward_hook(print)) == {"the model has 1 hook"}
    assert leave(lambda model: model[0].register_forward_pre_hook(print)) == {"0 has 1 hook"}
    assert leave(lambda model: model.register_buffer("b", torch.ones(1))) == {"the model has the attribute b"}
    assert leave(lambda model: setattr(model[0], "seen", [])) == {"0 has the attribute seen"}
    assert leave(lambda model: setattr(model[1], "eps", 1.0)) == {"1 has the attribute eps = 1.0"}
    patched = leave(lambda model: setattr(model[0], "forward", len))
    assert patched == {"0 runs len when it is called", "0 has the attribute forward"}
