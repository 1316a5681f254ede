"""Taints and tolerations.

Source: pkg/apis/core/validation/validation.go, validateNodeTaints, ValidateTolerations, v1.34.1
"""

from __future__ import annotations

from collections.abc import Iterable

from scheduler_core.api.decode import to_plain
from scheduler_core.api.field_path import FieldPath
from scheduler_core.api.name_syntax import label_value_problems, qualified_name_problems
from scheduler_core.api.taints import NO_EXECUTE, NO_SCHEDULE, PREFER_NO_SCHEDULE, Taint, Toleration
from scheduler_core.api.validation.rules import Faults, checked, duplicate, invalid, one_of, required

_EFFECTS = (NO_SCHEDULE, PREFER_NO_SCHEDULE, NO_EXECUTE)


def validate_taints(taints: Iterable[Taint]) -> Faults:
    """Yields what is wrong with a node's taints; upstream names them as if they were metadata."""
    seen: set[tuple[str, str]] = set()
    for index, taint in enumerate(taints):
        path: FieldPath = ("spec", "taints", index)
        for fault in _validate_taint(taint, path):
            yield fault._replace(field=f"metadata.taints[{index}].{fault.path[-1]}")
        if (taint.effect, taint.key) in seen:
            message = "taints must be unique by key and effect pair"
            yield duplicate(path, to_plain(taint), message, field=f"metadata.taints[{index}]")
        seen.add((taint.effect, taint.key))


def _validate_taint(taint: Taint, path: FieldPath) -> Faults:
    yield from checked((*path, "key"), taint.key, qualified_name_problems)
    if problems := label_value_problems(taint.value):
        yield invalid((*path, "value"), taint.value, ";".join(problems))
    if not taint.effect:
        yield required((*path, "effect"))
    else:
        yield from one_of((*path, "effect"), taint.effect, _EFFECTS)


def validate_tolerations(tolerations: Iterable[Toleration], path: FieldPath) -> Faults:
    """Yields what is wrong with tolerations."""
    for index, toleration in enumerate(tolerations):
        yield from _validate_toleration(toleration, (*path, index))


def _validate_toleration(toleration: Toleration, path: FieldPath) -> Faults:
    operator = (*path, "operator")
    if toleration.key:
        yield from checked((*path, "key"), toleration.key, qualified_name_problems)
    elif toleration.operator != "Exists":
        message = 'operator must be Exists when `key` is empty, which means "match all values and all keys"'
        yield invalid(operator, toleration.operator, message)
    if toleration.toleration_seconds is not None and toleration.effect != NO_EXECUTE:
        message = "effect must be 'NoExecute' when `tolerationSeconds` is set"
        yield invalid((*path, "effect"), toleration.effect, message)
    if toleration.operator in ("", "Equal"):
        if problems := label_value_problems(toleration.value):
            yield invalid(operator, toleration.value, ";".join(problems))
    elif toleration.operator == "Exists":
        if toleration.value:
            yield invalid(operator, toleration.value, "value must be empty when `operator` is 'Exists'")
    else:
        yield from one_of(operator, toleration.operator, ("Equal", "Exists"))
    if toleration.effect:
        yield from one_of((*path, "effect"), toleration.effect, _EFFECTS)
