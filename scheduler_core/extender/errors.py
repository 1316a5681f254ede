"""What can go wrong with an extender."""

from __future__ import annotations


class TransportError(Exception):
    """The service could not be asked, or answered with another status than 200 (then ``status`` says which)."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class ExtenderError(Exception):
    """An extender could not be asked, or gave no sense; the message is upstream's where it has one."""
