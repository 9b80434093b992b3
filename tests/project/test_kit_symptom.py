"""What a wrong tensor looks like, in words; and nothing at all where it looks like nothing known."""

import pytest
import torch

from kit import randn
from kit.symptom import describe

Y = randn(4, 3, seed=1, dtype=torch.float64) + 0.05
ALPHA = randn(4, 4, seed=2, dtype=torch.float64).softmax(-1)
SCORES = ALPHA.log()


@pytest.mark.parametrize(
    ("got", "expected", "words"),
    [
        (-Y, Y, "only the sign is wrong"),
        (2.5 * Y, Y, "everything is 2.5 times as large as it should be"),
        (Y / 8, Y, "everything is 0.125 times as large as it should be"),
        (Y[[2, 0, 3, 1]], Y, "the rows are right but stand in another order"),
        (Y[:, [1, 2, 0]], Y, "the columns are right but stand in another order"),
        (Y.flatten()[torch.randperm(12, generator=torch.Generator().manual_seed(0))].view(4, 3), Y, "other places"),
        (ALPHA.mT, ALPHA, "rows and columns have changed places"),
        (SCORES.softmax(0), ALPHA, "the columns sum to 1 instead of the rows"),
        (SCORES.flatten().softmax(0).view(4, 4), ALPHA, "the whole matrix sums to 1 instead of each row"),
        (ALPHA + 0.1 * ALPHA.diag().diag(), ALPHA, "the rows do not sum to 1"),
        ((2 * SCORES).softmax(-1), ALPHA, "the weights are too peaked"),
        ((SCORES / 2).softmax(-1), ALPHA, "the weights are too flat"),
        (Y[None], Y, "an axis of size 1 was added"),
        (torch.zeros(3), torch.zeros(3, 1), "an axis of size 1 was lost"),
        (torch.zeros(3, 4), torch.zeros(4, 3), "the last two axes have changed places"),
        (torch.zeros(2, 4, 3), torch.zeros(4, 3, 2), "the axes stand in another order"),
    ],
)
def test_a_known_difference_is_named(got, expected, words):
    assert words in (describe(got, expected) or "")


@pytest.mark.parametrize(
    ("got", "expected"),
    [
        (randn(4, 3, seed=7, dtype=torch.float64), Y),
        (torch.zeros(4, 3), Y),
        (torch.zeros(5, 3), torch.zeros(4, 3)),
        ((3 * SCORES)[:, [1, 2, 3, 0]].softmax(-1), ALPHA),  # of another order, not of another temperature
        (torch.zeros(1, 3), torch.zeros(3, 2)),
        (torch.stack([Y[[1, 0, 2, 3]], randn(4, 3, seed=8, dtype=torch.float64)]), torch.stack([Y, Y])),
        (torch.stack([ALPHA.mT, (2 * SCORES).softmax(-1)]), torch.stack([ALPHA, ALPHA])),
        (torch.tensor([[1.0, 0.0], [0.0, -1.0]]), torch.eye(2)),
    ],
)
def test_an_unknown_difference_gets_no_story(got, expected):
    assert describe(got, expected) is None


def test_a_symptom_holds_in_every_matrix_of_a_batch():
    both = torch.stack([Y[[2, 0, 3, 1]], Y[[1, 2, 3, 0]]])
    assert describe(both, torch.stack([Y, Y])) == "the rows are right but stand in another order"


def test_an_axis_is_neither_lost_nor_added_where_their_number_is_right():
    assert "axis of size 1" not in (describe(torch.zeros(1, 3, 1), torch.zeros(3, 1, 1)) or "")


def test_too_few_numbers_tell_nothing():
    assert describe(torch.tensor([2.0]), torch.tensor([1.0])) == ""


def test_a_near_miss_is_called_small_and_a_far_one_is_not():
    assert "small difference" in (describe(Y + 5e-6, Y, allowed=1e-6) or "")
    assert "small difference" not in (describe(Y + 5e-3, Y, allowed=1e-6) or "")
    assert describe(Y + 1e-5, Y) is None


def test_a_lower_precision_is_named_only_where_it_holds_the_numbers():
    assert "float32 holds" in (describe((Y / 3).float().double(), Y / 3, allowed=1e-10) or "")
    assert "holds" not in (describe(Y + 1e-7, Y, allowed=1e-10) or "")
    assert "holds" not in (describe(Y.float() + 1e-4, Y.float(), allowed=1e-5) or "")
