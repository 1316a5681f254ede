"""Stateful sets: numbers, order, revisions, claims."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from scheduler_core.simulator.controllers.pod_util import is_active
from tests.core.simulator.controllers.cluster import Cluster, names, template, workload
from tests.make import make, make_node

NODES = tuple(make_node(f"n{number}", cpu="8") for number in (1, 2))
NEVER_READY = {"scheduler-playground/ready-delay": "never"}


def data_claim(**spec: Any) -> list[dict[str, Any]]:
    resources = {"requests": {"storage": "1Gi"}}
    return [
        {"metadata": {"name": "data"}, "spec": {"resources": resources, "accessModes": ["ReadWriteOnce"]}}
    ]


def new_image(**more: Any) -> dict[str, Any]:
    return {"spec": {"template": template(image="app:2"), **more}}


def images(cluster: Cluster) -> dict[str, str]:
    return {pod.metadata.name: pod.spec.containers[0].image for pod in cluster.pods() if is_active(pod)}


def test_pods_are_numbered_and_made_one_after_the_other() -> None:
    cluster = Cluster(*NODES, workload("StatefulSet", replicas=3)).until(0.5)
    assert names(cluster.pods()) == ["web-0"]
    assert names(cluster.until(1.5).pods()) == ["web-0", "web-1"]
    cluster.until(10)
    assert names(cluster.pods()) == ["web-0", "web-1", "web-2"]
    pod = cluster.get("Pod", "web-1")
    revision = cluster.get("StatefulSet", "web").status.current_revision
    assert pod.metadata.labels == {
        "app": "web",
        "statefulset.kubernetes.io/pod-name": "web-1",
        "apps.kubernetes.io/pod-index": "1",
        "controller-revision-hash": revision,
    }
    assert revision.startswith("web-")
    status = cluster.get("StatefulSet", "web").status
    assert (status.replicas, status.ready_replicas, status.current_replicas) == (3, 3, 3)
    assert status.update_revision == revision


def test_one_that_is_not_ready_holds_the_next_ones_up() -> None:
    unready = template(annotations=NEVER_READY)
    cluster = Cluster(*NODES, workload("StatefulSet", replicas=3, template=unready)).until(300)
    assert names(cluster.pods()) == ["web-0"]
    assert cluster.get("StatefulSet", "web").status.ready_replicas == 0


def test_in_parallel_all_are_made_at_once() -> None:
    made = workload(
        "StatefulSet",
        replicas=3,
        podManagementPolicy="Parallel",
        template=template(annotations=NEVER_READY),
    )
    assert names(Cluster(*NODES, made).until(0.5).pods()) == ["web-0", "web-1", "web-2"]


def test_numbers_may_start_elsewhere() -> None:
    made = workload("StatefulSet", replicas=2, ordinals={"start": 5})
    assert names(Cluster(*NODES, made).until(5).pods()) == ["web-5", "web-6"]


def test_the_highest_number_goes_first_and_alone() -> None:
    cluster = Cluster(*NODES, workload("StatefulSet", replicas=3)).until(10)
    cluster.patch("StatefulSet", "web", {"spec": {"replicas": 1}})
    cluster.until(11)
    assert [pod.metadata.name for pod in cluster.pods() if not is_active(pod)] == ["web-2"]
    cluster.until(41)
    assert names(cluster.pods()) == ["web-0", "web-1"]
    assert names(cluster.until(80).pods()) == ["web-0"]


def test_a_pod_that_goes_comes_again_under_its_name() -> None:
    cluster = Cluster(*NODES, workload("StatefulSet", replicas=2)).until(10)
    first = cluster.get("Pod", "web-0").metadata.uid
    cluster.delete("Pod", "web-0", grace_seconds=0)
    cluster.until(15)
    assert names(cluster.pods()) == ["web-0", "web-1"]
    assert cluster.get("Pod", "web-0").metadata.uid not in ("", first)


def test_a_rolling_update_goes_from_the_highest_number_down_to_the_partition() -> None:
    strategy = {"rollingUpdate": {"partition": 1}}
    cluster = Cluster(*NODES, workload("StatefulSet", replicas=3, updateStrategy=strategy)).until(10)
    before = cluster.get("StatefulSet", "web").status.current_revision
    cluster.patch("StatefulSet", "web", new_image())
    cluster.until(12)
    assert images(cluster) == {"web-0": "app:1", "web-1": "app:1"}
    cluster.until(120)
    assert images(cluster) == {"web-0": "app:1", "web-1": "app:2", "web-2": "app:2"}
    status = cluster.get("StatefulSet", "web").status
    assert (status.current_revision, status.current_replicas, status.updated_replicas) == (before, 1, 2)
    assert status.update_revision != before
    cluster.delete("Pod", "web-0", grace_seconds=0)
    cluster.until(130)
    assert images(cluster)["web-0"] == "app:1"
    cluster.patch("StatefulSet", "web", {"spec": {"updateStrategy": {"rollingUpdate": {"partition": 0}}}})
    cluster.until(200)
    assert set(images(cluster).values()) == {"app:2"}
    status = cluster.get("StatefulSet", "web").status
    assert status.current_revision == status.update_revision != before


def test_on_delete_waits_for_somebody_to_delete() -> None:
    made = workload("StatefulSet", replicas=2, updateStrategy={"type": "OnDelete"})
    cluster = Cluster(*NODES, made).until(10)
    cluster.patch("StatefulSet", "web", new_image())
    cluster.until(100)
    assert images(cluster) == {"web-0": "app:1", "web-1": "app:1"}
    cluster.delete("Pod", "web-0")
    cluster.until(150)
    assert images(cluster) == {"web-0": "app:2", "web-1": "app:1"}


def test_a_broken_update_stops_at_the_first_pod() -> None:
    cluster = Cluster(*NODES, workload("StatefulSet", replicas=3)).until(10)
    broken = template(image="app:2", annotations=NEVER_READY)
    cluster.patch("StatefulSet", "web", {"spec": {"template": broken}})
    cluster.until(300)
    assert images(cluster) == {"web-0": "app:1", "web-1": "app:1", "web-2": "app:2"}


def test_revisions_are_kept_as_far_as_the_history_goes() -> None:
    cluster = Cluster(*NODES, workload("StatefulSet", replicas=1, revisionHistoryLimit=1)).until(5)
    for number in (2, 3, 4):
        cluster.patch("StatefulSet", "web", {"spec": {"template": template(image=f"app:{number}")}})
        cluster.until(60 * number)
    revisions = sorted(cluster.api.list("ControllerRevision"), key=lambda own: own.revision)
    assert [own.revision for own in revisions] == [3, 4]
    cluster.patch("StatefulSet", "web", {"spec": {"template": template(image="app:3")}})
    cluster.until(300)
    revisions = sorted(cluster.api.list("ControllerRevision"), key=lambda own: own.revision)
    assert [own.revision for own in revisions] == [4, 5]


def test_each_pod_has_its_claim_and_keeps_it() -> None:
    cluster = Cluster(*NODES, workload("StatefulSet", replicas=2, volumeClaimTemplates=data_claim()))
    cluster.until(0.5)
    assert names(cluster.api.list("PersistentVolumeClaim")) == ["data-web-0"]
    (volume,) = cluster.get("Pod", "web-0").spec.volumes
    assert volume.persistent_volume_claim is not None
    assert (volume.name, volume.persistent_volume_claim.claim_name) == ("data", "data-web-0")
    claim = cluster.get("PersistentVolumeClaim", "data-web-0")
    assert claim.metadata.labels == {"app": "web"}
    assert claim.metadata.owner_references == ()


def test_claims_may_go_with_the_set_or_with_the_pod() -> None:
    policy = {"whenDeleted": "Delete", "whenScaled": "Delete"}
    made = workload(
        "StatefulSet",
        replicas=2,
        podManagementPolicy="Parallel",
        volumeClaimTemplates=data_claim(),
        persistentVolumeClaimRetentionPolicy=policy,
    )
    cluster = Cluster(*NODES, made).until(2)
    cluster.patch("StatefulSet", "web", {"spec": {"replicas": 1}})
    cluster.until(2.5)
    owners = {
        claim.metadata.name: [own.kind for own in claim.metadata.owner_references]
        for claim in cluster.api.list("PersistentVolumeClaim")
    }
    assert owners["data-web-0"] == ["StatefulSet"]
    assert owners.get("data-web-1", ["Pod"]) == ["Pod"]


def test_a_set_of_a_dump_is_balanced_whatever_its_revision_is_called() -> None:
    before = Cluster(*NODES, workload("StatefulSet", replicas=2)).until(10)
    kept = ("Node", "StatefulSet", "Pod")
    dump = [found for kind in kept for found in before.api.list(kind)]
    for place, found in enumerate(dump):
        labels = {**found.metadata.labels, "controller-revision-hash": "web-real5f6d"}
        if found.kind == "Pod":
            dump[place] = replace(found, metadata=replace(found.metadata, labels=labels))
        elif found.kind == "StatefulSet":
            dump[place] = replace(found, status=make(_plain_status("web-real5f6d")).status)
    after = Cluster(*dump).until(60)
    assert after.events("PodCreated", "PodTerminating", "PodDeleted", "CycleStarted") == []
    status = after.get("StatefulSet", "web").status
    assert (status.current_revision, status.updated_replicas) == ("web-real5f6d", 2)
    after.patch("StatefulSet", "web", new_image())
    after.until(200)
    assert set(images(after).values()) == {"app:2"}


def _plain_status(revision: str) -> dict[str, Any]:
    return {
        "apiVersion": "apps/v1",
        "kind": "StatefulSet",
        "metadata": {"name": "web"},
        "status": {"replicas": 2, "currentRevision": revision, "updateRevision": revision},
    }


def test_pods_without_a_revision_are_those_of_the_first_one() -> None:
    made = workload("StatefulSet", replicas=1)
    pod = make(
        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": "web-0", "labels": {"app": "web"}},
            "spec": {"nodeName": "n1", "containers": [{"name": "main", "image": "app:1"}]},
        }
    )
    cluster = Cluster(*NODES, made, pod).until(30)
    assert cluster.events("PodCreated", "PodTerminating") == []
    cluster.patch("StatefulSet", "web", new_image())
    cluster.until(100)
    assert images(cluster) == {"web-0": "app:2"}
