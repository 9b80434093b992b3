"""Wrong answers to q14."""

# Students write no type annotations, and neither do their mistakes.
# mypy: ignore-errors
import torch

from solutions.mistakes import mistake

Q = "q14_class_token_attention"


@mistake(
    Q,
    caught_by="looks_at_all_alike_when_all_keys_are_alike",
    cause="The weights are those of the first layer.",
    hint="Which layer is asked for, and what has happened to the tokens by then?",
)
def asks_the_first_layer():
    def class_token_attention(model, images):
        with torch.no_grad():
            X = model.tokens(images)
            last = model.layers[0]
            normed = last.norm1(X)
            _, alpha = last.attn(normed, normed, normed)
        return alpha[:, 0, 1:]

    return class_token_attention


@mistake(
    Q,
    caught_by="looks_at_all_alike_when_all_keys_are_alike",
    cause="The second layer is taken for the last one.",
    hint="How many layers does a model have? Two is only the default.",
)
def asks_the_second_layer():
    def class_token_attention(model, images):
        with torch.no_grad():
            X = model.tokens(images)
            for layer in model.layers[:1]:
                X = layer(X)
            last = model.layers[min(1, len(model.layers) - 1)]
            normed = last.norm1(X)
            _, alpha = last.attn(normed, normed, normed)
        return alpha[:, 0, 1:]

    return class_token_attention


@mistake(
    Q,
    caught_by="equals_the_weights_of_the_last_layer",
    cause="The tokens have passed the last layer before its weights are read.",
    hint="Which tokens does the last layer's attention see: those that reach it, or those that leave it?",
)
def lets_the_last_layer_run_first():
    def class_token_attention(model, images):
        with torch.no_grad():
            X = model.tokens(images)
            for layer in model.layers:
                X = layer(X)
            last = model.layers[-1]
            normed = last.norm1(X)
            _, alpha = last.attn(normed, normed, normed)
        return alpha[:, 0, 1:]

    return class_token_attention


@mistake(
    Q,
    caught_by="equals_the_weights_of_the_last_layer",
    cause="The last layer is given the first tokens.",
    hint="What has happened to the tokens when they reach the last layer?",
)
def skips_the_layers_before():
    def class_token_attention(model, images):
        with torch.no_grad():
            X = model.tokens(images)
            last = model.layers[-1]
            normed = last.norm1(X)
            _, alpha = last.attn(normed, normed, normed)
        return alpha[:, 0, 1:]

    return class_token_attention


@mistake(
    Q,
    caught_by="equals_the_weights_of_the_last_layer",
    cause="The attention is given the tokens without norm1.",
    hint="In a pre-norm layer, what stands before the attention?",
)
def forgets_the_norm():
    def class_token_attention(model, images):
        with torch.no_grad():
            X = model.tokens(images)
            for layer in model.layers[:-1]:
                X = layer(X)
            last = model.layers[-1]
            normed = X
            _, alpha = last.attn(normed, normed, normed)
        return alpha[:, 0, 1:]

    return class_token_attention


@mistake(
    Q,
    caught_by="equals_the_weights_of_the_last_layer",
    cause="norm2 is used, which belongs to the MLP.",
    hint="The layer has two norms. Which one stands before the attention?",
)
def takes_the_other_norm():
    def class_token_attention(model, images):
        with torch.no_grad():
            X = model.tokens(images)
            for layer in model.layers[:-1]:
                X = layer(X)
            last = model.layers[-1]
            normed = last.norm2(X)
            _, alpha = last.attn(normed, normed, normed)
        return alpha[:, 0, 1:]

    return class_token_attention


@mistake(
    Q,
    caught_by="equals_the_weights_of_the_last_layer",
    cause="The model's final_norm is used.",
    hint="final_norm comes after all layers. Which norm does the last attention see?",
)
def takes_the_final_norm():
    def class_token_attention(model, images):
        with torch.no_grad():
            X = model.tokens(images)
            for layer in model.layers[:-1]:
                X = layer(X)
            last = model.layers[-1]
            normed = model.final_norm(X)
            _, alpha = last.attn(normed, normed, normed)
        return alpha[:, 0, 1:]

    return class_token_attention


@mistake(
    Q,
    caught_by="equals_the_weights_of_the_last_layer",
    cause="Only the queries are normed; the keys are raw tokens.",
    hint="Queries and keys come from the same tokens. Do yours?",
    source="https://github.com/facebookresearch/xformers/issues/233",
)
def leaves_the_keys_raw():
    def class_token_attention(model, images):
        with torch.no_grad():
            X = model.tokens(images)
            for layer in model.layers[:-1]:
                X = layer(X)
            last = model.layers[-1]
            normed = last.norm1(X)
            _, alpha = last.attn(normed, X, X)
        return alpha[:, 0, 1:]

    return class_token_attention


@mistake(
    Q,
    caught_by="gives_each_patch_a_share_without_gradient",
    cause="The weight that the class token gives to itself is part of the result.",
    hint="One weight per patch: how many does your row hold?",
)
def keeps_the_class_token():
    def class_token_attention(model, images):
        with torch.no_grad():
            X = model.tokens(images)
            for layer in model.layers[:-1]:
                X = layer(X)
            last = model.layers[-1]
            normed = last.norm1(X)
            _, alpha = last.attn(normed, normed, normed)
        return alpha[:, 0]

    return class_token_attention


@mistake(
    Q,
    caught_by="equals_the_weights_of_the_last_layer",
    cause="The last patch is dropped in place of the class token.",
    hint="Which of the N + 1 weights does not belong to a patch, and where does it stand?",
)
def drops_the_last_patch():
    def class_token_attention(model, images):
        with torch.no_grad():
            X = model.tokens(images)
            for layer in model.layers[:-1]:
                X = layer(X)
            last = model.layers[-1]
            normed = last.norm1(X)
            _, alpha = last.attn(normed, normed, normed)
        return alpha[:, 0, :-1]

    return class_token_attention


@mistake(
    Q,
    caught_by="equals_the_weights_of_the_last_layer",
    cause="The result is what the patches give to the class token, the column in place of the row.",
    hint="Who looks at whom? One token asks, and its row of alpha sums to 1.",
)
def asks_the_patches():
    def class_token_attention(model, images):
        with torch.no_grad():
            X = model.tokens(images)
            for layer in model.layers[:-1]:
                X = layer(X)
            last = model.layers[-1]
            normed = last.norm1(X)
            _, alpha = last.attn(normed, normed, normed)
        return alpha[:, 1:, 0]

    return class_token_attention


@mistake(
    Q,
    caught_by="equals_the_weights_of_the_last_layer",
    cause="The weights are averaged over all queries.",
    hint="Only the class token's look is asked for. Which row of alpha is it?",
)
def averages_all_queries():
    def class_token_attention(model, images):
        with torch.no_grad():
            X = model.tokens(images)
            for layer in model.layers[:-1]:
                X = layer(X)
            last = model.layers[-1]
            normed = last.norm1(X)
            _, alpha = last.attn(normed, normed, normed)
        return alpha.mean(dim=1)[:, 1:]

    return class_token_attention


@mistake(
    Q,
    caught_by="equals_the_weights_of_the_last_layer",
    cause="The last patch is taken for the class token.",
    hint="Where does the class token stand among the tokens?",
)
def takes_the_last_token():
    def class_token_attention(model, images):
        with torch.no_grad():
            X = model.tokens(images)
            for layer in model.layers[:-1]:
                X = layer(X)
            last = model.layers[-1]
            normed = last.norm1(X)
            _, alpha = last.attn(normed, normed, normed)
        return alpha[:, -1, 1:]

    return class_token_attention


@mistake(
    Q,
    caught_by="equals_the_weights_of_the_last_layer",
    cause="Only the first head is asked.",
    hint="Every head looks in its own way. What is to be done with all of them?",
)
def takes_the_first_head():
    def class_token_attention(model, images):
        with torch.no_grad():
            X = model.tokens(images)
            for layer in model.layers[:-1]:
                X = layer(X)
            last = model.layers[-1]
            normed = last.norm1(X)
            _, alpha = last.attn(normed, normed, normed, average_attn_weights=False)
        return alpha[:, 0, 0, 1:]

    return class_token_attention


@mistake(
    Q,
    caught_by="looks_at_all_alike_when_all_keys_are_alike",
    cause="The weights are summed over the heads.",
    hint="How large can a row sum be that belongs to one head, and how large is yours?",
)
def sums_over_the_heads():
    def class_token_attention(model, images):
        with torch.no_grad():
            X = model.tokens(images)
            for layer in model.layers[:-1]:
                X = layer(X)
            last = model.layers[-1]
            normed = last.norm1(X)
            _, alpha = last.attn(normed, normed, normed, average_attn_weights=False)
        return alpha.sum(dim=1)[:, 0, 1:]

    return class_token_attention


@mistake(
    Q,
    caught_by="equals_the_weights_of_the_last_layer",
    cause="The largest weight of all heads is taken.",
    hint="The heads are to be averaged. What do you do with them?",
)
def takes_the_strongest_head():
    def class_token_attention(model, images):
        with torch.no_grad():
            X = model.tokens(images)
            for layer in model.layers[:-1]:
                X = layer(X)
            last = model.layers[-1]
            normed = last.norm1(X)
            _, alpha = last.attn(normed, normed, normed, average_attn_weights=False)
        return alpha.amax(dim=1)[:, 0, 1:]

    return class_token_attention


@mistake(
    Q,
    caught_by="gives_each_patch_a_share_without_gradient",
    cause="The patches' weights are divided by their sum.",
    hint="The class token looks at itself as well. Should the patches' weights sum to 1?",
)
def normalises_again():
    def class_token_attention(model, images):
        with torch.no_grad():
            X = model.tokens(images)
            for layer in model.layers[:-1]:
                X = layer(X)
            last = model.layers[-1]
            normed = last.norm1(X)
            _, alpha = last.attn(normed, normed, normed)
        alpha = alpha[:, 0, 1:]
        return alpha / alpha.sum(dim=1, keepdim=True)

    return class_token_attention


@mistake(
    Q,
    caught_by="equals_the_weights_of_the_last_layer",
    cause="A softmax runs over weights that are weights already.",
    hint="alpha comes out of a softmax. What does a second one do to it?",
)
def applies_another_softmax():
    def class_token_attention(model, images):
        with torch.no_grad():
            X = model.tokens(images)
            for layer in model.layers[:-1]:
                X = layer(X)
            last = model.layers[-1]
            normed = last.norm1(X)
            _, alpha = last.attn(normed, normed, normed)
        return alpha.softmax(dim=2)[:, 0, 1:]

    return class_token_attention


@mistake(
    Q,
    caught_by="gives_each_patch_a_share_without_gradient",
    cause="The result still hangs on the graph.",
    hint="The weights are only there to be looked at. Does anything need to lead back from them?",
)
def keeps_the_gradient():
    def class_token_attention(model, images):
        X = model.tokens(images)
        for layer in model.layers[:-1]:
            X = layer(X)
        last = model.layers[-1]
        normed = last.norm1(X)
        _, alpha = last.attn(normed, normed, normed)
        return alpha[:, 0, 1:]

    return class_token_attention


@mistake(
    Q,
    caught_by="leaves_the_model_as_it_was",
    cause="The model is switched to eval mode and stays there.",
    hint="In which mode was the model before the call, and in which is it now?",
    source="https://github.com/shubhamagarwal92/mmd/issues/14",
)
def leaves_the_model_in_eval_mode():
    def class_token_attention(model, images):
        model.eval()
        with torch.no_grad():
            X = model.tokens(images)
            for layer in model.layers[:-1]:
                X = layer(X)
            last = model.layers[-1]
            normed = last.norm1(X)
            _, alpha = last.attn(normed, normed, normed)
        return alpha[:, 0, 1:]

    return class_token_attention


@mistake(
    Q,
    caught_by="leaves_the_model_as_it_was",
    cause="The model is switched to eval mode and then to train mode, whatever it was in before.",
    hint="What does a call do to a model that was in eval mode?",
)
def leaves_the_model_in_train_mode():
    def class_token_attention(model, images):
        model.eval()
        with torch.no_grad():
            X = model.tokens(images)
            for layer in model.layers[:-1]:
                X = layer(X)
            last = model.layers[-1]
            normed = last.norm1(X)
            _, alpha = last.attn(normed, normed, normed)
        model.train()
        return alpha[:, 0, 1:]

    return class_token_attention


@mistake(
    Q,
    caught_by="leaves_the_model_as_it_was",
    cause="The gradients of the model are cleared.",
    hint="Somebody may be in the middle of a training step. Whose gradients are these?",
)
def clears_the_gradients():
    def class_token_attention(model, images):
        model.zero_grad()
        with torch.no_grad():
            X = model.tokens(images)
            for layer in model.layers[:-1]:
                X = layer(X)
            last = model.layers[-1]
            normed = last.norm1(X)
            _, alpha = last.attn(normed, normed, normed)
        return alpha[:, 0, 1:]

    return class_token_attention


@mistake(
    Q,
    caught_by="leaves_the_model_as_it_was",
    cause="A backward pass adds to the gradients of the model.",
    hint="Looking at weights needs no derivative. What do the model's gradients hold afterwards?",
)
def adds_to_the_gradients():
    def class_token_attention(model, images):
        model(images).sum().backward()
        with torch.no_grad():
            X = model.tokens(images)
            for layer in model.layers[:-1]:
                X = layer(X)
            last = model.layers[-1]
            normed = last.norm1(X)
            _, alpha = last.attn(normed, normed, normed)
        return alpha[:, 0, 1:]

    return class_token_attention


@mistake(
    Q,
    caught_by="leaves_the_model_as_it_was",
    cause="All parameters stop requiring a gradient, for good.",
    hint="What happens when training goes on after the call?",
)
def freezes_the_model():
    def class_token_attention(model, images):
        for parameter in model.parameters():
            parameter.requires_grad_(False)
        with torch.no_grad():
            X = model.tokens(images)
            for layer in model.layers[:-1]:
                X = layer(X)
            last = model.layers[-1]
            normed = last.norm1(X)
            _, alpha = last.attn(normed, normed, normed)
        return alpha[:, 0, 1:]

    return class_token_attention


@mistake(
    Q,
    caught_by="equals_the_weights_of_the_last_layer",
    cause="squeeze() drops the axis of a single image.",
    hint="One image is a batch of one. Which step removes axes without being asked which?",
)
def squeezes_a_batch_of_one():
    def class_token_attention(model, images):
        with torch.no_grad():
            X = model.tokens(images)
            for layer in model.layers[:-1]:
                X = layer(X)
            last = model.layers[-1]
            normed = last.norm1(X)
            _, alpha = last.attn(normed, normed, normed)
        return alpha[:, 0, 1:].squeeze()

    return class_token_attention


@mistake(
    Q,
    caught_by="gives_each_patch_a_share_without_gradient",
    cause="The weights are averaged over the images.",
    hint="Every image is looked at in its own way. Where does the axis of the batch go?",
)
def averages_over_the_images():
    def class_token_attention(model, images):
        with torch.no_grad():
            X = model.tokens(images)
            for layer in model.layers[:-1]:
                X = layer(X)
            last = model.layers[-1]
            normed = last.norm1(X)
            _, alpha = last.attn(normed, normed, normed)
        return alpha[:, 0, 1:].mean(dim=0)

    return class_token_attention


@mistake(
    Q,
    caught_by="a_second_model_is_asked_afresh",
    cause="A hook stays in the model, and the first weights that it ever caught are returned for good.",
    hint="Call it for another model. What is left of the first call, in the model and beside it?",
)
def keeps_its_hook_and_the_first_catch():
    caught = []

    def class_token_attention(model, images):
        def catch(module, inputs, output):
            _, alpha = module.attn(*[module.norm1(inputs[0])] * 3)
            caught.append(alpha)

        model.layers[-1].register_forward_hook(catch)
        with torch.no_grad():
            model(images)
        return caught[0][:, 0, 1:]

    return class_token_attention


@mistake(
    Q,
    caught_by="a_second_model_is_asked_afresh",
    cause="The result is kept and found again by the size of the batch alone.",
    hint="Another model with as many images gets the old weights. What does the result depend on?",
)
def keeps_the_result_by_the_size_of_the_batch():
    kept = {}

    def class_token_attention(model, images):
        if len(images) not in kept:
            with torch.no_grad():
                X = model.tokens(images)
                for layer in model.layers[:-1]:
                    X = layer(X)
                normed = model.layers[-1].norm1(X)
                _, alpha = model.layers[-1].attn(normed, normed, normed)
            kept[len(images)] = alpha[:, 0, 1:]
        return kept[len(images)]

    return class_token_attention


@mistake(
    Q,
    caught_by="leaves_the_model_as_it_was",
    cause="A hook on the last layer's norm is never removed.",
    hint="After the call somebody counts the hooks of the model. Who removes yours?",
)
def leaves_a_hook_in_a_part():
    def class_token_attention(model, images):
        model.layers[-1].norm1.register_forward_hook(lambda module, inputs, output: None)
        with torch.no_grad():
            X = model.tokens(images)
            for layer in model.layers[:-1]:
                X = layer(X)
            last = model.layers[-1]
            normed = last.norm1(X)
            _, alpha = last.attn(normed, normed, normed)
        return alpha[:, 0, 1:]

    return class_token_attention


@mistake(
    Q,
    caught_by="leaves_the_model_as_it_was",
    cause="A hook on the model itself is never removed.",
    hint="After the call somebody counts the hooks of the model. Who removes yours?",
)
def leaves_a_hook_on_the_model():
    def class_token_attention(model, images):
        model.register_forward_hook(lambda module, inputs, output: None)
        with torch.no_grad():
            X = model.tokens(images)
            for layer in model.layers[:-1]:
                X = layer(X)
            last = model.layers[-1]
            normed = last.norm1(X)
            _, alpha = last.attn(normed, normed, normed)
        return alpha[:, 0, 1:]

    return class_token_attention


@mistake(
    Q,
    caught_by="leaves_the_model_as_it_was",
    cause="The weights are kept in the model, as a buffer.",
    hint="What does the state dict of the model hold after the call that it did not hold before?",
)
def keeps_the_weights_in_a_buffer():
    def class_token_attention(model, images):
        with torch.no_grad():
            X = model.tokens(images)
            for layer in model.layers[:-1]:
                X = layer(X)
            last = model.layers[-1]
            normed = last.norm1(X)
            _, alpha = last.attn(normed, normed, normed)
        model.register_buffer("last_attention", alpha)
        return alpha[:, 0, 1:]

    return class_token_attention


@mistake(
    Q,
    caught_by="leaves_the_model_as_it_was",
    cause="The weights are kept in a part of the model, as an attribute.",
    hint="Which attributes does the last layer have after the call that it did not have before?",
)
def keeps_the_weights_in_an_attribute():
    def class_token_attention(model, images):
        with torch.no_grad():
            X = model.tokens(images)
            for layer in model.layers[:-1]:
                X = layer(X)
            last = model.layers[-1]
            normed = last.norm1(X)
            _, alpha = last.attn(normed, normed, normed)
        last.alpha = alpha
        return alpha[:, 0, 1:]

    return class_token_attention


@mistake(
    Q,
    caught_by="leaves_the_model_as_it_was",
    cause="The forward of the last attention is replaced and stays so.",
    hint="What happens when the model is called after you have looked? Your own function still runs in its place.",
)
def leaves_another_forward_behind():
    def class_token_attention(model, images):
        attn = model.layers[-1].attn
        forward = attn.forward
        attn.forward = lambda *tokens, **named: forward(*tokens, **(named | {"need_weights": True}))
        with torch.no_grad():
            X = model.tokens(images)
            for layer in model.layers[:-1]:
                X = layer(X)
            last = model.layers[-1]
            normed = last.norm1(X)
            _, alpha = last.attn(normed, normed, normed)
        return alpha[:, 0, 1:]

    return class_token_attention


@mistake(
    Q,
    caught_by="leaves_the_model_as_it_was",
    cause="The last attention is switched to eval mode and stays there.",
    hint="The model has many parts, each with a mode of its own. Which of them did you switch?",
)
def leaves_a_part_in_eval_mode():
    def class_token_attention(model, images):
        model.layers[-1].attn.eval()
        with torch.no_grad():
            X = model.tokens(images)
            for layer in model.layers[:-1]:
                X = layer(X)
            last = model.layers[-1]
            normed = last.norm1(X)
            _, alpha = last.attn(normed, normed, normed)
        return alpha[:, 0, 1:]

    return class_token_attention


@mistake(
    Q,
    caught_by="leaves_the_model_as_it_was",
    cause="All parts are switched back to the mode of the whole, whatever mode each was in before.",
    hint="The model has many parts, each with a mode of its own. What does train() do to a part that was in eval mode?",
)
def gives_all_parts_one_mode():
    def class_token_attention(model, images):
        training = model.training
        model.eval()
        with torch.no_grad():
            X = model.tokens(images)
            for layer in model.layers[:-1]:
                X = layer(X)
            last = model.layers[-1]
            normed = last.norm1(X)
            _, alpha = last.attn(normed, normed, normed)
        model.train(training)
        return alpha[:, 0, 1:]

    return class_token_attention
