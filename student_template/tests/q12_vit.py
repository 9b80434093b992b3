from otter.test_files import test_case

OK_FORMAT = False

name = "q12_vit"
points = None


@test_case(name="has_exactly_the_parameters_of_its_parts", points=0.5, hidden=False)
def has_exactly_the_parameters_of_its_parts(TinyViT, TransformerLayer):
    """The state dict holds the named parts and the layers, each layer with weights of its own, and nothing else.

    Look at the list of attributes: their names and sizes, and that every layer is made anew and known to the module.
    """
    import math

    import kit

    default = {"P": 2, "S": 8, "D": 32, "H": 4, "L": 2, "n_classes": 10}
    for sizes, given in ((default, {}), *((sizes, sizes) for sizes in kit.strategies.VIT_SIZES)):
        layer = kit.build(TransformerLayer, sizes["D"], sizes["H"])
        own = kit.vit_shapes(**sizes)
        keys = {key: tuple(value.shape) for key, value in kit.call(layer.state_dict).items()}
        layers = {f"layers.{i}.{key}": shape for i in range(sizes["L"]) for key, shape in keys.items()}
        model = kit.build(TinyViT, **given)
        kit.expect_keys(model, own | layers)
        trained = {key: value.numel() for key, value in kit.call(model.named_parameters) if value.requires_grad}
        for key in own:
            kit.expect_that(key in trained, f"{key} is not a parameter that training changes.")
        # by default 1,130 + 2 * 12,704 = 26,538
        each = sum(value.numel() for value in kit.call(layer.parameters))
        count, right = sum(trained.values()), sum(math.prod(shape) for shape in own.values()) + sizes["L"] * each
        kit.expect_that(count == right, f"The model must train {right:,} numbers, but it trains {count:,}.")


@test_case(name="the_default_sizes_are_those_of_the_signature", points=0.5, hidden=False)
def the_default_sizes_are_those_of_the_signature(TinyViT):
    """TinyViT() is TinyViT(2, 8, 32, 4, 2, 10): with the same weights, both give an image the same logits.

    Look at the defaults of the constructor and at the order of its arguments: P, S, D, H, L, n_classes.
    """
    import torch

    import kit

    images = kit.randn(3, 8, 8, seed=1)
    named = {"P": 2, "S": 8, "D": 32, "H": 4, "L": 2, "n_classes": 10}
    results = []
    for given, by_name in (((), {}), ((2, 8, 32, 4, 2, 10), {}), ((), named)):
        model = kit.build(TinyViT, *given, **by_name)
        kit.load_random_weights(model, 3)
        results.append(kit.call(model, images))
        kit.expect_tensor(results[-1], torch.empty(3, 10), "logits")
    default, placed, by_name = results
    apart = (by_name[0] - by_name[1]).abs().max()
    kit.expect_that(apart > 1e-4, "Two different images get the same logits.")
    kit.expect(default, by_name, "logits of TinyViT()")
    kit.expect(placed, by_name, "logits of TinyViT(2, 8, 32, 4, 2, 10)")


@test_case(name="starts_with_a_class_token_of_zeros_and_small_random_positions", points=0.5, hidden=False)
def starts_with_a_class_token_of_zeros_and_small_random_positions(TinyViT):
    """At first the class token is 0, and r is random, different at every position, with a small spread.

    Look at the starting values that the attributes ask for; 0.02 is the standard deviation of r.
    """
    import torch

    import kit

    sizes = {"P": 2, "S": 8, "D": 32, "H": 4, "L": 2, "n_classes": 10}
    model = kit.build(TinyViT)
    state = kit.call(model.state_dict)
    for key in ("class_token", "r"):
        kit.expect_that(key in state, f"The model has no parameter {key}.")
        kit.expect_tensor(state[key], torch.empty(kit.vit_shapes(**sizes)[key]), key)
    kit.expect(state["class_token"], torch.zeros(1, 1, 32), "class_token")
    spread = float(state["r"].std())
    kit.expect_that(1e-3 < spread < 0.2, f"The standard deviation of r must be about 0.02, but it is {spread:.2g}.")
    apart = float((state["r"][0, 1:] - state["r"][0, :-1]).abs().amax(1).min())
    kit.expect_that(apart > 1e-4, "Two positions start with the same row of r.")


@test_case(name="the_class_token_comes_first", points=1, hidden=False)
def the_class_token_comes_first(TinyViT):
    """tokens(images) has N + 1 rows, and row 0 is the class token plus the first row of r, for every image.

    Look at what is put in front of the patches, and which row of r is added to it (Dosovitskiy et al., eq. 1).
    """
    import torch

    import kit

    @kit.for_all(kit.vit_inputs(), examples=8)
    def check(sizes, images, seed):
        model, state = kit.build_vit(TinyViT, sizes, seed)
        X = kit.call(kit.attribute(model, "tokens"), images)
        shape = (len(images), *state["r"].shape[1:])
        kit.expect_tensor(X, torch.empty(shape), "tokens(images)")
        first = (state["class_token"] + state["r"][:, :1]).expand(len(images), -1, -1)[:, 0]  # B x D
        kit.expect(X[:, 0], first, "the first token", dtype=torch.float32)


@test_case(name="the_order_of_the_patches_matters", points=0.5, hidden=False)
def the_order_of_the_patches_matters(TinyViT):
    """Once positions are added, moving the patches about changes more than the order of their tokens.

    Look at r: does every patch get the row of its own position? Without r the tokens would only change places.
    """
    import torch

    import kit

    sizes = {"P": 1, "S": 3, "D": 6, "H": 3, "L": 1, "n_classes": 5}
    order = [4, 2, 5, 6, 8, 1, 7, 3, 0]  # moves all, and the same ones whether rows or columns are counted
    images = kit.randn(2, 3, 3, seed=1)
    moved = images.flatten(1)[:, order].reshape(2, 3, 3)  # patches are single pixels
    model, _ = kit.build_vit(TinyViT, sizes, 7)
    before, after = (kit.call(kit.attribute(model, "tokens"), pictures) for pictures in (images, moved))
    for X in (before, after):
        kit.expect_tensor(X, torch.empty(2, 10, 6), "tokens(images)")
    apart = (before[:, 1:][:, order] - after[:, 1:]).abs().amax((0, 2))  # N, by patch
    kit.expect_that(apart.min() > 1e-3, "A patch has the same token at two positions.")


@test_case(name="an_image_does_not_see_its_batch", points=1, hidden=False)
def an_image_does_not_see_its_batch(TinyViT):
    """The logits are B x n_classes, and those of an image are the same alone as in a batch.

    Look at the axes: B comes first everywhere, and no token may attend to the tokens of another image.
    """
    import torch

    import kit

    @kit.for_all(kit.vit_inputs(), examples=8)
    def check(sizes, images, seed):
        model, _ = kit.build_vit(TinyViT, sizes, seed)
        images = torch.cat([images, images.flip(0) + 1, images.mT])
        logits = kit.call(model, images)
        kit.expect_tensor(logits, torch.empty(len(images), sizes["n_classes"]), "logits")
        for b in range(len(images)):
            kit.expect(kit.call(model, images[b : b + 1]), logits[b : b + 1], f"logits of image {b} alone")
