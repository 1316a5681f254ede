"""The fenced blocks of the documentation, as data.

`console` blocks are run: lines that begin with `$ ` are commands, the lines after one are what it prints; `…`
on a line of its own stands for any lines, within a line for any characters. A block that speaks to
`http://127.0.0.1:8000` gets a server there of its own. `python`, `json` and `yaml` blocks are run or read.
`sh` blocks are shown only: what never ends or changes the machine.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

FENCE = re.compile(
    r"^(?P<indent> *)```(?P<language>[a-z]*)[^\n]*\n(?P<body>.*?)^(?P=indent)```$", re.MULTILINE | re.DOTALL
)
LANGUAGES = {"", "console", "css", "html", "json", "mermaid", "python", "sh", "text", "ts", "yaml"}


@dataclass(frozen=True)
class Snippet:
    """One fenced block."""

    file: str
    line: int
    language: str
    body: str

    def __str__(self) -> str:
        """Names the block in a test's id."""
        return f"{self.file}:{self.line}"


@dataclass(frozen=True)
class Command:
    """One command of a console block with what it is to print."""

    text: str
    expected: str


def snippets(path: Path, name: str) -> list[Snippet]:
    """Returns the fenced blocks of a Markdown file."""
    text = path.read_text()
    found = []
    for match in FENCE.finditer(text):
        indent = match["indent"]
        body = "".join(line.removeprefix(indent) for line in match["body"].splitlines(keepends=True))
        found.append(Snippet(name, text.count("\n", 0, match.start()) + 1, match["language"], body))
    return found


def commands(body: str) -> list[Command]:
    """Returns a console block's commands; a line that ends with a backslash goes on in the next one."""
    found: list[Command] = []
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        lines = part.splitlines(keepends=True)
        end = next(number for number, line in enumerate(lines, 1) if not line.rstrip("\n").endswith("\\"))
        found.append(Command("".join(lines[:end]), "".join(lines[end:])))
    return found


def pattern(expected: str) -> re.Pattern[str]:
    """Returns what the printed text must match as a whole."""
    lines = []
    for line in expected.rstrip().splitlines():
        if line.strip() == "…":
            lines.append(r"(?:[^\n]*\n)*")
        else:
            lines.append(".*".join(map(re.escape, line.rstrip().split("…"))) + r"[ ]*\n")
    return re.compile("".join(lines) + r"\Z")
