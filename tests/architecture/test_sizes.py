"""Modules and functions stay small enough to be read at once."""

from __future__ import annotations

import ast
import statistics
from pathlib import Path

import pytest

from tests.architecture.tree import PACKAGES, files, is_written_by_hand, relative

MAX_LINES_OF_A_MODULE = 400
MAX_MEDIAN = 120
MAX_LINES_OF_A_FUNCTION = 60


def num_lines(path: Path) -> int:
    return len(path.read_text().splitlines())


def functions(path: Path) -> list[tuple[str, int]]:
    """Returns each function of a module with its number of lines."""
    return [
        (f"{relative(path)}:{node.lineno} {node.name}", (node.end_lineno or node.lineno) - node.lineno + 1)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def test_no_module_is_over_400_lines() -> None:
    modules = filter(is_written_by_hand, files(".py", ".ts", ".mjs"))
    too_long = {
        relative(path): num_lines(path) for path in modules if num_lines(path) > MAX_LINES_OF_A_MODULE
    }
    assert not too_long


@pytest.mark.parametrize(
    ("folder", "suffix"), [*((name, ".py") for name in PACKAGES), ("frontend/src", ".ts")]
)
def test_the_median_module_has_at_most_120_lines(folder: str, suffix: str) -> None:
    modules = filter(is_written_by_hand, files(suffix, below=folder))
    sizes = [size for size in map(num_lines, modules) if size > 1]
    assert statistics.median(sizes or [0]) <= MAX_MEDIAN


def test_no_function_is_over_60_lines() -> None:
    modules = filter(is_written_by_hand, files(".py"))
    too_long = [
        (name, size) for path in modules for name, size in functions(path) if size > MAX_LINES_OF_A_FUNCTION
    ]
    assert not too_long
