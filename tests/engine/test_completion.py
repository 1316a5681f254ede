"""What the shells are told may follow."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from engine.cli import COMMANDS, main
from engine.cli.completion import FILES, SCRIPTS, candidates
from scheduler_core.checks.reports import FORMATS
from tests import needs

BIN = Path(__file__).parents[2] / ".venv" / "bin"


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ([""], [*COMMANDS, "--help", "--version"]),
        (["re"], ["redact"]),
        (["check", "--for"], ["--format"]),
        (["check", "--format", ""], list(FORMATS)),
        (["check", "--format", "j"], ["json", "junit"]),
        (["check", "-f", "ap"], [FILES]),
        (["check", "--orders", ""], []),
        (["completion", "z"], ["zsh"]),
        (["walk", ""], [*COMMANDS, "--help", "--version"]),
    ],
)
def test_candidates(words: list[str], found: list[str]) -> None:
    assert list(candidates(words)) == found


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_completes_its_options(command: str) -> None:
    assert "--help" in list(candidates([command, "--"]))


ASKED = [
    ("playground val", ["validate"]),
    ("playground check --format sa", ["sarif"]),
    ("playground check --format ", list(FORMATS)),
    ("playground check -f ap", ["app one.yaml", "app.yaml"]),
    ("playground check --ser", ["--server"]),
    ("playground check --orders ", []),
]
"""What is typed before the tabulator, and what the shell then offers."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("app.yaml", "app one.yaml", "other.yaml"):
        (tmp_path / name).touch()
    return tmp_path


def said_by(shell: Sequence[str], script: str, folder: Path) -> list[str]:
    """Returns the lines that a shell prints."""
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "HOME": str(folder), "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        [*shell, script], cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


@pytest.mark.parametrize(("line", "offered"), ASKED)
def test_bash_offers(line: str, offered: list[str], folder: Path) -> None:
    words = line.split(" ")
    script = f"""
        source <(playground completion bash)
        COMP_WORDS=({" ".join(f"'{word}'" for word in words)}) COMP_CWORD={len(words) - 1}
        _playground
        for each in "${{COMPREPLY[@]}}"; do printf '%s\\n' "$each"; done
    """
    assert sorted(said_by([needs.shell("bash"), "--norc", "-c"], script, folder)) == sorted(offered)


@pytest.mark.parametrize(("line", "offered"), ASKED)
def test_fish_offers(line: str, offered: list[str], folder: Path) -> None:
    script = f"playground completion fish | source; complete -C '{line}'"
    told = said_by([needs.shell("fish"), "--no-config", "-c"], script, folder)
    assert sorted(told) == sorted(offered)


ZSHRC = r"""
PS1= PS2= RPS1=
autoload -Uz compinit && compinit -D -u
source <(playground completion zsh)
offer() {
    compadd() { local -a caught; builtin compadd -O caught "$@"; print -rl -- $caught >> offered }
    _main_complete
    unfunction compadd
    print -r -- "<<offered>>"
}
zle -C offer complete-word offer
bindkey '^T' offer
"""
"""A zsh that writes down what it would offer."""

ZSH = r"""
zmodload zsh/zpty
zpty shell ZDOTDIR=$PWD zsh -d -i
zpty -n -w shell "$LINE"$'\x14'
zpty -r shell told '*<<offered>>*'
"""


@pytest.mark.parametrize(("line", "offered"), ASKED)
def test_zsh_offers(line: str, offered: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / ".zshrc").write_text(ZSHRC)
    monkeypatch.setenv("LINE", line)
    said_by([needs.shell("zsh"), "-f", "-c"], ZSH, folder)
    told = (folder / "offered").read_text().replace("\\ ", " ").splitlines()
    assert sorted({each for each in told if each}) == sorted(offered)


@pytest.mark.parametrize("shell", SCRIPTS)
def test_every_script_asks_the_command(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    assert "playground __complete" in capsys.readouterr().out


def test_asking_loads_no_more_than_the_command_line() -> None:
    code = (
        "import sys; from engine.cli import main; main(['__complete', 'check', '--fo']);"
        "sys.exit('numpy' in sys.modules)"
    )
    done = subprocess.run([BIN / "python", "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "--format\n")
