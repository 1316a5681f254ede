"""Label selectors, one object at a time."""

from __future__ import annotations

from collections.abc import Mapping

from scheduler_core.api.selectors import LabelSelector


def selects(selector: LabelSelector | None, labels: Mapping[str, str]) -> bool:
    """Whether a selector matches labels; an absent one matches nothing."""
    if selector is None:
        return False
    for key, value in selector.match_labels.items():
        if labels.get(key) != value:
            return False
    for expression in selector.match_expressions:
        has = expression.key in labels
        listed = labels.get(expression.key) in expression.values
        met = {
            "In": has and listed,
            "NotIn": not (has and listed),
            "Exists": has,
            "DoesNotExist": not has,
        }[expression.operator]
        if not met:
            return False
    return True
