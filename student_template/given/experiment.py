"""Experiments on your own functions: they run at once, and wait politely for what is not written yet."""

import contextlib
import sys
from collections.abc import Callable
from typing import Any, NoReturn

import torch

NOT_WRITTEN = ": not written yet"  # how a stub's message ends, after its question
QUESTION_OF = {
    "simple_attention": "q01_simple_attention",
    "attention": "q02_attention",
    "softmax_jacobian_norm": "q03_softmax_jacobian",
    "multi_head_attention": "q04_multi_head",
    "attention_parameters": "q05_parameters",
    "multi_head_parameters": "q05_parameters",
    "dense_parameters": "q05_parameters",
    "TransformerLayer": "q06_transformer_layer",
    "sinusoidal_encoding": "q07_sinusoidal",
    "rotation_matrix": "q08_rotation_matrix",
    "rope": "q09_rope",
    "rope_rotation": "q10_rope_rotation",
    "patchify": "q11_patchify",
    "TinyViT": "q12_vit",
    "class_token_attention": "q14_class_token_attention",
}


class Unwritten:
    """Stands for the result of an experiment that could not run; whoever uses it hears why."""

    def __init__(self, question: str) -> None:
        self._question = question

    def __getattr__(self, name: str) -> NoReturn:
        raise NotImplementedError(self._question + NOT_WRITTEN)

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise NotImplementedError(self._question + NOT_WRITTEN)


def experiment(run: Callable[[], Any]) -> Any:
    """Run the decorated function at once and put its result in the place of its name.

    A figure that it returns is shown. When it needs an answer that is not written yet, it says which one;
    every other error is yours to see. It computes on the CPU, where its data is, whatever the default device.
    """
    elsewhere = torch.empty(0).device.type != "cpu"
    try:
        with torch.device("cpu") if elsewhere else contextlib.nullcontext():
            result = run()
    except (NotImplementedError, NameError) as error:
        question = find_unwritten_question(error)
        if question is None:
            raise
        print(f"write {question} first")
        return Unwritten(question)
    if hasattr(result, "to_plotly_json"):
        from given.figures.show import show_figure  # here, so that experiments without figures do not need Plotly

        show_figure(result)
    return result


def for_the_curious(run: Callable[[], Any]) -> Any:
    """An experiment outside the homework: it runs in a notebook, and nowhere else, so that no grader waits for it."""
    return experiment(run) if "ipykernel" in sys.modules else None


def find_unwritten_question(error: NotImplementedError | NameError) -> str | None:
    """The id of the question whose stub raised the error or whose name is missing; None for other errors."""
    if isinstance(error, NameError):
        return QUESTION_OF.get(error.name or "")
    question = str(error).removesuffix(NOT_WRITTEN)
    return question if question in QUESTION_OF.values() and str(error) != question else None
