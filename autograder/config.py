"""`grading.yml`, the one table: read strictly, every problem told with its line.

Points, visibility, tolerances and limits stand there and nowhere else.
"""

from pathlib import Path
from typing import Annotated, Literal

import yaml
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from typing_extensions import NotRequired, Self, TypedDict

from autograder import tree
from autograder.errors import UserError
from autograder.slips import describe_slips, find_repeated_keys
from autograder.text import read_text
from solutions.term import LECTURE

STRICT = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)

Text = Annotated[str, StringConstraints(min_length=1)]
Positive = Annotated[float, Field(gt=0)]
Tolerance = Annotated[list[Annotated[float, Field(ge=0)]], Field(min_length=2, max_length=2)]
QuestionId = Annotated[str, StringConstraints(pattern=r"^q\d\d_[a-z0-9_]+$")]
CaseName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]


class Case(BaseModel):
    """One check of a question, worth `points`; a hidden one runs on Gradescope only."""

    model_config = STRICT
    points: Positive
    hidden: bool = False


class Forbidden(BaseModel):
    """What an answer must not use, by dotted names; whether its use costs the points or is a remark for staff."""

    model_config = STRICT
    names: Annotated[list[Text], Field(min_length=1)]
    policy: Literal["flag", "no_points"]

    @property
    def short_names(self) -> tuple[str, ...]:
        """The last part of each name."""
        return tuple(name.rpartition(".")[2] for name in self.names)


class Question(BaseModel):
    """A question's title, its points, the cases they are divided among, and what its answer must not use."""

    model_config = STRICT
    title: Text
    points: Positive
    forbidden: Forbidden | None = None
    cases: Annotated[dict[CaseName, Case], Field(min_length=1)]

    @model_validator(mode="after")
    def _points_add_up(self) -> Self:
        given = sum(case.points for case in self.cases.values())
        if given != self.points:
            raise ValueError(f"the cases have {given:g} points, the question has {self.points:g}: make them equal")
        if all(case.hidden for case in self.cases.values()):
            raise ValueError("every case is hidden: make one public, or students see a green banner over a zero")
        return self


class Limits(BaseModel):
    """Seconds of its own, computing or asleep, for one cell, one call, one question and the run; on the clock for all.

    Attributes:
        wall: when the whole run ends by the clock, whatever the machine does; what has not run then is not judged
    """

    model_config = STRICT
    cell: Positive
    call: Positive
    question: Positive
    run: Positive
    wall: Positive


class Hidden(BaseModel):
    """What students read after a hidden case failed, and how Gradescope shows hidden cases."""

    model_config = STRICT
    feedback: Literal["none", "hint", "counterexample"]
    visibility: Literal["visible", "hidden", "after_due_date", "after_published"]


class Tolerances(TypedDict):
    """`[rtol, atol]` by dtype; `atol` grows by `per_position` times the largest position."""

    __pydantic_config__ = STRICT  # type: ignore[misc]
    float32: NotRequired[Tolerance]
    float64: Tolerance
    per_position: NotRequired[Positive]


class Vit(BaseModel):
    """How q13 trains the student's model (Adam), and the share of held-out digits it must get right at some check."""

    model_config = STRICT
    epochs: Annotated[int, Field(gt=0)]
    epochs_between_checks: Annotated[int, Field(gt=0)]
    batch: Annotated[int, Field(gt=0)]
    learning_rate: Positive
    minimum_accuracy: Annotated[float, Field(gt=0, le=1)]


class Term(BaseModel):
    """Conventions that a term may switch; what the table does not say is as in the lecture."""

    model_config = STRICT
    rope_base: Annotated[float, Field(gt=1)] = LECTURE["rope_base"]
    patch_order: Literal["rows", "columns"] = LECTURE["patch_order"]
    pixel_order: Literal["rows", "columns"] = LECTURE["pixel_order"]
    pre_norm: bool = LECTURE["pre_norm"]


class Grading(BaseModel):
    """The whole of `grading.yml`."""

    model_config = STRICT
    assignment: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]
    title: Text
    version: Annotated[str, StringConstraints(pattern=r"^\d+\.\d+\.\d+$")]
    required_layers: list[Text] = []
    salt: Text
    total: Positive
    hours: Text
    term: Term = Term()
    limits: Limits
    hidden: Hidden
    tolerances: dict[str, Tolerances]
    vit: Vit
    leaderboard: bool = False
    questions: dict[QuestionId, Question]

    def list_forbidden(self) -> dict[str, tuple[str, ...]]:
        """By question, the last parts of the names that it rules out."""
        rules = {id: question.forbidden for id, question in self.questions.items()}
        return {id: rule.short_names for id, rule in rules.items() if rule}

    @field_validator("questions")
    @classmethod
    def _points_add_up(cls, questions: dict[str, Question], told: ValidationInfo) -> dict[str, Question]:
        given, total = sum(question.points for question in questions.values()), told.data.get("total")
        if total is not None and given != total:
            raise ValueError(f"they have {given:g} points together, total is {total:g}: make them equal")
        return questions


def load_grading(path: Path = tree.GRADING) -> Grading:
    """Read `grading.yml`.

    Raises UserError with one line per problem: file, line, place, remedy.
    """
    text = read_text(path)
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise UserError(f"{path.name}:{line}: not YAML: {error.problem}: mend this line or the one before") from None
    if not isinstance(root, yaml.MappingNode):
        raise UserError(f"{path.name}:1: must be a table of keys, starting with 'assignment:'")
    if problems := find_repeated_keys(root):
        raise UserError("\n".join(f"{path.name}:{problem}" for problem in problems))
    try:
        return Grading.model_validate(yaml.safe_load(text))
    except ValidationError as error:
        raise UserError("\n".join(f"{path.name}:{slip}" for slip in describe_slips(root, error.errors()))) from None
