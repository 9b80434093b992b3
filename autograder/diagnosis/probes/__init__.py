"""Small experiments on a question's names: whatever the known mistakes of the catalogue do differently shows in one.

A module per kind of question, a list of probes per question, the cheapest and most telling first: a mistake that has
disagreed once is not asked again.
"""

from autograder.diagnosis.observer import Probe
from autograder.diagnosis.probes import attention, layer, patches, positions, vit

PROBES: dict[str, list[Probe]] = {
    **attention.PROBES,
    **layer.PROBES,
    **positions.PROBES,
    **patches.PROBES,
    **vit.PROBES,
}


def read_probes(question: str) -> list[Probe]:
    """Return the probes of a question."""
    return PROBES.get(question, [])
