from otter.test_files import test_case

OK_FORMAT = False

name = "q09_rope"
points = None


@test_case(name="half_and_quarter_turns_are_right_by_hand", points=2, hidden=False)
def half_and_quarter_turns_are_right_by_hand(rope):
    """With D_k = 4 and L = 4 position n turns the first pair by n and the second by n/2, so pi by a half and a quarter.

    Look at which features form a pair, which way it turns, and how much slower the second pair is than the first.
    """
    import math

    import torch

    import kit

    X = torch.arange(1.0, 17.0).reshape(4, 4)
    positions = torch.tensor([math.pi, 0.0, -math.pi, 2 * math.pi], dtype=torch.float64)
    turned = torch.tensor([[-1, -2, -4, 3], [5, 6, 7, 8], [-9, -10, 12, -11], [13, 14, -15, -16]])

    @kit.for_each(*({"X": rows, "positions": positions, "L": 4.0} for rows in (X, X.double())))
    def check(X, positions, L):
        Y = kit.call(rope, X, positions, L)
        kit.expect(Y, turned.to(X.dtype), "rope(X)", tolerance="rope", position=30)


@test_case(name="a_feature_mixes_with_its_neighbour_alone", points=1, hidden=False)
def a_feature_mixes_with_its_neighbour_alone(rope):
    """Features 2i and 2i+1 turn together: both change, their common length stays, and no other feature is touched.

    Look at which features form a pair: here it is neighbours, in other libraries the first half with the second.
    """
    import torch

    import kit

    ones = torch.eye(6)  # row i holds feature i alone
    positions = torch.tensor([1, 2, 3, 5, 7, 11])
    Y = kit.call(rope, ones, positions, 30.0)
    kit.expect_tensor(Y, ones, "rope(X)")
    Y = Y.detach()
    for i in range(6):
        first = i - i % 2
        for j in range(6):
            reached = abs(float(Y[i, j]))
            alone = f"A row of 6 features with feature {i} alone, at position {positions[i]}, "
            if j // 2 != i // 2:
                kit.expect_that(reached < 1e-4, f"{alone}must turn within its pair, but feature {j} is not 0.")
            elif j != i:
                kit.expect_that(reached > 1e-4, f"{alone}must turn into feature {j}, which stays 0.")
        length = float(Y[i, first : first + 2].double().norm())
        kit.expect_that(abs(length - 1) < 1e-4, f"The pair of feature {i} changed its length from 1 to {length:.4g}.")


@test_case(name="scores_depend_on_the_difference_of_positions_alone", points=1.5, hidden=False)
def scores_depend_on_the_difference_of_positions_alone(rope):
    """A score of a turned query and key is the same after all positions move on by 1000, and another at another offset.

    Look at what is left of two angles in a scalar product, and whether the positions that are given are used as given.
    """
    import torch

    import kit

    @kit.for_all(kit.rotary_inputs())
    def check(X, positions):
        Q, K, positions = X.double(), X.double().flip(1).contiguous(), positions.double()
        scores, moved = ([kit.call(rope, rows, places) for rows in (Q, K)] for places in (positions, positions + 1000))
        for turned in (*scores, *moved):
            kit.expect_tensor(turned, Q, "rope(X)")
        before = scores[0] @ scores[1].T
        kit.expect(moved[0] @ moved[1].T, before, "q . k", tolerance="rope", position=1200)

    # of two rows of ones at offset d the score is 2 cos(d) + 2 cos(d / 100), whatever else is drawn
    ones = torch.ones(2, 4, dtype=torch.float64)
    near, far = (kit.call(rope, ones, torch.tensor([5, 5 + offset]), 10_000.0) for offset in (1, 2))
    for turned in (near, far):
        kit.expect_tensor(turned, ones, "rope(X)")
    apart = abs(float(near[0] @ near[1] - far[0] @ far[1]))
    kit.expect_that(apart > 1e-3, "Two rows of ones have the same score 1 position apart as 2 positions apart.")


@test_case(name="a_strided_view_gives_what_its_copy_gives", points=0.5, hidden=False)
def a_strided_view_gives_what_its_copy_gives(rope):
    """X and positions may be strided views, transposed or with gaps in memory: the rows turn as those of copies.

    Look for a step that trusts where numbers lie in memory, as view does; reshape and transpose go by the axes.
    """
    import kit

    @kit.for_all(kit.views(kit.rotary_inputs()), examples=10)
    def check(X, positions):
        right = kit.call(rope, X.contiguous(), positions.contiguous())
        kit.expect_tensor(right, X, "rope(X) of a copy")
        kit.expect(kit.call(rope, X, positions), right, "rope(X)")


@test_case(name="positions_count_from_0_if_not_given", points=0.5, hidden=False)
def positions_count_from_0_if_not_given(rope):
    """Without positions, row n stands at position n: the first row stays, the others turn.

    Look at the default of the positions: where counting begins, and how far the next row is.
    """
    import torch

    import kit

    @kit.for_all(kit.rotary_inputs())
    def check(X, positions):
        N = len(X)
        Y = kit.call(rope, X)
        kit.expect(Y[:1] if hasattr(Y, "shape") else Y, X[:1], "the first row", tolerance="rope", position=N)
        kit.expect(Y, kit.call(rope, X, torch.arange(N)), "rope(X)", tolerance="rope", position=N)
        kit.expect_that((Y - X)[1:].abs().amax(1).min() > 1e-3, "A row after the first one did not turn.")
