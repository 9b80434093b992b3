"""The counting task: how many other tokens of a text are equal to this one?"""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from given.progress import show_progress
from given.threads import one_thread

KINDS = 8  # different tokens
N = 16  # tokens of a text
COUNTS = 8  # classes: 0 to 6 others, and 7 or more


def draw_texts(batch: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Random tokens and, for each, the number of other tokens equal to it (at most 7); both batch x N."""
    tokens = torch.randint(KINDS, (batch, N), generator=generator)
    equal = tokens.unsqueeze(2) == tokens.unsqueeze(1)  # batch x N x N
    return tokens, (equal.sum(dim=2) - 1).clamp(max=COUNTS - 1)


def marginal_error() -> float:
    """The mean error of a model that ignores the text and always answers with how frequent each count is."""
    others = torch.arange(N, dtype=torch.float64)  # 0 to N - 1 of the other tokens may be equal
    binomial = torch.distributions.Binomial(N - 1, torch.tensor(1 / KINDS, dtype=torch.float64))
    share = binomial.log_prob(others).exp()
    share = torch.cat([share[: COUNTS - 1], share[COUNTS - 1 :].sum().reshape(1)])
    return -(share * share.log()).sum().item()


class LayerStack(nn.Module):
    """Embedding, L transformer layers of your class, a last LayerNorm for pre-norm only, one output per token."""

    def __init__(
        self, layer: Callable[[int, int, bool], nn.Module], pre_norm: bool, D: int = 32, H: int = 4, L: int = 12
    ) -> None:
        super().__init__()
        self.embed = nn.Embedding(KINDS, D)
        self.layers = nn.Sequential(*(layer(D, H, pre_norm) for _ in range(L)))
        self.final_norm = nn.LayerNorm(D) if pre_norm else nn.Identity()
        self.output = nn.Linear(D, COUNTS)

    def forward(self, tokens: Tensor) -> Tensor:
        """Logits of the counts, batch x N x 8, for tokens batch x N."""
        logits: Tensor = self.output(self.final_norm(self.layers(self.embed(tokens))))
        return logits


@one_thread()
def train_counting(
    layer: Callable[[int, int, bool], nn.Module],
    pre_norm: bool,
    learning_rate: float,
    steps: int = 200,
    progress: bool = False,
) -> list[float]:
    """Train a stack of 12 layers with Adam, 32 new texts per step and no warm-up; returns the errors."""
    torch.manual_seed(0)
    model = LayerStack(layer, pre_norm)
    optimizer = torch.optim.Adam(model.parameters(), lr=learning_rate)
    generator = torch.Generator().manual_seed(0)
    errors = []
    title = f"{'pre' if pre_norm else 'post'}-norm, rate {learning_rate:g}"
    for _ in show_progress(steps, title, progress):
        tokens, counts = draw_texts(32, generator)
        error = F.cross_entropy(model(tokens).flatten(0, 1), counts.flatten())
        optimizer.zero_grad()
        error.backward()
        optimizer.step()
        errors.append(error.item())
    return errors
