"""Wrong answers to q08."""

# Students write no type annotations, and neither do their mistakes.
# mypy: ignore-errors
import math

import torch

from solutions.mistakes import mistake

Q = "q08_rotation_matrix"


@mistake(
    Q,
    caught_by="entries_are_right_by_hand",
    cause="Every block is transposed: it moves the encoding back by k, not on.",
    hint="Write out sin(n + k) with the addition theorem. With which sign does cos n enter?",
    source="https://github.com/karpathy/nanochat/issues/489",
)
def moves_back_instead_of_on():
    def rotation_matrix(k, D, L):
        R = torch.zeros(D, D, dtype=torch.float64)
        for j in range(D // 2):
            c, s = math.cos(k * L ** (-2 * j / D)), math.sin(k * L ** (-2 * j / D))
            R[2 * j : 2 * j + 2, 2 * j : 2 * j + 2] = torch.tensor([[c, -s], [s, c]], dtype=torch.float64)
        return R

    return rotation_matrix


@mistake(
    Q,
    caught_by="steps_add_up",
    cause="The lower row of a block is (s, -c): a reflection, which undoes itself, in place of a rotation.",
    hint="What should the matrix of no step at all be? Compare yours.",
)
def reflects_instead_of_turning():
    def rotation_matrix(k, D, L):
        R = torch.zeros(D, D, dtype=torch.float64)
        for j in range(D // 2):
            c, s = math.cos(k * L ** (-2 * j / D)), math.sin(k * L ** (-2 * j / D))
            R[2 * j : 2 * j + 2, 2 * j : 2 * j + 2] = torch.tensor([[c, s], [s, -c]], dtype=torch.float64)
        return R

    return rotation_matrix


@mistake(
    Q,
    caught_by="moves_a_sine_and_its_cosine_on_by_k",
    cause="The minus sign is missing in every block.",
    hint="Which of the two addition theorems has a minus sign, and which row of the block does it fill?",
)
def forgets_the_minus_sign():
    def rotation_matrix(k, D, L):
        R = torch.zeros(D, D, dtype=torch.float64)
        for j in range(D // 2):
            c, s = math.cos(k * L ** (-2 * j / D)), math.sin(k * L ** (-2 * j / D))
            R[2 * j : 2 * j + 2, 2 * j : 2 * j + 2] = torch.tensor([[c, s], [s, c]], dtype=torch.float64)
        return R

    return rotation_matrix


@mistake(
    Q,
    caught_by="steps_add_up",
    cause="Sines and cosines are scaled one by one along the diagonal, without mixing the two of a pair.",
    hint="Can sin(n + k) be computed from sin n alone? Which second number does it need?",
    source="https://math.stackexchange.com/questions/3119882",
)
def scales_sines_and_cosines_apart():
    def rotation_matrix(k, D, L):
        angles = [k * L ** (-(i - i % 2) / D) for i in range(D)]
        return torch.diag(torch.tensor(angles, dtype=torch.float64).cos())

    return rotation_matrix


@mistake(
    Q,
    caught_by="entries_are_right_by_hand",
    cause="Sines are taken to stand in the first half and cosines in the second.",
    hint="Where do the sine and the cosine of one wavelength stand in the encoding of eq. 12.25?",
    source="https://github.com/allenai/allennlp/issues/2993",
)
def pairs_the_halves():
    def rotation_matrix(k, D, L):
        angles = k * L ** (-torch.arange(0, D, 2, dtype=torch.float64) / D)
        c, s = torch.diag(angles.cos()), torch.diag(angles.sin())
        return torch.cat([torch.cat([c, s], dim=1), torch.cat([-s, c], dim=1)])

    return rotation_matrix


@mistake(
    Q,
    caught_by="entries_are_right_by_hand",
    cause="The matrix of one step is multiplied by k.",
    hint="Multiplying a rotation by 3 triples lengths. What does taking the same step three times do?",
)
def multiplies_one_step_by_k():
    def rotation_matrix(k, D, L):
        R = torch.zeros(D, D, dtype=torch.float64)
        for j in range(D // 2):
            c, s = math.cos(L ** (-2 * j / D)), math.sin(L ** (-2 * j / D))
            R[2 * j : 2 * j + 2, 2 * j : 2 * j + 2] = torch.tensor([[c, s], [-s, c]], dtype=torch.float64)
        return k * R

    return rotation_matrix


@mistake(
    Q,
    caught_by="entries_are_right_by_hand",
    cause="The entries of one step are raised to the k-th power, not the matrix.",
    hint="A step taken k times is a product of k matrices. Is that the same as a power of each entry?",
)
def raises_entries_to_a_power():
    def rotation_matrix(k, D, L):
        R = torch.zeros(D, D, dtype=torch.float64)
        for j in range(D // 2):
            c, s = math.cos(L ** (-2 * j / D)), math.sin(L ** (-2 * j / D))
            R[2 * j : 2 * j + 2, 2 * j : 2 * j + 2] = torch.tensor([[c, s], [-s, c]], dtype=torch.float64)
        return R**k

    return rotation_matrix


@mistake(
    Q,
    caught_by="moves_every_position_of_the_encoding_on",
    cause="One step is repeated in a loop, which takes no step at all for a negative k.",
    hint="What should the matrix of k = -1 undo, and what does yours do?",
)
def repeats_only_forward_steps():
    def rotation_matrix(k, D, L):
        step = torch.zeros(D, D, dtype=torch.float64)
        for j in range(D // 2):
            c, s = math.cos(L ** (-2 * j / D)), math.sin(L ** (-2 * j / D))
            step[2 * j : 2 * j + 2, 2 * j : 2 * j + 2] = torch.tensor([[c, s], [-s, c]], dtype=torch.float64)
        R = torch.eye(D, dtype=torch.float64)
        for _ in range(k):
            R = R @ step
        return R

    return rotation_matrix


@mistake(
    Q,
    caught_by="moves_a_sine_and_its_cosine_on_by_k",
    cause="The sign of k is dropped.",
    hint="A step back is not a step forward. Which of your functions cannot tell the two apart?",
)
def drops_the_sign_of_k():
    def rotation_matrix(k, D, L):
        R = torch.zeros(D, D, dtype=torch.float64)
        for j in range(D // 2):
            phi = abs(k) / L ** (2 * j / D)
            c, s = math.cos(phi), math.sin(phi)
            R[2 * j : 2 * j + 2, 2 * j : 2 * j + 2] = torch.tensor([[c, s], [-s, c]], dtype=torch.float64)
        return R

    return rotation_matrix


@mistake(
    Q,
    caught_by="entries_are_right_by_hand",
    cause="The exponent has j where 2j belongs.",
    hint="Block j belongs to features 2j and 2j+1. Which exponent do they have in eq. 12.25?",
)
def counts_blocks_in_the_exponent():
    def rotation_matrix(k, D, L):
        R = torch.zeros(D, D, dtype=torch.float64)
        for j in range(D // 2):
            phi = k * L ** (-j / D)
            c, s = math.cos(phi), math.sin(phi)
            R[2 * j : 2 * j + 2, 2 * j : 2 * j + 2] = torch.tensor([[c, s], [-s, c]], dtype=torch.float64)
        return R

    return rotation_matrix


@mistake(
    Q,
    caught_by="entries_are_right_by_hand",
    cause="The exponent is positive, so later blocks turn faster.",
    hint="Do later features of the encoding change faster or more slowly? Their blocks must do the same.",
)
def turns_later_blocks_faster():
    def rotation_matrix(k, D, L):
        R = torch.zeros(D, D, dtype=torch.float64)
        for j in range(D // 2):
            phi = k * L ** (2 * j / D)
            c, s = math.cos(phi), math.sin(phi)
            R[2 * j : 2 * j + 2, 2 * j : 2 * j + 2] = torch.tensor([[c, s], [-s, c]], dtype=torch.float64)
        return R

    return rotation_matrix


@mistake(
    Q,
    caught_by="entries_are_right_by_hand",
    cause="All blocks turn by the first pair's angle.",
    hint="Every pair of features has a wavelength of its own. Where does j enter your angle?",
)
def turns_all_blocks_alike():
    def rotation_matrix(k, D, L):
        block = torch.tensor([[math.cos(k), math.sin(k)], [-math.sin(k), math.cos(k)]], dtype=torch.float64)
        return torch.block_diag(*[block] * (D // 2))

    return rotation_matrix


@mistake(
    Q,
    caught_by="every_entry_equals_the_formula",
    cause="The base is fixed at 10,000 and L is ignored.",
    hint="The base is an argument. Which entry changes when you change it?",
    source="https://github.com/maxjcohen/transformer/issues/62",
)
def always_turns_with_base_ten_thousand():
    def rotation_matrix(k, D, L=10000.0):
        R = torch.zeros(D, D, dtype=torch.float64)
        for j in range(D // 2):
            phi = k * 10000.0 ** (-2 * j / D)
            c, s = math.cos(phi), math.sin(phi)
            R[2 * j : 2 * j + 2, 2 * j : 2 * j + 2] = torch.tensor([[c, s], [-s, c]], dtype=torch.float64)
        return R

    return rotation_matrix


@mistake(
    Q,
    caught_by="entries_are_right_by_hand",
    cause="The offset is missing: every k gets the matrix of one step.",
    hint="How far does your matrix move the encoding? Compare k = 1 with k = 2.",
)
def always_takes_one_step():
    def rotation_matrix(k, D, L):
        R = torch.zeros(D, D, dtype=torch.float64)
        for j in range(D // 2):
            phi = L ** (-2 * j / D)
            c, s = math.cos(phi), math.sin(phi)
            R[2 * j : 2 * j + 2, 2 * j : 2 * j + 2] = torch.tensor([[c, s], [-s, c]], dtype=torch.float64)
        return R

    return rotation_matrix


@mistake(
    Q,
    caught_by="entries_are_right_by_hand",
    cause="The matrix is made in the default dtype, float32.",
    hint="The contract asks for another dtype. Which one do your tensors get when you do not say?",
)
def makes_a_float32_matrix():
    def rotation_matrix(k, D, L):
        R = torch.zeros(D, D)
        for j in range(D // 2):
            phi = k * L ** (-2 * j / D)
            c, s = math.cos(phi), math.sin(phi)
            R[2 * j : 2 * j + 2, 2 * j : 2 * j + 2] = torch.tensor([[c, s], [-s, c]])
        return R

    return rotation_matrix


@mistake(
    Q,
    caught_by="entries_are_right_by_hand",
    cause="The blocks are made in float32 and copied into a float64 matrix.",
    hint="The matrix has the right dtype, its numbers have not. Which step rounds them?",
)
def copies_float32_blocks():
    def rotation_matrix(k, D, L):
        R = torch.zeros(D, D, dtype=torch.float64)
        for j in range(D // 2):
            phi = k * L ** (-2 * j / D)
            c, s = math.cos(phi), math.sin(phi)
            R[2 * j : 2 * j + 2, 2 * j : 2 * j + 2] = torch.tensor([[c, s], [-s, c]])
        return R

    return rotation_matrix


@mistake(
    Q,
    caught_by="large_offsets_are_as_accurate_as_small_ones",
    cause="Frequencies are computed in float32: a large k multiplies their error.",
    hint="Every step on the way to the angle needs the full precision. Which of yours was made without a dtype?",
)
def rounds_the_block_frequencies():
    def rotation_matrix(k, D, L):
        angles = k * (L ** (-torch.arange(0, D, 2) / D)).double()
        c, s = angles.cos(), angles.sin()
        blocks = torch.stack([torch.stack([c, s], dim=1), torch.stack([-s, c], dim=1)], dim=1)  # D/2 x 2 x 2
        return torch.block_diag(*blocks)

    return rotation_matrix


@mistake(
    Q,
    caught_by="every_entry_equals_the_formula",
    cause="The matrix of zeros holds integers, which cut every entry off after the point.",
    hint="Which dtype does the empty matrix have that you fill? It decides what the entries keep.",
    source="https://github.com/codertimo/BERT-pytorch/issues/18",
)
def fills_a_matrix_of_integers():
    def rotation_matrix(k, D, L):
        R = torch.full((D, D), 0)
        for j in range(D // 2):
            phi = k * L ** (-2 * j / D)
            R[2 * j, 2 * j] = R[2 * j + 1, 2 * j + 1] = math.cos(phi)
            R[2 * j, 2 * j + 1], R[2 * j + 1, 2 * j] = math.sin(phi), -math.sin(phi)
        return R.double()

    return rotation_matrix


@mistake(
    Q,
    caught_by="steps_add_up",
    cause="The matrix is fitted to the encoding by least squares: for wide encodings the rows are nearly collinear.",
    hint="Many matrices move these few rows on, and only one is the rotation. What follows from the addition theorems?",
)
def fits_the_matrix_to_the_encoding():
    def rotation_matrix(k, D, L):
        n = torch.arange(64, dtype=torch.float64)[:, None]
        i = torch.arange(D)
        places = torch.cat([n, n + k])
        angles = places / L ** ((i - i % 2).double() / D)
        r = torch.where(i % 2 == 0, angles.sin(), angles.cos())
        return torch.linalg.lstsq(r[:64], r[64:]).solution.T

    return rotation_matrix


@mistake(
    Q,
    caught_by="entries_are_right_by_hand",
    cause="The last block is left out.",
    hint="How many pairs do D features hold, and how many blocks do you fill?",
)
def leaves_the_last_block_out():
    def rotation_matrix(k, D, L):
        R = torch.zeros(D, D, dtype=torch.float64)
        for j in range(D // 2 - 1):
            phi = k * L ** (-2 * j / D)
            c, s = math.cos(phi), math.sin(phi)
            R[2 * j : 2 * j + 2, 2 * j : 2 * j + 2] = torch.tensor([[c, s], [-s, c]], dtype=torch.float64)
        return R

    return rotation_matrix


@mistake(
    Q,
    caught_by="every_entry_equals_the_formula",
    cause="L is raised to whole numbers before the root is taken: in a wide matrix the power has no place in float64.",
    hint="How large is L to the power of D for a few hundred features? Only the fraction belongs into the exponent.",
)
def takes_the_root_of_a_huge_power():
    def rotation_matrix(k, D, L):
        R = torch.zeros(D, D, dtype=torch.float64)
        for j in range(D // 2):
            power = torch.tensor(float(L), dtype=torch.float64) ** (2 * j)
            phi = float(k / power ** (1 / D))
            c, s = math.cos(phi), math.sin(phi)
            R[2 * j : 2 * j + 2, 2 * j : 2 * j + 2] = torch.tensor([[c, s], [-s, c]], dtype=torch.float64)
        return R

    return rotation_matrix
