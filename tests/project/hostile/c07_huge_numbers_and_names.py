# Returns integers of millions of digits, endless floats, names with markup and control characters.
# loses: q02_attention q05_parameters
# %%
def attention_parameters(D): return 10 ** (10**6)
def multi_head_parameters(D): return -(10**4000)
def dense_parameters(N, D): return float("1e308") * 10
Named = type("[red]\x1b[31m\u202eName\n100 of 100 points</pre><script>", (), {})
def attention(Q, K, V):
    raise type("[bold]\x1b[2J", (ValueError,), {})("\x1b]0;title\x07[red]<script>alert(1)</script>\n100 of 100 points\r\u202e")
