"""Wrong answers to q07."""

# Students write no type annotations, and neither do their mistakes.
# mypy: ignore-errors
import math

import torch

from solutions.mistakes import mistake

Q = "q07_sinusoidal"


@mistake(
    Q,
    caught_by="neighbours_are_sine_and_cosine_of_one_angle",
    cause="Every column takes its own exponent i/D, so a cosine has another wavelength than its sine.",
    hint="Write down the exponents of features 0, 1, 2 and 3 from eq. 12.25. How many different ones are there?",
    source="https://github.com/jadore801120/attention-is-all-you-need-pytorch/issues/32",
)
def gives_every_column_its_own_wavelength():
    def sinusoidal_encoding(N, D, L):
        n = torch.arange(N, dtype=torch.float64)[:, None]
        i = torch.arange(D)
        angles = n / L ** (i.double() / D)
        return torch.where(i % 2 == 0, angles.sin(), angles.cos())

    return sinusoidal_encoding


@mistake(
    Q,
    caught_by="values_are_right_by_hand",
    cause="The step of two is counted twice: the exponent is 2i/D with i that already runs 0, 2, 4.",
    hint="What is the exponent of the last pair? It must stay below 1, whatever D is.",
    source="https://github.com/SamLynnEvans/Transformer/issues/25",
)
def doubles_the_exponent():
    def sinusoidal_encoding(N, D, L):
        n = torch.arange(N, dtype=torch.float64)[:, None]
        i = torch.arange(D)
        angles = n / L ** (2 * (i - i % 2).double() / D)
        return torch.where(i % 2 == 0, angles.sin(), angles.cos())

    return sinusoidal_encoding


@mistake(
    Q,
    caught_by="values_are_right_by_hand",
    cause="The pair's number j is used as the exponent's numerator where the feature's number 2j belongs.",
    hint="Does the exponent of eq. 12.25 count features or pairs of features? Check the last column's wavelength.",
)
def counts_pairs_in_the_exponent():
    def sinusoidal_encoding(N, D, L):
        n = torch.arange(N, dtype=torch.float64)[:, None]
        i = torch.arange(D)
        angles = n / L ** ((i // 2).double() / D)
        return torch.where(i % 2 == 0, angles.sin(), angles.cos())

    return sinusoidal_encoding


@mistake(
    Q,
    caught_by="values_are_right_by_hand",
    cause="The base is fixed at 10,000 and L is ignored.",
    hint="The base is an argument. Which result changes when you change it?",
    source="https://github.com/maxjcohen/transformer/issues/62",
)
def always_uses_ten_thousand():
    def sinusoidal_encoding(N, D, L):
        n = torch.arange(N, dtype=torch.float64)[:, None]
        i = torch.arange(D)
        angles = n / 10000.0 ** ((i - i % 2).double() / D)
        return torch.where(i % 2 == 0, angles.sin(), angles.cos())

    return sinusoidal_encoding


@mistake(
    Q,
    caught_by="every_value_equals_the_formula",
    cause="-log(L)/D//2 divides, rounds down and only then multiplies: all exponents are whole numbers.",
    hint="Write down the wavelengths of all pairs for a small D. Do they grow from 2 pi to almost 2 pi L?",
    source="https://github.com/zju3dv/LoFTR/issues/41",
)
def rounds_in_the_exponent():
    def sinusoidal_encoding(N, D, L):
        n = torch.arange(N, dtype=torch.float64)[:, None]
        i = torch.arange(D)
        angles = n * torch.exp((i - i % 2).double() * (-math.log(L) / D // 2))
        return torch.where(i % 2 == 0, angles.sin(), angles.cos())

    return sinusoidal_encoding


@mistake(
    Q,
    caught_by="values_are_right_by_hand",
    cause="A division of integers makes every exponent 0, so that all pairs have the first pair's wavelength.",
    hint="Do later columns change more slowly than the first two? Look at what becomes of a fraction of integers.",
    source="https://github.com/codertimo/BERT-pytorch/issues/18",
)
def divides_integers():
    def sinusoidal_encoding(N, D, L):
        n = torch.arange(N, dtype=torch.float64)[:, None]
        i = torch.arange(D)
        angles = n / L ** ((i - i % 2) // D).double()
        return torch.where(i % 2 == 0, angles.sin(), angles.cos())

    return sinusoidal_encoding


@mistake(
    Q,
    caught_by="values_are_right_by_hand",
    cause="Positions are multiplied by the growing powers of L instead of divided.",
    hint="Should later columns change faster or more slowly than the first? Compare with the wavelengths of eq. 12.25.",
    source="https://github.com/hkproj/pytorch-transformer/issues/2",
)
def multiplies_by_the_powers():
    def sinusoidal_encoding(N, D, L):
        n = torch.arange(N, dtype=torch.float64)[:, None]
        i = torch.arange(D)
        angles = n * L ** ((i - i % 2).double() / D)
        return torch.where(i % 2 == 0, angles.sin(), angles.cos())

    return sinusoidal_encoding


@mistake(
    Q,
    caught_by="values_are_right_by_hand",
    cause="All sines come first and all cosines after them, as some libraries have it.",
    hint="The values are right, their columns are not: where does the cosine of a wavelength stand in eq. 12.25?",
    source="https://github.com/tensorflow/tensor2tensor/issues/1925",
)
def puts_sines_before_cosines():
    def sinusoidal_encoding(N, D, L):
        n = torch.arange(N, dtype=torch.float64)[:, None]
        angles = n / L ** (torch.arange(0, D, 2, dtype=torch.float64) / D)
        return torch.cat([angles.sin(), angles.cos()], dim=1)[:, :D]

    return sinusoidal_encoding


@mistake(
    Q,
    caught_by="values_are_right_by_hand",
    cause="Cosines stand at the even features and sines at the odd ones.",
    hint="What is the encoding of position 0? Put n = 0 into eq. 12.25.",
)
def exchanges_sine_and_cosine():
    def sinusoidal_encoding(N, D, L):
        n = torch.arange(N, dtype=torch.float64)[:, None]
        i = torch.arange(D)
        angles = n / L ** ((i - i % 2).double() / D)
        return torch.where(i % 2 == 0, angles.cos(), angles.sin())

    return sinusoidal_encoding


@mistake(
    Q,
    caught_by="values_are_right_by_hand",
    cause="Sine or cosine is chosen by the position instead of the feature.",
    hint="What does a single column look like, read from top to bottom? Eq. 12.25 asks whether i is even, not n.",
)
def asks_whether_the_position_is_even():
    def sinusoidal_encoding(N, D, L):
        n = torch.arange(N)[:, None]
        i = torch.arange(D)
        angles = n.double() / L ** ((i - i % 2).double() / D)
        return torch.where(n % 2 == 0, angles.sin(), angles.cos())

    return sinusoidal_encoding


@mistake(
    Q,
    caught_by="values_are_right_by_hand",
    cause="Positions are counted from 1.",
    hint="The first row belongs to position 0. What are the sine and the cosine of no angle at all?",
    source="https://github.com/skyzh/tiny-llm/issues/46",
)
def counts_positions_from_one():
    def sinusoidal_encoding(N, D, L):
        n = torch.arange(1, N + 1, dtype=torch.float64)[:, None]
        i = torch.arange(D)
        angles = n / L ** ((i - i % 2).double() / D)
        return torch.where(i % 2 == 0, angles.sin(), angles.cos())

    return sinusoidal_encoding


@mistake(
    Q,
    caught_by="values_are_right_by_hand",
    cause="Wavelengths are spread evenly up to L itself: the exponent ends at 1, not at (D-2)/D.",
    hint="Put the last even feature into the exponent of eq. 12.25. Does it reach 1?",
)
def spreads_wavelengths_up_to_the_base():
    def sinusoidal_encoding(N, D, L):
        n = torch.arange(N, dtype=torch.float64)[:, None]
        exponents = torch.linspace(0, 1, (D + 1) // 2, dtype=torch.float64).repeat_interleave(2)[:D]
        angles = n / L**exponents
        return torch.where(torch.arange(D) % 2 == 0, angles.sin(), angles.cos())

    return sinusoidal_encoding


@mistake(
    Q,
    caught_by="values_are_right_by_hand",
    cause="A cosine takes the exponent of the next even feature, (i+1)/D instead of (i-1)/D.",
    hint="Which even feature does an odd one belong to: its left or its right neighbour?",
)
def pairs_the_cosine_with_the_next_sine():
    def sinusoidal_encoding(N, D, L):
        n = torch.arange(N, dtype=torch.float64)[:, None]
        i = torch.arange(D)
        angles = n / L ** ((i + i % 2).double() / D)
        return torch.where(i % 2 == 0, angles.sin(), angles.cos())

    return sinusoidal_encoding


@mistake(
    Q,
    caught_by="values_are_right_by_hand",
    cause="The angle is multiplied by 2 pi, as if L^(i/D) were the wavelength itself.",
    hint="After how many positions does the first sine of eq. 12.25 repeat: after 1 or after 2 pi?",
)
def takes_the_power_for_a_wavelength():
    def sinusoidal_encoding(N, D, L):
        n = torch.arange(N, dtype=torch.float64)[:, None]
        i = torch.arange(D)
        angles = 2 * math.pi * n / L ** ((i - i % 2).double() / D)
        return torch.where(i % 2 == 0, angles.sin(), angles.cos())

    return sinusoidal_encoding


@mistake(
    Q,
    caught_by="values_are_right_by_hand",
    cause="The table is computed and returned in float32.",
    hint="The contract asks for another dtype. Which one do your tensors get when you do not say?",
    source="https://github.com/awslabs/gluonts/pull/3307",
)
def returns_a_float32_table():
    def sinusoidal_encoding(N, D, L):
        n = torch.arange(N)[:, None]
        i = torch.arange(D)
        angles = n / L ** ((i - i % 2) / D)
        return torch.where(i % 2 == 0, angles.sin(), angles.cos())

    return sinusoidal_encoding


@mistake(
    Q,
    caught_by="far_positions_are_as_accurate_as_near_ones",
    cause="Angles are computed in float32 and cast to float64 at the end, which brings no digit back.",
    hint="How many digits does an angle of 10,000 have left after the point in single precision?",
    source="https://github.com/EleutherAI/gpt-neox/issues/1003",
)
def casts_to_float64_at_the_end():
    def sinusoidal_encoding(N, D, L):
        n = torch.arange(N)[:, None]
        i = torch.arange(D)
        angles = n / L ** ((i - i % 2) / D)
        return torch.where(i % 2 == 0, angles.sin(), angles.cos()).double()

    return sinusoidal_encoding


@mistake(
    Q,
    caught_by="far_positions_are_as_accurate_as_near_ones",
    cause="Only the frequencies are rounded to float32; far positions multiply their error.",
    hint="Every step on the way to the angle needs the full precision. Which of yours was made without a dtype?",
)
def rounds_the_frequencies():
    def sinusoidal_encoding(N, D, L):
        n = torch.arange(N, dtype=torch.float64)[:, None]
        i = torch.arange(D)
        angles = n * torch.exp(-math.log(L) * (i - i % 2) / D)
        return torch.where(i % 2 == 0, angles.sin(), angles.cos())

    return sinusoidal_encoding


@mistake(
    Q,
    caught_by="far_positions_are_as_accurate_as_near_ones",
    cause="A table of 5,000 rows is cut to length, and longer ones come out short.",
    hint="N has no upper limit. Where does one stand in your code?",
    source="https://github.com/bentrevett/pytorch-seq2seq/issues/89",
)
def cuts_a_table_of_fixed_length():
    def sinusoidal_encoding(N, D, L):
        n = torch.arange(5000, dtype=torch.float64)[:, None]
        i = torch.arange(D)
        angles = n / L ** ((i - i % 2).double() / D)
        return torch.where(i % 2 == 0, angles.sin(), angles.cos())[:N]

    return sinusoidal_encoding


@mistake(
    Q,
    caught_by="an_odd_width_ends_in_a_sine",
    cause="As many cosines as sines are written, but an odd width has one cosine less.",
    hint="Count the even and the odd features of D = 5. Are they equally many?",
    source="https://github.com/gc-os-ai/pyaptamer/issues/527",
)
def expects_an_even_width():
    def sinusoidal_encoding(N, D, L):
        n = torch.arange(N, dtype=torch.float64)[:, None]
        angles = n / L ** (torch.arange(0, D, 2, dtype=torch.float64) / D)
        r = torch.zeros(N, D, dtype=torch.float64)
        r[:, 0::2] = angles.sin()
        r[:, 1::2] = angles.cos()
        return r

    return sinusoidal_encoding


@mistake(
    Q,
    caught_by="an_odd_width_ends_in_a_sine",
    cause="An odd width is rounded up to the next even one, which then stands in the exponent as well.",
    hint="Which D stands in the exponent of eq. 12.25, the one that was asked for or a convenient one?",
)
def rounds_an_odd_width_up():
    def sinusoidal_encoding(N, D, L):
        even = D + D % 2
        n = torch.arange(N, dtype=torch.float64)[:, None]
        angles = n / L ** (torch.arange(0, even, 2, dtype=torch.float64) / even)
        return torch.stack([angles.sin(), angles.cos()], dim=2).reshape(N, even)[:, :D]

    return sinusoidal_encoding


@mistake(
    Q,
    caught_by="an_odd_width_ends_in_a_sine",
    cause="The pairs of an odd width are filled and its last feature stays 0.",
    hint="The last feature of an odd width has no partner. What does eq. 12.25 still say about it?",
)
def leaves_the_last_odd_feature_empty():
    def sinusoidal_encoding(N, D, L):
        r = torch.zeros(N, D, dtype=torch.float64)
        n = torch.arange(N, dtype=torch.float64)
        for j in range(D // 2):
            angles = n / L ** (2 * j / D)
            r[:, 2 * j], r[:, 2 * j + 1] = angles.sin(), angles.cos()
        return r

    return sinusoidal_encoding


@mistake(
    Q,
    caught_by="no_position_or_one_feature_keeps_both_axes",
    cause="Rows are stacked from a list, which fails when there is no position.",
    hint="N may be 0. What does your last step do with nothing at all?",
)
def stacks_at_least_one_row():
    def sinusoidal_encoding(N, D, L):
        rows = []
        for n in range(N):
            angles = [n / L ** ((i - i % 2) / D) for i in range(D)]
            row = [math.cos(a) if i % 2 else math.sin(a) for i, a in enumerate(angles)]
            rows.append(torch.tensor(row, dtype=torch.float64))
        return torch.stack(rows)

    return sinusoidal_encoding


@mistake(
    Q,
    caught_by="no_position_or_one_feature_keeps_both_axes",
    cause="squeeze() drops the axis of a single position or a single feature.",
    hint="One position still is a table with one row. Which step removes axes without being asked which?",
)
def squeezes_the_table():
    def sinusoidal_encoding(N, D, L):
        n = torch.arange(N, dtype=torch.float64).reshape(1, N, 1)
        i = torch.arange(D)
        angles = n / L ** ((i - i % 2).double() / D)
        return torch.where(i % 2 == 0, angles.sin(), angles.cos()).squeeze()

    return sinusoidal_encoding


@mistake(
    Q,
    caught_by="values_are_right_by_hand",
    cause="The table carries an axis for the batch in front.",
    hint="One row per position and nothing around it: how many axes does the contract name?",
    source="https://github.com/tatp22/multidim-positional-encoding/issues/2",
)
def adds_an_axis_for_the_batch():
    def sinusoidal_encoding(N, D, L):
        n = torch.arange(N, dtype=torch.float64)[:, None]
        i = torch.arange(D)
        angles = n / L ** ((i - i % 2).double() / D)
        return torch.where(i % 2 == 0, angles.sin(), angles.cos())[None]

    return sinusoidal_encoding


@mistake(
    Q,
    caught_by="values_are_right_by_hand",
    cause="Positions run along the columns.",
    hint="One row per token, as everywhere in the lecture. Which axis of yours counts positions?",
)
def writes_one_column_per_position():
    def sinusoidal_encoding(N, D, L):
        n = torch.arange(N, dtype=torch.float64)
        i = torch.arange(D)[:, None]
        angles = n / L ** ((i - i % 2).double() / D)
        return torch.where(i % 2 == 0, angles.sin(), angles.cos())

    return sinusoidal_encoding


@mistake(
    Q,
    caught_by="a_second_call_starts_afresh",
    cause="The table is kept between calls and found again by its width alone.",
    hint="If you keep a table, everything that it depends on has to be part of the question whether it fits.",
    source="https://github.com/lucidrains/rotary-embedding-torch/issues/11",
)
def keeps_the_table_of_another_base():
    tables = {}

    def sinusoidal_encoding(N, D, L):
        if D not in tables or len(tables[D]) < N:
            n = torch.arange(N, dtype=torch.float64)[:, None]
            i = torch.arange(D)
            angles = n / L ** ((i - i % 2).double() / D)
            tables[D] = torch.where(i % 2 == 0, angles.sin(), angles.cos())
        return tables[D][:N]

    return sinusoidal_encoding


@mistake(
    Q,
    caught_by="a_second_call_starts_afresh",
    cause="The first table is kept for good, whatever is asked for later.",
    hint="Call it twice with different arguments. What is left of the first call?",
)
def keeps_the_first_table():
    tables = []

    def sinusoidal_encoding(N, D, L):
        if not tables:
            n = torch.arange(N, dtype=torch.float64)[:, None]
            i = torch.arange(D)
            angles = n / L ** ((i - i % 2).double() / D)
            tables.append(torch.where(i % 2 == 0, angles.sin(), angles.cos()))
        return tables[0]

    return sinusoidal_encoding


@mistake(
    Q,
    caught_by="inner_products_depend_on_the_offset_alone",
    cause="Sines alone are used, for every feature.",
    hint="A sine alone cannot tell rising from falling. What stands at the odd features of eq. 12.25?",
    source="https://math.stackexchange.com/questions/3119882",
)
def uses_sines_alone():
    def sinusoidal_encoding(N, D, L):
        n = torch.arange(N, dtype=torch.float64)[:, None]
        i = torch.arange(D)
        return (n / L ** ((i - i % 2).double() / D)).sin()

    return sinusoidal_encoding


@mistake(
    Q,
    caught_by="far_positions_are_as_accurate_as_near_ones",
    cause="The fraction of two integers is float32, and with it the exponent; far positions multiply its error.",
    hint="Every step on the way to the angle needs the full precision. Which of yours was made without a dtype?",
)
def divides_in_single_precision():
    def sinusoidal_encoding(N, D, L):
        n = torch.arange(N, dtype=torch.float64)[:, None]
        i = torch.arange(D)
        angles = n / L ** ((i - i % 2) / D)
        return torch.where(i % 2 == 0, angles.sin(), angles.cos())

    return sinusoidal_encoding


@mistake(
    Q,
    caught_by="values_are_right_by_hand",
    cause="The cosine of pair j has the exponent (2j-1)/D: the 1 is taken from a number that is even already.",
    hint="Sine and cosine of a pair share one wavelength. For i = 3, which exponent does eq. 12.25 give the cosine?",
)
def takes_one_from_an_even_number():
    def sinusoidal_encoding(N, D, L):
        n = torch.arange(N, dtype=torch.float64)[:, None]
        i = torch.arange(D)
        even = (i - i % 2).double()
        angles = n / L ** ((even - i % 2) / D)
        return torch.where(i % 2 == 0, angles.sin(), angles.cos())

    return sinusoidal_encoding


@mistake(
    Q,
    caught_by="values_are_right_by_hand",
    cause="The exponents are 2i/D and (2i-1)/D with i that already counts features.",
    hint="What is the exponent of the last pair? It must stay below 1, whatever D is, and be the same for both.",
)
def doubles_the_number_of_a_feature():
    def sinusoidal_encoding(N, D, L):
        n = torch.arange(N, dtype=torch.float64)[:, None]
        i = torch.arange(D)
        angles = n / L ** ((2 * i - i % 2).double() / D)
        return torch.where(i % 2 == 0, angles.sin(), angles.cos())

    return sinusoidal_encoding


@mistake(
    Q,
    caught_by="values_are_right_by_hand",
    cause="Positions and features are both counted from 1.",
    hint="The first row belongs to position 0 and the first column to i = 0. Where does your counting begin?",
)
def counts_positions_and_features_from_one():
    def sinusoidal_encoding(N, D, L):
        n = torch.arange(1, N + 1, dtype=torch.float64)[:, None]
        i = torch.arange(1, D + 1)
        angles = n / L ** ((i - i % 2).double() / D)
        return torch.where(i % 2 == 0, angles.sin(), angles.cos())

    return sinusoidal_encoding


@mistake(
    Q,
    caught_by="every_value_equals_the_formula",
    cause="L is raised to whole numbers before the root is taken: in a wide table the power has no place in float64.",
    hint="How large is L to the power of D for a few hundred features? Only the fraction belongs into the exponent.",
)
def takes_the_root_of_a_huge_power():
    def sinusoidal_encoding(N, D, L):
        n = torch.arange(N, dtype=torch.float64)[:, None]
        i = torch.arange(D)
        powers = torch.tensor(float(L), dtype=torch.float64) ** (i - i % 2)
        angles = n / powers ** (1 / D)
        return torch.where(i % 2 == 0, angles.sin(), angles.cos())

    return sinusoidal_encoding
