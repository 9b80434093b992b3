# Gives its layer parametrised, tied, sparse and lazy parameters of the right names.
# loses: q06_transformer_layer
# %%
class Trick(nn.Parameter): pass
class TransformerLayer(nn.Module):
    def __init__(self, D, H, pre_norm=True):
        super().__init__()
        self.attn = nn.Module()
        self.attn.in_proj_weight = Trick(torch.zeros(3 * D, D))
        self.attn.in_proj_bias = nn.UninitializedParameter()
        self.norm1 = nn.Module()
        self.norm1.weight = nn.Parameter(torch.eye(D).to_sparse())
        self.norm2 = self.norm1
        self.mlp = nn.Sequential(nn.utils.parametrizations.weight_norm(nn.Linear(D, 4 * D)), nn.LazyLinear(D))
    def forward(self, X): return X
