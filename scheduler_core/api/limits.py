"""How much input is read at most."""

from __future__ import annotations

import msgspec

MEBIBYTE = 2**20
# Faults of one object or document that are listed, and faulty documents after which reading stops.
MAX_PROBLEMS = 100


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Bounds that are checked before the memory is spent.

    Args:
        bytes: of all sources together, unpacked.
        objects: of all sources together, also of kinds that are not read.
        depth: of maps and lists in each other.
        scalar: bytes of one text or number.
        nodes: values, maps and lists of one source.
        expansion: bytes that the aliases of one YAML document may add.
        errors: that are listed.
    """

    bytes: int = 64 * MEBIBYTE
    objects: int = 200_000
    depth: int = 200
    scalar: int = 2 * MEBIBYTE
    nodes: int = 5_000_000
    expansion: int = 16 * MEBIBYTE
    errors: int = 1000


DEFAULT_LIMITS = Limits()
