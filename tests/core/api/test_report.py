"""What an import tells: read, skipped, filled in, suspicious."""

from __future__ import annotations

import json
from typing import Any

from scheduler_core.api import ImportReport, Source, import_report, load_manifests

CONTAINER = {"name": "a", "resources": {"limits": {"cpu": "1"}}}


def obj(kind: str, name: str, api_version: str = "v1", **fields: Any) -> dict[str, Any]:
    metadata = {"name": name, **fields.pop("metadata", {})}
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, **fields}


def report(*objects: dict[str, Any], captured_at: str = "") -> ImportReport:
    snapshot = {"apiVersion": "playground/v1", "kind": "Snapshot", "capturedAt": captured_at}
    text = "\n".join(json.dumps(each) for each in (snapshot, *objects))
    return import_report(load_manifests([Source("x.json", text)]))


def suspicious(*objects: dict[str, Any], captured_at: str = "") -> dict[str, list[str]]:
    found = report(*objects, captured_at=captured_at).suspicious
    return {finding.message: list(finding.objects) for finding in found}


def test_what_was_read_skipped_and_filled_in_is_counted() -> None:
    told = report(
        obj("Node", "n1"),
        obj("Pod", "a", spec={"containers": [CONTAINER]}),
        obj("Pod", "b", spec={"schedulerName": "x"}, metadata={"namespace": "shop"}),
        obj("Secret", "s"),
        captured_at="2026-11-30T12:00:00Z",
    )
    assert told.read == {"Node": 1, "Pod": 2}
    assert told.skipped == {"Secret": 1}
    assert told.defaulted == {
        "namespace: default": 1,
        "schedulerName: default-scheduler": 1,
        "requests from limits": 1,
    }
    assert (told.captured_at, told.suspicious) == ("2026-11-30T12:00:00Z", ())


def test_a_budget_without_pods_is_suspicious() -> None:
    budget = {"spec": {"selector": {"matchLabels": {"app": "web"}}}}
    pod = obj("Pod", "a", metadata={"labels": {"app": "web"}})
    elsewhere = obj("Pod", "a", metadata={"labels": {"app": "web"}, "namespace": "other"})
    pdb = obj("PodDisruptionBudget", "b", "policy/v1", **budget)
    assert suspicious(pdb, pod) == {}
    assert suspicious(pdb, elsewhere) == {"a disruption budget selects no pod": ["default/b"]}
    template = {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
    workload = obj("Deployment", "web", "apps/v1", spec={"replicas": 1, "template": template})
    assert suspicious(pdb, workload) == {}


def test_a_claim_without_a_class_is_suspicious_unless_there_is_a_default() -> None:
    claim = obj("PersistentVolumeClaim", "data")
    annotations = {"storageclass.kubernetes.io/is-default-class": "true"}
    default = obj("StorageClass", "fast", "storage.k8s.io/v1", metadata={"annotations": annotations})
    without = {"an unbound claim has no storage class, and there is no default one": ["default/data"]}
    assert suspicious(claim) == without
    assert suspicious(claim, default) == {}
    named = obj("PersistentVolumeClaim", "data", spec={"storageClassName": "slow"})
    assert suspicious(named, default) == {
        "an unbound claim names a storage class that is not there": ["default/data"]
    }
    bound = obj("PersistentVolumeClaim", "data", spec={"volumeName": "pv"})
    assert suspicious(bound) == {}


def test_a_pod_on_a_missing_node_or_with_a_missing_class_or_claim_is_suspicious() -> None:
    lost = [obj("Pod", f"lost-{n}", spec={"nodeName": "gone"}) for n in range(7)]
    volumes = [{"name": "v", "persistentVolumeClaim": {"claimName": "c"}}]
    waiting = obj("Pod", "waiting", spec={"priorityClassName": "high", "volumes": volumes})
    found = report(*lost, waiting).suspicious
    assert [finding.sentence() for finding in found] == [
        (
            "a pod is on a node that is not there: default/lost-0, default/lost-1, default/lost-2, "
            "default/lost-3, default/lost-4 and 2 more"
        ),
        "a pod names a priority class that is not there: default/waiting",
        "a pending pod uses a claim that is not there: default/waiting",
    ]


def test_a_snapshot_older_than_its_pods_is_suspicious() -> None:
    pod = obj("Pod", "a", metadata={"creationTimestamp": "2026-11-30T12:00:01Z"})
    young = {"a pod is younger than the snapshot it is in": ["default/a"]}
    assert suspicious(pod, captured_at="2026-11-30T12:00:00Z") == young
    assert suspicious(pod, captured_at="2026-11-30T12:00:01Z") == {}
    assert suspicious(pod, captured_at="yesterday") == {}
