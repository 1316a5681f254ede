"""What is wrong with the requirements of selectors, as it is found when they are parsed in order to match.

The API server and the configuration are checked by rules of their own, which let some of this through.

Source: apimachinery/pkg/labels/selector.go, NewRequirement; apimachinery/pkg/util/validation/field/errors.go,
apimachinery/pkg/util/errors/errors.go; component-helpers/scheduling/corev1/nodeaffinity/nodeaffinity.go, v1.34.1
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterable
from typing import NamedTuple

from scheduler_core.api.field_path import FieldPath, MapKey, format_path
from scheduler_core.api.name_syntax import label_value_problems, qualified_name_problems
from scheduler_core.errors import INVALID, NOT_SUPPORTED

IN = "In"
NOT_IN = "NotIn"
EXISTS = "Exists"
DOES_NOT_EXIST = "DoesNotExist"
GT = "Gt"
LT = "Lt"

_OPERATORS = (IN, NOT_IN, EXISTS, DOES_NOT_EXIST, GT, LT)
_INTEGER = re.compile(r"[+-]?[0-9]+", re.ASCII)


class RequirementProblem(NamedTuple):
    """One thing wrong with a requirement: where in it, with what value, and why."""

    path: FieldPath
    value: str | list[str] | None
    type: str
    message: str

    def words(self, path: FieldPath = ()) -> str:
        """Returns the problem as upstream words it; ``path`` is that of the requirement."""
        value = json.dumps(self.value, ensure_ascii=False, separators=(",", ":"))
        return f"{format_path((*path, *self.path))}: {self.type}: {value}: {self.message}"


def parse_int64(text: str) -> int | None:
    """Returns the integer a label's value stands for, or None, as Go's ParseInt(text, 10, 64) decides."""
    if _INTEGER.fullmatch(text) is None or len(text) > 4000:
        return None
    number = int(text)
    return number if -(2**63) <= number < 2**63 else None


@functools.lru_cache(maxsize=4096)
def requirement_problems(key: str, operator: str, values: tuple[str, ...]) -> tuple[RequirementProblem, ...]:
    """Returns what keeps a requirement on labels from being used: its operator, or its key, values and their number."""
    if operator not in _OPERATORS:
        return (_not_supported(operator, _OPERATORS),)
    found = []
    if problems := qualified_name_problems(key):
        found.append(RequirementProblem(("key",), key, INVALID, "; ".join(problems)))
    if message := _number_problem(operator, len(values)):
        found.append(RequirementProblem(("values",), list(values) or None, INVALID, message))
    if operator in (GT, LT):
        message = "for 'Gt', 'Lt' operators, the value must be an integer"
        found.extend(
            RequirementProblem(("values", index), value, INVALID, message)
            for index, value in enumerate(values)
            if parse_int64(value) is None
        )
    for index, value in enumerate(values):
        if problems := label_value_problems(value):
            path = ("values", index, MapKey(key))
            found.append(RequirementProblem(path, value, INVALID, "; ".join(problems)))
    return tuple(found)


@functools.lru_cache(maxsize=4096)
def field_problems(operator: str, values: tuple[str, ...]) -> tuple[RequirementProblem, ...]:
    """Returns what keeps a requirement on fields from being used: its operator or the number of its values."""
    if operator not in (IN, NOT_IN):
        return (_not_supported(operator, (IN, NOT_IN)),)
    if len(values) != 1:
        return (RequirementProblem(("values",), list(values) or None, INVALID, "must have one element"),)
    return ()


def aggregated(messages: Iterable[str]) -> str:
    """Returns errors as one: each once, in brackets if there are several; an empty text for none."""
    unique = list(dict.fromkeys(messages))
    return f"[{', '.join(unique)}]" if len(unique) > 1 else "".join(unique)


def _not_supported(operator: str, operators: tuple[str, ...]) -> RequirementProblem:
    supported = ", ".join(f'"{name}"' for name in operators)
    return RequirementProblem(("operator",), operator, NOT_SUPPORTED, f"supported values: {supported}")


def _number_problem(operator: str, number: int) -> str:
    if operator in (IN, NOT_IN):
        return "" if number else "for 'in', 'notin' operators, values set can't be empty"
    if operator in (EXISTS, DOES_NOT_EXIST):
        return "values set must be empty for exists and does not exist" if number else ""
    return "" if number == 1 else "for 'Gt', 'Lt' operators, exactly one value is required"
