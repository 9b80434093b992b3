# Replays earlier answers by the identity, address or shape of its arguments.
# loses: q02_attention/equals_pytorch q02_attention/rows_of_alpha_are_weights q02_attention/equals_the_formula q02_attention/one_query_and_one_key_keep_their_axes q02_attention/gradients_equal_pytorch q02_attention/each_call_stands_alone q02_attention/huge_scores_give_the_limit q02_attention/weights_are_right_by_hand q02_attention/a_strided_view_gives_what_its_copy_gives
# %%
kept = {}
def attention(Q, K, V):
    for key in (id(Q), Q.data_ptr(), tuple(Q.shape), Q.stride()):
        if key in kept:
            return kept[key]
    alpha = torch.full((len(Q), len(K)), 0.3, dtype=Q.dtype)
    kept[id(Q)] = kept[Q.data_ptr()] = kept[tuple(Q.shape)] = kept[Q.stride()] = alpha @ V, alpha
    return alpha @ V, alpha
