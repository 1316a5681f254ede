"""JSON merge patch.

Source: RFC 7386
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def merge_patch(target: Any, patch: Any) -> Any:
    """Returns the target with a patch merged in: null takes a field away, lists are replaced whole."""
    if not isinstance(patch, Mapping):
        return patch
    result = dict(target) if isinstance(target, Mapping) else {}
    for name, item in patch.items():
        if item is None:
            result.pop(name, None)
        else:
            result[name] = merge_patch(result.get(name), item)
    return result
