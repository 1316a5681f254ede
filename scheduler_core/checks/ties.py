"""Ties between nodes, taken as a script says: so that every way they can fall is tried once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scheduler_core.snapshot.arrays import Int64Array


class ScriptedTies:
    """Takes the scripted node at each tie, the first one after the script's end, and notes how many there were."""

    def __init__(self, script: Sequence[int]) -> None:
        self._script = script
        self.taken: list[int] = []
        self.widths: list[int] = []

    def choose(self, name_ranks: Int64Array) -> int:
        """The index of the winner; called for every choice, also among one."""
        if len(name_ranks) == 1:
            return 0
        at = len(self.taken)
        choice = self._script[at] if at < len(self._script) else 0
        self.taken.append(choice)
        self.widths.append(len(name_ranks))
        return choice


def next_script(taken: Sequence[int], widths: Sequence[int]) -> tuple[int, ...] | None:
    """Returns the script after one that was played, or None after the last."""
    for at in reversed(range(len(taken))):
        if taken[at] + 1 < widths[at]:
            return (*taken[:at], taken[at] + 1)
    return None
