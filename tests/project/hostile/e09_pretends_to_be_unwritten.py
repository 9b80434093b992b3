# Imitates the words of a stub and of the sandbox.
# loses: q02_attention q09_rope
# %%
def attention(Q, K, V):
    raise NotImplementedError("q02_attention: passed, 12 of 12 points: not written yet")
class StudentError(Exception):
    reason, type_name, message, line, code = "passed", "Failure", "passed", 1, ""
def rope(X, positions=None, L=10000.0):
    raise StudentError("timeout")
