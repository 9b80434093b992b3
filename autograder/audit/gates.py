"""What must be true of the tests; each gate returns one line per problem."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from autograder.audit.subjects import list_known
from autograder.audit.trial import CaseTrial, Trial

# Errors in units of what is allowed, as the rule for tolerances says.
SOLUTION_ERROR, VARIANT_ERROR, MISTAKE_ERROR = 0.1, 0.5, 10.0
HINTED = 0.95  # the share of the catalogue that must get its hint

Gate = Callable[[list[Trial]], Iterator[str]]


def judge(trials: list[Trial]) -> list[str]:
    """Return the problems of all gates, each on one line."""
    return [problem for gate in GATES for problem in gate(trials)]


def of_kind(trials: list[Trial], *kinds: str) -> list[Trial]:
    """Return the trials of these kinds of subjects."""
    return [trial for trial in trials if trial.kind in kinds]


def caught_by(trial: Trial) -> str:
    """Return the case that must catch a mistake."""
    return next(known.caught_by for known in list_known(trial.question) if known.name == trial.name)


def catch_mistakes(trials: list[Trial]) -> Iterator[str]:
    """Every known mistake fails the case that must catch it."""
    for trial in of_kind(trials, "mistake"):
        case = caught_by(trial)
        if not trial.find(case).failed:
            others = [other.case for other in trial.cases if other.failed]
            remedy = f"name one of {', '.join(others)}" if others else "no case catches it, write one"
            yield f"{trial.question}: {trial.name} passes {case}: {remedy}"


def pass_right_answers(trials: list[Trial]) -> Iterator[str]:
    """The solution and every valid variant pass every case."""
    for trial in of_kind(trials, "solved", "variant"):
        for case in trial.cases:
            if case.failed:
                what = " ".join(case.message.split("\n")[2:4])
                yield f"{trial.question}: {trial.kind} {trial.name} loses {case.case}: {what}"


def give_blank_nothing(trials: list[Trial]) -> Iterator[str]:
    """The blank notebook passes no case."""
    for trial in of_kind(trials, "blank"):
        for case in trial.cases:
            if not case.failed:
                yield f"{trial.question}: {case.case} passes with nothing written: make it stricter"


def use_every_case(trials: list[Trial]) -> Iterator[str]:
    """Every case is failed by some known mistake."""
    failed = {
        (trial.question, case.case) for trial in of_kind(trials, "mistake") for case in trial.cases if case.failed
    }
    for trial in of_kind(trials, "solved"):
        for case in trial.cases:
            if (trial.question, case.case) not in failed:
                yield f"{trial.question}: no known mistake fails {case.case}: find one or remove the case"


def keep_margins(trials: list[Trial]) -> Iterator[str]:
    """Tolerances stand well above what right answers need and well below what wrong ones show."""
    for trial in trials:
        for case in trial.cases:
            if (limit := _limit(trial, case)) is not None and not limit(case.error or 0.0):
                yield (
                    f"{trial.question}: {trial.kind} {trial.name}: {case.case}: its largest error is"
                    f" {case.error:.2g} of what is allowed: change the tolerance or the inputs"
                )


def _limit(trial: Trial, case: CaseTrial) -> Callable[[float], bool] | None:
    if trial.kind == "solved":
        return lambda error: error <= SOLUTION_ERROR
    if trial.kind == "variant":
        return lambda error: error <= VARIANT_ERROR
    if trial.kind == "mistake" and case.case == caught_by(trial):
        return lambda error: error <= 1 or error >= MISTAKE_ERROR  # up to 1 it failed for another reason
    return None


def give_right_hints(trials: list[Trial]) -> Iterator[str]:
    """No mistake gets another one's hint, nearly all get their own, and a right answer gets none."""
    known = of_kind(trials, "mistake")
    for trial in of_kind(trials, "solved", "variant", "mistake"):
        if trial.hint and trial.hint != read_hint(trial):
            yield f"{trial.question}: {trial.kind} {trial.name} gets the hint of {', '.join(trial.named)}: add a probe"
    silent = [trial for trial in known if not trial.hint]
    if len(silent) > (1 - HINTED) * len(known):
        names = ", ".join(f"{trial.question}: {trial.name}" for trial in silent)
        yield f"{len(silent)} of {len(known)} mistakes get no hint: add probes for {names}"


def read_hint(trial: Trial) -> str:
    """Return the hint that a mistake should get; none for right answers."""
    return next((known.hint for known in list_known(trial.question) if known.name == trial.name), "")


def break_nowhere(trials: list[Trial]) -> Iterator[str]:
    """No case breaks, and every cell runs."""
    for trial in trials:
        for case in trial.cases:
            if case.broken:
                yield f"{trial.question}: {case.case} breaks on {trial.kind} {trial.name}: {case.broken}"
        for remark in trial.remarks:
            yield f"{trial.question}: {trial.kind} {trial.name}: {remark}"


GATES: tuple[Gate, ...] = (
    catch_mistakes,
    pass_right_answers,
    give_blank_nothing,
    use_every_case,
    keep_margins,
    give_right_hints,
    break_nowhere,
)
