"""Taints as kubectl writes them.

Source: kubectl/pkg/cmd/taint/utils.go, parseTaints, v1.34.1
"""

from __future__ import annotations

from typing import Final

from scheduler_core.api.name_syntax import label_value_problems, qualified_name_problems
from scheduler_core.api.taints import NO_EXECUTE, NO_SCHEDULE, PREFER_NO_SCHEDULE, Taint

EFFECTS: Final = (NO_SCHEDULE, PREFER_NO_SCHEDULE, NO_EXECUTE)


def parse_taint(text: str) -> Taint:
    """Reads ``key=value:effect`` or ``key:effect``.

    Raises:
        ValueError: it is none; the message says why.
    """
    head, _, effect = text.rpartition(":")
    key, _, value = head.partition("=")
    if not head or effect not in EFFECTS:
        raise ValueError(f"expected key=value:effect, the effect one of {', '.join(EFFECTS)}")
    problems = [*qualified_name_problems(key), *label_value_problems(value)]
    if problems:
        raise ValueError(problems[0])
    return Taint(key=key, value=value, effect=effect)


def parse_untaint(text: str) -> tuple[str, str]:
    """Reads ``key`` or ``key:effect``; an empty effect stands for each.

    Raises:
        ValueError: it is neither; the message says why.
    """
    key, _, effect = text.removesuffix("-").partition(":")
    key = key.partition("=")[0]
    if effect and effect not in EFFECTS:
        raise ValueError(f"expected key or key:effect, the effect one of {', '.join(EFFECTS)}")
    if problems := list(qualified_name_problems(key)):
        raise ValueError(problems[0])
    return key, effect
