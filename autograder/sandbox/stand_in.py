"""Stand-ins: objects of the grader that behave like a student's function, class or module."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import torch

from autograder.sandbox.student_error import StudentError, clean_name

if TYPE_CHECKING:
    from autograder.sandbox.student import Student


class StandIn:
    """An object of the student's process that is no plain value. Nothing but its type's name is known."""

    def __init__(self, student: Student, handle: int) -> None:
        self._student, self._handle = student, handle

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of the student>"


class Callable(StandIn):
    """A student's function, class or other callable object."""

    __name__: str

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it over there; raises StudentError as the student's code raises."""
        return self._student.call({"handle": self._handle, "method": ""}, args, kwargs)

    def run_beside(self, path: str, *args: Any, **kwargs: Any) -> Any:
        """Call `path`, such as "given.digits:fit", in the student's process with the real object first."""
        return self._student.call({"beside": path}, (self, *args), kwargs, patient=True)


class Method(Callable):
    """A method of a student's module."""

    def __init__(self, owner: Module, name: str) -> None:
        super().__init__(owner._student, owner._handle)
        self._owner, self.__name__ = owner, name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._owner._call(self.__name__, *args, **kwargs)


class Module(Callable):
    """A student's `nn.Module`; parameters are leaf tensors here, kept in step with the real ones."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._call("", *args, **kwargs)

    def _call(self, method: str, *args: Any, **kwargs: Any) -> Any:
        target = {"handle": self._handle, "method": method}
        return self._student.call(target, args, kwargs, owner=self)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            value = self._student.read_attribute(self, name)
        except StudentError as error:
            if error.type_name == "AttributeError":
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}") from None
            raise
        return Method(self, name) if type(value).__mro__[1] is Callable else value

    def state_dict(self) -> dict[str, torch.Tensor]:
        """Return copies of all parameters and buffers by key."""
        return self._student.read_state(self)

    def load_state_dict(self, state: dict[str, torch.Tensor], strict: bool = True) -> None:
        """Give the real module these values."""
        self._call("load_state_dict", state, strict=strict)
        self._student.refresh_parameters()

    def named_parameters(self) -> Iterator[tuple[str, torch.Tensor]]:
        """Yield name and leaf tensor of each parameter."""
        yield from self._student.read_parameters(self)

    def parameters(self) -> Iterator[torch.Tensor]:
        """Yield the leaf tensor of each parameter."""
        yield from (leaf for _, leaf in self._student.read_parameters(self))

    def train(self, mode: bool = True) -> Module:
        """Switch to training mode."""
        self._call("train", mode)
        return self

    def eval(self) -> Module:
        """Switch to evaluation mode."""
        return self.train(False)

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget all gradients."""
        self._call("zero_grad", set_to_none)
        self._student.refresh_parameters()

    def __bool__(self) -> bool:
        return True

    def __len__(self) -> int:
        return int(self._call("__len__"))

    def __getitem__(self, index: int | str) -> Any:
        return self._call("__getitem__", index)

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))


ROLES = {"function": Callable, "callable": Callable, "class": Callable, "module": Module, "object": StandIn}
OWN_NAME = {"function": "function", "class": "type"}  # roles that are named themselves, not by their type, and the type


def make_stand_in(student: Student, handle: int, role: str, name: str) -> StandIn:
    """Return the stand-in of an object: role and name, its own or its type's, are claims of the student's side."""
    base = ROLES[role]
    name = clean_name(name)
    kind = type(OWN_NAME.get(role, name), (base,), {"__name__": name} if base is Callable else {})
    stand_in: StandIn = kind(student, handle)
    return stand_in
