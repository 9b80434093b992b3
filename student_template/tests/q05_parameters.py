from otter.test_files import test_case

OK_FORMAT = False

name = "q05_parameters"
points = None


@test_case(name="one_head_has_three_matrices", points=0.5, hidden=False)
def one_head_has_three_matrices(attention_parameters):
    """One head with D features has the weights of GPT-2 small's queries, keys and values: 1,769,472 for D = 768.

    Look at which matrices the tokens are multiplied with, and at the size of one of them (section 12.1).
    """
    import kit

    kit.expect_integer(kit.call(attention_parameters, 2), 12, "attention_parameters(2)")
    kit.expect_integer(kit.call(attention_parameters, 768), 1_769_472, "attention_parameters(768)")


@test_case(name="several_heads_have_the_weights_of_pytorchs", points=0.5, hidden=False)
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


@test_case(name="a_dense_layer_joins_every_number_to_every_other", points=1, hidden=False)
def a_dense_layer_joins_every_number_to_every_other(dense_parameters):
    """A dense layer has one weight for each pair of an input and an output number: 36 for N = 3, D = 2.

    Look at how many numbers go in, how many come out, and how many pairs they make (section 12.1).
    """
    import kit

    kit.expect_integer(kit.call(dense_parameters, 1, 2), 4, "dense_parameters(1, 2)")
    kit.expect_integer(kit.call(dense_parameters, 3, 2), 36, "dense_parameters(3, 2)")
    kit.expect_integer(kit.call(dense_parameters, 1024, 768), 618_475_290_624, "dense_parameters(1024, 768)")
