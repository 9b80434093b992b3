# Switches default dtype and device, gradients, warnings, NumPy's errors, threads, determinism, recursion, and computes.
# otter: broken
# loses: nothing
# %%
import sys, warnings
import numpy as np
torch.set_num_threads(8)
torch.use_deterministic_algorithms(True)
torch.set_default_dtype(torch.float64)
A = torch.randn(300, 300)
(A @ A).softmax(-1).sum()
torch.set_default_device("meta")
torch.set_grad_enabled(False)
torch.autograd.set_detect_anomaly(True)
torch.inference_mode().__enter__()
torch.set_printoptions(precision=1)
np.seterr(all="raise")
warnings.simplefilter("error")
sys.setrecursionlimit(150)
torch.manual_seed(3)
