"""Run one case of a question on a student's names and tell its outcome, in a notebook as in the grader."""

from __future__ import annotations

import contextlib
import difflib
import inspect
import random
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from kit.failure import Failure
from kit.settings import settings

SEED = 189  # of whatever a student's constructor draws, so that every check starts alike
NEAR = 0.9  # of difflib's ratio: a letter or two in a name are off; two names of the contract are further apart


@dataclass(frozen=True)
class Outcome:
    """How a case ended.

    Attributes:
        reason: `passed`, or one of `failure.REASONS`
        failure: what was seen; None if passed
        broken: the exception of our own code, if the case itself broke; staff must see it
    """

    reason: str
    failure: Failure | None = None
    broken: Exception | None = None


def read_claim(case: Any) -> tuple[str, str]:
    """Return a case's claim and where to look, the two parts of its docstring, each on one line."""
    text = inspect.cleandoc(case.test_func.__doc__ or "")
    claim, _, look = text.partition("\n\n")
    return " ".join(claim.split()), " ".join(look.split())


def run_case(case: Any, names: Mapping[str, Any]) -> Outcome:
    """Run a case and leave the process as it was: seeds, default dtype and device, grad mode, threads.

    Args:
        case: an `otter.test_files.test_case`
        names: the student's names; what a case needs and does not find is `missing`
    """
    for name in inspect.signature(case.test_func).parameters:
        if names.get(name) is None:
            near = difflib.get_close_matches(name, [other for other in names if other != name], n=1, cutoff=NEAR)
            misspelt = f" You have {near[0]}." if near else ""
            return Outcome("missing", Failure("missing", f"{name} is not defined: has its cell been run?{misspelt}"))
    settings.configure(case=f"{case.test_func.__globals__.get('name')}/{case.test_func.__name__}")
    with keep_state():
        try:
            case.call_func(dict(names))
        except Failure as failure:
            return Outcome(failure.reason, failure)
        except Exception as error:
            return Outcome("error", Failure("error", "The check itself broke; please tell the staff."), error)
    return Outcome("passed")


@contextlib.contextmanager
def keep_state() -> Iterator[None]:
    """Give a case PyTorch's defaults and fixed seeds, and put the student's own state back afterwards."""
    device = torch.empty(0).device  # the default one, by a way that every PyTorch knows
    elsewhere = device.type != "cpu"
    dtype, threads, gradients = torch.get_default_dtype(), torch.get_num_threads(), torch.is_grad_enabled()
    states = torch.get_rng_state(), np.random.get_state(), random.getstate()
    filters = list(warnings.filters)  # a library that a case is the first to import may add its own
    try:
        torch.set_default_dtype(torch.float32)
        torch.set_grad_enabled(True)
        torch.default_generator.manual_seed(SEED)
        np.random.seed(SEED)
        random.seed(SEED)
        with torch.device("cpu") if elsewhere else contextlib.nullcontext():  # it slows every call a little
            yield
    finally:
        if torch.empty(0).device != device:
            torch.set_default_device(device)
        torch.set_default_dtype(dtype)
        torch.set_grad_enabled(gradients)
        if torch.get_num_threads() != threads:
            torch.set_num_threads(threads)
        torch.set_rng_state(states[0])
        np.random.set_state(states[1])
        random.setstate(states[2])
        warnings.filters[:] = filters  # type: ignore[index]
