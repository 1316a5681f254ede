"""Inputs as people paste them: each loads or is refused as tests/inputs/README.md tells."""

from __future__ import annotations

from pathlib import Path

import pytest

from scheduler_core.api import Loaded, ManifestError, Pod, Source, load_manifests, pod_requests
from scheduler_core.api.batch import Job
from scheduler_core.api.workloads import DaemonSet, Deployment

INPUTS = Path(__file__).resolve().parents[2] / "inputs"
MI = 2**20


def load(name: str, *, skip_invalid: bool = False) -> Loaded:
    return load_manifests([Source(name, (INPUTS / name).read_bytes())], skip_invalid=skip_invalid)


def refused(name: str) -> ManifestError:
    with pytest.raises(ManifestError) as caught:
        load(name)
    return caught.value


def pods(loaded: Loaded) -> dict[str, Pod]:
    return {obj.name: obj.object for obj in loaded.objects if isinstance(obj.object, Pod)}


def test_every_input_is_tested_here() -> None:
    told = set(Path(__file__).read_text().split('"'))
    assert {path.name for path in INPUTS.glob("*.yaml")} <= told


def test_anchors_are_local_to_a_document_and_merge_keys_override() -> None:
    loaded = load("anchors-and-merge-keys.yaml")
    found = pods(loaded)
    assert list(found) == ["base-1", "big-1", "big-2"]
    assert pod_requests(found["big-1"]) == {"cpu": 3000, "memory": 256 * MI}
    assert pod_requests(found["big-2"]) == {"cpu": 1000}
    assert found["big-2"].metadata.labels == {"app": "big", "tier": "front"}
    assert found["big-2"].spec.tolerations == found["big-1"].spec.tolerations != ()
    assert found["big-2"].spec.containers[0].image == "registry.example.com/big:2"


def test_windows_files_are_read() -> None:
    loaded = load("crlf-and-bom.yaml")
    assert [obj.key for obj in loaded.objects] == [
        "Node/win-made",
        "Pod/default/appsettings-reader",
        "Pod/default/too-big",
    ]
    reader = pods(loaded)["appsettings-reader"]
    assert pod_requests(reader) == {"cpu": 500, "memory": 1024 * MI}
    assert reader.metadata.annotations["settings"] == '{\n  "Logging": { "LogLevel": "Information" }\n}'


def test_nulls_are_absent_but_a_quoted_null_is_no_time() -> None:
    (error,) = refused("dry-run-nulls.yaml").errors
    assert (error.line, error.field, error.object) == (68, "metadata.creationTimestamp", "Pod bad-time")
    assert error.value == "null"
    loaded = load("dry-run-nulls.yaml", skip_invalid=True)
    assert [obj.name for obj in loaded.objects] == ["kind-node", "nginx", "sparse"]
    sparse = pods(loaded)["sparse"]
    assert sparse.spec.affinity is not None
    assert sparse.spec.affinity.pod_anti_affinity is not None
    (term,) = sparse.spec.affinity.pod_anti_affinity.required_during_scheduling_ignored_during_execution
    assert term.label_selector is None
    assert sparse.spec.affinity.node_affinity is None


def test_empty_documents_of_a_template_are_passed_over() -> None:
    loaded = load("helm-template-empty-documents.yaml")
    assert [obj.key for obj in loaded.objects] == [
        "Node/n1",
        "Deployment/default/shop",
        "Pod/default/shop-test-connection",
    ]
    assert loaded.skipped == {"CustomResourceDefinition": 1}


def test_the_nine_quantities_nobody_accepts_are_reported_with_pod_container_and_value() -> None:
    errors = refused("quantities-nobody-accepts.yaml").errors
    assert [(error.object, error.value) for error in errors] == [
        ("Pod q-gib", "6GiB"),
        ("Pod q-mb", "512MB"),
        ("Pod q-space", "1.5 Gi"),
        ("Pod q-lower-g", "1g"),
        ("Pod q-comma", "0,5"),
        ("Pod q-word", "4 cores"),
        ("Pod q-empty", ""),
        ("Pod q-negative", "-1"),
        ("Pod q-double", "1Gi500Mi"),
    ]
    assert {error.container for error in errors} == {"main"}
    lines = (INPUTS / "quantities-nobody-accepts.yaml").read_text().splitlines()
    for error in errors:
        assert error.line is not None
        assert error.column is not None
        assert lines[error.line - 1][error.column - 1 :].lstrip("\"'").startswith(error.value)


def test_the_three_quantities_beside_them_are_right() -> None:
    loaded = load("quantities-nobody-accepts.yaml", skip_invalid=True)
    assert {name: pod_requests(pod) for name, pod in pods(loaded).items()} == {
        "q-kilo-ok": {"memory": 500_000_000},
        "q-dot-ok": {"cpu": 500},
        "q-plus-ok": {"cpu": 250},
    }


def test_workloads_without_pods_are_read_as_workloads() -> None:
    loaded = load("workloads-without-pods.yaml")
    kinds = [obj.kind for obj in loaded.objects]
    assert kinds == ["Node", "Node", "Node", "Deployment", "DaemonSet", "StatefulSet", "Job", "CronJob"]
    typed = {obj.kind: obj.object for obj in loaded.objects}
    deployment, job, daemon_set = typed["Deployment"], typed["Job"], typed["DaemonSet"]
    assert isinstance(deployment, Deployment)
    assert isinstance(job, Job)
    assert isinstance(daemon_set, DaemonSet)
    assert deployment.spec.replicas == 4
    (constraint,) = deployment.spec.template.spec.topology_spread_constraints
    assert (constraint.max_skew, constraint.when_unsatisfiable) == (1, "DoNotSchedule")
    assert (job.spec.parallelism, job.spec.completions) == (2, 5)
    assert daemon_set.spec.template.spec.containers[0].name == "a"
