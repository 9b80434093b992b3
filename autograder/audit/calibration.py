"""How often a right vision transformer falls short of q13's minimum accuracy, and how far broken ones stay below it."""

from __future__ import annotations

import json
import math
import statistics
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import get_context
from typing import Any

import torch
from otter.test_files import TestCase
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

import kit
from autograder import tree
from autograder.audit.broken import list_broken_models
from autograder.audit.variants import load_variants
from autograder.config import Grading, load_grading
from autograder.questions import load_question
from solutions.q12_vit import TinyViT

REPORT = tree.BUILD / "calibration.json"
QUESTION, CASE = "q13_vit_accuracy", "recognises_digits_it_has_not_seen"
SEEDS, VARIANT_SEEDS, BROKEN_SEEDS = 100, 8, 3  # trainings of the solution, of each variant, of each broken model
ACCEPTED = 1e-5  # one false failure in 100,000 submissions
TAIL = 0.2  # the share of the lowest accuracies that the tail is fitted to


@dataclass(frozen=True)
class Training:
    """One training: which model, right or broken, with which seed."""

    kind: str
    name: str
    seed: int


def calibrate(console: Console) -> bool:
    """Train right and broken models by q13's recipe, report the tail of their accuracies, write calibration.json.

    Returns whether the minimum of `grading.yml` is low enough for right models and too high for broken ones.
    """
    vit = load_grading().vit
    accuracies = _train_all(_list_trainings(), console)
    right = [accuracy for training, accuracy in accuracies.items() if training.kind != "broken"]
    report = {
        "recipe": vit.model_dump(),
        "right": describe_tail(right, vit.minimum_accuracy),
        "models": _describe_models(accuracies),
    }
    tree.BUILD.mkdir(exist_ok=True)
    REPORT.write_text(json.dumps(report, indent=1), encoding="utf-8")
    _print_report(report, console)
    problems = _judge(report, vit.minimum_accuracy)
    for problem in problems:
        console.print(problem, markup=False, soft_wrap=True)
    return not problems


def describe_tail(accuracies: list[float], minimum: float) -> dict[str, float]:
    """Fit the lower tail of right models' accuracies.

    Below the `TAIL` quantile u the distances u - a are taken for exponential, with the mean s of those seen: a heavier
    tail than the normal distribution has. Then P(a < u - d) = TAIL exp(-d / s).
    """
    ordered = sorted(accuracies)
    count = max(2, math.ceil(TAIL * len(ordered)))
    u = ordered[count - 1]
    s = max(statistics.fmean(u - a for a in ordered[:count]), 1e-9)
    share = count / len(ordered)
    return {
        "trainings": len(ordered),
        "mean": statistics.fmean(ordered),
        "standard_deviation": statistics.stdev(ordered),
        "lowest": ordered[0],
        "reached_by_all_but_one_in_100000": u - s * math.log(share / ACCEPTED),
        "failures_per_submission": share * math.exp(-max(u - minimum, 0) / s) if minimum < u else 1.0,
    }


def _list_trainings() -> list[Training]:
    variants = [Training("variant", v.name, seed) for v in load_variants("q12_vit") for seed in range(VARIANT_SEEDS)]
    broken = [Training("broken", name, seed) for name in list_broken_models() for seed in range(BROKEN_SEEDS)]
    return [Training("solution", "solution", seed) for seed in range(SEEDS)] + variants + broken


def _train_all(trainings: list[Training], console: Console) -> dict[Training, float]:
    found = {}
    with (
        Progress(console=console, transient=True) as progress,
        ProcessPoolExecutor(mp_context=get_context("spawn"), initializer=torch.set_num_threads, initargs=(1,)) as pool,
    ):
        bar = progress.add_task("training", total=len(trainings))
        futures = {pool.submit(train, training): training for training in trainings}
        for future in as_completed(futures):
            found[futures[future]] = future.result()
            progress.advance(bar)
    return {training: found[training] for training in trainings}


def train(training: Training) -> float:
    """Run q13's hidden case to its last epoch on one model and return the best accuracy of its checks."""
    grading, case = _read_case()
    seen = [0.0]
    kit.settings.configure(
        tolerances=grading.tolerances,
        vit=grading.vit.model_dump() | {"minimum_accuracy": 2.0},  # never reached
        salt=f"calibration {training.seed}",
        watch=lambda label, number: seen.append(number) if label == "accuracy" else None,
    )
    kit.run_case(case.body, {"TinyViT": _seed(_find_model(training), training.seed)})
    return max(seen)


@lru_cache  # a table that is edited meanwhile does not change the recipe
def _read_case() -> tuple[Grading, TestCase]:
    grading = load_grading()
    return grading, next(case for case in load_question(grading, QUESTION).cases if case.name == CASE)


def _find_model(training: Training) -> Any:
    if training.kind == "broken":
        return list_broken_models()[training.name]
    if training.kind == "variant":
        return next(v for v in load_variants("q12_vit") if v.name == training.name).answers()["TinyViT"]
    return TinyViT


def _seed(model_class: Any, seed: int) -> Any:
    def make(**sizes: Any) -> Any:
        torch.default_generator.manual_seed(seed)
        return model_class(**sizes)

    return make


def _describe_models(accuracies: dict[Training, float]) -> list[dict[str, Any]]:
    kinds = dict.fromkeys((training.kind, training.name) for training in accuracies)
    models = []
    for kind, name in kinds:
        own = [accuracy for training, accuracy in accuracies.items() if (training.kind, training.name) == (kind, name)]
        models.append({"kind": kind, "name": name, "accuracies": own})
    return models


def _judge(report: dict[str, Any], minimum: float) -> list[str]:
    problems = []
    if (failures := report["right"]["failures_per_submission"]) > ACCEPTED:
        problems.append(
            f"grading.yml: vit.minimum_accuracy: a right model falls below {minimum:g} once in {1 / failures:,.0f}"
            f" submissions: lower it to {report['right']['reached_by_all_but_one_in_100000']:.3f}"
        )
    for model in report["models"]:
        if model["kind"] == "broken" and max(model["accuracies"]) >= minimum:
            problems.append(f"grading.yml: vit.minimum_accuracy: the broken model {model['name']} reaches {minimum:g}")
    return problems


def _print_report(report: dict[str, Any], console: Console) -> None:
    table = Table(title="Best accuracy of q13's checks", caption=f"minimum: {report['recipe']['minimum_accuracy']:g}")
    for name in ("model", "kind"):
        table.add_column(name)
    for name in ("trainings", "lowest", "mean", "highest"):
        table.add_column(name, justify="right")
    for model in report["models"]:
        own = model["accuracies"]
        numbers = [f"{number:.3f}" for number in (min(own), statistics.fmean(own), max(own))]
        table.add_row(model["name"], model["kind"], str(len(own)), *numbers)
    console.print(table)
    right = report["right"]
    console.print(
        f"{right['trainings']:.0f} right trainings: mean {right['mean']:.3f}, standard deviation"
        f" {right['standard_deviation']:.3f}, lowest {right['lowest']:.3f}. All but one in 100,000 reach"
        f" {right['reached_by_all_but_one_in_100000']:.3f}; the minimum fails {right['failures_per_submission']:.1g}"
        f" of right submissions.\nreport: {REPORT}",
        markup=False,
    )
