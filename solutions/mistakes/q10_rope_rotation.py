"""Wrong answers to q10."""

# Students write no type annotations, and neither do their mistakes.
# mypy: ignore-errors
import math

import torch

from solutions.mistakes import mistake
from solutions.term import ROPE_BASE

Q = "q10_rope_rotation"


@mistake(
    Q,
    caught_by="entries_are_right_by_hand",
    cause="The blocks are those of the sinusoidal encoding, which turn the other way.",
    hint="RoPE turns counter-clockwise. Where does your matrix send the first unit vector?",
    source="https://github.com/scratchapixel/website/issues/19",
)
def turns_clockwise():
    def rope_rotation(n, D_k, L=ROPE_BASE):
        R = torch.zeros(D_k, D_k, dtype=torch.float64)
        for i in range(D_k // 2):
            c, s = math.cos(n * L ** (-2 * i / D_k)), math.sin(n * L ** (-2 * i / D_k))
            R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = torch.tensor([[c, s], [-s, c]], dtype=torch.float64)
        return R

    return rope_rotation


@mistake(
    Q,
    caught_by="entries_are_right_by_hand",
    cause="Feature i is paired with feature i + D_k/2.",
    hint="Which features form a pair in this assignment: neighbours, or one from each half?",
    source="https://github.com/EleutherAI/gpt-neox/issues/834",
)
def pairs_features_of_both_halves():
    def rope_rotation(n, D_k, L=ROPE_BASE):
        angles = n * L ** (-torch.arange(0, D_k, 2, dtype=torch.float64) / D_k)
        c, s = torch.diag(angles.cos()), torch.diag(angles.sin())
        return torch.cat([torch.cat([c, -s], dim=1), torch.cat([s, c], dim=1)])

    return rope_rotation


@mistake(
    Q,
    caught_by="a_score_depends_on_the_difference_of_positions",
    cause="The matrix turns and stretches: it is n times the rotation by one step.",
    hint="What is the matrix of position 0? A query there must stay what it is.",
)
def stretches_by_the_position():
    def rope_rotation(n, D_k, L=ROPE_BASE):
        R = torch.zeros(D_k, D_k, dtype=torch.float64)
        for i in range(D_k // 2):
            c, s = math.cos(L ** (-2 * i / D_k)), math.sin(L ** (-2 * i / D_k))
            R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = torch.tensor([[c, -s], [s, c]], dtype=torch.float64)
        return n * R

    return rope_rotation


@mistake(
    Q,
    caught_by="every_entry_equals_the_formula",
    cause="The default base is that of another term.",
    hint="Compare the base that is used when none is given with the signature.",
)
def defaults_to_another_base():
    def rope_rotation(n, D_k, L=1000.0 if ROPE_BASE == 10000.0 else 10000.0):
        R = torch.zeros(D_k, D_k, dtype=torch.float64)
        for i in range(D_k // 2):
            c, s = math.cos(n * L ** (-2 * i / D_k)), math.sin(n * L ** (-2 * i / D_k))
            R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = torch.tensor([[c, -s], [s, c]], dtype=torch.float64)
        return R

    return rope_rotation


@mistake(
    Q,
    caught_by="entries_are_right_by_hand",
    cause="The base is fixed and L is ignored.",
    hint="The base is an argument. Which entry changes when you change it?",
)
def ignores_the_base():
    def rope_rotation(n, D_k, L=ROPE_BASE):
        R = torch.zeros(D_k, D_k, dtype=torch.float64)
        for i in range(D_k // 2):
            c, s = math.cos(n * ROPE_BASE ** (-2 * i / D_k)), math.sin(n * ROPE_BASE ** (-2 * i / D_k))
            R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = torch.tensor([[c, -s], [s, c]], dtype=torch.float64)
        return R

    return rope_rotation


@mistake(
    Q,
    caught_by="entries_are_right_by_hand",
    cause="theta_i has the exponent -i/D_k in place of -2i/D_k.",
    hint="How slow is the slowest pair? Put the last i into the exponent of theta_i.",
)
def halves_the_exponent():
    def rope_rotation(n, D_k, L=ROPE_BASE):
        R = torch.zeros(D_k, D_k, dtype=torch.float64)
        for i in range(D_k // 2):
            c, s = math.cos(n * L ** (-i / D_k)), math.sin(n * L ** (-i / D_k))
            R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = torch.tensor([[c, -s], [s, c]], dtype=torch.float64)
        return R

    return rope_rotation


@mistake(
    Q,
    caught_by="turns_a_query_as_rope_does",
    cause="A power of the matrix of one step is taken for |n|, so that negative positions turn the wrong way.",
    hint="Differences of positions may be negative. Which way must R_(-1) turn?",
)
def turns_negative_positions_forward():
    def rope_rotation(n, D_k, L=ROPE_BASE):
        step = torch.zeros(D_k, D_k, dtype=torch.float64)
        for i in range(D_k // 2):
            c, s = math.cos(L ** (-2 * i / D_k)), math.sin(L ** (-2 * i / D_k))
            step[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = torch.tensor([[c, -s], [s, c]], dtype=torch.float64)
        return torch.linalg.matrix_power(step, abs(n))

    return rope_rotation


@mistake(
    Q,
    caught_by="entries_are_right_by_hand",
    cause="The matrix has the default dtype, float32.",
    hint="The contract asks for another dtype. Which one do your tensors get when you do not say?",
)
def returns_a_float32_matrix():
    def rope_rotation(n, D_k, L=ROPE_BASE):
        angles = n * L ** (-torch.arange(0, D_k, 2) / D_k)
        return torch.block_diag(*[torch.tensor([[a.cos(), -a.sin()], [a.sin(), a.cos()]]) for a in angles])

    return rope_rotation


@mistake(
    Q,
    caught_by="far_positions_are_as_accurate_as_near_ones",
    cause="theta is computed in float32 and only then made float64: far positions multiply its error.",
    hint="Far out a small error of theta becomes a large error of the angle. In which precision is theta made?",
)
def rounds_theta():
    def rope_rotation(n, D_k, L=ROPE_BASE):
        theta = torch.pow(torch.tensor(L), -torch.arange(0, D_k, 2) / D_k).double()
        c, s = (n * theta).cos(), (n * theta).sin()
        blocks = torch.stack([torch.stack([c, -s], dim=1), torch.stack([s, c], dim=1)], dim=1)  # D_k/2 x 2 x 2
        return torch.block_diag(*blocks)

    return rope_rotation


@mistake(
    Q,
    caught_by="a_score_depends_on_the_difference_of_positions",
    cause="The matrix is returned as the list of its 2 x 2 blocks.",
    hint="The matrix is to be multiplied with a whole query. Which shape does that take?",
)
def returns_the_blocks_alone():
    def rope_rotation(n, D_k, L=ROPE_BASE):
        angles = n * L ** (-torch.arange(0, D_k, 2, dtype=torch.float64) / D_k)
        c, s = angles.cos(), angles.sin()
        return torch.stack([torch.stack([c, -s], dim=1), torch.stack([s, c], dim=1)], dim=1)

    return rope_rotation


@mistake(
    Q,
    caught_by="entries_are_right_by_hand",
    cause="Positions are counted from 1, so that position 0 turns as well.",
    hint="What does the query at position 0 become? Nothing should happen to it.",
)
def turns_position_zero():
    def rope_rotation(n, D_k, L=ROPE_BASE):
        R = torch.zeros(D_k, D_k, dtype=torch.float64)
        for i in range(D_k // 2):
            c, s = math.cos((n + 1) * L ** (-2 * i / D_k)), math.sin((n + 1) * L ** (-2 * i / D_k))
            R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = torch.tensor([[c, -s], [s, c]], dtype=torch.float64)
        return R

    return rope_rotation


@mistake(
    Q,
    caught_by="every_entry_equals_the_formula",
    cause="L is raised to whole numbers before the root is taken: in a wide matrix the power has no place in float64.",
    hint="How large is L to the power of D_k for a few hundred features? Only the fraction belongs into the exponent.",
)
def takes_the_root_of_a_huge_power():
    def rope_rotation(n, D_k, L=ROPE_BASE):
        even = torch.arange(0, D_k, 2)
        powers = torch.tensor(float(L), dtype=torch.float64) ** even
        angles = n / powers ** (1 / D_k)
        R = torch.zeros(D_k, D_k, dtype=torch.float64)
        R[even, even] = R[even + 1, even + 1] = angles.cos()
        R[even, even + 1], R[even + 1, even] = -angles.sin(), angles.sin()
        return R

    return rope_rotation
