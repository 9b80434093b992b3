__generated_with = "0.14.10"

# %%
import math

import torch

# %%
def double(x):
    return int(torch.tensor(2 * x))

# %%
grader.check("q01_double")

# %%
def greet():
    return "hello"[: math.ceil(5)]

# %%
grader.check("q02_greet")
