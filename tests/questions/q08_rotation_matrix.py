from otter.test_files import test_case

OK_FORMAT = False

name = "q08_rotation_matrix"
points = None


@test_case()
def entries_are_right_by_hand(rotation_matrix):
    """With D = 4, L = 16 and k = 3 the two blocks belong to the angles 3 and 3/4.

    Look at where sine, cosine and the minus sign stand in a block, and at the angle of block j (eq. 12.25).
    """
    import math

    import torch

    import kit

    rows = [
        [math.cos(3), math.sin(3), 0.0, 0.0],
        [-math.sin(3), math.cos(3), 0.0, 0.0],
        [0.0, 0.0, math.cos(0.75), math.sin(0.75)],
        [0.0, 0.0, -math.sin(0.75), math.cos(0.75)],
    ]

    @kit.for_each({"k": 3, "D": 4, "L": 16.0})
    def check(k, D, L):
        R = kit.call(rotation_matrix, k, D, L)
        kit.expect(R, torch.tensor(rows, dtype=torch.float64), "R_k", tolerance="tables")


@test_case()
def moves_a_sine_and_its_cosine_on_by_k(rotation_matrix):
    """With D = 2, R_k times the column (sin n, cos n) is (sin(n+k), cos(n+k)), for offsets of either sign.

    Look at the addition theorems of sin(n + k) and cos(n + k): which row of R_k does each of them fill?
    """
    import math

    import torch
    from hypothesis import strategies as st

    import kit

    @kit.for_all(st.fixed_dictionaries({"n": st.integers(0, 30), "k": st.integers(-30, 30)}))
    def check(n, k):
        R = kit.call(rotation_matrix, k, 2, 30.0)
        kit.expect_tensor(R, torch.empty(2, 2, dtype=torch.float64), "R_k")
        at_n = torch.tensor([math.sin(n), math.cos(n)], dtype=torch.float64)
        further = torch.tensor([math.sin(n + k), math.cos(n + k)], dtype=torch.float64)
        kit.expect(R @ at_n, further, "R_k r_n", tolerance="tables")


@test_case()
def steps_add_up(rotation_matrix):
    """R_0 is the identity, R_a R_b is R_(a+b), and R_k keeps lengths: its transpose undoes it.

    Look at what two steps in a row do to an angle, and at what a step back is.
    """
    import torch
    from hypothesis import strategies as st

    import kit

    offsets = st.integers(-50, 50)
    inputs = {"a": offsets, "b": offsets, "D": st.sampled_from((2, 6, 10)), "L": st.sampled_from((30, 10_000.0))}

    @kit.for_all(st.fixed_dictionaries(inputs))
    def check(a, b, D, L):
        one = torch.eye(D, dtype=torch.float64)
        kit.expect(kit.call(rotation_matrix, 0, D, L), one, "R_0", tolerance="tables")
        R_a, R_b, R_ab = (kit.call(rotation_matrix, k, D, L) for k in (a, b, a + b))
        for R, title in ((R_a, "R_a"), (R_b, "R_b"), (R_ab, "R_(a+b)")):
            kit.expect_tensor(R, one, title)
        kit.expect(R_a @ R_b, R_ab, "R_a R_b", tolerance="tables")
        kit.expect(R_a.T @ R_a, one, "R_a^T R_a", tolerance="tables")


@test_case()
def every_entry_equals_the_formula(rotation_matrix):
    """Block j of R_k holds the angle k L^(-2j/D), for any even width, base and offset of either sign.

    Look at block j of several: its rows and columns, its exponent, and that nothing stands outside the blocks.
    """
    from hypothesis import strategies as st

    import kit
    from kit import oracle

    inputs = {
        "k": st.integers(-40, 40),
        "D": st.sampled_from((2, 4, 6, 10, 18)),
        "L": st.sampled_from((2, 30, 7.5, 10_000.0)),
    }

    def check(k, D, L):
        R = kit.call(rotation_matrix, k, D, L)
        kit.expect(R, oracle.rotation(k, D, L), "R_k", tolerance="tables")

    kit.for_all(st.fixed_dictionaries(inputs))(check)
    kit.for_each({"k": 3, "D": 100, "L": 10_000}, {"k": -7, "D": 100, "L": 10_000.0})(
        check
    )  # L^D has no place in float64


@test_case()
def moves_every_position_of_the_encoding_on(rotation_matrix):
    """R_k r[n] is r[n + k] for every position n of the sinusoidal encoding, forwards and backwards.

    Look at how the rows of the encoding become columns: R_k stands on the left of a column (eq. 12.25).
    """
    import torch
    from hypothesis import strategies as st

    import kit
    from kit import oracle

    inputs = {"k": st.integers(-9, 9), "D": st.sampled_from((2, 6, 10)), "L": st.sampled_from((30, 10_000.0))}

    @kit.for_all(st.fixed_dictionaries(inputs))
    def check(k, D, L):
        r = oracle.sinusoidal(25, D, L)
        n = torch.arange(9, 15)
        R = kit.call(rotation_matrix, k, D, L)
        kit.expect_tensor(R, torch.empty(D, D, dtype=torch.float64), "R_k")
        kit.expect((R @ r[n].T).T, r[n + k], "R_k r[n]", tolerance="tables")


@test_case()
def large_offsets_are_as_accurate_as_small_ones(rotation_matrix):
    """R_k is right to float64 accuracy for offsets as large as 10,000 in either direction.

    Look at the precision in which the angle is computed, and at how errors grow when many steps are taken one by one.
    """
    import kit
    from kit import oracle

    @kit.for_each(*({"k": k} for k in (511, -512, 4999, -5000, 9973, 10_000, -10_000)))
    def check(k):
        R = kit.call(rotation_matrix, k, 6, 10_000.0)
        kit.expect(R, oracle.rotation(k, 6, 10_000.0), "R_k", tolerance="tables")
