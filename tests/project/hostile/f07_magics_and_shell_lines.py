# Uses magics, shell lines and pip, also to delete the tests.
# otter: broken
# loses: nothing
# %%
%cd ..
!rm -rf tests kit given
%pip install einops
!pip install torch==1.0
files = !ls
%timeit -n1 -r1 pass
%%time
# %%
%%time
x = 1
# %%
%%bash
rm -rf ~
# %%
%reset -f
import torch, math
import torch.nn.functional as F
from torch import Tensor, nn
%load_ext autoreload
%autoreload 2
%matplotlib inline
%config InteractiveShell.ast_node_interactivity = "all"
