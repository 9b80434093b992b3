#%% 0
import math

import torch
#%% 1
def double(x):
    return int(torch.tensor(2 * x))
#%% 2
grader.check("q01_double")
#%% 3
def greet():
    return "hello"[: math.ceil(5)]
#%% 4
grader.check("q02_greet")
