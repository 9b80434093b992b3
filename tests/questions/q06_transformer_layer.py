from otter.test_files import test_case

OK_FORMAT = False

name = "q06_transformer_layer"
points = None


@test_case()
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


@test_case()
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


@test_case()
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


@test_case()
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


@test_case()
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


@test_case()
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


@test_case()
def a_new_order_of_the_tokens_reorders_the_result(TransformerLayer):
    """Permuting the tokens of a sequence permutes the layer's output in the same way.

    Look for a step that knows where a token stands: attention treats the tokens as a set, the rest acts on each alone.
    """
    from hypothesis import strategies as st

    import kit

    X_drawn = st.integers(0, 999).map(lambda seed: kit.randn(2, 5, 6, seed=seed))
    inputs = st.fixed_dictionaries({"X": X_drawn, "order": kit.permutations(5), "pre_norm": st.booleans()})

    @kit.for_all(inputs, examples=10)
    def check(X, order, pre_norm):
        layer = kit.build(TransformerLayer, 6, 2, pre_norm=pre_norm)
        kit.load_random_weights(layer, 3)
        out = kit.call(layer, X)
        kit.expect_tensor(out, X, "layer(X)")
        other = kit.call(layer, X[:, order])
        kit.expect(other, out[:, order], "layer(X[:, order])")


@test_case()
def sequences_of_a_batch_do_not_meet(TransformerLayer):
    """Each sequence of a batch gets the output that it would get alone, also one sequence, and one token.

    Look at which axis holds the sequences: attention and norms must never look along it.
    """
    import kit

    for B, N, D, H in ((3, 5, 6, 2), (5, 3, 6, 3), (2, 1, 6, 2), (1, 1, 5, 1)):
        for pre_norm in (True, False):
            layer = kit.build(TransformerLayer, D, H, pre_norm=pre_norm)
            kit.load_random_weights(layer, 5)
            X = kit.randn(B, N, D, seed=B)
            out = kit.call(layer, X)
            kit.expect_tensor(out, X, "layer(X)")
            for b in range(B):
                kit.expect(kit.call(layer, X[b : b + 1]), out[b : b + 1], f"layer(X[{b} : {b + 1}])")


@test_case()
def training_and_evaluation_agree(TransformerLayer):
    """The layer gives the same output twice in a row, and the same in train() and in eval(): there is no dropout.

    Look for whatever draws random numbers or gathers statistics while the layer runs.
    """
    import kit

    X = kit.randn(3, 5, 6, seed=1)
    for pre_norm in (True, False):
        layer = kit.build(TransformerLayer, 6, 2, pre_norm=pre_norm)
        kit.load_random_weights(layer, 7)
        kit.call(kit.attribute(layer, "train"))
        first = kit.call(layer, X)
        kit.expect_tensor(first, X, "layer(X)")
        kit.expect(kit.call(layer, X), first, "layer(X) once more")
        kit.call(kit.attribute(layer, "eval"))
        kit.expect(kit.call(layer, X), first, "layer(X) in eval()")


@test_case()
def gradients_equal_pytorch(TransformerLayer):
    """The gradients with respect to X and to every parameter are PyTorch's, in both arrangements.

    Look for a part that the way back does not pass: no_grad, detach(), .data, or a parameter that takes no part.
    """
    import torch

    import kit
    from kit.reference import encoder_key, encoder_layer, layer_shapes

    @kit.for_all(kit.layer_inputs(), examples=6)
    def check(X, H, pre_norm, seed):
        layer = kit.build(TransformerLayer, X.shape[-1], H, pre_norm=pre_norm)
        kit.expect_keys(layer, layer_shapes(X.shape[-1]))
        state = kit.load_random_weights(layer, seed)
        own, exact = X.clone().requires_grad_(), X.double().requires_grad_()
        module = encoder_layer(state, H, pre_norm)
        out, right = kit.call(layer, own), module(exact)
        kit.expect(out, right, "layer(X)", dtype=X.dtype)
        # of a size that leaves gradients, which are sums over all tokens, of the order of 1
        cotangent = torch.randn(X.shape, generator=kit.make_generator("cotangent")) / (X[..., 0].numel() ** 0.5)
        found = kit.parameter_gradients(layer, out, cotangent)
        names = list(state)
        leaves = [exact, *(module.get_parameter(encoder_key(key)) for key in names)]
        exact_X, *exact_rest = torch.autograd.grad(right, leaves, cotangent.double())
        for key, gradient in zip(names, exact_rest, strict=True):
            kit.expect_that(key in found, f"{key} is no parameter of its own.")
            kit.expect(found[key], gradient, f"the gradient of {key}", dtype=X.dtype)
        (gradient,) = kit.call(torch.autograd.grad, out, own, cotangent, allow_unused=True)
        kit.expect_that(gradient is not None, "No gradient reaches X: the way back is cut somewhere.")
        kit.expect(gradient, exact_X, "the gradient of X", dtype=X.dtype)


@test_case()
def tokens_of_small_variance_are_normed_as_in_pytorch(TransformerLayer):
    """Tokens whose features are nearly equal show the small number under LayerNorm's root: PyTorch's default, 1e-5.

    Look at how the LayerNorms are made, and at anything between them and the residual sums.
    """
    import torch

    import kit
    from kit.reference import encoder_layer, layer_shapes

    for pre_norm in (True, False):
        layer = kit.build(TransformerLayer, 6, 2, pre_norm=pre_norm)
        kit.expect_keys(layer, layer_shapes(6))
        state = kit.load_random_weights(layer, 9)
        # attention adds next to nothing, so that the variance of 1e-6 meets both norms
        state = {key: value * (1e-3 if "out_proj" in key else 1) for key, value in state.items()}
        kit.call(kit.attribute(layer, "load_state_dict"), {key: value.float() for key, value in state.items()})
        X = kit.randn(3, 5, 6, seed=2, scale=1e-3)
        right = encoder_layer({key: value.float().double() for key, value in state.items()}, 2, pre_norm)(X.double())
        kit.expect(kit.call(layer, X), right, "layer(X)", dtype=torch.float32)


@test_case()
def large_numbers_pass_the_relu_as_they_are(TransformerLayer):
    """Where the MLP's inner numbers are in the hundreds, the layer still is PyTorch's: ReLU has no upper end.

    Look at the function between the two Linears: what does it make of 3, and what of 300?
    """
    import kit
    from kit.reference import encoder_layer, layer_shapes

    for pre_norm in (True, False):
        layer = kit.build(TransformerLayer, 6, 2, pre_norm=pre_norm)
        kit.expect_keys(layer, layer_shapes(6))
        state = kit.load_random_weights(layer, 15)
        # large before the ReLU and of ordinary size behind it
        sizes = {"mlp.0.weight": 100.0, "mlp.2.weight": 0.01}
        state = {key: (value * sizes.get(key, 1)).float() for key, value in state.items()}
        kit.call(kit.attribute(layer, "load_state_dict"), state)
        X = kit.randn(3, 5, 6, seed=4)
        right = encoder_layer({key: value.double() for key, value in state.items()}, 2, pre_norm)(X.double())
        kit.expect(kit.call(layer, X), right, "layer(X)", dtype=X.dtype)


@test_case()
def two_layers_share_nothing(TransformerLayer):
    """A layer's output depends on its own weights and the tokens at hand, not on other layers or earlier calls.

    Look for anything that belongs to the class or to the notebook instead of to one layer (self), or outlives a call.
    """
    import kit

    X, other_X = kit.randn(2, 5, 6, seed=1), kit.randn(2, 5, 6, seed=2)
    first = kit.build(TransformerLayer, 6, 2, pre_norm=True)
    kit.load_random_weights(first, 11)
    before = kit.call(first, X)
    kit.expect_tensor(before, X, "layer(X)")
    after = kit.call(first, other_X)
    second = kit.build(TransformerLayer, 6, 2, pre_norm=False)
    kit.load_random_weights(second, 13)
    kit.call(second, X)
    kit.expect(kit.call(first, X), before, "layer(X) after a second layer ran")
    twin = kit.build(TransformerLayer, 6, 2, pre_norm=True)
    kit.load_random_weights(twin, 11)
    kit.expect(after, kit.call(twin, other_X), "the result of a second call")
