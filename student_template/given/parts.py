"""What can be seen of a model from outside, to compare before and after a call that should leave it alone."""

from collections.abc import Iterator

from torch import nn

PLAIN = (bool, int, float, str, type(None))


def describe_parts(model: nn.Module) -> list[str]:
    """Sentences on every part of a model: its mode, its hooks, its attributes, and what runs when it is called."""
    return [f"{name or 'the model'} {fact}" for name, part in model.named_modules() for fact in _describe(part)]


def _describe(part: nn.Module) -> Iterator[str]:
    yield f"is in {'train' if part.training else 'eval'} mode"
    yield f"runs {part.forward.__qualname__.rpartition('<locals>.')[2]} when it is called"
    hooks = [kept for name, kept in vars(part).items() if name.endswith("_hooks") and isinstance(kept, dict)]
    count = sum(map(len, hooks))
    yield f"has {count} hook{'' if count == 1 else 's'}"
    for name in (*part._parameters, *part._buffers, *part._modules):
        yield f"has the attribute {name}"
    for name, value in vars(part).items():
        if name != "training":
            yield f"has the attribute {name}" + (f" = {value!r}"[:40] if type(value) in PLAIN else "")
