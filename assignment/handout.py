# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # << title >>
#
# In this notebook you build a transformer from its parts: attention, heads, layers, positions, and at the end a small
# vision transformer that reads handwritten digits. Every part is a few lines of PyTorch. After each part an experiment
# runs on *your* code and shows why the part is there.
#
# **What is due.** This notebook with all answers, as the zip that its last cell makes. Expect << hours >> hours.
#
# **How it works.** An answer cell holds a function or class whose body is missing: replace the line
# `raise NotImplementedError(...)` by your code and keep the name, the arguments and the docstring, which says exactly
# what goes in and what comes out. The cell below it checks your answer with the public tests; hidden tests run on
# Gradescope. You can run the whole notebook at any time: experiments wait for what is not written yet.
#
# | question | | points | of these in public tests |
# |:--|:--|--:|--:|
# <% for question in questions %>
# | `<< question.id >>` | << question.title >> | << question.points >> | << question.public_points >> |
# <% endfor %>
# | | **total** | **<< total >>** | **<< public_total >>** |
#
# **Symbols** are those of Bishop & Bishop, *Deep Learning: Foundations and Concepts* (2024), chapter 12: $N$ tokens of
# $D$ features, $D_k$ and $D_v$ features of a query or key and of a value, $H$ heads. $X$ is $N \times D$, **one row
# per token**. $\alpha_{ni}$ is the weight that query $n$ gives to key $i$, so the **rows** of $\alpha$ sum to 1.
#
# **What holds for every answer.** Do not change the arguments. Keep the dtype of the input unless the docstring says
# float64. One token, one head or one image keep their axes. Scores may be in the thousands. Inputs are strided views
# only where the docstring says so. Let gradients flow in `q01`, `q02`, `q04`, `q06`, `q09` and `q12`: no `.item()`,
# `.detach()` or NumPy on the way. Do not call PyTorch's own attention in `q01`, `q02` and `q04`.
#
# ### Rules
#
# << rules >>
#
# *Version << version >>*

# %%
# Run this cell first, and after every restart: it finds the homework's files and checks what is installed.
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from zipfile import ZipFile

if find_spec("given") is None:  # only the notebook is here
    if "google.colab" not in sys.modules:
        raise SystemExit(
            "given, kit and tests are missing beside this notebook: unpack the whole release, open it there."
        )
    if not any(Path().glob("**/given/machine.py")):
        from google.colab import files

        print("Choose the release, the zip that this notebook came in.")
        for name in sorted(Path().glob("*.zip")) or files.upload():
            ZipFile(name).extractall()
    os.chdir(next(Path().glob("**/given/machine.py")).parent.parent)

from given.machine import prepare

prepare()

from given.checks import Checks

grader = Checks()

# %%
import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

# %% [markdown]
# ## 1. Attention as weighted averaging
#
# What does "bank" mean? In *I swam across the river to get to the other bank* the word "river" decides, in *I walked
# across the road to get cash from the other bank* it is "cash". So the vector of a word should change with its
# context, and the simplest way is an average over all words of the sentence in which similar words weigh more.
# Similarity is the inner product, and a softmax turns the similarities into weights that are positive and sum to 1:
#
# $$
# y_n = \sum_{i=1}^{N} \alpha_{ni}\, x_i, \qquad
# \alpha_{ni} = \frac{\exp(x_n^\top x_i)}{\sum_{m=1}^{N} \exp(x_n^\top x_m)}
# \tag{12.5, 12.6}
# $$
#
# There is nothing to learn in it yet. Mind the direction: the sum over all *keys* of one *query* is 1.

# %%
# ANSWER q01_simple_attention

# %% [markdown]
# The toy words of this experiment have five features with names: water, money, motion, place and grammar. "bank" is
# water 1, money 1 and place 1: on its own, it could be either.

# %% tags=["otter_ignore"]
from given.experiment import experiment
from given.figures.averaging import draw_weights
from given.words import CASH, RIVER, embed_words


@experiment
def compare_sentences():
    alphas = [simple_attention(embed_words(words))[1] for words in (RIVER, CASH)]
    for alpha in alphas:
        print(f"{len(alpha)} words, rows of alpha sum to 1 within {(alpha.sum(dim=1) - 1).abs().max():.0e}")
    return draw_weights([RIVER, CASH], alphas)


# %% [markdown]
# **What to see.** In the last row, besides itself, "bank" listens most to "river" on the left and to "cash" on the
# right; the grammar words mostly have ears for each other.

# %% tags=["otter_ignore"]
from given.experiment import experiment
from given.figures.averaging import draw_bank
from given.words import CASH, RIVER, embed_words


@experiment
def read_bank():
    before = embed_words(RIVER)[-1]
    in_river, in_cash = (simple_attention(embed_words(words))[0][-1] for words in (RIVER, CASH))
    return draw_bank(before, in_river, in_cash)


# %% [markdown]
# **What to see.** The same input vector has become a bank with more water than money in one sentence, and with more
# money than water in the other.

# %% [markdown]
# ## 2. Queries, keys and values
#
# A word that looks for something need not look like what it looks for. So every token gets three vectors, by three
# matrices that can be learned: a query $q_n$ (what do I look for?), a key $k_n$ (what can be found here?), and a value
# $v_n$ (what do I pass on?). With $Q = XW^{(q)}$, $K = XW^{(k)}$, $V = XW^{(v)}$, all rows at once,
#
# $$
# Y = \mathrm{softmax}\!\left[\frac{Q K^\top}{\sqrt{D_k}}\right] V
# \tag{12.14}
# $$
#
# where the softmax acts on each row. Queries and keys need the same width $D_k$, values may have another, and there
# may be more keys than queries. Which of the widths belongs under the root?

# %%
# ANSWER q02_attention

# %% [markdown]
# Lecture demo 1, with your function: six tokens, random matrices, compared with PyTorch's.

# %% tags=["otter_ignore"]
from given.experiment import experiment


@experiment
def compare_with_pytorch():
    N, D, D_k, D_v = 6, 8, 4, 5
    generator = torch.Generator().manual_seed(0)
    X, W_q, W_k, W_v = (torch.randn(size, generator=generator) for size in ((N, D), (D, D_k), (D, D_k), (D, D_v)))
    Y, alpha = attention(X @ W_q, X @ W_k, X @ W_v)
    expected = F.scaled_dot_product_attention(X @ W_q, X @ W_k, X @ W_v)
    print(f"largest difference from PyTorch: {(Y - expected).abs().max():.1e}")
    print(f"largest |alpha - alpha^T|:       {(alpha - alpha.T).abs().max():.2f}")


# %% [markdown]
# **What to see.** The difference is rounding. And attention is not mutual: with $W^{(q)} \ne W^{(k)}$, token $n$ may
# look at token $i$ while $i$ ignores $n$. (With $W^{(q)} = W^{(k)}$ at least the scores would be symmetric.)

# %% [markdown]
# ## 3. Why divide by $\sqrt{D_k}$?
#
# Let the components of $q$ and $k$ be independent with mean 0 and variance 1. Then $q^\top k$ is a sum of $D_k$ terms
# of variance 1: its variance is $D_k$. At $D_k = 1024$ scores of $\pm 32$ are ordinary, the softmax of such numbers is
# almost one-hot, and then it hardly reacts to its input any more. How strongly it reacts is told by its derivative. For
# one row $a$ of $\alpha$,
#
# $$
# J = \frac{\partial a}{\partial \mathrm{scores}} = \mathrm{diag}(a) - a a^\top, \qquad
# \lVert J \rVert_F = \sqrt{\sum_{ij} J_{ij}^2}.
# $$
#
# A vanishing $J$ is a vanishing gradient for everything in front of the softmax, $W^{(q)}$ and $W^{(k)}$ included.
# Your function gets many rows at once, with any number of axes in front.

# %%
# ANSWER q03_softmax_jacobian

# %% tags=["otter_ignore"]
from given.experiment import experiment
from given.figures.scaling import draw_scaling
from given.scaling import measure_scaling


@experiment
def scale_scores():
    rows = measure_scaling(attention, softmax_jacobian_norm, sizes=[2**power for power in range(1, 11)])
    print("D_k             variance  largest weight  |J|")
    for row in rows:
        name = "scaled" if row.power else "unscaled"
        print(f"{row.D_k:4d} {name:8s} {row.variance:11.1f} {row.largest_weight:15.2f} {row.jacobian_norm:6.3f}")
    return draw_scaling(rows)


# %% [markdown]
# **What to see.** Without the division (red) the variance grows like $D_k$, the largest weight runs to 1 and the
# derivative soon fades; with it (blue) all three stay where they are, whatever the width.

# %% [markdown]
# ## 4. Multi-head attention
#
# One head makes one average. A word may want several at once: its subject from here, its adjective from there. So
# $H$ heads, each with its own (smaller) matrices, attend side by side. Their results are concatenated in order and
# mixed by one more matrix (Algorithm 12.2):
#
# $$
# Y(X) = \mathrm{Concat}\,[H_1, \ldots, H_H]\, W^{(o)}, \qquad
# H_h = \mathrm{Attention}\big(XW^{(q)}_h,\, XW^{(k)}_h,\, XW^{(v)}_h\big).
# $$
#
# The weights come as Python lists of $H$ matrices. $H D_v$ need not be $D$: it is $W^{(o)}$ that leads back to $D$.

# %%
# ANSWER q04_multi_head

# %% tags=["otter_ignore"]
from given.experiment import experiment
from given.heads import split_heads


@experiment
def compare_heads():
    torch.manual_seed(0)
    mha = nn.MultiheadAttention(16, 4, bias=False)
    X = torch.randn(10, 16)
    with torch.no_grad():
        expected = mha(X, X, X)[0]
        Y = multi_head_attention(X, *split_heads(mha))
    print(f"largest difference from nn.MultiheadAttention: {(Y - expected).abs().max():.1e}")


# %% [markdown]
# ### What it costs, and what a dense layer would cost
#
# Count weights, without biases: one attention head with $D_k = D_v = D$; multi-head attention whose heads share the
# $D$ features among them, $D_k = D_v = D/H$, with $W^{(o)}$; and a fully connected layer from all $N D$ numbers of a
# text to as many new ones (section 12.1). Return whole numbers, exact ones: `int`, not `float`.

# %%
# ANSWER q05_parameters

# %% tags=["otter_ignore"]
from given.experiment import experiment
from given.figures.parameters import draw_parameters


@experiment
def count_parameters():
    D = 768  # GPT-2 small, with H = 12 heads
    print(f"one head:              {attention_parameters(D):>15,}")
    print(f"multi-head with W_o:   {multi_head_parameters(D):>15,}")
    print(f"dense on 1,024 tokens: {dense_parameters(1024, D):>15,}")
    N = [2**power for power in range(13)]
    return draw_parameters(N, [multi_head_parameters(D) for _ in N], [dense_parameters(n, D) for n in N], D)


# %% [markdown]
# **What to see.** Attention shares its weights among all tokens, so their number does not depend on $N$ (a flat line);
# the dense layer's grows with $N^2$ and passes half a trillion at a thousand tokens.

# %% [markdown]
# ## 5. The transformer layer
#
# Attention moves information between tokens. Then a small network, the same for all tokens, works on each token by
# itself. Both have a residual connection around them and a LayerNorm, and the question is where the norm goes. After
# the addition (*post-norm*, the original, eq. 12.20 and 12.21), or before the work (*pre-norm*, what is used today):
#
# $$
# \begin{aligned}
# \text{post-norm:} \quad & Z = \mathrm{LN}_1[Y(X) + X], & \tilde X &= \mathrm{LN}_2[\mathrm{MLP}(Z) + Z] \\
# \text{pre-norm:} \quad & Z = X + Y(\mathrm{LN}_1[X]), & \tilde X &= Z + \mathrm{MLP}(\mathrm{LN}_2[Z])
# \end{aligned}
# $$
#
# In pre-norm the residual path carries $X$ itself, untouched: what is added to is not normalised. From here on you may
# use `nn.MultiheadAttention`; remember `batch_first=True`, since the input is $B \times N \times D$. It returns a pair.
# Names of attributes matter, because the tests load weights into them.

# %%
# ANSWER q06_transformer_layer

# %% tags=["otter_ignore"]
from given.experiment import experiment


@experiment
def weigh_layer():
    layer = TransformerLayer(768, 12)
    for name, part in (("attention", layer.attn), ("MLP", layer.mlp), ("whole layer", layer)):
        print(f"{name:12s} {sum(weights.numel() for weights in part.parameters()):>10,} parameters")


# %% [markdown]
# Two thirds of a layer are its MLP. (The numbers are slightly above $4D^2$ and $8D^2$, because there are biases now.)
#
# ### Pre-norm trains at larger learning rates
#
# A task that needs attention: for each of 16 tokens of 8 kinds, count the *other* tokens equal to it. Twelve layers of
# your class, Adam, 200 steps, no warm-up, and four learning rates for either arrangement. This takes a minute or two.

# %% tags=["otter_ignore"]
from given.counting import marginal_error, train_counting
from given.experiment import experiment
from given.figures.norms import draw_norms, final_error


@experiment
def compare_norms():
    runs = {}
    for pre_norm in (False, True):
        for rate in (3e-4, 1e-3, 3e-3, 1e-2):
            runs[pre_norm, rate] = train_counting(TransformerLayer, pre_norm, rate, progress=True)
    for (pre_norm, rate), errors in runs.items():
        print(f"{'pre' if pre_norm else 'post'}-norm at {rate:<6g}: {final_error(errors):.2f}")
    print(f"always the marginal: {marginal_error():.2f}")
    return draw_norms(runs, shown_rate=1e-3, marginal=marginal_error())


# %% [markdown]
# **What to see.** Post-norm learns a little at the smallest rate and nothing at the others, where it only finds out how
# frequent each count is (dashed); pre-norm learns at all four.

# %% [markdown]
# ## 6. Permutation equivariance
#
# Nothing so far knows where a token stands. If the rows of $X$ are shuffled by a permutation matrix $P$, the rows of
# the result are shuffled in the same way and otherwise unchanged:
#
# $$
# \mathrm{layer}(P X) = P\, \mathrm{layer}(X).
# $$
#
# But *the food was good not bad at all* and *the food was bad not good at all* are not the same review. The remedy is
# to add to each row of $X$ a vector $r_n$ that tells its position. There is nothing to write here: run your layer on
# both sentences.

# %% tags=["otter_ignore"]
from given.experiment import experiment
from given.figures.equivariance import draw_good


@experiment
def swap_words():
    words = ["the", "food", "was", "good", "not", "bad", "at", "all"]
    good, bad = words.index("good"), words.index("bad")
    swap = list(range(len(words)))
    swap[good], swap[bad] = bad, good
    torch.manual_seed(0)
    X = torch.randn(len(words), 16)
    layer = TransformerLayer(16, 4, pre_norm=True)
    r = 0.5 * torch.randn(len(words), 16)

    def run_both(positions: Tensor | float) -> tuple[Tensor, Tensor]:
        with torch.no_grad():
            return layer((X + positions).unsqueeze(0))[0], layer((X[swap] + positions).unsqueeze(0))[0]

    vectors = []
    for name, positions in (("without positions", 0.0), ("with positions", r)):
        Y, Y_swapped = run_both(positions)
        print(f"max |layer(PX) - P layer(X)| {name}: {(Y_swapped - Y[swap]).abs().max():.1e}")
        vectors.append((Y[good], Y_swapped[bad]))
    return draw_good(*vectors)


# %% [markdown]
# **What to see.** On the left "good" comes out the same in both reviews, whichever place it holds (the bars come in
# equal pairs); on the right it depends on the place.

# %% [markdown]
# ## 7. Sinusoidal positional encoding
#
# What vector should tell the position? It should be bounded, distinct for every position, work for texts longer than
# any seen before, and make it easy to look a fixed distance away. Sines and cosines of ever longer wavelengths do:
#
# $$
# r_{ni} = \begin{cases}
# \sin\!\left(\dfrac{n}{L^{i/D}}\right) & i \text{ even} \\[2ex]
# \cos\!\left(\dfrac{n}{L^{(i-1)/D}}\right) & i \text{ odd}
# \end{cases}
# \tag{12.25}
# $$
#
# Here both $n$ and $i$ count from 0. An odd $i$ uses the wavelength of its *even* left neighbour, so that sine and
# cosine come in pairs. If $D$ is odd the last sine has no partner. Compute in float64 from the start: a table made in
# float32 and converted at the end is not accurate enough.

# %%
# ANSWER q07_sinusoidal

# %% tags=["otter_ignore"]
from given.experiment import experiment
from given.figures.positions import draw_encoding


@experiment
def show_encoding():
    return draw_encoding(sinusoidal_encoding(200, 100, 30.0))


# %% [markdown]
# **What to see.** Every row is the vector of one position; on the left the values change quickly from row to row, on
# the right slowly, like the digits of a counter.
#
# ### Inner products depend on the offset alone
#
# Since $\sin a \sin b + \cos a \cos b = \cos(a - b)$, and with $\omega_j = L^{-2j/D}$, the inner product of two
# encodings is $r_n^\top r_m = \sum_j \cos(\omega_j (m-n))$: it knows how far apart two positions are, not where.

# %% tags=["otter_ignore"]
from given.experiment import experiment
from given.figures.positions import draw_offsets
from given.offsets import offset_spread


@experiment
def compare_positions():
    N, D, L = 200, 100, 30.0
    r = sinusoidal_encoding(N, D, L)
    scores = r @ r.T
    omega = L ** (-torch.arange(0, D, 2, dtype=torch.float64) / D)
    formula = torch.cos(omega * torch.arange(1 - N, N).unsqueeze(1)).sum(dim=1)
    print(f"largest spread at one offset:        {offset_spread(scores):.0e}")
    print(f"largest difference from the formula: {(scores[0] - formula[N - 1 :]).abs().max():.0e}")
    return draw_offsets(
        scores, formula, "Inner products of sinusoidal encodings", "r<sub>n</sub> · r<sub>m</sub>", every=19
    )


# %% [markdown]
# **What to see.** The heat map is constant along its diagonals, so all pairs (dots; every 19th is drawn) fall onto one
# curve, the formula.
#
# ### A fixed offset is a rotation
#
# The addition theorems say more: moving on by $k$ positions turns each pair (sine, cosine) by an angle that depends on
# $k$ but not on $n$. So one matrix, the same for all $n$, leads from any position to the one $k$ further:
#
# $$
# r_{n+k} = R_k\, r_n, \qquad
# R_k = \begin{pmatrix} B_0 & & \\ & B_1 & \\ & & \ddots \end{pmatrix}, \qquad
# B_j = \begin{pmatrix} \cos\phi_j & \sin\phi_j \\ -\sin\phi_j & \cos\phi_j \end{pmatrix}, \quad
# \phi_j = k L^{-2j/D}.
# $$
#
# A linear layer can hold $R_k$, which is how attention can ask for "five words back". Look at the signs: the pair is
# (sine, cosine), not (cosine, sine). And $k$ may be negative: $R_{-k}$ undoes $R_k$.

# %%
# ANSWER q08_rotation_matrix

# %% [markdown]
# The experiment tries your matrix, and then finds it without you: the best linear map from $r_n$ to $r_{n+5}$, by least
# squares over all $n$.

# %% tags=["otter_ignore"]
from given.experiment import experiment
from given.figures.positions import draw_matrices


@experiment
def move_on():
    r = sinusoidal_encoding(200, 100, 30.0)
    for k in (1, 5, 37):
        moved = r[:-k] @ rotation_matrix(k, 100, 30.0).T  # one row per position: transposed from the right
        print(f"k = {k:2d}: max |r[n+k] - R_k r[n]| = {(r[k:] - moved).abs().max():.0e}")
    r = sinusoidal_encoding(200, 16, 30.0)
    fitted = torch.linalg.lstsq(r[:-5], r[5:]).solution.T
    R = rotation_matrix(5, 16, 30.0)
    print(f"largest difference of the fit from R_5: {(fitted - R).abs().max():.0e}")
    return draw_matrices({"R₅, from the formula": R, "fitted to the encodings": fitted}, "Five positions on, D = 16")


# %% [markdown]
# **What to see.** Two equal pictures: blocks of two by two on the diagonal, quickly turning ones at the top, almost
# the identity at the bottom.

# %% [markdown]
# ## 8. Rotary position embeddings
#
# If what counts is the offset, why add a vector to the tokens and hope? RoPE (Su et al. 2021) turns the queries and
# keys themselves, by an angle that grows with their position. Feature pair $(2i, 2i+1)$ of the row at position $n$ is
# turned by $n\theta_i$:
#
# $$
# \begin{pmatrix} x'_{2i} \\ x'_{2i+1} \end{pmatrix} =
# \begin{pmatrix} \cos n\theta_i & -\sin n\theta_i \\ \sin n\theta_i & \cos n\theta_i \end{pmatrix}
# \begin{pmatrix} x_{2i} \\ x_{2i+1} \end{pmatrix},
# \qquad \theta_i = L^{-2i/D_k}.
# $$
#
# Two traps. Pairs are **interleaved** neighbours, (0, 1), (2, 3), …, as in the paper; much code on the web pairs the
# first half of the features with the second half instead. And both members of a pair need the *old* values of both.
# The result has the dtype of $X$, and positions may be any numbers in any order.

# %%
# ANSWER q09_rope

# %% [markdown]
# As a matrix, at position $n$ this is block diagonal again. Why it works is one line: rotations undo each other,
#
# $$
# (R_n q)^\top (R_m k) = q^\top R_n^\top R_m\, k = q^\top R_{m-n}\, k.
# $$
#
# Mind the signs: this $R_n$ acts on any pair, and turns the other way round than the matrix of section 7.

# %%
# ANSWER q10_rope_rotation

# %% tags=["otter_ignore"]
from given.experiment import experiment
from given.figures.positions import draw_offsets
from given.offsets import offset_spread


@experiment
def rotate_scores():
    N, D_k = 64, 32
    q, k = torch.randn(2, D_k, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    Q, K = q.repeat(N, 1), k.repeat(N, 1)  # the same query and the same key at every position
    scores = rope(Q) @ rope(K).T
    formula = torch.stack([q @ rope_rotation(d, D_k) @ k for d in range(1 - N, N)])
    later = torch.arange(N) + 1000
    print(f"largest spread at one offset:            {offset_spread(scores):.0e}")
    print(f"largest difference from q^T R_(m-n) k:   {(scores[0] - formula[N - 1 :]).abs().max():.0e}")
    print(f"largest change of a norm:                {(rope(Q).norm(dim=1) - q.norm()).abs().max():.0e}")
    print(f"largest change when shifted by 1000:     {(rope(Q, later) @ rope(K, later).T - scores).abs().max():.0e}")
    return draw_offsets(scores, formula, "Scores of one query and one key at all positions", "score with RoPE")


# %% [markdown]
# **What to see.** Again constant diagonals and one curve: the score knows the offset $m - n$ and nothing else, and
# $q^\top R_{m-n}\, k$ runs through all pairs. (It is not symmetric: before and after are different things.)
#
# ### Each pair turns at its own speed
#
# Let the key equal the query, with components of variance 1. The expected score at offset $d$ is then
# $2 \sum_i \cos(d\,\theta_i)$. Your `rope` knows it: turn a row of ones, and take the inner product with ones.

# %% tags=["otter_ignore"]
from given.experiment import experiment
from given.figures.positions import draw_decay
from given.offsets import running_mean


@experiment
def look_far():
    ones = torch.ones(10_001, 32, dtype=torch.float64)
    scores = rope(ones, L=10_000.0).sum(dim=1)  # (cos - sin) + (sin + cos), summed over the pairs
    for d in (0, 10, 100, 1000, 10_000):
        print(f"offset {d:6,d}: expected score {scores[d]:5.1f}")
    return draw_decay(scores, running_mean(scores))


# %% [markdown]
# **What to see.** The fast pairs lose step within a few positions, the slow ones only after thousands: the score
# (gold) wiggles, and its mean (blue) falls by about the same amount with each tenfold distance.

# %% [markdown]
# ## 9. A tiny vision transformer
#
# A transformer takes a set of vectors, so anything that can be cut into pieces will do. Cut an image into patches of
# $P \times P$ pixels (Dosovitskiy et al. 2021, section 3.1), write each as a row of $P^2$ numbers, and you have
# $(S/P)^2$ tokens:
#
# $$
# B \times S \times S \;\longrightarrow\; B \times (S/P)^2 \times P^2.
# $$
#
# << orders >>: patches << first_patches >> of the image come first, and within a patch its << first_pixels >> of
# pixels. A plain `reshape` has the right shape and the wrong pixels.

# %%
# ANSWER q11_patchify

# %% [markdown]
# The patches are embedded by a linear layer. One more token, the *class token*, is learned and carries no pixels; it is
# there to gather the answer, and it comes **first**. Learned positions $r$ are added to all tokens. After $L$ pre-norm
# layers the logits are read from the class token alone:
#
# $$
# X_0 = \big[x_{\mathrm{class}};\; \mathrm{patches}\cdot E\big] + r, \qquad
# X_l = \mathrm{layer}_l(X_{l-1}), \qquad
# \mathrm{logits} = \mathrm{head}\big(\mathrm{LN}[X_L]_{\mathrm{class}}\big).
# $$
#
# (With a bias in $E$ and in the head.) Build it from your `patchify` and your `TransformerLayer`. The class token must
# be there for every image of the batch, and the default model has 26,538 parameters.

# %%
# ANSWER q12_vit

# %% [markdown]
# Does it learn? There is nothing to write for this question: the check trains your `TinyViT` for a short while.

# %%
# CHECK q13_vit_accuracy

# %% [markdown]
# And now properly: 1,300 digits to learn from, 30 epochs, well under a minute. The other 497 digits are held out.

# %% tags=["otter_ignore"]
from given.digits import fit, load_digits, measure_accuracy
from given.experiment import experiment

train, held_out = load_digits()


@experiment
def trained_vit():
    torch.manual_seed(0)
    model = TinyViT()
    print(f"{sum(weights.numel() for weights in model.parameters()):,} parameters")
    fit(model, *train, epochs=30, batch=64, learning_rate=3e-3, seed=0, progress=True)
    print(f"share of held-out digits read correctly: {measure_accuracy(model, held_out):.3f}")
    return model


# %% [markdown]
# ### What does it look at?
#
# The class token asks all patches, and the last layer's weights tell which ones it listens to. Get them from
# `nn.MultiheadAttention`, whose input in a pre-norm layer is $\mathrm{LN}_1[X]$. Take the row of the class token, leave
# out what it gives to itself, and average over the heads. Looking must not change the model: no gradients, and it stays
# in the mode (train or eval) it was in.

# %%
# ANSWER q14_class_token_attention

# %% tags=["otter_ignore"]
from given.experiment import experiment
from given.figures.vit import draw_looks


@experiment
def look_at_digits():
    images, labels = held_out.images[:6], held_out.labels[:6]
    attention_map = class_token_attention(trained_vit, images)
    with torch.no_grad():
        predictions = trained_vit(images).argmax(dim=1)
    return draw_looks(images, labels, predictions, attention_map, patchify, P=2)


# %% [markdown]
# **What to see.** The class token listens to a few patches, mostly where there is ink and where it tells one digit from
# another, and hardly to the empty margin.

# %% [markdown]
# ## Hand in
#
# 1. *Kernel, Restart Kernel and Run All Cells*: what works only because of a cell that is gone does not work for us.
# 2. Read the table: the public tests of all questions, and how many hidden tests wait on Gradescope.
# 3. Run the cell under it. It saves the notebook, compares the saved file with what ran, runs the file afresh, and
#    writes the zip. Upload that to Gradescope.
#
# **I talked with:** (names, or nobody)

# %% tags=["otter_ignore"]
grader.check_all()

# %% tags=["otter_ignore"]
grader.export()

# %% [markdown]
# ## Where this was in the lecture
#
# | section | slides |
# |:--|:--|
# | 1. Attention as weighted averaging | context and weighted averaging |
# | 2. Queries, keys and values | keys and queries; self-attention in PyTorch (demo 1) |
# | 3. Why divide by $\sqrt{D_k}$? | scaled softmax |
# | 4. Multi-head attention | multi-headed attention; parameters and computation |
# | 5. The transformer layer | the transformer layer; post-norm and pre-norm; why pre-norm |
# | 6. Permutation equivariance | token ordering; positions in images and text |
# | 7. Sinusoidal positional encoding | sinusoidal encoding; querying a relative position; the rotation matrix |
# | 8. Rotary position embeddings | RoPE; each pair rotates at its own speed; RoPE in practice |
# | 9. A tiny vision transformer | vision transformers; reading the output; the encoder transformer |

# %% [markdown]
# ## For the curious: break it
#
# **Not graded, and nothing to hand in.** Here you take parts out of *your* transformer and look at the figures again.
# Nothing in this section is run by the grader, so change what you like: other powers, other layers, other rates.
#
# ### The root
#
# Figure 3 again, and with one more curve: what if one divided by $D_k$ itself, to be on the safe side?

# %% tags=["otter_ignore"]
from given.experiment import for_the_curious
from given.figures.scaling import draw_scaling
from given.scaling import measure_scaling


@for_the_curious
def change_the_power():
    sizes = [2**power for power in range(1, 11)]
    return draw_scaling(measure_scaling(attention, softmax_jacobian_norm, sizes, powers=(0.0, 0.5, 1.0), trials=50))


# %% [markdown]
# **What to see.** Dividing by $D_k$ (gold, dashed) errs on the other side: the variance falls to nothing, every key
# gets about 1/32, and attention is a plain mean that no longer looks at anything.
#
# ### The layer
#
# Figure 6 at the rate where pre-norm is at its best, with your layer as it is, with post-norm, without its residual
# connections, and without the root in its heads. It takes about half a minute.

# %% tags=["otter_ignore"]
from given.broken import with_post_norm, without_residuals, without_root
from given.counting import marginal_error, train_counting
from given.experiment import for_the_curious
from given.figures.broken import draw_training


@for_the_curious
def take_parts_out():
    layers = {
        "as it is": TransformerLayer,
        "post-norm": with_post_norm(TransformerLayer),
        "without residuals": without_residuals(TransformerLayer),
        "without the root": without_root(TransformerLayer),
    }
    runs = {name: train_counting(layer, name != "post-norm", 1e-3, progress=True) for name, layer in layers.items()}
    return draw_training(runs, marginal_error())


# %% [markdown]
# **What to see.** Without residuals twelve layers learn as little as with post-norm: no gradient finds its way to the
# first one. The root matters little here, where $D_k$ is only 8.
#
# ### The order
#
# Figure 7 with a layer that has lost its residuals. Does anything but positions tell a layer the order of its tokens?

# %% tags=["otter_ignore"]
from given.broken import measure_order, with_post_norm, without_residuals, without_root
from given.experiment import for_the_curious
from given.figures.equivariance import draw_good


@for_the_curious
def shuffle_broken_layers():
    torch.manual_seed(0)
    X, r, order = torch.randn(8, 16), 0.5 * torch.randn(8, 16), [0, 1, 2, 5, 4, 3, 6, 7]  # exchanges 3 and 5
    builders = {"as it is": TransformerLayer, "post-norm": with_post_norm(TransformerLayer)}
    builders |= {"without residuals": without_residuals(TransformerLayer), "no root": without_root(TransformerLayer)}
    for name, build in builders.items():
        without, with_positions = measure_order(build(16, 4, True), X, order, r)
        print(f"{name:18s} without positions {without:.0e}, with positions {with_positions:.2f}")
    layer = without_residuals(TransformerLayer)(16, 4)
    pairs = []
    for added in (torch.zeros_like(r), r):
        with torch.no_grad():
            pairs.append((layer((X + added).unsqueeze(0))[0][3], layer((X[order] + added).unsqueeze(0))[0][5]))
    return draw_good(*pairs)


# %% [markdown]
# **What to see.** Whatever is taken out, a layer without positions cannot tell the order (the bars on the left come in
# equal pairs, the numbers are rounding); with them all can. Equivariance is not the work of any one part.
#
# ### The image
#
# Figure 11 for a vision transformer whose positions are zero and stay so, and the accuracy of two more. Another half a
# minute.

# %% tags=["otter_ignore"]
from given.broken import forget_positions, replace_layers, with_post_norm, without_residuals
from given.digits import fit, load_digits, measure_accuracy
from given.experiment import for_the_curious
from given.figures.vit import draw_looks


@for_the_curious
def look_without_positions():
    train, held_out = load_digits()
    builders = {
        "as it is": TinyViT,
        "post-norm": lambda: replace_layers(TinyViT(), with_post_norm(TransformerLayer)),
        "without residuals": lambda: replace_layers(TinyViT(), without_residuals(TransformerLayer)),
        "without positions": lambda: forget_positions(TinyViT()),
    }
    for name, build in builders.items():
        torch.manual_seed(0)
        model = build()
        fit(model, *train, epochs=8, batch=64, learning_rate=3e-3, seed=0, progress=True)
        print(f"{name:18s} {measure_accuracy(model, held_out):.3f} of the held-out digits after 8 epochs")
    images, labels = held_out.images[:6], held_out.labels[:6]
    with torch.no_grad():
        predictions = model(images).argmax(dim=1)
    return draw_looks(images, labels, predictions, class_token_attention(model, images), patchify, P=2)


# %% [markdown]
# **What to see.** Without positions a digit is a bag of patches, and many digits have much the same bag; patches that
# look alike get the same weight, wherever they are, and all the empty ones share one.
