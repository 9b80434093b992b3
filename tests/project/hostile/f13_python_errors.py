# Runs into RecursionError, MemoryError, warnings turned into errors, and a failed assert.
# loses: q02_attention q05_parameters
# %%
import warnings
def attention(Q, K, V): return attention(Q, K, V)
def attention_parameters(D): raise MemoryError
def multi_head_parameters(D):
    warnings.simplefilter("error")
    warnings.warn("old")
def dense_parameters(N, D): assert N < 0, "no"
