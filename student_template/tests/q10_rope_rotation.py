from otter.test_files import test_case

OK_FORMAT = False

name = "q10_rope_rotation"
points = None


@test_case(name="entries_are_right_by_hand", points=1, hidden=False)
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


@test_case(name="a_score_depends_on_the_difference_of_positions", points=1, hidden=False)
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
