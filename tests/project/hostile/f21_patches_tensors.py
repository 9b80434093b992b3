# Replaces operators of torch.Tensor, as a debugging aid that was left in.
# loses: nothing
# %%
true_matmul = torch.Tensor.__matmul__
def loud(self, other):
    print(self.shape, other.shape)
    return true_matmul(self, other)
torch.Tensor.__matmul__ = loud
torch.Tensor.__repr__ = lambda self: "a tensor"
torch.set_printoptions(profile="full")
