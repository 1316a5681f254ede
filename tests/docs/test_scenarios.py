"""The reference of scenarios: every edit stands there with its fields, and every example runs."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
import yaml

from scheduler_core.api import Source, load_manifests
from scheduler_core.config import load_config
from scheduler_core.simulator import DEFAULT, RunResult, Simulator, read_scenario
from scheduler_core.simulator.scenario.edits import EDITS, Edit, NodeEdit
from tests.architecture.tree import ROOT
from tests.docs.snippets import Snippet, snippets

FOLDER = ROOT / "docs" / "reference" / "scenarios"
SHOP = ROOT / "examples" / "scenarios" / "shop.yaml"
EXAMPLES = [
    snippet
    for path in sorted(FOLDER.glob("*.md"))
    for snippet in snippets(path, path.name)
    if snippet.language == "yaml"
]


def run(text: str) -> RunResult:
    objects = [item.object for item in load_manifests([Source("shop", SHOP.read_bytes())]).objects]
    scenario = read_scenario(text, objects=objects)
    changes: dict[str, Any] = {"horizon_us": scenario.horizon_us, "controllers": scenario.controllers}
    options = msgspec.structs.replace(
        DEFAULT, **{name: value for name, value in changes.items() if value is not None}
    )
    simulator = Simulator(load_config(""), options)
    if scenario.question.has_selection:  # the shop's pods are made first
        simulator.load(objects)
        simulator.run()
        objects = [it for kind in ("Node", "Pod") for it in simulator.store.list(kind)]
        simulator = Simulator(load_config(""), options)
    simulator.load(objects, scenario.question)
    return simulator.run(edits=scenario.edits)


def sections() -> dict[str, str]:
    """Each edit's part of its page."""
    found = {}
    for path in sorted(FOLDER.glob("*.md")):
        for part in re.split(r"^## ", path.read_text(), flags=re.MULTILINE)[1:]:
            title, _, body = part.partition("\n")
            if title in EDITS:
                found[title] = body
    return found


@pytest.mark.parametrize("snippet", EXAMPLES, ids=str)
def test_every_example_of_the_reference_runs_and_nothing_is_refused(snippet: Snippet) -> None:
    result = run(snippet.body)
    assert result.refused_edits == ()
    assert result.refused == ()


def test_every_edit_has_its_section_with_an_example_of_its_own() -> None:
    found = sections()
    assert set(found) == set(EDITS)
    for kind, body in found.items():
        (block,) = re.findall(r"```yaml\n(.*?)```", body, re.DOTALL)
        assert kind in [edit["kind"] for edit in yaml.safe_load(block)["edits"]], kind


@pytest.mark.parametrize("kind", sorted(EDITS))
def test_every_field_of_an_edit_is_told(kind: str) -> None:
    of_all = {field.encode_name for base in (Edit, NodeEdit) for field in msgspec.structs.fields(base)}
    own = {field.encode_name for field in msgspec.structs.fields(EDITS[kind])} - of_all
    told = re.findall(r"^\| `(\w+)` \|", sections()[kind], re.MULTILINE)
    assert set(told) == own


def test_the_overview_names_every_edit() -> None:
    text = (FOLDER / "README.md").read_text()
    (table,) = re.findall(r"^\| edit \|.*?(?=^$)", text, re.MULTILINE | re.DOTALL)
    assert set(re.findall(r"`(\w+)`", re.sub(r"\|[^|]*\|[^|]*\|$", "|", table, flags=re.MULTILINE))) == set(
        EDITS
    )
