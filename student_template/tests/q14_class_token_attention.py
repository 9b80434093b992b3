from otter.test_files import test_case

OK_FORMAT = False

name = "q14_class_token_attention"
points = None


@test_case(name="gives_each_patch_a_share_without_gradient", points=1, hidden=False)
def gives_each_patch_a_share_without_gradient(class_token_attention, TinyViT):
    """There is one weight per patch, none negative; a row sums to less than 1, and no gradient is attached.

    Look at whom the class token can look at: all patches and itself, and only the patches are asked for.
    """
    import torch

    import kit

    @kit.for_all(kit.vit_inputs(), examples=8)
    def check(sizes, images, seed):
        model, state = kit.build_vit(TinyViT, sizes, seed)
        alpha = kit.call(class_token_attention, model, images)
        kit.expect_tensor(alpha, torch.empty(len(images), state["r"].shape[1] - 1), "alpha")
        kit.expect_that(not alpha.requires_grad, "alpha still carries a gradient.")
        kit.expect_that(alpha.min() >= 0, f"The smallest weight is {float(alpha.min()):.4g}, below 0.")
        largest = float(alpha.sum(1).max())
        kit.expect_that(largest < 1 - 1e-6, f"A row sums to {largest:.4g}; the class token looks at itself, too.")


@test_case(name="looks_at_all_alike_when_all_keys_are_alike", points=1, hidden=False)
def looks_at_all_alike_when_all_keys_are_alike(class_token_attention, TinyViT):
    """Where the last layer gives all tokens the same key, each of the N patches gets the weight 1/(N+1).

    Look at which layer's weights are asked for, and over how many tokens one unit of attention is shared out.
    """
    import torch

    import kit

    @kit.for_all(kit.vit_inputs(), examples=6)
    def check(sizes, images, seed):
        model, state = kit.build_vit(TinyViT, sizes, seed)
        weights = {key: value.float() for key, value in state.items()}
        last = f"layers.{sizes['L'] - 1}.attn.in_proj_weight"
        kit.expect_that(last in weights, f"The model has no parameter {last}.")
        weights[last] = torch.zeros_like(weights[last])
        kit.call(model.load_state_dict, weights)
        N = state["r"].shape[1] - 1
        alpha = kit.call(class_token_attention, model, images)
        kit.expect(alpha, torch.full((len(images), N), 1 / (N + 1)), "alpha")


@test_case(name="leaves_the_model_as_it_was", points=0.5, hidden=False)
def leaves_the_model_as_it_was(class_token_attention, TinyViT):
    """After the call the model and its parts are as before: weights, gradients, mode of each part, hooks, attributes.

    Look for a switch that is not put back, and for anything that is stored in the model or cleared from it.
    """
    import torch

    import kit

    sizes = {"P": 2, "S": 6, "D": 12, "H": 4, "L": 2, "n_classes": 7}
    images = kit.randn(2, 6, 6, seed=1)
    for training in (True, False):
        model, _ = kit.build_vit(TinyViT, sizes, 3)
        kit.call(model.train if training else model.eval)
        kit.call(kit.call(model.get_submodule, "layers.0").train, not training)  # parts may differ in mode
        for parameter in kit.call(model.parameters):
            parameter.grad = torch.full_like(parameter, 0.5)
        before = {key: value.clone() for key, value in kit.call(model.state_dict).items()}
        parts = kit.run_beside("given.parts:describe_parts", model)
        kit.call(class_token_attention, model, images)
        now = kit.run_beside("given.parts:describe_parts", model)
        new, gone = ([fact for fact in some if fact not in others] for some, others in ((now, parts), (parts, now)))
        kit.expect_that(not new, f"After the call {''.join(new[:1])}, which was not so before.")
        kit.expect_that(not gone, f"Before the call {''.join(gone[:1])}, which is no longer so.")
        state = kit.call(model.state_dict)
        for key, value in before.items():
            kit.expect(state[key], value, key, tolerance="exact")
        for key, parameter in kit.call(model.named_parameters):
            kit.expect_that(parameter.requires_grad, f"{key} does not require a gradient any more.")
            kit.expect_that(parameter.grad is not None, f"The gradient of {key} was cleared.")
            kit.expect(parameter.grad, torch.full_like(parameter, 0.5), f"the gradient of {key}", tolerance="exact")
