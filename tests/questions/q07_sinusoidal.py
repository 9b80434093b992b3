from otter.test_files import test_case

OK_FORMAT = False

name = "q07_sinusoidal"
points = None


@test_case()
def values_are_right_by_hand(sinusoidal_encoding):
    """With D = 4 and L = 16 the columns are sin n, cos n, sin n/4 and cos n/4.

    Look at the exponent of L: what stands in it for an odd i, and which two features share one (eq. 12.25).
    """
    import math

    import torch

    import kit

    rows = [[math.sin(n), math.cos(n), math.sin(n / 4), math.cos(n / 4)] for n in range(5)]

    @kit.for_each({"N": 5, "D": 4, "L": 16.0})
    def check(N, D, L):
        r = kit.call(sinusoidal_encoding, N, D, L)
        kit.expect(r, torch.tensor(rows, dtype=torch.float64), "r", tolerance="tables")


@test_case()
def neighbours_are_sine_and_cosine_of_one_angle(sinusoidal_encoding):
    """In every row the squares of features 2j and 2j+1 add up to 1.

    Look at the two features of a pair: their wavelength is the same, only the function differs (eq. 12.25).
    """
    import torch
    from hypothesis import strategies as st

    import kit

    sizes = {"N": st.integers(2, 9), "D": st.sampled_from((2, 6, 10)), "L": st.sampled_from((30, 7.5, 10_000.0))}

    @kit.for_all(st.fixed_dictionaries(sizes))
    def check(N, D, L):
        r = kit.call(sinusoidal_encoding, N, D, L)
        kit.expect_tensor(r, torch.empty(N, D, dtype=torch.float64), "r")
        sums = r[:, 0::2] ** 2 + r[:, 1::2] ** 2  # N x D/2
        kit.expect(sums, torch.ones_like(sums), "sums", tolerance="tables")


@test_case()
def inner_products_depend_on_the_offset_alone(sinusoidal_encoding):
    """The inner product of r_n and r_m is the same for all positions with the same m - n, and largest at 0.

    Look at what sin a sin b + cos a cos b is, and what it asks of the two features of a pair (eq. 12.25).
    """
    import torch
    from hypothesis import strategies as st

    import kit

    sizes = {"N": st.integers(3, 9), "D": st.sampled_from((2, 6, 10)), "L": st.sampled_from((30, 7.5, 10_000.0))}

    @kit.for_all(st.fixed_dictionaries(sizes))
    def check(N, D, L):
        r = kit.call(sinusoidal_encoding, N, D, L)
        kit.expect_tensor(r, torch.empty(N, D, dtype=torch.float64), "r")
        products = r @ r.T
        n, m = divmod(int((products[1:, 1:] - products[:-1, :-1]).abs().argmax()), N - 1)
        one, next_one = f"r_{n} . r_{m}", f"r_{n + 1} . r_{m + 1}"
        kit.expect(products[n + 1, m + 1], products[n, m], f"{next_one}, as far apart as {one},", tolerance="tables")
        apart = products[0, 1:].max()
        kit.expect_that(apart < products[0, 0] - 1e-3, f"r_0 . r_m reaches {apart:.4g}, as much as r_0 . r_0.")


@test_case()
def every_value_equals_the_formula(sinusoidal_encoding):
    """r equals eq. 12.25 for any even width, number of positions and base of the wavelengths.

    Look at the exponent: does it reach (D-2)/D at the last pair, whatever D is, and does it use the L that was given?
    """
    from hypothesis import strategies as st

    import kit
    from kit import oracle

    sizes = {
        "N": st.integers(2, 40),
        "D": st.sampled_from((2, 6, 8, 14)),
        "L": st.sampled_from((2, 30, 7.5, 1000, 10_000.0)),
    }

    def check(N, D, L):
        r = kit.call(sinusoidal_encoding, N, D, L)
        kit.expect(r, oracle.sinusoidal(N, D, L), "r", tolerance="tables")

    kit.for_all(st.fixed_dictionaries(sizes))(check)
    kit.for_each({"N": 3, "D": 100, "L": 10_000}, {"N": 3, "D": 100, "L": 10_000.0})(
        check
    )  # L^D has no place in float64


@test_case()
def an_odd_width_ends_in_a_sine(sinusoidal_encoding):
    """An odd D leaves the last sine without its cosine and changes nothing else.

    Look at how many sines and how many cosines D features hold, and which D stands in the exponent (eq. 12.25).
    """
    from hypothesis import strategies as st

    import kit
    from kit import oracle

    sizes = {"N": st.integers(2, 9), "D": st.sampled_from((3, 5, 7, 11)), "L": st.sampled_from((30, 7.5, 10_000.0))}

    @kit.for_all(st.fixed_dictionaries(sizes))
    def check(N, D, L):
        r = kit.call(sinusoidal_encoding, N, D, L)
        kit.expect(r, oracle.sinusoidal(N, D, L), "r", tolerance="tables")


@test_case()
def no_position_or_one_feature_keeps_both_axes(sinusoidal_encoding):
    """r is N x D also for no position at all, for a single one and for a single feature.

    Look for an axis of size 1 that is dropped, or a step that needs at least one row.
    """
    import kit
    from kit import oracle

    @kit.for_each(*({"N": N, "D": D} for N, D in ((0, 4), (1, 4), (0, 1), (1, 1), (3, 1), (1, 5))))
    def check(N, D):
        r = kit.call(sinusoidal_encoding, N, D, 30.0)
        kit.expect(r, oracle.sinusoidal(N, D, 30.0), "r", tolerance="tables")


@test_case()
def far_positions_are_as_accurate_as_near_ones(sinusoidal_encoding):
    """r is right to float64 accuracy as far as position 10,000.

    Look at the precision in which the angle is computed: far out a rounded angle is off by more than one turns it.
    """
    import torch

    import kit
    from kit import oracle

    far = [*range(5), 511, 512, 4999, 5000, 9973, 10_000]
    r = kit.call(sinusoidal_encoding, 10_001, 6, 10_000.0)
    kit.expect_tensor(r, torch.empty(10_001, 6, dtype=torch.float64), "r")
    for n in far:
        kit.expect(r[n], oracle.sinusoidal_row(n, 6, 10_000.0), f"r[{n}]", tolerance="tables")


@test_case()
def a_second_call_starts_afresh(sinusoidal_encoding):
    """A call with another base, width or number of positions does not remember the call before.

    Look for a table that is kept between calls: what has to be the same before it may be used again?
    """
    import kit
    from kit import oracle

    calls = ((7, 6, 10_000.0), (7, 6, 30.0), (5, 6, 30.0), (5, 3, 30.0), (11, 6, 10_000.0))

    @kit.for_each(*({"N": N, "D": D, "L": L} for N, D, L in calls))
    def check(N, D, L):
        r = kit.call(sinusoidal_encoding, N, D, L)
        kit.expect(r, oracle.sinusoidal(N, D, L), "r", tolerance="tables")
