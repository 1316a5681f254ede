"""Cordon, taint, drain, add, remove, lose: who is chosen, what is written, what follows."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.errors import ManifestError
from scheduler_core.simulator.scenario.applying.nodes import new_names
from tests.core.simulator.scenario.scenes import Scene
from tests.make import make, make_node, make_pod

ZONE = "topology.kubernetes.io/zone"
NODES = [make_node(f"n{number}", labels={ZONE: "ab"[number % 2]}) for number in range(4)]


def owned(name: str, node: str, kind: str = "ReplicaSet", **fields: Any) -> Any:
    owner = {"apiVersion": "apps/v1", "kind": kind, "name": "own", "uid": "u", "controller": True}
    spec = {"nodeName": node, "containers": [{"name": "c", "image": "i"}], **fields.pop("spec", {})}
    metadata = {"name": name, "ownerReferences": [owner], "labels": {"app": "x"}, **fields}
    ready = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
    return make({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": ready})


def test_a_cordoned_node_takes_no_pods_until_it_is_uncordoned() -> None:
    scene = Scene(
        [make_node("n1"), make_pod("p")],
        {"kind": "cordon", "nodes": ["n1"]},
        {"kind": "uncordon", "at": "40s", "nodes": ["n1"]},
    )
    (bound,) = scene.of_type("PodBound")
    assert bound["t_us"] > 40_000_000
    assert not scene.node("n1").spec.unschedulable
    assert [event["text"] for event in scene.of_type("EditApplied")] == ["Cordon n1", "Uncordon n1"]


def test_nodes_are_chosen_by_zone_by_labels_or_by_name() -> None:
    scene = Scene(
        NODES,
        {"kind": "cordon", "zone": "a"},
        {
            "kind": "taint",
            "selector": {ZONE: "b"},
            "nodes": ["n1", "n2", "n3"],
            "taint": "gpu=yes:NoSchedule",
        },
    )
    assert [scene.node(f"n{number}").spec.unschedulable for number in range(4)] == [True, False, True, False]
    assert [[taint.key for taint in scene.node(f"n{number}").spec.taints] for number in range(4)] == [
        [], ["gpu"], [], ["gpu"]
    ]  # fmt: skip


def test_a_taint_replaces_the_one_with_its_key_and_effect_and_is_taken_off_by_key() -> None:
    scene = Scene(
        [make_node("n1", taints=["a=1:NoSchedule", "a=1:PreferNoSchedule", "b:NoSchedule"])],
        {"kind": "taint", "nodes": ["n1"], "taint": "a=2:NoSchedule"},
        {"kind": "untaint", "at": "1s", "nodes": ["n1"], "taint": "a:PreferNoSchedule"},
        {"kind": "untaint", "at": "2s", "nodes": ["n1"], "taint": "b"},
    )
    assert [(it.key, it.value, it.effect) for it in scene.node("n1").spec.taints] == [
        ("a", "2", "NoSchedule")
    ]


def test_new_nodes_are_like_their_model_and_numbered_after_the_highest() -> None:
    model = make_node("worker-07", cpu="2", labels={"kubernetes.io/hostname": "worker-07", ZONE: "a"})
    drivers = {"drivers": [{"name": "ebs", "nodeID": "worker-07", "allocatable": {"count": 3}}]}
    csi_node = {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "CSINode",
        "metadata": {"name": "worker-07"},
        "spec": drivers,
    }
    pods = [make_pod(f"p{number}", requests={"cpu": "2"}) for number in range(3)]
    scene = Scene(
        [model, csi_node, *pods],
        {"kind": "addNodes", "at": "20s", "like": "worker-07", "count": 2, "labels": {ZONE: "b"}},
    )
    assert sorted(scene.result.placements.values()) == ["worker-07", "worker-08", "worker-09"]
    added = scene.node("worker-08")
    assert added.metadata.labels == {"kubernetes.io/hostname": "worker-08", ZONE: "b"}
    assert scene.get("CSINode", "worker-09", "").spec.drivers[0].allocatable.count == 3
    told = scene.of_type("NodeAdded")
    assert [event["node"] for event in told] == ["worker-08", "worker-09"]
    assert told[0]["labels"] == added.metadata.labels
    assert told[0]["allocatable"]["cpu"] == added.status.allocatable["cpu"].milli_value()


@pytest.mark.parametrize(
    ("pattern", "count", "taken", "names"),
    [
        ("n{n}", 2, [], ["n1", "n2"]),
        ("pool-{n}.eu", 2, ["pool-3.eu", "pool-9.us", "x"], ["pool-4.eu", "pool-5.eu"]),
        ("n-{n}", 1, ["n-099"], ["n-100"]),
        ("n-{n}", 1, ["n-009"], ["n-010"]),
        ("spare", 1, ["n1"], ["spare"]),
    ],
)
def test_names_follow_the_pattern(pattern: str, count: int, taken: list[str], names: list[str]) -> None:
    assert new_names(pattern, count, taken) == names


def test_a_name_that_is_taken_adds_no_node_at_all() -> None:
    scene = Scene(NODES, {"kind": "addNodes", "like": "n0", "name": "n1"})
    assert scene.refusals == [("addNodes", 'nodes "n1" already exists')]


def test_a_name_that_is_too_long_with_its_number_adds_no_node() -> None:
    scene = Scene([make_node("n" * 253)], {"kind": "addNodes", "like": "n" * 253})
    ((kind, message),) = scene.refusals
    assert kind == "addNodes"
    assert message.startswith('Node "nnn')
    assert message.endswith(": must be no more than 253 characters")


def test_a_removed_node_is_gone() -> None:
    scene = Scene([*NODES, make_pod("p")], {"kind": "removeNodes", "nodes": ["n0", "n1", "n2"]})
    assert scene.result.placements == {"default/p": "n3"}
    assert [event["node"] for event in scene.of_type("NodeDeleted")] == ["n0", "n1", "n2"]


def test_a_lost_node_is_one_of_which_nothing_is_heard_until_it_is_restored() -> None:
    edits = ({"kind": "lose", "zone": "a"}, {"kind": "restore", "at": "9s", "nodes": ["n0"]})
    scene = Scene(NODES, *edits, controllers="all", horizon_us=30_000_000)
    heard = [scene.node(f"n{number}").metadata.annotations for number in range(4)]
    assert heard == [{}, {}, {"scheduler-playground/kubelet": "stopped"}, {}]
    off = Scene(NODES, *edits)
    message = "this takes the node-lifecycle-controller, which is off in this run"
    assert off.refusals == [("lose", message), ("restore", message)]


def test_a_drain_cordons_and_evicts_all_but_daemons_and_mirror_pods() -> None:
    daemon_set = {
        "apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": {"name": "own", "namespace": "default"},
        "spec": {"selector": {"matchLabels": {"app": "x"}}, "template": {"metadata": {"labels": {"app": "x"}}}},
    }  # fmt: skip
    pods = [
        owned("web", "n0"),
        owned("daemon", "n0", "DaemonSet"),
        owned("static", "n0", annotations={"kubernetes.io/config.mirror": "h"}),
        owned("elsewhere", "n1"),
    ]
    scene = Scene([*NODES, daemon_set, *pods], {"kind": "drain", "at": "1s", "nodes": ["n0"]})
    assert sorted(scene.result.placements) == ["default/daemon", "default/elsewhere", "default/static"]
    assert scene.node("n0").spec.unschedulable
    (deleted,) = scene.of_type("PodDeleted")
    assert (deleted["pod"], deleted["reason"], deleted["t_us"]) == ("default/web", "evicted", 1_000_000)
    (drained,) = scene.of_type("NodeDrained")
    assert (drained["node"], drained["t_us"]) == ("n0", 1_000_000)


def test_a_drain_that_kubectl_refuses_does_nothing() -> None:
    alone = make_pod("alone", node="n0")
    scene = Scene([*NODES, alone, owned("web", "n0")], {"kind": "drain", "nodes": ["n0"]})
    assert scene.refusals == [
        ("drain", "cannot delete Pods that declare no controller (use --force to override): default/alone")
    ]
    assert not scene.node("n0").spec.unschedulable
    assert "default/web" in scene.result.placements
    forced = Scene([*NODES, alone], {"kind": "drain", "nodes": ["n0"], "force": True})
    assert forced.result.placements == {}


def test_local_data_stops_a_drain_that_is_told_to_keep_it() -> None:
    pod = owned("web", "n0", spec={"volumes": [{"name": "v", "emptyDir": {}}]})
    edit = {"kind": "drain", "nodes": ["n0"], "deleteEmptyDirData": False}
    assert Scene([*NODES, pod], edit).refusals == [
        (
            "drain",
            "cannot delete Pods with local storage (use --delete-emptydir-data to override): default/web",
        )
    ]


def budget(allowed: int, healthy: int, needed: int) -> dict[str, Any]:
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "keep", "namespace": "default"},
        "spec": {"minAvailable": needed, "selector": {"matchLabels": {"app": "x"}}},
        "status": {"disruptionsAllowed": allowed, "currentHealthy": healthy, "desiredHealthy": needed},
    }


def test_a_drain_that_a_budget_forbids_for_good_ends_and_says_so() -> None:
    scene = Scene([*NODES, owned("web", "n0"), budget(0, 1, 1)], {"kind": "drain", "nodes": ["n0"]})
    ((kind, message),) = scene.refusals
    assert kind == "drain"
    assert message == (
        "the drain did not end: still there: default/web: "
        "The disruption budget keep needs 1 healthy pods and has 1 currently"
    )
    (refused,) = scene.of_type("EvictionRefused")
    assert (refused["pod"], refused["retry_us"]) == ("default/web", 5_000_000)
    assert refused["message"] == "Cannot evict pod as it would violate the pod's disruption budget."
    assert scene.simulator.clock.now_us < 10_000_000


def test_a_drain_goes_on_five_seconds_after_the_budget_gives_way() -> None:
    patch = {"kind": "delete", "at": "12s", "object": "PodDisruptionBudget/keep"}
    scene = Scene([*NODES, owned("web", "n0"), budget(0, 1, 1)], {"kind": "drain", "nodes": ["n0"]}, patch)
    (deleted,) = scene.of_type("PodDeleted")
    assert deleted["t_us"] == 15_000_000
    assert scene.refusals == []


def test_a_drain_gives_up_at_its_timeout() -> None:
    edit = {"kind": "drain", "nodes": ["n0"], "timeout": "8s"}
    later = {"kind": "wait", "at": "20s"}
    scene = Scene([*NODES, owned("web", "n0"), budget(0, 1, 1)], edit, later)
    assert scene.refusals == [("drain", "global timeout reached: 8s; still there: default/web")]
    assert scene.of_type("EditRefused")[0]["t_us"] == 8_000_000


def test_without_eviction_no_budget_is_asked() -> None:
    edit = {"kind": "drain", "nodes": ["n0"], "disableEviction": True}
    scene = Scene([*NODES, owned("web", "n0"), budget(0, 1, 1)], edit)
    assert scene.result.placements == {}


def test_nodes_that_nobody_has_are_an_error_before_the_run() -> None:
    with pytest.raises(ManifestError) as refused:
        Scene(NODES, {"kind": "drain", "nodes": ["n7"]}, {"kind": "lose", "zone": "z"}, {"kind": "cordon"})
    assert [(error.field, error.value, error.message) for error in refused.value.errors] == [
        ("edits[2].nodes", "", "expected nodes, a zone or a selector")
    ]
    with pytest.raises(ManifestError) as refused:
        Scene(NODES, {"kind": "drain", "nodes": ["n7"]}, {"kind": "lose", "zone": "z"})
    assert [(error.field, error.value) for error in refused.value.errors] == [
        ("edits[0].nodes[0]", "n7"),
        ("edits[1].zone", "z"),
    ]
