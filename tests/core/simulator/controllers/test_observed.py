"""A cluster as it was found is balanced: what a dump leaves out is not missing."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from scheduler_core.api.decode import encode_object
from scheduler_core.api.kinds import KubeObject
from scheduler_core.api.meta import parse_time
from scheduler_core.clock import DEFAULT_EPOCH_US
from scheduler_core.simulator.controllers.controller_ref_manager import controller_ref
from scheduler_core.simulator.controllers.observed import observed
from scheduler_core.simulator.controllers.pod_util import is_ready
from tests.core.simulator.controllers.cluster import Cluster, names, template, workload
from tests.make import make, make_node, make_pod

NODE = make_node("n1", cpu="8")


def pod(
    name: str, *, owner: tuple[str, str, str] | None = None, digest: str = "", image: str = "app:1"
) -> KubeObject:
    """A pod that runs; its owner is kind, name and uid."""
    labels = {"app": "web", **({"pod-template-hash": digest} if digest else {})}
    metadata: dict[str, Any] = {"name": name, "labels": labels}
    if owner is not None:
        kind, owner_name, uid = owner
        metadata["ownerReferences"] = [
            {"apiVersion": "apps/v1", "kind": kind, "name": owner_name, "uid": uid, "controller": True}
        ]
    spec = {"nodeName": "n1", "containers": [{"name": "main", "image": image}]}
    return make({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec})


def quiet(cluster: Cluster) -> bool:
    return cluster.events("PodCreated", "PodTerminating", "PodDeleted", "CycleStarted") == []


def test_a_bound_pod_of_which_nothing_is_told_runs_and_is_ready() -> None:
    (found,) = observed([make_pod("a", node="n1")], DEFAULT_EPOCH_US)
    assert found.kind == "Pod"
    assert (found.status.phase, is_ready(found)) == ("Running", True)  # type: ignore[union-attr,arg-type]


def test_one_of_which_only_that_it_runs_is_told_is_ready_too() -> None:
    (found,) = observed([make_pod("a", node="n1", status={"phase": "Running"})], DEFAULT_EPOCH_US)
    assert is_ready(found)  # type: ignore[arg-type]


def test_what_is_told_stays() -> None:
    told = make_pod("a", node="n1", status={"phase": "Failed"})
    unbound = make_pod("b")
    waiting = make_pod("c", node="n1", status={"containerStatuses": [{"name": "main", "ready": False}]})
    assert observed([told, unbound, waiting], DEFAULT_EPOCH_US) == [told, unbound, waiting]


def test_an_owner_is_found_by_its_name_where_its_uid_is_another() -> None:
    pods = [pod(f"web-{number}", owner=("ReplicaSet", "web", "5c1f")) for number in (1, 2)]
    cluster = Cluster(NODE, workload("ReplicaSet", replicas=2), *pods).until(30)
    assert quiet(cluster)
    assert cluster.pods()[0].metadata.owner_references[0].uid == "uid-ReplicaSet-default/web"


def test_replica_sets_that_nobody_listed_are_there() -> None:
    """As `kubectl get deployments,pods,nodes` gives it."""
    pods = [
        pod(f"web-7d4b-{number}", owner=("ReplicaSet", "web-7d4b", "5c1f"), digest="7d4b")
        for number in (1, 2)
    ]
    cluster = Cluster(NODE, workload("Deployment", replicas=2), *pods).until(30)
    assert quiet(cluster)
    (replica_set,) = cluster.api.list("ReplicaSet")
    assert (replica_set.metadata.name, replica_set.metadata.uid) == ("web-7d4b", "5c1f")
    cluster.patch("Deployment", "web", {"spec": {"template": template(image="app:2")}})
    cluster.until(200)
    assert {own.spec.containers[0].image for own in cluster.pods()} == {"app:2"}


def test_of_two_the_larger_one_is_the_new_one() -> None:
    new = [pod(f"web-new-{number}", owner=("ReplicaSet", "web-new", "1"), digest="new") for number in (1, 2)]
    old = [pod("web-old-1", owner=("ReplicaSet", "web-old", "2"), digest="old", image="app:0")]
    found = observed([NODE, workload("Deployment", replicas=3), *new, *old], DEFAULT_EPOCH_US)
    made = {own.metadata.name: own for own in found if own.kind == "ReplicaSet"}
    deployment = next(own for own in found if own.kind == "Deployment")
    assert made["web-new"].spec.template.spec == deployment.spec.template.spec  # type: ignore[union-attr]
    assert made["web-old"].spec.template.spec.containers[0].image == "app:0"  # type: ignore[union-attr]


def test_a_pod_that_ends_needs_no_replica_set() -> None:
    """The replica set was deleted in the meantime; the pod waits for a kubelet that is lost."""
    ending = pod("web-old-1", owner=("ReplicaSet", "web-old", "2"), digest="old", image="app:0")
    ending = replace(
        ending, metadata=replace(ending.metadata, deletion_timestamp=parse_time("2026-01-01T00:00:00Z"))
    )
    new = pod("web-new-1", owner=("ReplicaSet", "web-new", "1"), digest="new")
    found = observed([NODE, workload("Deployment", replicas=1), new, ending], DEFAULT_EPOCH_US)
    assert [own.metadata.name for own in found if own.kind == "ReplicaSet"] == ["web-new"]


def test_revisions_that_nobody_listed_are_there_under_the_name_that_pods_have_for_them() -> None:
    told = {"status": {"observedGeneration": 1}}
    made = workload("StatefulSet", replicas=1)
    labels = {"app": "web", "controller-revision-hash": "web-5c1f"}
    running = make_pod("web-0", node="n1", labels=labels)
    owner = controller_ref(made)
    running = replace(running, metadata=replace(running.metadata, owner_references=(owner,)))
    raw = encode_object(workload("DaemonSet", "agent", template=template({"app": "agent"}))) | told
    cluster = Cluster(
        NODE, made, running, make(raw), workload("DaemonSet", "new", template=template({"app": "new"}))
    )
    assert names(cluster.api.list("ControllerRevision"))[1:] == ["web-5c1f"]
    cluster.until(60)
    created = [event["object"].split("/")[-1] for event in cluster.events("ObjectChanged")]
    assert [name.split("-")[0] for name in created] == ["new"]
    assert [pod.metadata.uid for pod in cluster.pods(app="web")] == [running.metadata.uid]


def test_a_deployment_at_rest_without_pods_has_its_replica_set() -> None:
    raw = encode_object(workload("Deployment", replicas=0)) | {"status": {"observedGeneration": 4}}
    cluster = Cluster(NODE, make(raw)).until(60)
    assert len(list(cluster.api.list("ReplicaSet"))) == 1
    assert cluster.events("ObjectChanged") == []


def test_pods_of_owners_that_nobody_knows_stay_as_they_are() -> None:
    mirror = pod("etcd-n1", owner=("Node", "n9", "77"))
    alone = pod("lost-1", owner=("ReplicaSet", "lost", "88"))
    cluster = Cluster(NODE, mirror, alone).until(60)
    assert quiet(cluster)
    assert names(cluster.pods()) == ["etcd-n1", "lost-1"]


def at(time: str, **more: Any) -> list[dict[str, Any]]:
    return [{"type": "Ready", "status": "True", "lastTransitionTime": time, **more}]


def test_what_waits_for_a_time_begins_to_wait_with_the_run() -> None:
    """The dump was made in another year than the run's clock says, before or after."""
    for year in (2019, 2031):
        when = f"{year}-06-01T00:00:00Z"
        raw = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "load"}}
        spec = {"activeDeadlineSeconds": 60, "template": template(restartPolicy="Never")}
        job = make({**raw, "spec": spec, "status": {"startTime": when, "active": 1}})
        done = {"type": "Complete", "status": "True", "lastTransitionTime": when}
        old = {**raw, "metadata": {"name": "old"}, "spec": {**spec, "ttlSecondsAfterFinished": 60}}
        finished = make({**old, "status": {"conditions": [done]}})
        cluster = Cluster(NODE, job, finished).until(59)
        assert [own.type for own in cluster.get("Job", "load").status.conditions] == []
        assert cluster.get("Job", "old") is not None
        cluster.until(62)
        assert cluster.get("Job", "load").status.conditions[0].reason == "DeadlineExceeded"
        assert cluster.get("Job", "old") is None


def test_pods_that_were_ready_in_another_year_are_available() -> None:
    for year in (2019, 2031):
        status = {"phase": "Running", "conditions": at(f"{year}-06-01T00:00:00Z")}
        pods = [
            make_pod(f"web-{number}", node="n1", labels={"app": "web"}, status=status) for number in (0, 1)
        ]
        made = workload("StatefulSet", replicas=3, minReadySeconds=30)
        cluster = Cluster(NODE, made, *pods).until(5)
        assert names(cluster.pods()) == ["web-0", "web-1", "web-2"]
        assert cluster.get("StatefulSet", "web").status.available_replicas == 2
