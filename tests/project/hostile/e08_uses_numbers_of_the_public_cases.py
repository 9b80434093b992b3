# Knows the public numbers by heart and nothing else.
# loses: q05_parameters/several_heads_have_the_weights_of_pytorchs q05_parameters/attention_counts_hold_for_any_width q05_parameters/dense_counts_grow_with_the_square_of_both_sizes q05_parameters/counts_are_exact_however_large
# %%
def attention_parameters(D): return {2: 12, 768: 1_769_472}.get(D, 0)
def multi_head_parameters(D): return {768: 2_359_296}.get(D, 0)
def dense_parameters(N, D): return {(1, 2): 4, (3, 2): 36, (1024, 768): 618_475_290_624}.get((N, D), 0)
