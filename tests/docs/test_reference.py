"""What the documents name is there, and what is there is named."""

from __future__ import annotations

import re

import pytest

from tests.architecture.tree import PACKAGES, ROOT, files

SETTING = re.compile(r"\benv\.(?:str|int|bool|list|float)\(\s*\"([A-Z_]+)\"")
NAMED_PATH = re.compile(r"`((?:[\w.-]+/)+[\w.-]*)`")


def test_every_setting_is_documented_and_every_documented_one_is_read() -> None:
    read = {
        name
        for package in PACKAGES
        for path in files(".py", below=package)
        for name in SETTING.findall(path.read_text())
    }
    documented = set(
        re.findall(r"^\| `([A-Z_]+)`", (ROOT / "docs/reference/settings.md").read_text(), re.MULTILINE)
    )
    assert documented == read


@pytest.mark.parametrize("document", ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs/fidelity.md"])
def test_every_file_that_is_named_exists(document: str) -> None:
    roots = (ROOT, ROOT / "scheduler_core")
    named = {
        path
        for path in NAMED_PATH.findall((ROOT / document).read_text())
        if not path.startswith(("pkg/", "api/v1"))
    }
    assert [path for path in sorted(named) if not any((root / path).exists() for root in roots)] == []
