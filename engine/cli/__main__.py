"""``python -m engine.cli``, and what the installed program calls."""

from __future__ import annotations

import gc
import os
import signal
import sys
from typing import NoReturn

from engine.cli import EXIT_BAD_INPUT, EXIT_INTERRUPTED, main, tell_unwritable


def start() -> NoReturn:
    """Runs the command line in a process of its own.

    What is read lives to the end, so nothing is collected until all is read (``reading.collect_again``),
    and the process ends without taking everything apart: on a large cluster that is a fifth of the time.
    """
    gc.disable()
    signal.signal(signal.SIGINT, _interrupt)
    try:
        code = _run()
        sys.stdout.flush()
    except KeyboardInterrupt:
        code = EXIT_INTERRUPTED
    except BrokenPipeError:
        code = 0
    except OSError as wrong:
        code = tell_unwritable(wrong)
    sys.stderr.flush()
    os._exit(code)


def _run() -> int:
    try:
        return main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else EXIT_BAD_INPUT


def _interrupt(*_signal: object) -> NoReturn:
    """Lets the command end in order at the first Ctrl-C, and ends the process at the second."""
    signal.signal(signal.SIGINT, lambda *_signal: os._exit(EXIT_INTERRUPTED))
    raise KeyboardInterrupt


if __name__ == "__main__":
    start()
