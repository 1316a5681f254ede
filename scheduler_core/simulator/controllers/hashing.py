"""Hashes of templates, as they stand in names and labels.

Not the numbers that upstream computes: those are over Go's printed form of the whole template, of which parts are
kept as a digest alone here (``api/unread.py``). Equal templates have equal hashes, which is what they are for.

Source: pkg/controller/controller_utils.go, ComputeHash; apimachinery/pkg/util/rand/rand.go, SafeEncodeString, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from scheduler_core.api.decode import encode_hook

if TYPE_CHECKING:
    from scheduler_core.api.pod import PodTemplateSpec

SAFE_LETTERS: Final = "bcdfghjklmnpqrstvwxz2456789"
_ENCODER: Final = msgspec.json.Encoder(enc_hook=encode_hook, order="sorted")
_OFFSET: Final = 2166136261
_PRIME: Final = 16777619


def fnv32a(data: bytes) -> int:
    """Returns the 32 bit FNV-1a hash.

    Source: Fowler, Noll, Vo: http://www.isthe.com/chongo/tech/comp/fnv
    """
    value = _OFFSET
    for byte in data:
        value = (value ^ byte) * _PRIME & 0xFFFFFFFF
    return value


def safe_encode(text: str) -> str:
    """Returns a text in letters that make no words."""
    return "".join(SAFE_LETTERS[ord(letter) % len(SAFE_LETTERS)] for letter in text)


def template_hash(template: PodTemplateSpec, collision_count: int | None = None) -> str:
    """Returns the hash of a template; collisions of names are told apart by their count."""
    data = _ENCODER.encode(template)
    if collision_count is not None:
        data += collision_count.to_bytes(8, "little", signed=True)
    return safe_encode(str(fnv32a(data)))
