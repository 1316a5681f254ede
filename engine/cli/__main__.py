"""``python -m engine.cli``, and what the installed program calls."""

from __future__ import annotations

import gc
import os
import sys
from typing import NoReturn

from engine.cli import main


def start() -> NoReturn:
    """Runs the command line in a process of its own.

    What is read lives to the end, so nothing is collected until all is read (``reading.collect_again``),
    and the process ends without taking everything apart: on a large cluster that is a fifth of the time.
    """
    gc.disable()
    try:
        code = main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 2
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    start()
