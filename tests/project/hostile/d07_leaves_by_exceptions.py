# Raises what passes by `except Exception`: SystemExit, KeyboardInterrupt, GeneratorExit.
# otter: broken
# loses: q02_attention q05_parameters q09_rope
# %%
import sys
def attention(Q, K, V): sys.exit(0)
def rope(X, positions=None, L=10000.0): raise KeyboardInterrupt
def attention_parameters(D): raise GeneratorExit
def multi_head_parameters(D): raise BaseException("base")
def dense_parameters(N, D): raise BaseExceptionGroup("group", [SystemExit(0)])
