from __future__ import annotations

import copy
from typing import Any

import yaml

from scheduler_core.api import LoadedObject, Source, load_manifests
from scheduler_core.simulator import apply_edits, read_edits
from tests.architecture.tree import ROOT

SHOP = (ROOT / "examples" / "scenarios" / "shop.yaml").read_bytes()


def shop() -> list[LoadedObject]:
    return load_manifests([Source("shop", SHOP)]).objects


def by_key(objects: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {f"{raw['kind']}/{raw['metadata']['name']}": raw for raw in objects}


def test_edits_make_another_cluster_of_the_objects_as_they_were_written() -> None:
    before = [item.raw for item in shop()]
    edits = read_edits(
        [
            {"kind": "scale", "at": "2s", "object": "Deployment/shop/web", "replicas": 9},
            {"kind": "scale", "at": "1s", "object": "Deployment/shop/web", "replicas": 3},
            {"kind": "cordon", "nodes": ["a-1"]},
            {"kind": "addNodes", "like": "a-1"},
            {"kind": "delete", "object": "PodDisruptionBudget/shop/web"},
        ]
    )
    edited = apply_edits(shop(), edits)
    assert edited.refused == ()
    old, new = by_key(before), by_key(edited.objects)
    assert new.keys() - old.keys() == {"Node/a-3"}
    assert old.keys() - new.keys() == {"PodDisruptionBudget/web"}
    wanted = copy.deepcopy(old)
    wanted["Deployment/web"]["spec"]["replicas"] = 9
    wanted["Node/a-1"].setdefault("spec", {})["unschedulable"] = True
    changed = {key for key in new.keys() & old.keys() if new[key] != old[key]}
    assert changed == {"Deployment/web", "Node/a-1"}
    assert new["Deployment/web"]["spec"] == wanted["Deployment/web"]["spec"]
    assert new["Node/a-1"]["spec"] == wanted["Node/a-1"]["spec"]


def test_the_same_gives_the_same_and_leaves_its_input_alone() -> None:
    loaded = shop()
    edits = read_edits([{"kind": "drain", "zone": "a"}, {"kind": "addNodes", "like": "b-1", "count": 3}])
    first, second = apply_edits(loaded, edits), apply_edits(loaded, edits)
    assert first == second
    assert [item.raw for item in loaded] == [item.raw for item in shop()]


def test_what_is_refused_changes_nothing() -> None:
    wrong = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": "b-1"},
        "spec": {"taints": [{"key": "k"}]},
    }
    fine = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "new"}}
    other = yaml.safe_load(SHOP)["items"][-1]
    other["spec"]["selector"] = {"matchLabels": {"app": "other"}}
    other["spec"]["template"]["metadata"]["labels"] = {"app": "other"}
    edits: list[dict[str, Any]] = [
        {"kind": "apply", "objects": [fine, other]},
        {"kind": "mergePatch", "object": "Node/b-1", "patch": {"spec": wrong["spec"]}},
        {"kind": "removeNodes", "nodes": ["a-1", "z-1"]},
        {"kind": "addNodes", "like": "a-1", "name": "b-1"},
        {"kind": "lose", "zone": "a"},
    ]
    edited = apply_edits(shop(), read_edits(edits))
    assert [refused.kind for refused in edited.refused] == [edit["kind"] for edit in edits]
    assert edited.objects == apply_edits(shop(), ()).objects
