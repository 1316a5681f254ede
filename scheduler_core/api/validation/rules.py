"""The few shapes that faults come in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from scheduler_core.api.explain import Fault
from scheduler_core.api.field_path import FieldPath
from scheduler_core.errors import DUPLICATE, FORBIDDEN, INVALID, NOT_FOUND, NOT_SUPPORTED, REQUIRED

Faults: TypeAlias = Iterator[Fault]

NEGATIVE = "must be greater than or equal to 0"
NOT_INTEGER = "must be an integer"
NOT_POSITIVE = "must be greater than zero"


def required(path: FieldPath, message: str = "", *, field: str = "") -> Fault:
    """Returns the fault of a field that is missing or empty."""
    return Fault(path, "", REQUIRED, message, field)


def invalid(path: FieldPath, value: Any, message: str, *, field: str = "") -> Fault:
    """Returns the fault of a value that breaks a rule."""
    return Fault(path, value, INVALID, message, field)


def forbidden(path: FieldPath, message: str, *, field: str = "") -> Fault:
    """Returns the fault of a field that may not be set here."""
    return Fault(path, "", FORBIDDEN, message, field)


def duplicate(path: FieldPath, value: Any, message: str = "", *, field: str = "") -> Fault:
    """Returns the fault of a value that is there already."""
    return Fault(path, value, DUPLICATE, message, field)


def not_found(path: FieldPath, value: Any, message: str = "") -> Fault:
    """Returns the fault of a name nothing has."""
    return Fault(path, value, NOT_FOUND, message)


def one_of(path: FieldPath, value: str, supported: Sequence[str]) -> Faults:
    """Yields the fault of a value that is none of the supported ones."""
    if value not in supported:
        listed = ", ".join(f'"{item}"' for item in supported)
        yield Fault(path, value, NOT_SUPPORTED, f"supported values: {listed}")


def all_invalid(path: FieldPath, value: Any, problems: Iterable[str], *, field: str = "") -> Faults:
    """Yields a fault for each problem of a value."""
    for problem in problems:
        yield invalid(path, value, problem, field=field)


def checked(path: FieldPath, value: str, rule: Callable[[str], Iterable[str]]) -> Faults:
    """Yields what a rule for names finds."""
    return all_invalid(path, value, rule(value))
