"""Arrow 4: an event as bytes. The same bytes are stored, sent to browsers and exported."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from scheduler_core.trace.detail import CycleDetail
from scheduler_core.trace.events import Event

_ENCODER: Final = msgspec.json.Encoder()
_DETAIL_DECODER: Final = msgspec.json.Decoder(CycleDetail)


def encode(event: Event, seq: int, t_us: int) -> bytes:
    """One event as a JSON object on one line: ``seq`` and ``t_us`` first, then type and fields."""
    return b'{"seq":%d,"t_us":%d,%b' % (seq, t_us, _ENCODER.encode(event)[1:])


def encode_detail(detail: CycleDetail) -> bytes:
    """A cycle's detail as JSON."""
    return _ENCODER.encode(detail)


def decode_detail(data: bytes) -> CycleDetail:
    """A detail as it was encoded.

    Raises:
        msgspec.ValidationError: it is of another version, or none.
    """
    return _DETAIL_DECODER.decode(data)


def event_schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of the stored events."""
    schema = msgspec.json.schema(Event)
    for definition in schema["$defs"].values():
        properties = definition.get("properties", {})
        if "type" in properties:
            definition["properties"] = {
                "seq": {"type": "integer", "minimum": 1},
                "t_us": {"type": "integer", "minimum": 0},
                **properties,
            }
            definition["required"] = ["seq", "t_us", *definition.get("required", [])]
    return schema
