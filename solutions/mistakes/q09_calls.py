"""Wrong answers to q09: positions, precision, gradients, arguments and second calls."""

# Students write no type annotations, and neither do their mistakes.
# mypy: ignore-errors
import math

import torch

from solutions.mistakes import mistake
from solutions.term import ROPE_BASE

Q = "q09_rope"


@mistake(
    Q,
    caught_by="scores_depend_on_the_difference_of_positions_alone",
    cause="The positions that are given are ignored: row n always stands at position n.",
    hint="Give the same row two different positions. What changes in your result?",
    source="https://github.com/labmlai/annotated_deep_learning_paper_implementations/issues/215",
)
def ignores_the_positions():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        theta = L ** (-torch.arange(0, D_k, 2, dtype=torch.float64) / D_k)
        angles = torch.arange(N).double()[:, None] * theta
        c, s = angles.cos().to(X.dtype), angles.sin().to(X.dtype)
        even, odd = X[:, 0::2], X[:, 1::2]
        return torch.stack([even * c - odd * s, even * s + odd * c], dim=2).reshape(N, D_k)

    return rope


@mistake(
    Q,
    caught_by="positions_count_from_0_if_not_given",
    cause="Without positions, rows are counted from 1.",
    hint="The first row stands at position 0. By how much does it turn?",
    source="https://github.com/skyzh/tiny-llm/issues/46",
)
def counts_rows_from_one():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        if positions is None:
            positions = torch.arange(1, N + 1)
        theta = L ** (-torch.arange(0, D_k, 2, dtype=torch.float64) / D_k)
        angles = positions.double()[:, None] * theta
        c, s = angles.cos().to(X.dtype), angles.sin().to(X.dtype)
        even, odd = X[:, 0::2], X[:, 1::2]
        return torch.stack([even * c - odd * s, even * s + odd * c], dim=2).reshape(N, D_k)

    return rope


@mistake(
    Q,
    caught_by="every_value_equals_the_formula",
    cause="Only the first position is used, and the others are taken to follow it one by one.",
    hint="Positions may have gaps, repeats and any order. Which of them do you read?",
)
def reads_the_first_position_only():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        start = 0 if positions is None else positions[0]
        theta = L ** (-torch.arange(0, D_k, 2, dtype=torch.float64) / D_k)
        angles = (start + torch.arange(N)).double()[:, None] * theta
        c, s = angles.cos().to(X.dtype), angles.sin().to(X.dtype)
        even, odd = X[:, 0::2], X[:, 1::2]
        return torch.stack([even * c - odd * s, even * s + odd * c], dim=2).reshape(N, D_k)

    return rope


@mistake(
    Q,
    caught_by="every_value_equals_the_formula",
    cause="Positions are cut down to whole numbers.",
    hint="A position of 2.75 is allowed, and it is not the position 2. Which step makes it one?",
)
def cuts_positions_to_integers():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        if positions is None:
            positions = torch.arange(N)
        theta = L ** (-torch.arange(0, D_k, 2, dtype=torch.float64) / D_k)
        angles = positions.long()[:, None] * theta
        c, s = angles.cos().to(X.dtype), angles.sin().to(X.dtype)
        even, odd = X[:, 0::2], X[:, 1::2]
        return torch.stack([even * c - odd * s, even * s + odd * c], dim=2).reshape(N, D_k)

    return rope


@mistake(
    Q,
    caught_by="every_value_equals_the_formula",
    cause="Positions index a table of angles: negative ones count from its end, fractions fail.",
    hint="Not every position is the number of a row of a table. What about -3, or 0.5?",
)
def looks_positions_up_in_a_table():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        theta = L ** (-torch.arange(0, D_k, 2, dtype=torch.float64) / D_k)
        if positions is None:
            positions = torch.arange(N)
        table = torch.arange(20000).double()[:, None] * theta
        angles = table[positions]
        c, s = angles.cos().to(X.dtype), angles.sin().to(X.dtype)
        even, odd = X[:, 0::2], X[:, 1::2]
        return torch.stack([even * c - odd * s, even * s + odd * c], dim=2).reshape(N, D_k)

    return rope


@mistake(
    Q,
    caught_by="far_positions_turn_by_the_right_angle",
    cause="A table for 2,048 positions is made beforehand, and later ones are pressed into it.",
    hint="Positions have no upper limit. Where does one stand in your code?",
    source="https://github.com/TrenTorch/TrenTorch/issues/189",
)
def clamps_to_a_table_of_2048():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        if positions is None:
            positions = torch.arange(N)
        theta = L ** (-torch.arange(0, D_k, 2, dtype=torch.float64) / D_k)
        angles = positions.double().clamp(-2047, 2047)[:, None] * theta
        c, s = angles.cos().to(X.dtype), angles.sin().to(X.dtype)
        even, odd = X[:, 0::2], X[:, 1::2]
        return torch.stack([even * c - odd * s, even * s + odd * c], dim=2).reshape(N, D_k)

    return rope


@mistake(
    Q,
    caught_by="every_value_equals_the_formula",
    cause="Positions are sorted first.",
    hint="Position n belongs to row n, in whatever order they come. Which step changes the order?",
)
def sorts_the_positions():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        positions = torch.arange(N) if positions is None else positions.sort().values
        theta = L ** (-torch.arange(0, D_k, 2, dtype=torch.float64) / D_k)
        angles = positions.double()[:, None] * theta
        c, s = angles.cos().to(X.dtype), angles.sin().to(X.dtype)
        even, odd = X[:, 0::2], X[:, 1::2]
        return torch.stack([even * c - odd * s, even * s + odd * c], dim=2).reshape(N, D_k)

    return rope


@mistake(
    Q,
    caught_by="every_value_equals_the_formula",
    cause="The sign of negative positions is dropped.",
    hint="A negative position turns the other way. Which step cannot tell -3 from 3?",
)
def drops_the_sign_of_positions():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        if positions is None:
            positions = torch.arange(N)
        theta = L ** (-torch.arange(0, D_k, 2, dtype=torch.float64) / D_k)
        angles = positions.double().abs()[:, None] * theta
        c, s = angles.cos().to(X.dtype), angles.sin().to(X.dtype)
        even, odd = X[:, 0::2], X[:, 1::2]
        return torch.stack([even * c - odd * s, even * s + odd * c], dim=2).reshape(N, D_k)

    return rope


@mistake(
    Q,
    caught_by="scores_depend_on_the_difference_of_positions_alone",
    cause="The positions of whoever called are shifted in place, so that they start at 0.",
    hint="The positions still belong to the caller after the call. Which of your steps writes into them?",
)
def shifts_the_callers_positions():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        if positions is None:
            positions = torch.arange(N)
        positions -= positions[0].clone()
        theta = L ** (-torch.arange(0, D_k, 2, dtype=torch.float64) / D_k)
        angles = positions.double()[:, None] * theta
        c, s = angles.cos().to(X.dtype), angles.sin().to(X.dtype)
        even, odd = X[:, 0::2], X[:, 1::2]
        return torch.stack([even * c - odd * s, even * s + odd * c], dim=2).reshape(N, D_k)

    return rope


@mistake(
    Q,
    caught_by="half_and_quarter_turns_are_right_by_hand",
    cause="The turned values are written into the caller's tensor.",
    hint="X still belongs to the caller after the call. Which of your steps writes into it?",
    source="https://github.com/ml-explore/mlx-lm/issues/939",
)
def writes_into_the_callers_rows():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        if positions is None:
            positions = torch.arange(N)
        theta = L ** (-torch.arange(0, D_k, 2, dtype=torch.float64) / D_k)
        angles = positions.double()[:, None] * theta
        c, s = angles.cos().to(X.dtype), angles.sin().to(X.dtype)
        even, odd = X[:, 0::2].clone(), X[:, 1::2].clone()
        X[:, 0::2] = even * c - odd * s
        X[:, 1::2] = even * s + odd * c
        return X

    return rope


@mistake(
    Q,
    caught_by="half_and_quarter_turns_are_right_by_hand",
    cause="The result is float64 whatever comes in.",
    hint="Compare the dtype of X with that of your result. Which of the factors decides it?",
)
def returns_float64_always():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        if positions is None:
            positions = torch.arange(N)
        theta = L ** (-torch.arange(0, D_k, 2, dtype=torch.float64) / D_k)
        angles = positions.double()[:, None] * theta
        c, s = angles.cos(), angles.sin()
        even, odd = X[:, 0::2], X[:, 1::2]
        return torch.stack([even * c - odd * s, even * s + odd * c], dim=2).reshape(N, D_k)

    return rope


@mistake(
    Q,
    caught_by="half_and_quarter_turns_are_right_by_hand",
    cause="The result is float32 whatever comes in.",
    hint="Compare the dtype of X with that of your result, for X in double precision.",
)
def returns_float32_always():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        if positions is None:
            positions = torch.arange(N)
        theta = L ** (-torch.arange(0, D_k, 2) / D_k)
        angles = positions.float()[:, None] * theta
        pairs = torch.view_as_complex(X.float().reshape(N, -1, 2).contiguous())
        turned = pairs * torch.polar(torch.ones_like(angles), angles)
        return torch.view_as_real(turned).reshape(N, D_k)

    return rope


@mistake(
    Q,
    caught_by="far_positions_turn_by_the_right_angle",
    cause="Angles are kept in bfloat16, where neighbouring positions beyond 256 are one and the same.",
    hint="How many different whole numbers between 8,192 and 10,000 does your dtype of the angles know?",
    source="https://github.com/EleutherAI/gpt-neox/issues/1003",
)
def keeps_angles_in_half_precision():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        if positions is None:
            positions = torch.arange(N)
        theta = L ** (-torch.arange(0, D_k, 2) / D_k)
        angles = (positions.bfloat16()[:, None] * theta.bfloat16()).float()
        c, s = angles.cos().to(X.dtype), angles.sin().to(X.dtype)
        even, odd = X[:, 0::2], X[:, 1::2]
        return torch.stack([even * c - odd * s, even * s + odd * c], dim=2).reshape(N, D_k)

    return rope


@mistake(
    Q,
    caught_by="a_strided_view_gives_what_its_copy_gives",
    cause="The pairs are viewed as complex numbers, which fails where they are not neighbours in memory.",
    hint="The rows may be a view of a larger tensor. Which of your steps needs neighbours in memory?",
)
def expects_pairs_side_by_side_in_memory():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        if positions is None:
            positions = torch.arange(N)
        theta = L ** (-torch.arange(0, D_k, 2, dtype=torch.float64) / D_k)
        angles = positions.double()[:, None] * theta
        pairs = torch.view_as_complex(X.view(N, D_k // 2, 2))
        turned = pairs * torch.polar(torch.ones_like(angles), angles).to(pairs.dtype)
        return torch.view_as_real(turned).reshape(N, D_k)

    return rope


@mistake(
    Q,
    caught_by="a_second_call_starts_afresh",
    cause="The angles are kept between calls and found again by the shape of X alone.",
    hint="If you keep angles, everything that they depend on has to be part of the question whether they fit.",
    source="https://github.com/lucidrains/rotary-embedding-torch/issues/11",
)
def keeps_angles_by_shape():
    kept = {}

    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        if (N, D_k) not in kept:
            places = torch.arange(N) if positions is None else positions
            theta = L ** (-torch.arange(0, D_k, 2, dtype=torch.float64) / D_k)
            kept[N, D_k] = places.double()[:, None] * theta
        c, s = kept[N, D_k].cos().to(X.dtype), kept[N, D_k].sin().to(X.dtype)
        even, odd = X[:, 0::2], X[:, 1::2]
        return torch.stack([even * c - odd * s, even * s + odd * c], dim=2).reshape(N, D_k)

    return rope


@mistake(
    Q,
    caught_by="gradients_turn_back",
    cause="The result is built in numpy, where no gradient survives.",
    hint="The result is right, but nothing leads back from it to X. Where does the way leave PyTorch?",
)
def takes_a_detour_through_numpy():
    import numpy as np

    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        places = np.arange(N) if positions is None else positions.numpy()
        theta = L ** (-np.arange(0, D_k, 2) / D_k)
        angles = places[:, None] * theta
        rows = X.detach().double().numpy()
        Y = np.empty_like(rows)
        Y[:, 0::2] = rows[:, 0::2] * np.cos(angles) - rows[:, 1::2] * np.sin(angles)
        Y[:, 1::2] = rows[:, 0::2] * np.sin(angles) + rows[:, 1::2] * np.cos(angles)
        return torch.from_numpy(Y).to(X.dtype)

    return rope


@mistake(
    Q,
    caught_by="gradients_turn_back",
    cause="The partner's part of the turn is detached, so that only the cosine carries a gradient.",
    hint="Every new feature depends on both members of the pair. Does the gradient know both ways?",
)
def detaches_the_partner():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        if positions is None:
            positions = torch.arange(N)
        theta = L ** (-torch.arange(0, D_k, 2, dtype=torch.float64) / D_k)
        angles = (positions.double()[:, None] * theta).repeat_interleave(2, dim=1)
        partner = torch.stack([-X.data[:, 1::2], X.data[:, 0::2]], dim=2).reshape(N, D_k)
        return X * angles.cos().to(X.dtype) + partner * angles.sin().to(X.dtype)

    return rope


@mistake(
    Q,
    caught_by="one_row_and_two_features_keep_their_axes",
    cause="squeeze() drops the axis of a single row.",
    hint="One row still is a table with one row. Which step removes axes without being asked which?",
)
def squeezes_a_single_row():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        if positions is None:
            positions = torch.arange(N)
        theta = L ** (-torch.arange(0, D_k, 2, dtype=torch.float64) / D_k)
        angles = positions.double()[:, None] * theta
        c, s = angles.cos().to(X.dtype), angles.sin().to(X.dtype)
        even, odd = X[:, 0::2], X[:, 1::2]
        return torch.stack([even * c - odd * s, even * s + odd * c], dim=2).reshape(1, N, D_k).squeeze()

    return rope


@mistake(
    Q,
    caught_by="one_row_and_two_features_keep_their_axes",
    cause="The angles are computed pair by pair and reshaped into rows where they should be transposed.",
    hint="Row n turns by its own position. Print the angles: which axis counts the rows?",
    source="https://github.com/hyunwoongko/transformer/issues/15",
)
def reshapes_the_angles():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        if positions is None:
            positions = torch.arange(N)
        theta = L ** (-torch.arange(0, D_k, 2, dtype=torch.float64) / D_k)
        angles = torch.outer(theta, positions.double()).reshape(N, D_k // 2)
        c, s = angles.cos().to(X.dtype), angles.sin().to(X.dtype)
        even, odd = X[:, 0::2], X[:, 1::2]
        return torch.stack([even * c - odd * s, even * s + odd * c], dim=2).reshape(N, D_k)

    return rope


@mistake(
    Q,
    caught_by="half_and_quarter_turns_are_right_by_hand",
    cause="Positions are taken for degrees.",
    hint="In which unit do sine and cosine take their angle, and in which one is n theta_i?",
)
def turns_by_degrees():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        if positions is None:
            positions = torch.arange(N)
        theta = L ** (-torch.arange(0, D_k, 2, dtype=torch.float64) / D_k)
        angles = positions.double()[:, None] * theta * math.pi / 180
        c, s = angles.cos().to(X.dtype), angles.sin().to(X.dtype)
        even, odd = X[:, 0::2], X[:, 1::2]
        return torch.stack([even * c - odd * s, even * s + odd * c], dim=2).reshape(N, D_k)

    return rope


@mistake(
    Q,
    caught_by="far_positions_turn_by_the_right_angle",
    cause="Positions are kept in float16, which knows no odd number beyond 2,048.",
    hint="How many different whole numbers between 8,192 and 10,000 does the dtype of your positions know?",
)
def keeps_positions_in_half_precision():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        if positions is None:
            positions = torch.arange(N)
        theta = L ** (-torch.arange(0, D_k, 2, dtype=torch.float64) / D_k)
        angles = positions.to(torch.float16).double()[:, None] * theta
        c, s = angles.cos().to(X.dtype), angles.sin().to(X.dtype)
        even, odd = X[:, 0::2], X[:, 1::2]
        return torch.stack([even * c - odd * s, even * s + odd * c], dim=2).reshape(N, D_k)

    return rope
