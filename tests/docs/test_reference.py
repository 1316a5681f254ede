"""What the documents name is there, and what is there is named."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from scheduler_core.api import Source
from scheduler_core.checks import load_expectations
from scheduler_core.checks.expectations import TYPES
from scheduler_core.checks.warning_kinds import WARNING_KINDS
from tests.architecture.tree import PACKAGES, ROOT, files, relative
from tests.docs.snippets import Snippet, snippets

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
    roots = (ROOT, ROOT / "scheduler_core", ROOT / "scheduler_core/plugins")
    named = {
        path
        for path in NAMED_PATH.findall((ROOT / document).read_text())
        if not path.startswith(("pkg/", "api/v1"))
    }
    assert [path for path in sorted(named) if not any((root / path).exists() for root in roots)] == []


def test_schemas_and_help_stand_in_the_reference_as_they_are() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "reference.py", "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


def test_every_kind_of_warning_and_every_expectation_is_told() -> None:
    text = (ROOT / "docs" / "reference" / "expectations.md").read_text()
    told = dict(re.findall(r"^\| `(\w+)` \| (.+?) \|$", text, re.MULTILINE))
    assert {kind: told.get(kind) for kind in WARNING_KINDS} == WARNING_KINDS
    assert set(TYPES) <= set(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE))


EXPECTING = [
    snippet
    for path in files(".md")
    for snippet in snippets(path, relative(path))
    if snippet.language == "yaml" and "kind: Expectations" in snippet.body
]


@pytest.mark.parametrize("snippet", EXPECTING, ids=str)
def test_expectations_that_are_shown_are_valid(snippet: Snippet) -> None:
    assert load_expectations([Source(str(snippet), snippet.body)]).items
