"""Forks: a run that shares its beginning with another, and goes its own way by further edits from there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from scheduler_core.config.duration import Duration
from scheduler_core.errors import FORBIDDEN, FieldError, ManifestError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scheduler_core.simulator.scenario.edits import AnyEdit
    from scheduler_core.simulator.simulator import Simulator


class Fork(msgspec.Struct, frozen=True, kw_only=True):
    """Where a fork begins: its parent's prefix (``trace/prefix.py``), and how many edits are the parent's.

    The edits of a fork stand after those of its parent; they take place at ``t_us`` or before a cycle after
    ``num_cycles``, or later.
    """

    num_events: int
    digest: str
    t_us: int
    num_cycles: int
    num_edits: int = 0


def begin_fork(simulator: Simulator, fork: Fork, edits: Sequence[AnyEdit]) -> None:
    """Has the run that follows compared with its parent's prefix; it raises ReplayError where it differs.

    Raises:
        ManifestError: an edit of the fork lies in the part that is shared.
    """
    errors = []
    since = Duration(fork.t_us * 1000)
    for index, edit in enumerate(edits[fork.num_edits :], start=fork.num_edits):
        if edit.cycle is not None:
            if edit.cycle <= fork.num_cycles:
                message = f"the fork begins after cycle {fork.num_cycles}"
                errors.append(_error(f"edits[{index}].cycle", str(edit.cycle), message))
        elif edit.at_us < fork.t_us:
            message = f"the fork begins at {since}"
            errors.append(_error(f"edits[{index}].at", str(edit.at), message))
    if errors:
        raise ManifestError(errors)
    if fork.num_events > simulator.tracer.seq:  # else it begins before anything but loading happened
        simulator.tracer.expect(fork.num_events, fork.digest)


def _error(field: str, value: str, message: str) -> FieldError:
    return FieldError(field=field, value=value, type=FORBIDDEN, message=message)
