#!/usr/bin/env python3
"""Writes what docs/reference tells of the code: schemas and the help of every command (--check: whether it is so)."""

import json
import os
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "docs" / "reference"
sys.path.insert(0, str(ROOT))
os.environ["COLUMNS"] = "110"

from engine.cli import COMMANDS, make_parser  # noqa: E402
from scheduler_core.checks import expectations_schema, verdict_schema  # noqa: E402

BLOCK = re.compile(
    r"(^## playground ?(?P<name>\w*)\n\n```text\n)(?P<help>.*?)(^```$)", re.MULTILINE | re.DOTALL
)


def main():
    """Writes or compares all files."""
    wanted = {
        REFERENCE / "expectations.schema.json": as_json(expectations_schema()),
        REFERENCE / "verdict.schema.json": as_json(verdict_schema()),
        REFERENCE / "command-line.md": with_help((REFERENCE / "command-line.md").read_text()),
    }
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text() != text]
    if "--check" in sys.argv[1:]:
        for path in stale:
            print(f"{path.relative_to(ROOT)} is stale: python scripts/reference.py")
        return 1 if stale else 0
    for path in stale:
        path.write_text(wanted[path])
    return 0


def as_json(schema):
    """Returns a schema as it is published."""
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def with_help(text):
    """Returns the page with the help of each command in its block; one that lacks a command is refused."""
    lacking = {"", *COMMANDS} - {match["name"] for match in BLOCK.finditer(text)}
    if lacking:
        sys.exit(f"docs/reference/command-line.md has no block for {sorted(lacking)}")
    return BLOCK.sub(_fresh, text)


def _fresh(match):
    shown = (
        match["help"] if _plain(match["help"]) == _plain(help_of(match["name"])) else help_of(match["name"])
    )
    return match[1] + shown + match[4]


def help_of(name):
    """Returns what a command prints for --help."""
    parser = make_parser(name)
    if not name:
        return parser.format_help()
    (commands,) = (action for action in parser._actions if action.dest == "command")
    return commands.choices[name].format_help()


def _plain(text):
    """Returns a help text without what differs between versions of Python: breaks, and how options are joined."""
    joined = re.sub(r"(-\w) (\S+), (--[\w-]+) \2", r"\1, \3 \2", " ".join(text.split()))
    return joined.replace("optional arguments:", "options:")


if __name__ == "__main__":
    sys.exit(main())
