"""A deviation from kube-scheduler stands in docs/fidelity.md together with a test that pins it."""

from __future__ import annotations

import re

from tests.architecture.tree import ROOT
from tests.conformance import coverage


def test_every_deviation_names_a_test_that_exists() -> None:
    section = (ROOT / "docs" / "fidelity.md").read_text().split("## Where we differ")[1].split("\n## ")[0]
    rows = [
        line
        for line in section.splitlines()
        if line.startswith("| ") and not line.startswith(("| what", "| ---"))
    ]
    for row in rows:
        named = re.search(r"`(tests/[\w/]+\.py)::(\w+)`", row)
        assert named, f"no test in: {row}"
        assert f"def {named[2]}(" in (ROOT / named[1]).read_text(), row


def test_the_counts_are_those_of_the_recorded_cases() -> None:
    """`make conformance` shows that all of them agree."""
    page = (ROOT / "docs" / "fidelity.md").read_text()
    assert page.split(coverage.BEGIN)[1].split(coverage.END)[0].strip() == coverage.tables()


def test_every_deviation_in_the_tests_stands_on_the_page() -> None:
    page = (ROOT / "docs" / "fidelity.md").read_text()
    path = "tests/core/simulator/test_deviations.py"
    for name in re.findall(r"^def (test_\w+)", (ROOT / path).read_text(), re.MULTILINE):
        assert f"`{path}::{name}`" in page
