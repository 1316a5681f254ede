"""How far reading is; written by the reader, looked at by whoever wants to tell it, also from another thread."""

from __future__ import annotations


class Progress:
    """How much has been read.

    Args:
        finished: bytes of the sources that are done.
        at: about where in the source that is being read.
        objects: how many were decoded.
    """

    __slots__ = ("at", "finished", "objects")

    def __init__(self) -> None:
        self.finished = 0
        self.at = 0
        self.objects = 0

    @property
    def bytes(self) -> int:
        """About how many bytes were read."""
        return self.finished + self.at

    def finish(self, size: int) -> None:
        """Notes that a source of so many bytes is done."""
        self.finished += size
        self.at = 0
