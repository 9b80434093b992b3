# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: light
#       format_version: '1.5'
#       jupytext_version: 1.19.6
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# +
from given.checks import Checks

grader = Checks()
# -

# # Homework
#
# Read `q01` first.

# +
# %matplotlib inline
# !pip install -q tqdm
import math

import torch


# -

def double(x):
    return int(torch.tensor(2 * x))


grader.check("q01_double")


def greet():
    return "hello"[: math.ceil(5)]


grader.check("q02_greet")

grader.export()
