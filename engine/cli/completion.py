"""``playground completion``: the completion script of a shell.

  bash   source <(playground completion bash)
  zsh    source <(playground completion zsh)
  fish   playground completion fish | source

The scripts ask the command itself what may follow, so that they never grow old.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FILES: Final = ":files"
"""The line that says that names of files may follow."""

_BASH: Final = r"""
_playground() {
    local current="${COMP_WORDS[COMP_CWORD]}" line
    COMPREPLY=()
    while IFS= read -r line; do
        if [[ $line == :files ]]; then
            compopt -o filenames 2>/dev/null
            while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$current")
        else
            COMPREPLY+=("$line")
        fi
    done < <(playground __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _playground playground
"""
_ZSH: Final = r"""
_playground() {
    local -a found
    local line
    for line in ${(f)"$(playground __complete "${(@)words[2,CURRENT]}" 2>/dev/null)"}; do
        if [[ $line == :files ]]; then _files; else found+=("$line"); fi
    done
    compadd -a found
}
compdef _playground playground
"""
_FISH: Final = r"""
function __playground_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in (playground __complete $words[2..-1] 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path (commandline -ct)
        else
            echo $line
        end
    end
end
complete -c playground -f -a '(__playground_complete)'
"""
SCRIPTS: Final = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    parser.add_argument("shell", choices=tuple(SCRIPTS))


def execute(options: argparse.Namespace) -> int:
    """Prints the script."""
    sys.stdout.write(SCRIPTS[options.shell].lstrip("\n"))
    return 0


def candidates(words: Sequence[str]) -> Iterator[str]:
    """Yields what may stand where the last word is begun.

    Args:
        words: those after the program's name; the last one may be empty.
    """
    from engine.cli import COMMANDS, make_parser

    *before, current = words or [""]
    command = next((word for word in before if not word.startswith("-")), "")
    if command not in COMMANDS:
        yield from (name for name in (*COMMANDS, "--help", "--version") if name.startswith(current))
        return
    parser = _command_parser(make_parser(command), command)
    option = parser._option_string_actions.get(before[-1]) if before else None
    if option is not None and option.nargs != 0:
        yield from _values(option, current)
        return
    if not current.startswith("-"):
        for action in parser._actions:
            if not action.option_strings:
                yield from _values(action, current)
    yield from (name for name in sorted(parser._option_string_actions) if name.startswith(current or "--"))


def _command_parser(parser: argparse.ArgumentParser, command: str) -> argparse.ArgumentParser:
    (commands,) = (each for each in parser._actions if isinstance(each, argparse._SubParsersAction))
    found: argparse.ArgumentParser = commands.choices[command]
    return found


def _values(action: Any, current: str) -> Iterator[str]:
    if action.choices is not None:
        yield from (choice for choice in action.choices if str(choice).startswith(current))
    elif action.metavar in ("FILE", "FORMAT=FILE"):
        yield FILES
