"""What an object of a kind may be called.

Source: apimachinery/pkg/api/validation/generic.go, pkg/apis/…/validation, v1.34.1
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from scheduler_core.api.name_syntax import (
    label_1035_problems,
    label_problems,
    path_segment_problems,
    subdomain_problems,
)

NameRule: TypeAlias = Callable[[str], list[str]]


def _driver_problems(name: str) -> list[str]:
    """A driver may be written in capitals, and is at most 63 bytes long."""
    too_long = ["may not be more than 63 bytes"] if len(name.encode("utf-8", "replace")) > 63 else []
    return [*too_long, *subdomain_problems(name.lower())]


_RULES: Final[dict[str, NameRule]] = {
    "Namespace": label_problems,
    "StatefulSet": label_problems,
    "Service": label_1035_problems,
    "CSIDriver": _driver_problems,
    "PodDisruptionBudget": path_segment_problems,
}


def name_rule_of(kind: str) -> NameRule:
    """Returns the rule for names of a kind that is read; most are DNS subdomains."""
    return _RULES.get(kind, subdomain_problems)
