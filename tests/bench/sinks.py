"""Sinks that keep nothing."""

from __future__ import annotations


class SummarySink:
    """Takes the encoded events and keeps none."""

    def write(self, seq: int, data: bytes) -> None:
        """Takes one event."""

    def wants_detail(self, cycle: int, num_nodes: int) -> bool:
        """Never."""
        return False

    def write_detail(self, cycle: int, detail: object) -> None:
        """Not asked for."""
