"""The process that this machine's workers are forked from: it imports what they need, once, while the tool starts."""

import multiprocessing
import os
import signal
from multiprocessing import forkserver

NEEDED = ["autograder", "distributed", "otter.test_files", "hypothesis", "torch.distributed.tensor", "sklearn.datasets"]
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}  # a worker has one core


def start_forge() -> None:
    """Start the process if it does not run yet; returns at once."""
    multiprocessing.set_forkserver_preload(NEEDED)
    environment = os.environ.copy()
    os.environ.update(ONE_THREAD)  # PyTorch reads it when it is imported
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the tool's to handle, its workers inherit that
    try:
        forkserver.ensure_running()
    finally:
        signal.signal(signal.SIGINT, handler)
        os.environ.clear()
        os.environ.update(environment)
