"""Wrong answers to q09: which pairs turn, and by which angle."""

# Students write no type annotations, and neither do their mistakes.
# mypy: ignore-errors
import torch

from solutions.mistakes import mistake
from solutions.term import ROPE_BASE

Q = "q09_rope"


@mistake(
    Q,
    caught_by="a_feature_mixes_with_its_neighbour_alone",
    cause="Feature i is paired with feature i + D_k/2, as many libraries do.",
    hint="Which features form a pair in this assignment: neighbours, or one from each half?",
    source="https://github.com/EleutherAI/gpt-neox/issues/834",
)
def pairs_the_first_half_with_the_second():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        if positions is None:
            positions = torch.arange(N)
        theta = L ** (-torch.arange(0, D_k, 2, dtype=torch.float64) / D_k)
        angles = positions.double()[:, None] * theta
        c, s = angles.cos().to(X.dtype), angles.sin().to(X.dtype)
        first, second = X.chunk(2, dim=1)
        return torch.cat([first * c - second * s, first * s + second * c], dim=1)

    return rope


@mistake(
    Q,
    caught_by="a_feature_mixes_with_its_neighbour_alone",
    cause="The angles are those of neighbours, but partners come from the other half and turn by other angles.",
    hint="Two conventions are mixed. Follow one feature: which angle does it get, and which partner?",
    source="https://github.com/raiyanyahya/how-to-train-your-gpt/issues/6",
)
def mixes_both_conventions():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        if positions is None:
            positions = torch.arange(N)
        theta = L ** (-torch.arange(0, D_k, 2, dtype=torch.float64) / D_k)
        angles = (positions.double()[:, None] * theta).repeat_interleave(2, dim=1)
        first, second = X.chunk(2, dim=1)
        turned = torch.cat([-second, first], dim=1)
        return X * angles.cos().to(X.dtype) + turned * angles.sin().to(X.dtype)

    return rope


@mistake(
    Q,
    caught_by="a_feature_mixes_with_its_neighbour_alone",
    cause="Neighbours are paired, but the angles are repeated as a block, so that partners get different ones.",
    hint="Both members of a pair turn by the same angle. Which angles do features 0 and 1 get from you?",
    source="https://github.com/facebookresearch/vjepa2/issues/15",
)
def repeats_the_angles_in_blocks():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        if positions is None:
            positions = torch.arange(N)
        theta = L ** (-torch.arange(0, D_k, 2, dtype=torch.float64) / D_k)
        angles = (positions.double()[:, None] * theta).repeat(1, 2)
        turned = torch.stack([-X[:, 1::2], X[:, 0::2]], dim=2).reshape(N, D_k)
        return X * angles.cos().to(X.dtype) + turned * angles.sin().to(X.dtype)

    return rope


@mistake(
    Q,
    caught_by="half_and_quarter_turns_are_right_by_hand",
    cause="The turned pairs are put one half behind the other and never interleaved again.",
    hint="What does a row at position 0 become? Nothing should happen to it.",
    source="https://github.com/vllm-project/vllm/issues/5984",
)
def never_interleaves_again():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        if positions is None:
            positions = torch.arange(N)
        theta = L ** (-torch.arange(0, D_k, 2, dtype=torch.float64) / D_k)
        angles = positions.double()[:, None] * theta
        c, s = angles.cos().to(X.dtype), angles.sin().to(X.dtype)
        even, odd = X[:, 0::2], X[:, 1::2]
        return torch.cat([even * c - odd * s, even * s + odd * c], dim=1)

    return rope


@mistake(
    Q,
    caught_by="half_and_quarter_turns_are_right_by_hand",
    cause="Pairs turn clockwise.",
    hint="Positions go up, angles go up, counter-clockwise: where does (1, 0) move at first?",
    source="https://github.com/karpathy/nanochat/issues/489",
)
def turns_pairs_clockwise():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        if positions is None:
            positions = torch.arange(N)
        theta = L ** (-torch.arange(0, D_k, 2, dtype=torch.float64) / D_k)
        angles = positions.double()[:, None] * theta
        c, s = angles.cos().to(X.dtype), angles.sin().to(X.dtype)
        even, odd = X[:, 0::2], X[:, 1::2]
        return torch.stack([even * c + odd * s, odd * c - even * s], dim=2).reshape(N, D_k)

    return rope


@mistake(
    Q,
    caught_by="half_and_quarter_turns_are_right_by_hand",
    cause="The members of a pair have changed places before the turn.",
    hint="Call the pair (x, y), x the even feature. What is the result at position 0, in this order?",
)
def exchanges_the_members_of_a_pair():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        if positions is None:
            positions = torch.arange(N)
        theta = L ** (-torch.arange(0, D_k, 2, dtype=torch.float64) / D_k)
        angles = positions.double()[:, None] * theta
        c, s = angles.cos().to(X.dtype), angles.sin().to(X.dtype)
        even, odd = X[:, 1::2], X[:, 0::2]
        return torch.stack([even * c - odd * s, even * s + odd * c], dim=2).reshape(N, D_k)

    return rope


@mistake(
    Q,
    caught_by="a_feature_mixes_with_its_neighbour_alone",
    cause="The second member of a pair is computed from the first one's new value.",
    hint="Both new values depend on both old ones. Which old value is gone by the time you need it?",
    source="https://github.com/numpy/numpy/issues/1683",
)
def uses_the_new_first_member():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        if positions is None:
            positions = torch.arange(N)
        theta = L ** (-torch.arange(0, D_k, 2, dtype=torch.float64) / D_k)
        angles = positions.double()[:, None] * theta
        c, s = angles.cos().to(X.dtype), angles.sin().to(X.dtype)
        Y = X.clone()
        Y[:, 0::2] = Y[:, 0::2] * c - Y[:, 1::2] * s
        Y[:, 1::2] = Y[:, 0::2] * s + Y[:, 1::2] * c
        return Y

    return rope


@mistake(
    Q,
    caught_by="a_feature_mixes_with_its_neighbour_alone",
    cause="Features are scaled by their cosines and never mixed.",
    hint="A turn mixes the two members of a pair. What carries the sine in yours?",
)
def scales_by_cosines_alone():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        if positions is None:
            positions = torch.arange(N)
        theta = L ** (-torch.arange(0, D_k, 2, dtype=torch.float64) / D_k)
        angles = (positions.double()[:, None] * theta).repeat_interleave(2, dim=1)
        return X * angles.cos().to(X.dtype)

    return rope


@mistake(
    Q,
    caught_by="scores_depend_on_the_difference_of_positions_alone",
    cause="The sinusoidal encoding is added; nothing turns.",
    hint="RoPE adds nothing to a query. What does it do instead, and what does it leave unchanged?",
)
def adds_an_encoding():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        if positions is None:
            positions = torch.arange(N)
        theta = L ** (-torch.arange(0, D_k, 2, dtype=torch.float64) / D_k)
        angles = positions.double()[:, None] * theta
        return X + torch.stack([angles.sin(), angles.cos()], dim=2).reshape(N, D_k).to(X.dtype)

    return rope


@mistake(
    Q,
    caught_by="scores_depend_on_the_difference_of_positions_alone",
    cause="Nothing turns at all.",
    hint="Move one row to another position: what changes in your result?",
    source="https://github.com/duoan/TorchCode",
)
def turns_nothing():
    def rope(X, positions=None, L=ROPE_BASE):
        return X.clone()

    return rope


@mistake(
    Q,
    caught_by="a_feature_mixes_with_its_neighbour_alone",
    cause="Only the first half of the features turns.",
    hint="How many pairs do D_k features hold, and how many of them turn?",
    source="https://github.com/lucidrains/rotary-embedding-torch/issues/4",
)
def turns_half_of_the_features():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        if positions is None:
            positions = torch.arange(N)
        theta = L ** (-torch.arange(0, D_k, 2, dtype=torch.float64) / D_k)
        theta[D_k // 4 :] = 0
        angles = positions.double()[:, None] * theta
        c, s = angles.cos().to(X.dtype), angles.sin().to(X.dtype)
        even, odd = X[:, 0::2], X[:, 1::2]
        return torch.stack([even * c - odd * s, even * s + odd * c], dim=2).reshape(N, D_k)

    return rope


@mistake(
    Q,
    caught_by="half_and_quarter_turns_are_right_by_hand",
    cause="theta_i has the exponent -i/D_k in place of -2i/D_k.",
    hint="How slow is the slowest pair? Put the last i into the exponent of theta_i.",
)
def halves_the_exponent_of_theta():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        if positions is None:
            positions = torch.arange(N)
        theta = L ** (-torch.arange(D_k // 2, dtype=torch.float64) / D_k)
        angles = positions.double()[:, None] * theta
        c, s = angles.cos().to(X.dtype), angles.sin().to(X.dtype)
        even, odd = X[:, 0::2], X[:, 1::2]
        return torch.stack([even * c - odd * s, even * s + odd * c], dim=2).reshape(N, D_k)

    return rope


@mistake(
    Q,
    caught_by="every_value_equals_the_formula",
    cause="Later pairs turn faster: the exponent of theta is positive.",
    hint="The first pair is the fast one. How do the others compare with it in yours?",
)
def turns_later_pairs_faster():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        if positions is None:
            positions = torch.arange(N)
        theta = L ** (torch.arange(0, D_k, 2, dtype=torch.float64) / D_k)
        angles = positions.double()[:, None] * theta
        c, s = angles.cos().to(X.dtype), angles.sin().to(X.dtype)
        even, odd = X[:, 0::2], X[:, 1::2]
        return torch.stack([even * c - odd * s, even * s + odd * c], dim=2).reshape(N, D_k)

    return rope


@mistake(
    Q,
    caught_by="every_value_equals_the_formula",
    cause="The default base is that of another term.",
    hint="Compare the base that is used when none is given with the signature.",
)
def keeps_another_base():
    def rope(X, positions=None, L=1000.0 if ROPE_BASE == 10000.0 else 10000.0):
        N, D_k = X.shape
        if positions is None:
            positions = torch.arange(N)
        theta = L ** (-torch.arange(0, D_k, 2, dtype=torch.float64) / D_k)
        angles = positions.double()[:, None] * theta
        c, s = angles.cos().to(X.dtype), angles.sin().to(X.dtype)
        even, odd = X[:, 0::2], X[:, 1::2]
        return torch.stack([even * c - odd * s, even * s + odd * c], dim=2).reshape(N, D_k)

    return rope


@mistake(
    Q,
    caught_by="every_value_equals_the_formula",
    cause=f"The base is fixed at {ROPE_BASE:,g} and L is ignored.",
    hint="The base is an argument. Which value changes when you change it?",
)
def ignores_the_base_of_theta():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        if positions is None:
            positions = torch.arange(N)
        theta = ROPE_BASE ** (-torch.arange(0, D_k, 2, dtype=torch.float64) / D_k)
        angles = positions.double()[:, None] * theta
        c, s = angles.cos().to(X.dtype), angles.sin().to(X.dtype)
        even, odd = X[:, 0::2], X[:, 1::2]
        return torch.stack([even * c - odd * s, even * s + odd * c], dim=2).reshape(N, D_k)

    return rope


@mistake(
    Q,
    caught_by="every_value_equals_the_formula",
    cause="The spread of theta is taken over D_k - 2, so that the last pair reaches 1/L.",
    hint="Which width stands under the exponent of theta_i?",
)
def spreads_theta_down_to_the_base():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        if positions is None:
            positions = torch.arange(N)
        theta = L ** -torch.linspace(0, 1, D_k // 2, dtype=torch.float64)
        angles = positions.double()[:, None] * theta
        c, s = angles.cos().to(X.dtype), angles.sin().to(X.dtype)
        even, odd = X[:, 0::2], X[:, 1::2]
        return torch.stack([even * c - odd * s, even * s + odd * c], dim=2).reshape(N, D_k)

    return rope


@mistake(
    Q,
    caught_by="every_value_equals_the_formula",
    cause="L is raised to whole numbers before the root is taken: in a wide row the power has no place in float64.",
    hint="How large is L to the power of D_k for a few hundred features? Only the fraction belongs into the exponent.",
)
def takes_the_root_of_a_huge_power():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        if positions is None:
            positions = torch.arange(N)
        powers = torch.tensor(float(L), dtype=torch.float64) ** torch.arange(0, D_k, 2)
        angles = positions.double()[:, None] / powers ** (1 / D_k)
        c, s = angles.cos().to(X.dtype), angles.sin().to(X.dtype)
        even, odd = X[:, 0::2], X[:, 1::2]
        return torch.stack([even * c - odd * s, even * s + odd * c], dim=2).reshape(N, D_k)

    return rope


@mistake(
    Q,
    caught_by="a_feature_mixes_with_its_neighbour_alone",
    cause="Half of the features never turn, and the others turn by the number of their row instead of its position.",
    hint="How many of the D_k / 2 pairs turn, and where do the positions that were given come in?",
)
def turns_half_of_the_features_by_the_row():
    def rope(X, positions=None, L=ROPE_BASE):
        N, D_k = X.shape
        theta = L ** (-torch.arange(0, D_k, 2, dtype=torch.float64) / D_k)
        theta[D_k // 4 :] = 0
        angles = torch.arange(N).double()[:, None] * theta
        c, s = angles.cos().to(X.dtype), angles.sin().to(X.dtype)
        even, odd = X[:, 0::2], X[:, 1::2]
        return torch.stack([even * c - odd * s, even * s + odd * c], dim=2).reshape(N, D_k)

    return rope
