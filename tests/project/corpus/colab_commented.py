# -*- coding: utf-8 -*-
from given.checks import Checks

grader = Checks()

# Commented out IPython magic to ensure Python compatibility.
# %matplotlib inline
import math

import torch

# Commented out IPython magic to ensure Python compatibility.
# %%time
# def double(x):
#     return int(torch.tensor(2 * x))

grader.check("q01_double")

def greet():
    return "hello"[: math.ceil(5)]

grader.check("q02_greet")
