"""Right answers to q14."""

import torch
import torch.nn.functional as F


def decorates_with_no_grad():
    @torch.no_grad()
    def class_token_attention(model, images):
        *before, last = model.layers
        x = model.tokens(images)
        for layer in before:
            x = layer(x)
        x = last.norm1(x)
        return last.attn(x, x, x, need_weights=True, average_attn_weights=True)[1][:, 0, 1:]

    return class_token_attention


def detaches_at_the_end():
    def class_token_attention(model, images):
        X = model.tokens(images)
        for i in range(len(model.layers) - 1):
            X = model.layers[i](X)
        normed = model.layers[-1].norm1(X)
        weights = model.layers[-1].attn(normed, normed, normed, average_attn_weights=False)[1]  # B x H x N+1 x N+1
        return weights.mean(dim=1)[:, 0, 1:].detach()

    return class_token_attention


def asks_with_one_query():
    def class_token_attention(model, images):
        with torch.inference_mode():
            X = model.tokens(images)
            for layer in list(model.layers)[:-1]:
                X = layer(X)
            last = list(model.layers)[-1]
            normed = last.norm1(X)
            _, alpha = last.attn(normed[:, :1], normed, normed)  # B x 1 x N+1
        return alpha.squeeze(1)[:, 1:].clone()

    return class_token_attention


def catches_with_a_hook_and_removes_it():
    def class_token_attention(model, images):
        caught = []
        last = model.layers[-1]
        handle = last.register_forward_pre_hook(lambda module, inputs: caught.append(inputs[0]))
        try:
            with torch.no_grad():
                model(images)
                normed = last.norm1(caught[0])
                _, alpha = last.attn(normed, normed, normed)
        finally:
            handle.remove()
        return alpha[:, 0, 1:]

    return class_token_attention


def splits_the_projections_by_hand():
    def class_token_attention(model, images):
        with torch.no_grad():
            X = model.tokens(images)
            for layer in model.layers[:-1]:
                X = layer(X)
            last = model.layers[-1]
            attn, normed = last.attn, last.norm1(X)
            q, k, _ = F.linear(normed, attn.in_proj_weight, attn.in_proj_bias).chunk(3, dim=-1)
            B, M, D = q.shape
            H = attn.num_heads
            q = q[:, :1].reshape(B, 1, H, D // H).transpose(1, 2)  # B x H x 1 x D/H
            k = k.reshape(B, M, H, D // H).transpose(1, 2)  # B x H x N+1 x D/H
            alpha = (q @ k.mT / (D // H) ** 0.5).softmax(-1)
        return alpha.mean(1)[:, 0, 1:]

    return class_token_attention


def switches_to_eval_mode_and_back():
    def class_token_attention(model, images):
        modes = {part: part.training for part in model.modules()}
        model.eval()
        try:
            with torch.no_grad():
                X = model.tokens(images)
                for layer in model.layers[:-1]:
                    X = layer(X)
                normed = model.layers[-1].norm1(X)
                alpha = model.layers[-1].attn(normed, normed, normed)[1]
        finally:
            for part, training in modes.items():
                part.training = training
        return alpha[:, 0, 1:]

    return class_token_attention


def works_on_a_copy():
    import copy

    def class_token_attention(model, images):
        model = copy.deepcopy(model).requires_grad_(False)
        X = model.tokens(images)
        while len(model.layers) > 1:
            X = model.layers.pop(0)(X)
        layer = model.layers[0]
        X = layer.norm1(X)
        return torch.narrow(layer.attn(X, X, X)[1][:, 0], 1, 1, X.shape[1] - 1)

    return class_token_attention


def asks_image_by_image():
    def look(model, image):
        X = model.tokens(image.unsqueeze(0))
        for layer in model.layers[:-1]:
            X = layer(X)
        X = model.layers[-1].norm1(X)
        return model.layers[-1].attn(X, X, X)[1][0, 0, 1:]

    def class_token_attention(model, images):
        with torch.no_grad():
            return torch.stack([look(model, image) for image in images])

    return class_token_attention
