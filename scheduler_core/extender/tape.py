"""The answers of a run's extenders, kept so that a replay gets the same ones without asking again."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

import msgspec

from scheduler_core.extender.errors import TransportError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scheduler_core.extender.extender import Transport


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """One answer: to which question, and what it was.

    Args:
        address: where the question went
        question: SHA-256 of the payload
        payload: the answer, None where there was none
        status: the HTTP status where it was not 200
        error: what went wrong
    """

    address: str
    question: str
    payload: bytes | None = None
    status: int | None = None
    error: str = ""


class RecordingTransport:
    """Passes questions on and keeps the answers, errors included."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.tape: list[Answer] = []

    def __call__(self, address: str, payload: bytes, timeout: float) -> bytes:
        """Asks.

        Raises:
            TransportError: as the transport behind it.
        """
        question = sha256(payload).hexdigest()
        try:
            answer = self._transport(address, payload, timeout)
        except TransportError as problem:
            self.tape.append(Answer(address, question, status=problem.status, error=str(problem)))
            raise
        self.tape.append(Answer(address, question, payload=answer))
        return answer


class ReplayTransport:
    """Gives the answers of a tape, in order; the questions must be those of the recorded run."""

    def __init__(self, tape: Iterable[Answer]) -> None:
        self._answers = iter(tuple(tape))

    def __call__(self, address: str, payload: bytes, timeout: float) -> bytes:
        """Answers from the tape.

        Raises:
            TransportError: the recorded one.
            TapeError: the tape has ended, or was recorded of another question.
        """
        answer = next(self._answers, None)
        if answer is None:
            raise TapeError(f"the tape has no answer for {address}")
        if (answer.address, answer.question) != (address, sha256(payload).hexdigest()):
            raise TapeError(f"the tape has the answer to another question: {answer.address}, not {address}")
        if answer.payload is None:
            raise TransportError(answer.error, answer.status)
        return answer.payload


class TapeError(Exception):
    """A replay asks what the recorded run did not: it would not give the same bytes."""


def encode_tape(tape: Iterable[Answer]) -> bytes:
    """A tape as JSON lines."""
    return b"".join(msgspec.json.encode(answer) + b"\n" for answer in tape)


def decode_tape(text: bytes) -> list[Answer]:
    """Reads a tape.

    Raises:
        msgspec.DecodeError: it is not one.
    """
    return [msgspec.json.decode(line, type=Answer) for line in text.splitlines() if line]
