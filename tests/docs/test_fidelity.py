"""A deviation from kube-scheduler stands in docs/fidelity.md together with a test that pins it."""

from __future__ import annotations

import re

from tests.architecture.tree import ROOT


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
