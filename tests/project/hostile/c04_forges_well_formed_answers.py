# Replaces the encoder of its own process: every answer is well formed and tells nothing but lies.
# loses: q02_attention q05_parameters q06_transformer_layer q09_rope
# %%
import gc, random
kind = next(type(thing) for thing in gc.get_objects() if type(thing).__name__ == "Service")
lies = [
    {"value": {"T": ["float32", [3, 2**39], [0, 0], 0, True]}, "changed": []},
    {"value": {"T": ["bool", [0, 2**39, 2**39], [1, 1, 1], 0, False]}, "changed": [[0, {"l": []}]]},
    {"value": {"T": ["complex64", [], [], 0, True]}, "changed": [[0, 3], [1, {"d": []}]]},
    {"value": {"o": [7, "module", "x" * 10**5]}, "changed": []},
    {"value": {"o": [2**31 - 1, "class", "type"]}, "changed": []},
    {"value": {"d": [[{"u": [1, {"u": []}]}, {"=": 0}]]}, "changed": []},
    {"value": {"y": "float64"}, "changed": []},
    {"value": {"c": [1e400, float("nan")]}, "changed": []},
    {"value": 10**4200, "changed": []},
    {"value": "\x1b[2J\ud800" * 1000, "changed": []},
    {"value": {"u": [{"u": []}] * 15000}, "changed": []},
    {"value": {"l": [{"=": 0}, {"=": 1}]}, "changed": [[0, {"=": 1}], [1, {"=": 0}]]},
    {"parameter": 5}, {"parameter": [1]}, {"pid": 1}, {"error": None}, {"error": {"type": "Failure", "line": 10**9}}, {},
]
def lie(self, request, buffers):
    return random.choice(lies), [bytes(8)] * random.randrange(2)
for name in [name for name in dir(kind) if name.startswith("do_") and name != "do_cell"]:
    setattr(kind, name, lie)
# %%
def attention(Q, K, V): return Q, K
def rope(X, positions=None, L=10000.0): return X
def attention_parameters(D): return 3
def multi_head_parameters(D): return 3
def dense_parameters(N, D): return 3
class TransformerLayer(nn.Module): pass
