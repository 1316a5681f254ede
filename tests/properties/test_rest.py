"""A cluster in which nothing is pending and every workload is at its count stays as it is when it is run."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from engine.sources import read_sources
from scheduler_core.api import canonical, load_manifests
from scheduler_core.simulator import read_scenario
from tests import needs
from tests.conformance.compare import read_cases, scheduling_files
from tests.properties.rest import Played, read
from tests.properties.workloads import lively_cluster, scenario

ROOT = Path(__file__).resolve().parents[2]
FAULTS = ROOT / "tests/inputs/faults"
FILES = [path for path in scheduling_files() if path.name != "extender.jsonl.gz"]
EACH = 1 if "ALL_EXAMPLES" in os.environ else 60
SEEDS = range(500) if "ALL_EXAMPLES" in os.environ else range(40)


WAITING = frozenset({"PodEnqueued", "CycleStarted", "NodesFiltered", "PodUnschedulable"})


def still(played: Played, name: str) -> None:
    """Every dump of what a run left changes nothing when it is run; what was pending is tried again in vain."""
    allowed = WAITING if played.result.num_pending else frozenset[str]()
    for form, objects in played.dumps():
        if form == "without histories" and not played.is_balanced:
            continue  # nobody could tell how many there were of which
        happened = [event for event in played.again(objects).happened if event["type"] not in allowed]
        assert happened == [], (name, form)


@pytest.mark.parametrize("path", sorted(FAULTS.glob("pages/rollback-*.json")), ids=lambda path: path.stem)
def test_an_older_replica_set_that_differs_in_a_field_that_is_not_kept_is_not_rolled_back_to(
    path: Path,
) -> None:
    played = Played(read(path.read_bytes()))
    assert played.happened == []
    still(played, path.name)


def test_a_change_of_the_environment_alone_rolls_out() -> None:
    folder = FAULTS / "cluster"
    edits = read_scenario((folder / "env.scenario.yaml").read_bytes()).edits
    played = Played(read((folder / "env.yaml").read_bytes()), edits=edits)
    sets = [(own.metadata.annotations["deployment.kubernetes.io/revision"], own.spec.replicas)  # type: ignore[union-attr]
            for own in played.simulator.store.list("ReplicaSet")]  # fmt: skip
    assert sorted(sets) == [("1", 0), ("2", 2)]
    assert played.is_balanced
    still(played, "env")


def test_what_random_runs_with_workloads_leave_stays_as_it_is() -> None:
    balanced = 0
    for seed in SEEDS:
        objects, edits = lively_cluster(seed)
        loaded = read(canonical({"kind": "List", "apiVersion": "v1", "items": objects}))
        played = Played(loaded, edits=read_scenario(scenario(edits)).edits, seed=seed)
        if played.is_balanced:
            balanced += 1
            still(played, f"seed {seed}")
    assert balanced > len(SEEDS) * 0.8


def examples() -> list[tuple[Path, Path | None]]:
    folder = ROOT / "examples"
    found: list[tuple[Path, Path | None]] = [(path, None) for path in sorted(folder.glob("*.yaml"))]
    for path in sorted(folder.glob("*/cluster.yaml")):
        found += [(path, None), *((path, each) for each in path.parent.glob("scenario.yaml"))]
    shop = folder / "scenarios/shop.yaml"
    return [*found, *((shop, each if each != shop else None) for each in sorted(shop.parent.glob("*.yaml")))]


@pytest.mark.parametrize(("path", "changes"), examples(), ids=str)
def test_so_does_what_an_example_leaves(path: Path, changes: Path | None) -> None:
    edits = read_scenario(changes.read_bytes()).edits if changes else ()
    played = Played(read(path.read_bytes()), edits=edits)
    if not played.num_refused:
        still(played, path.name)


def without_pending(played: Played) -> list[Any]:
    """What a run left, but for pods that wait for a node and that nobody would make again."""
    (_, objects), *_ = played.dumps()
    pending = {f"Pod/{pod.pod}" for pod in played.result.pending}
    return [item for item in objects if item.key not in pending or item.object.metadata.owner_references]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name.split(".")[0])
def test_and_what_the_recorded_cases_leave(path: Path) -> None:
    for case in read_cases(path)[::EACH]:
        last = {
            (o["kind"], str(o["metadata"].get("namespace")), o["metadata"]["name"]): o
            for o in case["objects"]
        }
        items = {"kind": "List", "apiVersion": "v1", "items": list(last.values())}
        played = Played(read(canonical(items)), config=case.get("config") or "")
        settled = played.again(without_pending(played))
        if settled.is_balanced:
            still(settled, case["name"])


@pytest.mark.parametrize("name", ["seven-nodes.json", "support-bundle.tar.gz"])
def test_and_the_dumps_of_real_clusters(name: str) -> None:
    path = needs.outside(f"dumps/{name}")
    played = Played(load_manifests(read_sources([str(path)])).objects)
    assert played.happened == []
    still(played, name)
