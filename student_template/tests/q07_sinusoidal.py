from otter.test_files import test_case

OK_FORMAT = False

name = "q07_sinusoidal"
points = None


@test_case(name="values_are_right_by_hand", points=2, hidden=False)
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


@test_case(name="neighbours_are_sine_and_cosine_of_one_angle", points=1, hidden=False)
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


@test_case(name="inner_products_depend_on_the_offset_alone", points=1, hidden=False)
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
