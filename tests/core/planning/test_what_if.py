"""A cluster with and without edits."""

from __future__ import annotations

from typing import Any

from scheduler_core.api.kinds import KubeObject
from scheduler_core.config import load_config
from scheduler_core.planning.what_if import Changes, Moved, Placed, what_if
from scheduler_core.simulator import read_edits, read_question
from tests.make import make, make_node, make_pod

CONFIG = load_config("")


def change(cluster: list[KubeObject], *edits: dict[str, Any], ask: dict[str, Any] | None = None) -> Changes:
    planned = read_edits(edits, objects=cluster)
    return what_if(cluster, planned, CONFIG, question=read_question(ask)).changes


def two_nodes() -> list[KubeObject]:
    return [
        make_node("n1", cpu="4"),
        make_node("n2", cpu="4"),
        make_pod("a", requests={"cpu": "3"}, node="n1"),
        make_pod("b", requests={"cpu": "3"}, node="n2"),
        make_pod("waits", requests={"cpu": "2"}),
    ]


def test_without_edits_nothing_changes() -> None:
    found = change(two_nodes())
    assert found.text == "Nothing changes"
    assert found.newly_pending == found.moved == found.gone == ()


def test_a_new_node_rescues_who_waited() -> None:
    found = change(two_nodes(), {"kind": "addNodes", "like": "n1", "count": 1})
    assert found.text == "1 rescued"
    (rescued,) = found.rescued
    assert rescued.pod == "default/waits"
    assert rescued.node not in ("n1", "n2")


def test_a_pod_that_is_deleted_is_gone_and_its_room_is_taken() -> None:
    found = change(two_nodes(), {"kind": "delete", "object": "Pod/default/a"})
    assert found.text == "1 rescued, 1 gone"
    assert found.gone == ("default/a",)
    assert found.rescued == (Placed("default/waits", "n1"),)


def test_pods_that_are_applied_are_new_or_newly_pending() -> None:
    pods = [
        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": name},
            "spec": {"containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": cpu}}}]},
        }
        for name, cpu in (("small", "500m"), ("huge", "9"))
    ]
    found = change(two_nodes(), {"kind": "apply", "objects": pods})
    assert found.text == "1 newly pending, 1 new"
    assert [pod.pod for pod in found.newly_pending] == ["default/huge"]
    assert [placed.pod for placed in found.new] == ["default/small"]


def test_rescheduling_moves_what_it_asks_about() -> None:
    cluster = [
        make_node("n1", cpu="4"),
        make_node("n2", cpu="4"),
        make_pod("a", requests={"cpu": "1"}, node="n1"),
        make_pod("b", requests={"cpu": "2"}, node="n1"),
    ]
    found = change(cluster, ask={"ask": "reschedule", "pods": ["default/a"]})
    assert found.moved == (Moved("default/a", "n1", "n2"),)
    assert found.text == "1 moved"


def test_a_drained_node_s_pods_come_back_under_other_names() -> None:
    labels = {"app": "web"}
    template = {
        "metadata": {"labels": labels},
        "spec": {"containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "1"}}}]},
    }
    replica_set = make(
        {
            "apiVersion": "apps/v1",
            "kind": "ReplicaSet",
            "metadata": {"name": "web", "namespace": "default", "uid": "rs-1"},
            "spec": {"replicas": 2, "selector": {"matchLabels": labels}, "template": template},
        }
    )
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web", "uid": "rs-1", "controller": True}
    pods = [
        make(
            {
                "apiVersion": "v1",
                "kind": "Pod",
                "metadata": {"name": f"web-{k}", "labels": labels, "ownerReferences": [owner]},
                "spec": {"nodeName": "n1", **template["spec"]},
                "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]},
            }
        )
        for k in range(2)
    ]
    found = change(
        [make_node("n1", cpu="4"), make_node("n2", cpu="1500m"), replica_set, *pods],
        {"kind": "drain", "nodes": ["n1"]},
    )
    assert found.text == "1 newly pending, 1 moved"
    (moved,) = found.moved
    assert (moved.before, moved.after) == ("n1", "n2")
    assert moved.pod in ("default/web-0", "default/web-1")
    assert moved.instead.startswith("default/web-")
    assert found.newly_pending[0].message.startswith("0/2 nodes are available: 1 Insufficient cpu")


def test_an_edit_that_is_refused_is_told() -> None:
    found = change(
        two_nodes(), {"kind": "mergePatch", "object": "Pod/default/a", "patch": {"spec": {"nodeName": "n2"}}}
    )
    assert found.text == "Nothing changes"
    (refused,) = found.refused
    assert refused.edit == 1
    assert "pod updates may not change fields other than" in refused.message
