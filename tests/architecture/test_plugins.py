"""A plugin file always reads the same: its source, its name, its class in extension-point order, `new`."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.architecture.tree import files, relative

FOLDER = "scheduler_core/plugins"
EXTENSION_POINTS = [
    "sign_pod", "pre_enqueue", "less", "pre_filter", "add_pod", "remove_pod", "filter", "post_filter", "pre_score",
    "score", "normalize_score", "reserve", "unreserve", "permit", "pre_bind_pre_flight", "pre_bind", "bind",
    "post_bind", "events_to_register",
]  # fmt: skip


def plugin_modules() -> list[Path]:
    """Returns the modules that make a plugin: those with a `new` at their top level."""
    return [path for path in files(".py", below=FOLDER) if "new" in top_level(path)]


def top_level(path: Path) -> dict[str, ast.stmt]:
    """Returns the functions, classes and constants of a module by name."""
    found: dict[str, ast.stmt] = {}
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found[node.name] = node
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found[node.target.id] = node
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = node
    return found


@pytest.mark.parametrize("path", plugin_modules(), ids=relative)
def test_plugin_names_its_source_and_itself(path: Path) -> None:
    docstring = ast.get_docstring(ast.parse(path.read_text())) or ""
    assert re.search(r"Source\W+pkg/scheduler/framework/plugins/\S+\.go\b.*v1\.34\.1", docstring)
    names = list(top_level(path))
    assert names.index("NAME") < names.index("new")


@pytest.mark.parametrize("path", plugin_modules(), ids=relative)
def test_plugin_s_methods_stand_in_extension_point_order(path: Path) -> None:
    for node in top_level(path).values():
        if isinstance(node, ast.ClassDef):
            methods = [item.name for item in node.body if isinstance(item, ast.FunctionDef)]
            points = [EXTENSION_POINTS.index(name) for name in methods if name in EXTENSION_POINTS]
            assert points == sorted(points), node.name
