import math

import torch

def double(x):
    return int(torch.tensor(2 * x))

def greet():
    return "hello"[: math.ceil(5)]

