from __future__ import annotations

import pytest

from scheduler_core.extender import tape
from scheduler_core.extender.errors import TransportError
from tests.core.extender.service import Service

GOOD, BAD, GONE = "http://e/good", "http://e/bad", "http://e/gone"


def recorded() -> tape.RecordingTransport:
    transport = tape.RecordingTransport(Service(good={"NodeNames": ["a"]}, bad=503, gone="no route"))
    assert transport(GOOD, b'{"q": 1}', 5) == b'{"NodeNames": ["a"]}'
    for address in (BAD, GONE):
        with pytest.raises(TransportError):
            transport(address, b'{"q": 2}', 5)
    return transport


def test_a_tape_gives_the_same_answers_and_errors_again() -> None:
    text = tape.encode_tape(recorded().tape)
    assert text.count(b"\n") == 3
    replay = tape.ReplayTransport(tape.decode_tape(text))
    assert replay(GOOD, b'{"q": 1}', 5) == b'{"NodeNames": ["a"]}'
    with pytest.raises(TransportError) as bad:
        replay(BAD, b'{"q": 2}', 5)
    assert bad.value.status == 503
    with pytest.raises(TransportError, match="no route") as gone:
        replay(GONE, b'{"q": 2}', 5)
    assert gone.value.status is None


def test_another_question_or_one_too_many_is_told() -> None:
    answers = recorded().tape
    for address, question in ((BAD, b'{"q": 1}'), (GOOD, b'{"q": 9}')):
        with pytest.raises(tape.TapeError, match="answer to another question"):
            tape.ReplayTransport(answers)(address, question, 5)
    with pytest.raises(tape.TapeError, match="has no answer"):
        tape.ReplayTransport([])(GOOD, b"", 5)
