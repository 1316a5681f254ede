"""The one form in which an object is stored and compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

_ENCODER = msgspec.json.Encoder(order="sorted")


def canonical(raw: Mapping[str, Any]) -> bytes:
    """Returns an object as JSON with sorted keys and no blanks."""
    return _ENCODER.encode(raw)
