"""Templates that differ in fields that are not read are different templates."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scheduler_core.api import scrubbed_edit
from scheduler_core.api.decode import to_plain
from scheduler_core.api.unread import UNREAD
from scheduler_core.simulator import read_scenario
from scheduler_core.simulator.controllers.controller_ref_manager import controller_ref
from tests.core.simulator.controllers.cluster import Cluster, template, workload
from tests.make import make, make_node
from tests.properties.workloads import scenario

NODES = (make_node("n1", cpu="64"), make_node("n2", cpu="64"))
CHANGES: list[dict[str, Any]] = [
    {"command": ["serve", "--loud"]},
    {"env": [{"name": "A", "value": "2"}]},
    {"readinessProbe": {"httpGet": {"port": 80}}},
    {"envFrom": [{"configMapRef": {"name": "other"}}]},
]


def patch_of(**fields: Any) -> dict[str, Any]:
    changed = template()
    changed["spec"]["containers"][0] |= fields
    return {"spec": {"template": changed}}


def sizes(cluster: Cluster) -> list[tuple[str, int]]:
    revision = "deployment.kubernetes.io/revision"
    found = cluster.api.list("ReplicaSet")
    return sorted((own.metadata.annotations[revision], own.spec.replicas) for own in found)


@pytest.mark.parametrize("fields", CHANGES, ids=lambda fields: next(iter(fields)))
def test_a_deployment_rolls_out_what_is_not_read(fields: dict[str, Any]) -> None:
    cluster = Cluster(*NODES, workload("Deployment", replicas=2)).until(5)
    cluster.patch("Deployment", "web", patch_of(**fields))
    assert sizes(cluster.until(60)) == [("1", 0), ("2", 2)]
    assert [UNREAD in pod.metadata.annotations for pod in cluster.pods()] == [False, False]


def test_so_do_sets_of_other_kinds() -> None:
    made = [workload(kind, kind.lower(), replicas=2) for kind in ("StatefulSet",)]
    daemons = workload("DaemonSet", "agent", template=template({"app": "agent"}))
    cluster = Cluster(*NODES, *made, daemons).until(10)
    before = {pod.metadata.uid for pod in cluster.pods()}
    cluster.patch("StatefulSet", "statefulset", patch_of(env=[{"name": "A", "value": "2"}]))
    changed = template({"app": "agent"})
    changed["spec"]["serviceAccountName"] = "agent"
    cluster.patch("DaemonSet", "agent", {"spec": {"template": changed}})
    cluster.until(200)
    assert len(cluster.pods()) == 4
    assert before.isdisjoint(pod.metadata.uid for pod in cluster.pods())


def applied(*edits: Any) -> Cluster:
    cluster = Cluster(*NODES, workload("Deployment", replicas=2))
    cluster.simulator.run(edits=read_scenario(scenario(list(edits))).edits)
    return cluster.until(600)


def manifest(at: str, **fields: Any) -> dict[str, Any]:
    spec = patch_of(**fields)["spec"] | {"replicas": 2, "selector": {"matchLabels": {"app": "web"}}}
    named = {"name": "web", "namespace": "default"}
    raw = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": named, "spec": spec}
    return {"kind": "apply", "at": at, "objects": [raw]}


def test_applying_the_same_again_is_no_rollout_and_applying_the_former_goes_back_to_it() -> None:
    one, two = ([{"name": "A", "value": value}] for value in "12")
    assert sizes(applied(manifest("60s", env=one), manifest("120s", env=one))) == [("1", 0), ("2", 2)]
    again = applied(manifest("60s", env=one), manifest("120s", env=two), manifest("180s", env=one))
    assert sizes(again) == [("1", 0), ("3", 0), ("4", 2)]
    gone = applied(manifest("60s", env=one), manifest("120s"))
    assert sizes(gone) == [("2", 0), ("3", 2)]  # the first template again


def test_an_image_that_is_set_and_set_back_goes_back_to_the_same_replica_set() -> None:
    image = {"kind": "setImage", "object": "Deployment/web"}
    edits = [{**image, "at": "120s", "image": "app:2"}, {**image, "at": "180s", "image": "app:1"}]
    assert sizes(applied(manifest("60s", command=["a"]), *edits)) == [("1", 0), ("3", 0), ("4", 2)]


def test_a_merge_patch_with_containers_says_all_there_is_of_them() -> None:
    cluster = Cluster(*NODES, workload("Deployment", replicas=2)).until(5)
    steps: list[tuple[dict[str, Any], list[tuple[str, int]]]] = [
        (patch_of(command=["a"]), [("1", 0), ("2", 2)]),
        (patch_of(command=["a"]), [("1", 0), ("2", 2)]),
        (patch_of(), [("2", 0), ("3", 2)]),
        (patch_of(command=["a"]), [("3", 0), ("4", 2)]),
        ({"spec": {"replicas": 1}}, [("3", 0), ("4", 1)]),
    ]
    for number, (patch, expected) in enumerate(steps, start=1):
        cluster.patch("Deployment", "web", patch)
        assert sizes(cluster.until(60 * number)) == expected


def test_a_merge_patch_without_containers_makes_another_template_each_time() -> None:
    cluster = Cluster(*NODES, workload("Deployment", replicas=2)).until(5)
    for number in (1, 2):
        cluster.patch("Deployment", "web", {"spec": {"template": {"spec": {"serviceAccountName": "a"}}}})
        assert len(sizes(cluster.until(60 * number))) == number + 1


def test_edits_that_were_stored_without_values_do_the_same() -> None:
    one, two = ([{"name": "A", "value": value}] for value in "12")
    edits = [
        manifest("60s", env=one),
        {"kind": "mergePatch", "at": "120s", "object": "Deployment/web", "patch": patch_of(env=two)},
        {"kind": "mergePatch", "at": "180s", "object": "Deployment/web", "patch": patch_of(env=one)},
    ]
    stored = [scrubbed_edit(edit) for edit in edits]
    assert '"value"' not in json.dumps(stored)
    assert sizes(applied(*stored)) == sizes(applied(*edits)) == [("1", 0), ("3", 0), ("4", 2)]


def test_of_equal_replica_sets_the_one_with_the_deployment_s_revision_is_the_new_one() -> None:
    """As in a cluster that was stored before anybody noted what is not read."""
    revision = "deployment.kubernetes.io/revision"
    deployment = workload("Deployment", replicas=1, metadata={"annotations": {revision: "2"}})
    owner = to_plain(controller_ref(deployment))
    sets = []
    for number, name in enumerate(("web-a", "web-b")):
        labels = {"app": "web", "pod-template-hash": name[-1]}
        raw = {
            "apiVersion": "apps/v1",
            "kind": "ReplicaSet",
            "metadata": {
                "name": name,
                "labels": labels,
                "annotations": {revision: str(number + 1)},
                "creationTimestamp": f"2026-01-0{number + 1}T00:00:00Z",
                "ownerReferences": [owner],
            },
            "spec": {"replicas": number, "selector": {"matchLabels": labels}, "template": template(labels)},
        }
        sets.append(make(raw))
    cluster = Cluster(*NODES, deployment, *sets).until(30)
    assert sizes(cluster) == [("1", 0), ("2", 1)]
