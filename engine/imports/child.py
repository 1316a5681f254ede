"""An import in a process of its own: it may take a core and its memory, and ends when told to."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from http import HTTPStatus
from typing import Final

import msgspec

from engine import frames
from engine.imports.reading import Stage, read_cluster
from engine.imports.rows import error_item
from engine.imports.wire import BATCH_ROWS, pack_rows, unpack_import
from scheduler_core.api import ManifestError

REFUSED: Final = "The input was refused; nothing was stored."
EXIT_REFUSED: Final = 2
_TELL_SECONDS: Final = 0.2


def run_import(payload: bytes, stdout: frames.Writable, is_cancelled: Callable[[], bool]) -> int:
    """Reads what an IMPORT frame holds and writes its rows, the summary last."""
    files, options = unpack_import(payload)
    del payload
    stage = Stage()
    over = threading.Event()
    teller = threading.Thread(target=_tell, args=(stage, stdout, is_cancelled, over), daemon=True)
    teller.start()
    try:
        imported = read_cluster(files, options, stage)
    except ManifestError as wrong:
        refusal = {
            "status": "failed",
            "message": REFUSED,
            "code": status_of(wrong),
            "errors": [error_item(error) for error in wrong.errors],
        }
        over.set()
        teller.join()
        frames.write_frame(stdout, frames.REFUSED, msgspec.json.encode(refusal))
        return EXIT_REFUSED
    over.set()
    teller.join()
    del files
    rows = imported.rows
    for start in range(0, len(rows), BATCH_ROWS):
        if is_cancelled():
            return 0
        frames.write_frame(stdout, frames.ROWS, pack_rows(len(rows), rows[start : start + BATCH_ROWS]))
    end = {"status": "finished", "name": imported.name, "summary": imported.summary}
    frames.write_frame(stdout, frames.RESULT, msgspec.json.encode(end))
    return 0


def status_of(wrong: ManifestError) -> int:
    """Returns the HTTP status of a refusal: too large, or wrong."""
    too_large = any(error.type == "Limit" and error.document == 0 for error in wrong.errors)
    return HTTPStatus.REQUEST_ENTITY_TOO_LARGE if too_large else HTTPStatus.UNPROCESSABLE_ENTITY


def _tell(
    stage: Stage, stdout: frames.Writable, is_cancelled: Callable[[], bool], over: threading.Event
) -> None:
    """Says how far it is until it is over; ends the process at once when it is told to."""
    while not over.wait(_TELL_SECONDS):
        if is_cancelled():
            os._exit(0)
        frames.write_frame(stdout, frames.PROGRESS, msgspec.json.encode(stage.as_progress()))
