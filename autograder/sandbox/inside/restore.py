"""Puts back what a notebook may have switched in its process, so that a question starts from the defaults."""

import inspect
import os
import random
import sys
import warnings
from typing import Any

import numpy as np
import torch
from torch.utils.data import DataLoader

SEED = 0
RECURSION_LIMIT = 1000  # Python's own default; pytest or IPython do not change it
make_loader = DataLoader.__init__
LOADER = inspect.signature(DataLoader.__init__)
set_num_threads = torch.set_num_threads  # the real one: student code gets `ignore_threads`


def ignore_threads(*args: Any, **kwargs: Any) -> None:
    """Stand in for torch.set_num_threads: a second OpenMP thread would make every later fork hang."""


def load_without_workers(self: DataLoader[Any], *args: Any, **kwargs: Any) -> None:
    """Stand in for DataLoader.__init__: workers need shared memory, which is closed here; they change no value."""
    bound = LOADER.bind(self, *args, **kwargs)
    for name in ("num_workers", "prefetch_factor", "persistent_workers", "timeout", "multiprocessing_context"):
        bound.arguments.pop(name, None)
    make_loader(*bound.args, **bound.kwargs)


def pin_threads() -> None:
    """Use one thread and one process from here on, whatever student code asks for."""
    DataLoader.__init__ = load_without_workers  # type: ignore[method-assign]
    set_num_threads(1)
    torch.set_num_threads = ignore_threads
    torch.set_num_interop_threads = ignore_threads


def restore_defaults(home: str) -> None:
    """Put back threads, dtype, device, gradients, seeds, warnings, numpy's errors, recursion limit and folder."""
    set_num_threads(1)  # first: nothing may run on two threads after a fork
    torch.set_default_dtype(torch.float32)
    torch.set_default_device(None)
    torch.set_grad_enabled(True)
    torch.autograd.set_detect_anomaly(False)
    torch.set_deterministic_debug_mode("default")  # use_deterministic_algorithms imports for a second
    torch.set_autocast_enabled("cpu", False)
    torch.default_generator.manual_seed(SEED)  # torch.manual_seed costs ten times as much
    random.seed(SEED)
    np.random.seed(SEED)
    np.seterr(divide="warn", over="warn", under="ignore", invalid="warn")  # numpy's defaults
    warnings.resetwarnings()
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(RECURSION_LIMIT)
    sys.settrace(None)
    sys.setprofile(None)
    os.chdir(home)
