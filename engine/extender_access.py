"""Whether and how a run asks extenders: over HTTP, from a tape, or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from engine.transport import AllowList, HttpTransport
from scheduler_core.simulator import RecordingTransport, ReplayTransport, decode_tape, encode_tape

if TYPE_CHECKING:
    from collections.abc import Callable


class ExtenderAccess(msgspec.Struct, frozen=True):
    """What an operator allows.

    Args:
        hosts: hosts that may be asked, ``host`` or ``host:port``, separated by commas or blanks; none switches
            extenders off
        private: whether they may have addresses that are not public
        tape: the answers of a recorded run, as JSON lines; then nobody is asked
    """

    hosts: str = ""
    private: bool = False
    tape: str | None = None

    def open(self) -> OpenAccess:
        """The way to ask, for one run.

        Raises:
            msgspec.DecodeError: the tape or the list of hosts cannot be read.
        """
        if self.tape is not None:
            return OpenAccess(ReplayTransport(decode_tape(self.tape.encode())))
        try:
            allowed = AllowList.parse(self.hosts, private=self.private)
        except ValueError as wrong:
            raise msgspec.DecodeError(str(wrong)) from wrong
        return OpenAccess(RecordingTransport(HttpTransport(allowed)) if allowed.hosts else None)


class OpenAccess(NamedTuple):
    """A transport in use; None where extenders are switched off."""

    transport: Callable[[str, bytes, float], bytes] | None

    def encoded_tape(self) -> bytes:
        """The answers so far, as JSON lines; nothing where they come from a tape, or nobody was asked."""
        return encode_tape(self.transport.tape) if isinstance(self.transport, RecordingTransport) else b""
