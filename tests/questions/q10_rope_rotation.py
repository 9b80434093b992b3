from otter.test_files import test_case

OK_FORMAT = False

name = "q10_rope_rotation"
points = None


@test_case()
def entries_are_right_by_hand(rope_rotation):
    """With D_k = 4, L = 16 and n = 3 the two blocks turn by the angles 3 and 3/4, counter-clockwise.

    Look at where the minus sign stands in a block, and at the angle that belongs to block i (RoFormer, section 3.2).
    """
    import math

    import torch

    import kit

    rows = [
        [math.cos(3), -math.sin(3), 0.0, 0.0],
        [math.sin(3), math.cos(3), 0.0, 0.0],
        [0.0, 0.0, math.cos(0.75), -math.sin(0.75)],
        [0.0, 0.0, math.sin(0.75), math.cos(0.75)],
    ]

    @kit.for_each({"n": 3, "D_k": 4, "L": 16.0})
    def check(n, D_k, L):
        R = kit.call(rope_rotation, n, D_k, L)
        kit.expect(R, torch.tensor(rows, dtype=torch.float64), "R_n", tolerance="tables")


@test_case()
def a_score_depends_on_the_difference_of_positions(rope_rotation):
    """The score of R_n q and R_m k is that of q and R_(m-n) k, for positions of either sign.

    Look at what the transpose of a rotation is, and what two rotations in a row are: (R_n q)^T (R_m k) = q^T R_(m-n) k.
    """
    import torch
    from hypothesis import strategies as st

    import kit

    places = st.integers(-50, 50)
    inputs = {"n": places, "m": places, "D_k": st.sampled_from((2, 6, 10)), "seed": kit.strategies.seeds}

    @kit.for_all(st.fixed_dictionaries(inputs))
    def check(n, m, D_k, seed):
        q, k = kit.randn(2, D_k, seed=seed, dtype=torch.float64)
        R_n, R_m, R_between = (kit.call(rope_rotation, place, D_k) for place in (n, m, m - n))
        for R, title in ((R_n, "R_n"), (R_m, "R_m"), (R_between, "R_(m-n)")):
            kit.expect_tensor(R, torch.empty(D_k, D_k, dtype=torch.float64), title)
        kit.expect((R_n @ q) @ (R_m @ k), q @ R_between @ k, "(R_n q)^T (R_m k)", tolerance="tables")


@test_case()
def every_entry_equals_the_formula(rope_rotation):
    """Block i of R_n turns by n L^(-2i/D_k), for any even width, base and position, L given or not.

    Look at block i of several: its rows and columns, its exponent, its sign, and that nothing stands outside.
    """
    from hypothesis import strategies as st

    import kit
    from kit import oracle

    inputs = {
        "n": st.integers(-40, 40),
        "D_k": st.sampled_from((2, 4, 6, 10)),
        "L": st.sampled_from((2, 30, 7.5)),
    }

    def check(n, D_k, L):
        R = kit.call(rope_rotation, n, D_k, L)
        kit.expect(R, oracle.rotation(-n, D_k, L), "R_n", tolerance="tables")
        R = kit.call(rope_rotation, n, D_k)
        kit.expect(R, oracle.rotation(-n, D_k, kit.settings.term["rope_base"]), "R_n by default", tolerance="tables")

    kit.for_all(st.fixed_dictionaries(inputs))(check)
    kit.for_each({"n": 3, "D_k": 100, "L": 10_000}, {"n": -7, "D_k": 100, "L": 10_000.0})(check)  # L^D_k overflows


@test_case()
def turns_a_query_as_rope_does(rope_rotation):
    """R_n times a query, as a column, is what RoPE makes of that query at position n.

    Look at the direction of the turn and at which side of the query the matrix stands (RoFormer, section 3.2).
    """
    import torch
    from hypothesis import strategies as st

    import kit
    from kit import oracle

    inputs = {"n": st.integers(-50, 50), "D_k": st.sampled_from((2, 6, 10)), "seed": kit.strategies.seeds}

    @kit.for_all(st.fixed_dictionaries(inputs))
    def check(n, D_k, seed):
        q = kit.randn(1, D_k, seed=seed, dtype=torch.float64)
        R = kit.call(rope_rotation, n, D_k, 30.0)
        kit.expect_tensor(R, torch.empty(D_k, D_k, dtype=torch.float64), "R_n")
        kit.expect(R @ q[0], oracle.rope(q, torch.tensor([n]), 30.0)[0], "R_n q", tolerance="tables")


@test_case()
def far_positions_are_as_accurate_as_near_ones(rope_rotation):
    """R_n is right to float64 accuracy for positions as far as 10,000 in either direction.

    Look at the precision in which the angle is computed, and at how errors grow when many steps are taken one by one.
    """
    import kit
    from kit import oracle

    @kit.for_each(*({"n": n} for n in (511, -512, 4999, -5000, 9973, 10_000, -10_000)))
    def check(n):
        L = kit.settings.term["rope_base"]
        R = kit.call(rope_rotation, n, 6, L)
        kit.expect(R, oracle.rotation(-n, 6, L), "R_n", tolerance="tables")
