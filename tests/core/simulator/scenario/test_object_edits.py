"""Apply, merge patch, delete, label, scale, images, requests: what each writes and what each refuses."""

from __future__ import annotations

import copy
from typing import Any

from tests.core.simulator.scenario.scenes import Scene, deployment
from tests.make import make_node, make_pod

NODE = make_node("n1", cpu="4")
POD = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "late"},
    "spec": {"containers": [{"name": "main", "image": "app:1", "resources": {"requests": {"cpu": "1"}}}]},
}


def containers_of(scene: Scene, name: str = "web") -> Any:
    return scene.get("Deployment", name).spec.template.spec.containers


def test_apply_creates_a_pod_at_its_time_and_it_is_scheduled() -> None:
    scene = Scene([NODE], {"kind": "apply", "at": "10s", "objects": [POD]})
    assert scene.result.placements == {"default/late": "n1"}
    times = {event["type"]: event["t_us"] for event in scene.events}
    assert times["EditApplied"] == times["PodCreated"] == 10_000_000
    assert times["CycleStarted"] == 10_001_000
    (applied,) = scene.of_type("EditApplied")
    assert (applied["edit"], applied["kind"], applied["text"]) == (1, "apply", "Apply Pod/late")
    (created,) = scene.of_type("PodCreated")
    assert (created["pod"], created["by"], created["requests"]) == ("default/late", "edit", {"cpu": 1000})


def test_apply_sets_what_is_written_drops_what_is_no_longer_written_and_leaves_the_rest() -> None:
    before = deployment()
    before["spec"]["template"]["spec"]["nodeSelector"] = {"disk": "ssd"}
    after = copy.deepcopy(before)
    del after["spec"]["replicas"]
    del after["spec"]["template"]["spec"]["nodeSelector"]
    after["spec"]["template"]["spec"]["containers"] = [
        {"name": "main", "image": "web:2"}, {"name": "side", "image": "side:1"}
    ]  # fmt: skip
    scene = Scene(
        [NODE],
        {"kind": "apply", "objects": [before]},
        {"kind": "scale", "at": "1s", "object": "Deployment/web", "replicas": 7},
        {"kind": "apply", "at": "2s", "objects": [{**before, "spec": {**before["spec"], "replicas": 7}}]},
        {"kind": "apply", "at": "3s", "objects": [after]},
    )
    spec = scene.get("Deployment", "web").spec
    assert [(it.name, it.image) for it in spec.template.spec.containers] == [
        ("main", "web:2"),
        ("side", "side:1"),
    ]
    assert spec.template.spec.containers[0].resources.requests == {}
    assert spec.template.spec.node_selector == {}
    assert spec.replicas == 1  # no longer written, so the API's default


def test_apply_leaves_fields_that_others_set() -> None:
    written = deployment()
    del written["spec"]["replicas"]
    patch = {"metadata": {"annotations": {"by": "someone"}}, "spec": {"replicas": 9}}
    scene = Scene(
        [NODE, written],
        {"kind": "mergePatch", "object": "Deployment/web", "patch": patch},
        {"kind": "apply", "at": "1s", "objects": [written]},
    )
    found = scene.get("Deployment", "web")
    assert (found.spec.replicas, found.metadata.annotations) == (9, {"by": "someone"})


def test_apply_of_several_objects_is_whole_or_not_at_all() -> None:
    taken = copy.deepcopy(POD)
    taken["metadata"]["name"] = "web"
    taken["spec"]["nodeSelector"] = {"disk": "ssd"}
    scene = Scene([NODE, make_pod("web", node="n1")], {"kind": "apply", "objects": [POD, taken]})
    assert scene.get("Pod", "late") is None
    ((kind, message),) = scene.refusals
    assert kind == "apply"
    assert message.startswith(
        'Pod "web" is invalid: spec: Forbidden: pod updates may not change fields other than '
        "`spec.containers[*].image`"
    )
    (refused,) = scene.of_type("EditRefused")
    assert (refused["text"], refused["message"]) == ("Apply Pod/late, Pod/web", message)


def test_a_node_is_applied_with_what_it_has() -> None:
    node = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": "n1"},
        "status": {"allocatable": {"cpu": "8"}},
    }
    scene = Scene(
        [make_node("n1", cpu="1"), make_pod("big", requests={"cpu": "6"})],
        {"kind": "apply", "at": "5s", "objects": [node]},
    )
    assert scene.result.placements == {"default/big": "n1"}
    assert {name: str(it) for name, it in scene.node("n1").status.allocatable.items()} == {
        "cpu": "8", "memory": "8Gi", "pods": "110"
    }  # fmt: skip


def test_null_in_a_merge_patch_takes_a_field_away() -> None:
    gated = make_pod("late", schedulingGates=[{"name": "wait"}])
    patch = {"kind": "mergePatch", "object": "Pod/late", "patch": {"spec": {"schedulingGates": None}}}
    assert Scene([make_node("n1"), gated], patch).result.placements == {"default/late": "n1"}


def test_a_merge_patch_that_makes_an_object_invalid_is_refused() -> None:
    scene = Scene(
        [NODE, deployment()],
        {"kind": "mergePatch", "object": "Deployment/default/web", "patch": {"spec": {"replicas": -1}}},
    )
    assert scene.refusals == [
        (
            "mergePatch",
            'Deployment.apps "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
        )
    ]
    assert scene.get("Deployment", "web").spec.replicas == 2


def test_delete_takes_an_object_away_and_what_is_gone_cannot_be_deleted() -> None:
    scene = Scene(
        [NODE, make_pod("web", node="n1")],
        {"kind": "delete", "at": "1s", "object": "pod/web"},
        {"kind": "delete", "at": "2s", "object": "Pod/default/web"},
    )
    assert scene.get("Pod", "web") is None
    (deleted,) = scene.of_type("PodDeleted")
    assert (deleted["t_us"], deleted["pod"], deleted["node"]) == (1_000_000, "default/web", "n1")
    assert scene.refusals == [("delete", 'pods "web" not found')]


def test_room_that_a_deletion_makes_is_used() -> None:
    old, new = make_pod("old", node="n1", requests={"cpu": "1"}), make_pod("new", requests={"cpu": "1"})
    scene = Scene([make_node("n1", cpu="1"), old, new], {"kind": "delete", "at": "30s", "object": "Pod/old"})
    assert scene.result.placements == {"default/new": "n1"}
    (bound,) = scene.of_type("PodBound")
    assert bound["t_us"] > 30_000_000


def test_scale_tells_from_how_many_to_how_many() -> None:
    scene = Scene([NODE, deployment()], {"kind": "scale", "object": "deploy/web", "replicas": 5})
    assert scene.get("Deployment", "web").spec.replicas == 5
    (scaled,) = scene.of_type("WorkloadScaled")
    assert (scaled["object"], scaled["previous"], scaled["replicas"], scaled["by"]) == (
        "Deployment/default/web", 2, 5, "edit"
    )  # fmt: skip


def test_an_image_is_set_on_one_container_or_on_all() -> None:
    two = deployment()
    two["spec"]["template"]["spec"]["containers"].append({"name": "side", "image": "side:1"})
    scene = Scene(
        [NODE, two],
        {"kind": "setImage", "object": "Deployment/web", "container": "side", "image": "side:2"},
        {"kind": "setImage", "at": "1s", "object": "Deployment/web", "container": "nope", "image": "x"},
    )
    assert [it.image for it in containers_of(scene)] == ["web:1", "side:2"]
    assert scene.refusals == [("setImage", 'unable to find container named "nope"')]
    every = Scene([NODE, two], {"kind": "setImage", "object": "Deployment/web", "image": "all:1"})
    assert [it.image for it in containers_of(every)] == ["all:1", "all:1"]


def test_requests_are_set_on_a_template_and_on_a_waiting_pod() -> None:
    scene = Scene(
        [NODE, deployment(), make_pod("big", requests={"cpu": "9"})],
        {
            "kind": "setRequests",
            "object": "Deployment/web",
            "requests": {"memory": "1Gi"},
            "limits": {"cpu": "2"},
        },
        {"kind": "setRequests", "at": "10s", "object": "Pod/big", "requests": {"cpu": "3"}},
    )
    resources = containers_of(scene)[0].resources
    assert {name: str(it) for name, it in resources.requests.items()} == {"cpu": "1", "memory": "1Gi"}
    assert {name: str(it) for name, it in resources.limits.items()} == {"cpu": "2"}
    assert scene.result.placements == {"default/big": "n1"}


def test_labels_are_set_and_taken_away() -> None:
    pod = make_pod("gpu", nodeSelector={"gpu": "yes"})
    scene = Scene(
        [make_node("n1", labels={"old": "x"}), pod],
        {"kind": "label", "at": "1s", "object": "Node/n1", "labels": {"gpu": "yes"}, "remove": ["old"]},
    )
    assert scene.node("n1").metadata.labels == {"gpu": "yes"}
    assert scene.result.placements == {"default/gpu": "n1"}


def test_the_load_that_an_autoscaler_sees_is_written_to_it() -> None:
    scaler = {
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "web", "namespace": "default"},
        "spec": {"maxReplicas": 9, "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}},
    }  # fmt: skip
    edit = {"kind": "setTarget", "object": "hpa/web", "replicas": 6}
    scene = Scene([NODE, scaler], edit, controllers="all")
    found = scene.get("HorizontalPodAutoscaler", "web")
    assert found.metadata.annotations == {"scheduler-playground/desired-replicas": "6"}


def test_an_edit_waits_for_its_cycle() -> None:
    pods = [make_pod(name, requests={"cpu": "1"}) for name in ("a", "b", "c")]
    scene = Scene([NODE, *pods], {"kind": "cordon", "cycle": 3, "nodes": ["n1"]})
    assert scene.result.placements == {"default/a": "n1", "default/b": "n1"}
    kinds = [event["type"] for event in scene.events]
    assert kinds.index("EditApplied") == max(i for i, kind in enumerate(kinds) if kind == "CycleStarted") - 2
    never = Scene([NODE, *pods], {"kind": "cordon", "cycle": 9, "nodes": ["n1"]})
    assert never.refusals == [("cordon", "cycle 9 never came: the run had 3")]
