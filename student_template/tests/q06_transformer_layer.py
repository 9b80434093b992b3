from otter.test_files import test_case

OK_FORMAT = False

name = "q06_transformer_layer"
points = None


@test_case(name="has_the_parts_of_the_contract", points=1, hidden=False)
def has_the_parts_of_the_contract(TransformerLayer):
    """The layer's parameters are those of attn, norm1, norm2 and mlp, by these names, with these shapes and no others.

    Look at the list of attributes in the docstring: two LayerNorms over D, an MLP of Linear, ReLU, Linear with 4D.
    """
    import kit
    from kit.reference import layer_shapes

    for D, H in ((6, 2), (15, 3), (5, 1)):
        for pre_norm in (True, False):
            layer = kit.build(TransformerLayer, D, H, pre_norm=pre_norm)
            kit.expect_keys(layer, layer_shapes(D))


@test_case(name="gpt2_smalls_layer_has_7087872_parameters", points=0.5, hidden=False)
def gpt2_smalls_layer_has_7087872_parameters(TransformerLayer):
    """TransformerLayer(768, 12) has 7,087,872 parameters: 2,362,368 of attention, 4,722,432 of the MLP, 3,072 of norms.

    Look at which of the parts is off: are its biases there, is the MLP four times as wide as a token?
    """
    import kit

    layer = kit.build(TransformerLayer, 768, 12)
    count = {"attn": 0, "mlp": 0, "norm": 0}
    for key, value in kit.call(kit.attribute(layer, "state_dict")).items():
        part = next((part for part in count if key.startswith(part)), None)
        kit.expect_that(part is not None, f"{key} belongs to none of attn, norm1, norm2 and mlp.")
        count[part] += value.numel()
    kit.expect_integer(count["attn"], 2_362_368, "the number of parameters in attn")
    kit.expect_integer(count["mlp"], 4_722_432, "the number of parameters in mlp")
    kit.expect_integer(count["norm"], 3_072, "the number of parameters in norm1 and norm2")


@test_case(name="pre_norm_equals_pytorch", points=2, hidden=False)
def pre_norm_equals_pytorch(TransformerLayer):
    """With pre_norm=True the layer is PyTorch's TransformerEncoderLayer with norm_first=True and the same weights.

    Look at what each residual connection adds: the normed values feed a part, the unnormed ones go around it.
    """
    import kit
    from kit.reference import encoder_layer, layer_shapes

    @kit.for_all(kit.layer_inputs(pre_norm=True), examples=10)
    def check(X, H, pre_norm, seed):
        layer = kit.build(TransformerLayer, X.shape[-1], H, pre_norm=pre_norm)
        kit.expect_keys(layer, layer_shapes(X.shape[-1]))
        state = kit.load_random_weights(layer, seed)
        kit.expect(kit.call(layer, X), encoder_layer(state, H, pre_norm)(X.double()), "layer(X)", dtype=X.dtype)


@test_case(name="post_norm_equals_pytorch", points=2, hidden=False)
def post_norm_equals_pytorch(TransformerLayer):
    """With pre_norm=False the layer is PyTorch's TransformerEncoderLayer with norm_first=False and the same weights.

    Look at where the two LayerNorms stand in eq. 12.20 and 12.21: after each sum, so that the last step is a norm.
    """
    import kit
    from kit.reference import encoder_layer, layer_shapes

    @kit.for_all(kit.layer_inputs(pre_norm=False), examples=10)
    def check(X, H, pre_norm, seed):
        layer = kit.build(TransformerLayer, X.shape[-1], H, pre_norm=pre_norm)
        kit.expect_keys(layer, layer_shapes(X.shape[-1]))
        state = kit.load_random_weights(layer, seed)
        kit.expect(kit.call(layer, X), encoder_layer(state, H, pre_norm)(X.double()), "layer(X)", dtype=X.dtype)


@test_case(name="the_default_arrangement_is_that_of_the_signature", points=0.5, hidden=False)
def the_default_arrangement_is_that_of_the_signature(TransformerLayer):
    """TransformerLayer(D, H) is the arrangement that the signature names, and the other value gives another layer.

    Look at the default of the constructor's third argument, and whether forward asks for it.
    """
    import kit

    X = kit.randn(2, 5, 6, seed=1)
    results = []
    for third in ((), (True,), (False,)):
        layer = kit.build(TransformerLayer, 6, 2, *third)
        kit.load_random_weights(layer, 3)
        results.append(kit.call(layer, X))
        kit.expect_tensor(results[-1], X, "layer(X)")
    default, pre, post = results
    kit.expect(default, pre if kit.settings.term["pre_norm"] else post, "layer(X) by default")
    kit.expect_that((pre - post).abs().max() > 0.01, "pre_norm=True and pre_norm=False give the same result.")


@test_case(name="a_strided_view_gives_what_its_copy_gives", points=0.5, hidden=False)
def a_strided_view_gives_what_its_copy_gives(TransformerLayer):
    """X may be a strided view, transposed or with gaps in memory: the output is that of a contiguous copy.

    Look for a step that trusts where numbers lie in memory, as view does; reshape and transpose go by the axes.
    """
    import kit

    @kit.for_all(kit.views(kit.layer_inputs()), examples=8)
    def check(X, H, pre_norm, seed):
        layer = kit.build(TransformerLayer, X.shape[-1], H, pre_norm=pre_norm)
        kit.load_random_weights(layer, seed)
        right = kit.call(layer, X.contiguous())
        kit.expect_tensor(right, X, "layer(X) of a copy")
        kit.expect(kit.call(layer, X), right, "layer(X)")
