"""The command ``playground``: no server, no database.

Data alone goes to stdout, everything else to stderr. Exit codes: 0 done, 2 bad input or usage, 4 internal error.
"""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from typing import TYPE_CHECKING, Final

from engine.cli import redact, run, validate
from scheduler_core.api import ManifestError

if TYPE_CHECKING:
    from collections.abc import Sequence

EXIT_BAD_INPUT: Final = 2
EXIT_INTERNAL: Final = 4


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and gives its exit code."""
    parser = argparse.ArgumentParser(
        prog="playground", description="What kube-scheduler would do, without a cluster."
    )
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in (run, validate, redact):
        command.add_parser(commands)
    options = parser.parse_args(arguments)
    try:
        code: int = options.execute(options)
        sys.stdout.flush()
    except ManifestError as wrong:
        for error in wrong.errors:
            print(error.sentence(), file=sys.stderr)
        return EXIT_BAD_INPUT
    except BrokenPipeError:  # whoever read our output has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception:
        traceback.print_exc()
        print("playground: this is a fault of the program, not of your input", file=sys.stderr)
        return EXIT_INTERNAL
    return code
