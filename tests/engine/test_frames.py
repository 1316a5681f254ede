from __future__ import annotations

import io

import pytest

from engine import frames


def test_frames_come_back_as_they_were_written() -> None:
    stream = io.BytesIO()
    frames.write_frame(stream, frames.EVENTS, frames.pack_events(501, 1000), b"a\n", b"b")
    frames.write_frame(stream, frames.DETAIL, frames.pack_cycle(7), b"{}")
    frames.write_frame(stream, frames.CANCEL)
    stream.seek(0)
    events, detail, cancel = (frames.read_frame(stream) for _ in range(3))
    assert events is not None
    assert detail is not None
    assert frames.unpack_events(events.payload) == (501, 1000, b"a\nb")
    assert frames.unpack_detail(detail.payload) == (7, b"{}")
    assert cancel == (b"K", b"")
    assert frames.read_frame(stream) is None


@pytest.mark.parametrize("length", [1, 4, 6])
def test_a_stream_that_ends_within_a_frame_is_told(length: int) -> None:
    stream = io.BytesIO()
    frames.write_frame(stream, frames.JOB, b"1234")
    with pytest.raises(frames.BrokenFrameError):
        frames.read_frame(io.BytesIO(stream.getvalue()[:length]))
