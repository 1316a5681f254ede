"""What the shells are told may follow."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from engine.cli import COMMANDS, main
from engine.cli.completion import FILES, SCRIPTS, candidates
from scheduler_core.checks.reports import FORMATS

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


def complete(line: str, folder: Path) -> list[str]:
    """Completes a line in bash as the tabulator does."""
    words = line.split(" ")
    script = f"""
        source <(playground completion bash)
        COMP_WORDS=({" ".join(f"'{word}'" for word in words)}) COMP_CWORD={len(words) - 1}
        _playground
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "--norc", "-c", script],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split()


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_completes_options_values_and_files(tmp_path: Path) -> None:
    (tmp_path / "app.yaml").touch()
    assert complete("playground val", tmp_path) == ["validate"]
    assert complete("playground check --format sa", tmp_path) == ["sarif"]
    assert complete("playground check -f ap", tmp_path) == ["app.yaml"]


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
