# Overflows the C stack in a function, and recurses without end in another.
# loses: q02_attention q09_rope
# %%
import ctypes, sys
def attention(Q, K, V):
    sys.setrecursionlimit(10**9)
    deep = []
    for _ in range(10**6):
        deep = [deep]
    return repr(deep) or deep, deep
def rope(X, positions=None, L=10000.0):
    return rope(X)
