from otter.test_files import test_case

OK_FORMAT = False

name = "q09_rope"
points = None


@test_case()
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


@test_case()
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


@test_case()
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


@test_case()
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


@test_case()
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


@test_case()
def every_value_equals_the_formula(rope):
    """Pair i of a row at position n turns by n L^(-2i/D_k), at positions of any kind and order, L given or not.

    Look at the angle of every pair, the sign of the turn, and positions that are fractions, negative or repeated.
    """
    import torch

    import kit
    from kit import oracle

    def check(X, positions):
        far = float(positions.abs().max())
        for given, L in (((), kit.settings.term["rope_base"]), ((30.0,), 30.0)):
            right = oracle.rope(X, positions, L)
            Y = kit.call(rope, X, positions, *given)
            kit.expect(Y, right, "rope(X)", dtype=X.dtype, tolerance="rope", position=far)

    kit.for_all(kit.rotary_inputs())(check)
    wide = kit.randn(2, 100, seed=7)  # here L^D_k has no place in float64
    kit.for_each({"X": wide, "positions": torch.tensor([2, -5])})(check)


@test_case()
def one_row_and_two_features_keep_their_axes(rope):
    """One row, or two features, still give N x D_k, in the dtype of X and at the position that is given.

    Look for an axis of size 1 that is dropped, and for positions that are spread over the wrong axis.
    """
    import torch

    import kit
    from kit import oracle

    L = kit.settings.term["rope_base"]
    sizes = ((1, 2), (1, 6), (3, 2), (4, 4), (2, 4))
    inputs = [(kit.randn(N, D_k, seed=N + D_k), torch.arange(N) * 3 + 2) for N, D_k in sizes]

    @kit.for_each(*({"X": X, "positions": positions} for X, positions in inputs))
    def check(X, positions):
        for rows in (X, X.double()):
            Y = kit.call(rope, rows, positions, L)
            kit.expect(Y, oracle.rope(rows, positions, L), "rope(X)", dtype=rows.dtype, tolerance="rope", position=12)
            Y, right = kit.call(rope, rows, None, L), oracle.rope(rows, torch.arange(len(rows)), L)
            kit.expect(Y, right, "rope(X) at 0, 1, ...", dtype=rows.dtype, tolerance="rope", position=4)


@test_case()
def far_positions_turn_by_the_right_angle(rope):
    """A row at position 10,000 turns by the right angle, as exactly as single precision can know it.

    Look at the precision of the angles, and at the length of any table that was made beforehand.
    """
    import torch

    import kit
    from kit import oracle

    L, positions = kit.settings.term["rope_base"], torch.tensor([10_000, 2049, -9973, 513, 4096])
    for dtype in (torch.float32, torch.float64):
        X = kit.randn(5, 6, seed=3, dtype=dtype)
        right = oracle.rope(X, positions, L)
        Y = kit.call(rope, X, positions, L)
        kit.expect(Y, right, "rope(X)", dtype=dtype, tolerance="rope", position=10_000)


@test_case()
def a_second_call_starts_afresh(rope):
    """A call with other positions, another base or another width does not remember the call before.

    Look for angles that are kept between calls: what has to be the same before they may be used again?
    """
    import torch

    import kit
    from kit import oracle

    X = kit.randn(4, 6, seed=5)
    first, second = torch.tensor([0, 1, 2, 3]), torch.tensor([7, 3, 3, 9])
    calls = ((6, first, 30.0), (6, second, 30.0), (6, second, 1000.0), (4, second, 1000.0))

    @kit.for_each(*({"D_k": D_k, "positions": positions, "L": L} for D_k, positions, L in calls))
    def check(D_k, positions, L):
        rows = X[:, :D_k].contiguous()
        Y, right = kit.call(rope, rows, positions, L), oracle.rope(rows, positions, L)
        kit.expect(Y, right, "rope(X)", dtype=X.dtype, tolerance="rope", position=10)


@test_case()
def gradients_turn_back(rope):
    """The gradient with respect to X is that of the formula.

    Look for a step that leaves the graph: a detour through numbers, numpy, .data or detach().
    """
    import kit
    from kit import oracle

    @kit.for_all(kit.rotary_inputs(), examples=10)
    def check(X, positions):
        places, L = positions / 20, kit.settings.term["rope_base"]  # within the precision of the default tolerance

        def turn(X):
            return rope(X, places, L)

        def reference(X):
            return (oracle.rope(X, places, L),)

        kit.expect_gradients(turn, reference, {"X": X}, outputs=("Y",))
