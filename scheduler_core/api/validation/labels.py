"""Labels, annotations and label selectors.

Source: apimachinery/pkg/apis/meta/v1/validation/validation.go, pkg/apis/core/validation/validation.go, v1.34.1
"""

from __future__ import annotations

from collections.abc import Mapping

from scheduler_core.api.field_path import FieldPath, MapKey, format_path
from scheduler_core.api.name_syntax import label_value_problems, qualified_name_problems
from scheduler_core.api.selectors import (
    DOES_NOT_EXIST,
    EXISTS,
    IN,
    NOT_IN,
    LabelSelector,
    LabelSelectorRequirement,
)
from scheduler_core.api.validation.rules import Faults, all_invalid, checked, forbidden, invalid, required
from scheduler_core.errors import TOO_LONG

VALUES_NEEDED = "must be specified when `operator` is 'In' or 'NotIn'"
NO_VALUES = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"
NOT_AN_OPERATOR = "not a valid selector operator"
NO_SELECTOR = "must not be specified when labelSelector is not set"

_MAX_ANNOTATIONS = 256 * 1024


def validate_labels(labels: Mapping[str, str], path: FieldPath, *, field: str = "") -> Faults:
    """Yields what is wrong with keys and values of a map; the field named is the map, as upstream does."""
    named = field or format_path(path)
    for key, value in labels.items():
        at = (*path, MapKey(key))
        yield from all_invalid(at, key, qualified_name_problems(key), field=named)
        yield from all_invalid(at, value, label_value_problems(value), field=named)


def validate_annotations(annotations: Mapping[str, str], path: FieldPath, *, field: str = "") -> Faults:
    """Yields what is wrong with keys of annotations, and whether they are too large together."""
    named = field or format_path(path)
    size = 0
    for key, value in annotations.items():
        size += len(key.encode()) + len(value.encode("utf-8", "replace"))
        yield from all_invalid((*path, MapKey(key)), key, qualified_name_problems(key.lower()), field=named)
    if size > _MAX_ANNOTATIONS:
        message = f"may not be more than {_MAX_ANNOTATIONS} bytes"
        yield forbidden(path, message, field=named)._replace(type=TOO_LONG)


def validate_label_selector(selector: LabelSelector | None, path: FieldPath) -> Faults:
    """Yields what is wrong with a selector; an absent one is right."""
    if selector is None:
        return
    yield from validate_labels(selector.match_labels, (*path, "matchLabels"))
    for index, requirement in enumerate(selector.match_expressions):
        yield from _validate_requirement(requirement, (*path, "matchExpressions", index))


def _validate_requirement(requirement: LabelSelectorRequirement, path: FieldPath) -> Faults:
    values = (*path, "values")
    if requirement.operator in (IN, NOT_IN):
        if not requirement.values:
            yield required(values, VALUES_NEEDED)
    elif requirement.operator in (EXISTS, DOES_NOT_EXIST):
        if requirement.values:
            yield forbidden(values, NO_VALUES)
    else:
        yield invalid((*path, "operator"), requirement.operator, NOT_AN_OPERATOR)
    yield from checked((*path, "key"), requirement.key, qualified_name_problems)
    for index, value in enumerate(requirement.values):
        yield from checked((*values, index), value, label_value_problems)


def validate_label_keys(keys: tuple[str, ...], selector: LabelSelector | None, path: FieldPath) -> Faults:
    """Yields what is wrong with matchLabelKeys and the like."""
    if keys and selector is None:
        yield forbidden(path, NO_SELECTOR)
        return
    for index, key in enumerate(keys):
        yield from checked((*path, index), key, qualified_name_problems)
