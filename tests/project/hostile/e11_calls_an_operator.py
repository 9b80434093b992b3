# Calls PyTorch's attention kernel as an operator, below the function that is ruled out.
# loses: q02_attention
# says: forbidden
# %%
def attention(Q, K, V):
    N, M, D, E = len(Q), len(K), Q.shape[1], max(Q.shape[1], V.shape[1], K.shape[0])
    pad = lambda T: torch.nn.functional.pad(T, (0, E - T.shape[1]))[None, None].contiguous()
    run = lambda v: getattr(torch.ops.aten, '_scaled_dot_product_flash_' + 'attention_for_cpu')(
        pad(Q), pad(K), pad(v), scale=1 / math.sqrt(D))[0][0, 0, :, : v.shape[1]]
    return run(V), run(torch.eye(M, dtype=V.dtype))
