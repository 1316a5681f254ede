"""The command ``playground``: what kube-scheduler would do, without a cluster, a server or a database.

Data alone goes to stdout, progress and notes to stderr. Each command is imported only when it is the one.
"""

from __future__ import annotations

import argparse
import errno
import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Final, NoReturn

if TYPE_CHECKING:
    from collections.abc import Sequence

EXIT_HOLDS: Final = 0
EXIT_FAILS: Final = 1
EXIT_BAD_INPUT: Final = 2
EXIT_TOO_OLD: Final = 3
EXIT_INTERNAL: Final = 4
EXIT_INTERRUPTED: Final = 130
EXIT_CODES: Final = """\
exit codes:
  0  done; of a check: all expectations hold
  1  of a check: some do not; of a diff or compare: there are differences
  2  bad input or usage
  3  the snapshot is older than it may be, or of unknown age
  4  internal error (--debug shows where)
"""
_NO_SPACE: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
ASK: Final = "__complete"
COMMANDS: Final = {
    "check": "do these manifests still fit this cluster?",
    "run": "place the pending pods of a dump",
    "explain": "why a pod is where it is, or why it has no node",
    "diff": "what a change moves: placements with and without it",
    "compare": "where two runs part, and what became of their pods",
    "capacity": "how much more fits, what is missing, what could go, what would help",
    "validate": "judge manifests as the API server does",
    "redact": "rename all that tells whose cluster it is",
    "serve": "start the application with its pages and its API",
    "completion": "print the completion script of a shell",
}


class Parser(argparse.ArgumentParser):
    """Says in one line what is wrong with the usage, and where help is."""

    def error(self, message: str) -> NoReturn:
        sys.stderr.write(f"{self.prog}: {message}\nSee '{self.prog} --help'.\n")
        sys.exit(EXIT_BAD_INPUT)


def make_parser(*wanted: str, prog: str = "playground") -> argparse.ArgumentParser:
    """Returns the parser; only the commands that are wanted have their options.

    Args:
        wanted: names of commands.
        prog: what the program is called.
    """
    parser = Parser(
        prog=prog,
        description="What kube-scheduler would do, without a cluster.",
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="store_true", help="print the version and end")
    commands = parser.add_subparsers(metavar="COMMAND", dest="command", parser_class=Parser)
    for name, help_ in COMMANDS.items():
        if name not in wanted:
            commands.add_parser(name, help=help_, add_help=False)
            continue
        module = import_module(f"engine.cli.{name}")
        command = commands.add_parser(
            name,
            help=help_,
            description=(module.__doc__ or "").replace("``", ""),
            epilog=EXIT_CODES,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.add_argument("--debug", action="store_true", help="show where an internal error arose")
        module.add_arguments(command)
        command.set_defaults(execute=module.execute)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and gives its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    prog = "kubectl playground" if sys.argv[0].endswith("kubectl-playground") else "playground"
    if given[:1] == [ASK]:
        return _complete(given[1:])
    name = next((each for each in given if not each.startswith("-")), "")
    parser = make_parser(name, prog=prog)
    options = parser.parse_args(given)
    if options.version:
        return _print_version()
    if not options.command:
        parser.error("a command is needed")
    return _execute(options)


def _complete(words: Sequence[str]) -> int:
    """Prints what may follow on the words of a command line, one a line; for the scripts of the shells."""
    from engine.cli.completion import candidates  # needed only here

    sys.stdout.write("".join(f"{each}\n" for each in candidates(words)))
    return 0


def _print_version() -> int:
    from importlib.metadata import version  # it takes longer to import than all else here

    sys.stdout.write(f"scheduler-playground {version('scheduler-playground')} (kube-scheduler v1.34.1)\n")
    return 0


def _execute(options: argparse.Namespace) -> int:
    """Runs a command; whatever goes wrong becomes a sentence and an exit code."""
    from scheduler_core.errors import ManifestError  # once the usage was judged

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
    except KeyboardInterrupt:
        print("playground: interrupted", file=sys.stderr)
        return EXIT_INTERRUPTED
    except OSError as wrong:
        if wrong.errno not in _NO_SPACE:
            _tell_internal(wrong, debug=options.debug)
            return EXIT_INTERNAL
        return tell_unwritable(wrong)
    except Exception as wrong:
        _tell_internal(wrong, debug=options.debug)
        return EXIT_INTERNAL
    return code


def tell_unwritable(wrong: OSError) -> int:
    """Says that the output could not be written, as on a full disk, and returns the exit code."""
    print(f"playground: the output cannot be written: {wrong.strerror}", file=sys.stderr)
    return EXIT_BAD_INPUT


def _tell_internal(wrong: Exception, *, debug: bool) -> None:
    if debug:
        import traceback  # hardly ever needed

        traceback.print_exception(wrong)
    print(f"playground: internal error: {type(wrong).__name__}: {wrong}", file=sys.stderr)
    print("This is a fault of the program, not of your input; --debug shows where.", file=sys.stderr)
