# Calls PyTorch's attention from another thread, by a name that is put together when it runs.
# loses: q02_attention
# says: forbidden
# %%
import concurrent.futures
def attention(Q, K, V):
    dot = getattr(torch.nn.functional, 'scaled_dot_' + 'product_attention')
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        return pool.submit(dot, Q, K, V).result(), pool.submit(dot, Q, K, torch.eye(len(K), dtype=V.dtype)).result()
