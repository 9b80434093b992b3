from otter.test_files import test_case

OK_FORMAT = False

name = "q05_parameters"
points = None


@test_case()
def one_head_has_three_matrices(attention_parameters):
    """One head with D features has the weights of GPT-2 small's queries, keys and values: 1,769,472 for D = 768.

    Look at which matrices the tokens are multiplied with, and at the size of one of them (section 12.1).
    """
    import kit

    kit.expect_integer(kit.call(attention_parameters, 2), 12, "attention_parameters(2)")
    kit.expect_integer(kit.call(attention_parameters, 768), 1_769_472, "attention_parameters(768)")


@test_case()
def several_heads_have_the_weights_of_pytorchs(multi_head_parameters):
    """Multi-head attention has as many weights as nn.MultiheadAttention(D, H, bias=False), whatever H.

    Look at how many features one head has, and at the matrix that comes after the heads (Algorithm 12.2).
    """
    from torch import nn

    import kit

    for D, H in ((2, 1), (6, 2), (6, 3), (30, 5)):
        module = nn.MultiheadAttention(D, H, bias=False)
        right = sum(weight.numel() for weight in module.parameters())
        kit.expect_integer(kit.call(multi_head_parameters, D), right, f"multi_head_parameters({D})")
    kit.expect_integer(kit.call(multi_head_parameters, 768), 2_359_296, "multi_head_parameters(768)")


@test_case()
def a_dense_layer_joins_every_number_to_every_other(dense_parameters):
    """A dense layer has one weight for each pair of an input and an output number: 36 for N = 3, D = 2.

    Look at how many numbers go in, how many come out, and how many pairs they make (section 12.1).
    """
    import kit

    kit.expect_integer(kit.call(dense_parameters, 1, 2), 4, "dense_parameters(1, 2)")
    kit.expect_integer(kit.call(dense_parameters, 3, 2), 36, "dense_parameters(3, 2)")
    kit.expect_integer(kit.call(dense_parameters, 1024, 768), 618_475_290_624, "dense_parameters(1024, 768)")


@test_case()
def attention_counts_hold_for_any_width(attention_parameters, multi_head_parameters):
    """Both counts of attention hold for any number of features, as exact ints.

    Look at how each count grows when D doubles, and whether anything but matrices is counted.
    """
    import kit

    for D in (1, 3, 5, 7, 64, 1_000, 12_288):  # the last is the width of GPT-3
        one, several = kit.call(attention_parameters, D), kit.call(multi_head_parameters, D)
        kit.expect_integer(one, 3 * D * D, f"attention_parameters({D})")
        kit.expect_integer(several, 4 * D * D, f"multi_head_parameters({D})")


@test_case()
def dense_counts_grow_with_the_square_of_both_sizes(dense_parameters):
    """The count of the dense layer holds for any number of tokens and of features, as an exact int.

    Look at what doubling N alone does to the count, and what doubling D alone does.
    """
    import kit

    for N, D in ((1, 1), (2, 1), (1, 3), (5, 7), (7, 5), (100, 3), (4_096, 768)):
        kit.expect_integer(kit.call(dense_parameters, N, D), (N * D) ** 2, f"dense_parameters({N}, {D})")


@test_case()
def counts_are_exact_however_large(attention_parameters, multi_head_parameters, dense_parameters):
    """Counts beyond every fixed-width integer and beyond a float's 53 bits are exact.

    Look at the type of every number on the way: Python's int has no largest value.
    """
    import kit

    D, N = 3**25 + 2, 7**21 + 4  # more than 39 and 58 bits, no powers of two, which floats hold exactly
    kit.expect_integer(kit.call(attention_parameters, D), 3 * D * D, f"attention_parameters({D})")
    kit.expect_integer(kit.call(multi_head_parameters, D), 4 * D * D, f"multi_head_parameters({D})")
    kit.expect_integer(kit.call(dense_parameters, N, D), N * N * D * D, f"dense_parameters({N}, {D})")
