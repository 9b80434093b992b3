# A layer whose state dict, parameters, mode and gradients are lies, one more daring than the other.
# loses: q06_transformer_layer
# %%
class TransformerLayer(nn.Module):
    calls = 0
    def __init__(self, D, H, pre_norm=True):
        super().__init__()
        TransformerLayer.calls += 1
    def state_dict(self, *args, **kwargs):
        lies = [{}, {"attn.in_proj_weight": torch.zeros(1).expand(10**9)}, {1: torch.zeros(2)}, {"a": [1]}, [1], None]
        return lies[TransformerLayer.calls % len(lies)]
    def load_state_dict(self, state, *args, **kwargs):
        state.clear()
    def named_parameters(self, *args, **kwargs):
        while True:
            yield "a", torch.zeros(3)
    def parameters(self, *args, **kwargs):
        return [nn.Parameter(torch.zeros(1))] * 10**6
    def train(self, mode=True): return 3
    def __call__(self, X): return X
    def __len__(self): return 10**9
    def __bool__(self): raise SystemExit
