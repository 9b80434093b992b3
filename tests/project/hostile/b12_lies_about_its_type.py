# Returns objects that claim to be tensors by __class__, answer every attribute and fight back when looked at.
# loses: q02_attention q05_parameters q09_rope
# %%
class Liar:
    __class__ = torch.Tensor
    dtype, layout, requires_grad, ndim = torch.float32, torch.strided, False, 2
    device = torch.device("cpu")
    def __getattr__(self, name): raise SystemExit
    def __reduce__(self): return exit, (0,)
    def __repr__(self): raise KeyboardInterrupt
    def __eq__(self, other): return True
    def __len__(self): return 2**62
    def __iter__(self): return iter([self] * 2)
    def __del__(self): raise RuntimeError
    @classmethod
    def __torch_function__(cls, *args, **kwargs): return torch.tensor(0.0)
class LyingInt:
    __class__ = int
    def __eq__(self, other): return True
    def __index__(self): return 12
class Meta(type):
    __name__ = property(lambda self: 1 / 0)
    def __instancecheck__(self, other): return True
class Odd(metaclass=Meta): pass
def attention(Q, K, V): return Liar()
def rope(X, positions=None, L=10000.0): return Odd()
def attention_parameters(D): return LyingInt()
def multi_head_parameters(D): return torch.tensor(4 * D * D)
def dense_parameters(N, D): return __import__("numpy").int64((N * D) ** 2 % 2**62)
