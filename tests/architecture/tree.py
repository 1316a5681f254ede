"""The repository's own files, found without git."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("scheduler_core", "engine", "playground")
NOT_OURS = {
    ".git", ".venv", ".cache", "__pycache__", "node_modules", "dist", "var", "staticfiles", "test-results",
    "coverage",
}  # fmt: skip


def files(*suffixes: str, below: str = ".") -> Iterator[Path]:
    """Yields the files below a folder that have one of the suffixes, in order; nothing installed or built."""
    for parent, folders, names in os.walk(ROOT / below):
        folders[:] = sorted(name for name in folders if name not in NOT_OURS)
        for name in sorted(names):
            if name.endswith(suffixes):
                yield Path(parent) / name


def relative(path: Path) -> str:
    """Returns a file's path below the repository."""
    return path.relative_to(ROOT).as_posix()


def is_written_by_hand(path: Path) -> bool:
    """Tells modules from migrations and generated code."""
    return "migrations" not in path.parts and ".gen." not in path.name
