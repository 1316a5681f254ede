"""What the documentation shows is so: its snippets run and print what stands there."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys

import pytest
import yaml

from tests.architecture.tree import ROOT, files, relative
from tests.docs.snippets import LANGUAGES, Snippet, commands, pattern, snippets

DOCUMENTS = sorted(files(".md"))
SNIPPETS = [snippet for path in DOCUMENTS for snippet in snippets(path, relative(path))]
SERVER = "http://127.0.0.1:8000"


def of(*languages: str) -> list[Snippet]:
    """Returns the blocks in one of the languages."""
    return [snippet for snippet in SNIPPETS if snippet.language in languages]


def environment() -> dict[str, str]:
    """Returns what a reader has after `make`: this project's programs first."""
    path = f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "COLUMNS": "120", "NO_COLOR": "1", "PYTHONUNBUFFERED": "1"}


@pytest.mark.parametrize("snippet", of("console"), ids=str)
def test_console(snippet: Snippet, request: pytest.FixtureRequest) -> None:
    if "curl " in snippet.body and not shutil.which("curl"):
        pytest.skip("needs curl: install it (apt-get install curl)")
    server = request.getfixturevalue("served") if SERVER in snippet.body else SERVER
    for command in commands(snippet.body):
        done = subprocess.run(
            ["bash", "-c", command.text.replace(SERVER, server)],
            cwd=ROOT,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
        )
        printed = "".join(f"{line.rstrip()}\n" for line in done.stdout.replace(server, SERVER).splitlines())
        assert pattern(command.expected).match(printed), f"$ {command.text}printed:\n{printed}"


@pytest.mark.parametrize("snippet", of("python"), ids=str)
def test_python(snippet: Snippet) -> None:
    done = subprocess.run([sys.executable, "-c", snippet.body], cwd=ROOT, env=environment(), timeout=120)
    assert done.returncode == 0


@pytest.mark.parametrize("snippet", of("json", "yaml"), ids=str)
def test_data_can_be_read(snippet: Snippet) -> None:
    assert json.loads(snippet.body) if snippet.language == "json" else list(yaml.safe_load_all(snippet.body))


@pytest.mark.parametrize("path", DOCUMENTS, ids=relative)
def test_every_block_says_its_language_and_every_link_leads_somewhere(path: os.PathLike[str]) -> None:
    document = ROOT / path
    assert {snippet.language for snippet in snippets(document, "")} <= LANGUAGES - {""}
    text = re.sub(r"```.*?```", "", document.read_text(), flags=re.DOTALL)
    links = re.findall(r"(?:\]\(|src(?:set)?=\")(?!https?:|#|mailto:)([^)#\s\"]+)", text)
    assert [link for link in links if not (document.parent / link).exists()] == []
