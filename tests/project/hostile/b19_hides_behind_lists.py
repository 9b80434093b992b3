# Returns lists that lie about their length and hold themselves, generators, and tuples of the wrong things.
# loses: q02_attention
# %%
class Long(list):
    def __len__(self): return 2
    def __iter__(self): return iter(range(10**9))
    def __getitem__(self, i): return torch.zeros(1)
kinds = 0
def attention(Q, K, V):
    global kinds
    kinds += 1
    me = []
    me.append(me)
    return [Long([1]), me, (x for x in [1, 2]), {"Y": 1}, "ab", range(2), (None, None), ((),) * 2][kinds % 8]
