# Replaces the clocks, sleep and the random numbers that its own process may rely on.
# loses: nothing
# %%
import os, random, select, signal, socket, time
time.monotonic = time.time = time.perf_counter = lambda: 0.0
time.sleep = lambda seconds: None
random.getrandbits = random.random = lambda *args: 4
signal.signal = signal.alarm = lambda *args: None
os.getpid = os.getppid = lambda: 1
