"""The import contracts of .importlinter hold, and each of them bites."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import grimp
import pytest
from importlinter.api import read_configuration
from importlinter.contracts.acyclic_siblings import AcyclicSiblingsContract
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.independence import IndependenceContract
from importlinter.contracts.layers import LayersContract
from importlinter.domain.contract import Contract

from tests.architecture.tree import PACKAGES, ROOT

TYPES: dict[str, type[Contract]] = {
    "acyclic_siblings": AcyclicSiblingsContract,
    "forbidden": ForbiddenContract,
    "independence": IndependenceContract,
    "layers": LayersContract,
}
CONFIGURATION = read_configuration(str(ROOT / ".importlinter"))
CONTRACTS = {options["name"].split(".")[0]: options for options in CONFIGURATION["contracts_options"]}

# One import that each contract forbids: rule, importer, imported.
OFFENCES = [
    ("1a", "scheduler_core.framework.status", "scheduler_core.cache.cache"),
    ("1a", "scheduler_core.queue.heap", "scheduler_core.cache.cache"),
    ("1b", "scheduler_core.errors", "engine.process"),
    ("1c", "playground.models.run", "playground.consumers"),
    ("2", "scheduler_core.scheduler.schedule_one", "time"),
    ("2", "scheduler_core.queue.scheduling_queue", "threading"),
    ("3", "scheduler_core.plugins.node_name", "scheduler_core.plugins.node_ports"),
    ("4", "scheduler_core.plugins.node_name", "scheduler_core.framework.runtime"),
    ("5", "scheduler_core.framework.status", "scheduler_core.framework.interface"),
    ("6", "engine.process", "django.conf"),
    ("7", "engine.process", "scheduler_core.scheduler.schedule_one"),
    ("8", "playground.runs.supervise", "scheduler_core.simulator.simulator"),
    ("9", "playground.consumers", "scheduler_core.trace.events"),
]


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    """Who imports whom, as the files are."""
    return grimp.build_graph(
        *PACKAGES, include_external_packages=True, cache_dir=str(ROOT / ".cache" / "import-linter")
    )


def is_kept(options: dict[str, Any], graph: grimp.ImportGraph) -> bool:
    """Checks one contract on a copy of the graph."""
    contract = TYPES[options["type"]](options["name"], CONFIGURATION["session_options"], options)
    return contract.check(copy.deepcopy(graph), verbose=False).kept


@pytest.mark.parametrize("rule", CONTRACTS)
def test_contract_is_kept(rule: str, graph: grimp.ImportGraph) -> None:
    assert is_kept(CONTRACTS[rule], graph), f"{CONTRACTS[rule]['name']}: see `lint-imports`"


@pytest.mark.parametrize(("rule", "importer", "imported"), OFFENCES)
def test_contract_is_broken_by_an_import_it_forbids(
    rule: str, importer: str, imported: str, graph: grimp.ImportGraph
) -> None:
    offending = copy.deepcopy(graph)
    assert importer in offending.modules
    if imported not in offending.modules:
        offending.add_module(imported.split(".")[0], is_squashed=True)
        imported = imported.split(".")[0]
    offending.add_import(importer=importer, imported=imported)
    if rule == "5":
        offending.add_import(importer=imported, imported=importer)
    assert not is_kept(CONTRACTS[rule], offending)


def test_every_contract_has_an_offence() -> None:
    assert {rule for rule, _, _ in OFFENCES} == set(CONTRACTS)


def test_every_part_of_the_core_is_a_door_or_shut() -> None:
    parts = {
        path.stem for path in (ROOT / "scheduler_core").iterdir() if path.suffix == ".py" or has_modules(path)
    }
    shut = {name.split(".")[1] for name in CONTRACTS["7"]["forbidden_modules"]}
    assert (
        parts - shut
        == {"__init__", "api", "checks", "clock", "config", "errors", "planning", "simulator", "trace"}
        & parts
    )


def has_modules(path: Path) -> bool:
    """Tells whether a folder is a package with something in it."""
    return path.is_dir() and any(path.glob("*.py"))
