"""The part of a trace that a fork shares with its parent: how many events, and the digest that proves it."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Final

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable

_END: Final = b"RunFinished"
_CLOSING: Final = (b"EditRefused", b"RunStopped")
_TIME: Final = re.compile(rb'\{"seq":\d+,"t_us":(\d+),"type":"(\w+)"(?:,"cycle":(\d+))?')


class Prefix(msgspec.Struct, frozen=True, kw_only=True):
    """Events from the first on.

    ``digest`` is the SHA-256 over their lines, as a run's digest is; ``t_us`` is when the fork begins; ``num_cycles``
    is how many cycles began before.
    """

    num_events: int
    digest: str
    t_us: int
    num_cycles: int


def prefix_before_cycle(cycle: int, lines: Iterable[bytes]) -> Prefix | None:
    """Returns what comes before a cycle; None where the trace has no such cycle."""
    return _prefix(lines, cycle=cycle)


def prefix_until(t_us: int, lines: Iterable[bytes]) -> Prefix:
    """Returns what comes before a virtual time, which may lie after the end."""
    found = _prefix(lines, t_us=t_us)
    assert found is not None
    return found


def _prefix(lines: Iterable[bytes], *, cycle: int | None = None, t_us: int | None = None) -> Prefix | None:
    digest = hashlib.sha256()
    number = num_cycles = 0
    closing: list[bytes] = []
    for line in lines:
        match = _TIME.match(line)
        assert match is not None, "a line of a trace begins with seq, t_us and type"
        time, kind = int(match[1]), match[2]
        if kind == _END or (t_us is not None and time >= t_us):
            break
        closing.append(line)
        if kind in _CLOSING:  # they may be what is said at the end of the run, which a fork goes beyond
            continue
        if kind == b"CycleStarted" and int(match[3]) == cycle:
            number, _ = _add(digest, number, closing[:-1])
            return Prefix(num_events=number, digest=digest.hexdigest(), t_us=time, num_cycles=num_cycles)
        num_cycles += kind == b"CycleStarted"
        number, closing = _add(digest, number, closing)
    else:
        number, closing = _add(digest, number, closing)
    if t_us is None:
        return None
    return Prefix(num_events=number, digest=digest.hexdigest(), t_us=t_us, num_cycles=num_cycles)


def _add(digest: hashlib._Hash, number: int, lines: list[bytes]) -> tuple[int, list[bytes]]:
    for line in lines:
        digest.update(line)
        digest.update(b"\n")
    return number + len(lines), []
