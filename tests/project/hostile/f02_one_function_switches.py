# One function switches PyTorch's defaults each time it is called.
# loses: nothing
# %%
def attention_parameters(D):
    torch.set_default_dtype(torch.float64)
    torch.set_grad_enabled(False)
    torch.set_num_threads(4)
    torch.use_deterministic_algorithms(True)
    return 3 * D * D
def multi_head_parameters(D): return 4 * D * D
def dense_parameters(N, D): return N * N * D * D
