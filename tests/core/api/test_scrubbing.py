"""What is never kept."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.api import Source, canonical, load_manifests

SPEC = {
    name: [
        {
            "name": "main",
            "env": [
                {"name": "TOKEN", "value": "hunter2"},
                {"name": "B", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}},
            ],
        }
    ]
    for name in ("containers", "initContainers", "ephemeralContainers")
}
METADATA = {
    "name": "web",
    "managedFields": [{"manager": "hunter2"}],
    "annotations": {"kubectl.kubernetes.io/last-applied-configuration": "hunter2", "kept": "yes"},
}
TEMPLATE = {"metadata": {"annotations": METADATA["annotations"]}, "spec": SPEC}

OBJECTS: list[tuple[str, str, dict[str, Any]]] = [
    ("v1", "Pod", SPEC),
    ("v1", "ReplicationController", {"template": TEMPLATE}),
    ("apps/v1", "Deployment", {"template": TEMPLATE}),
    ("apps/v1", "ReplicaSet", {"template": TEMPLATE}),
    ("apps/v1", "StatefulSet", {"template": TEMPLATE}),
    ("apps/v1", "DaemonSet", {"template": TEMPLATE}),
    ("batch/v1", "Job", {"template": TEMPLATE}),
    ("batch/v1", "CronJob", {"jobTemplate": {"spec": {"template": TEMPLATE}}}),
]


@pytest.mark.parametrize(("api_version", "kind", "spec"), OBJECTS)
def test_values_of_variables_and_traces_of_who_applied_what_are_dropped(
    api_version: str, kind: str, spec: dict[str, Any]
) -> None:
    raw = {"apiVersion": api_version, "kind": kind, "metadata": METADATA, "spec": spec}
    (loaded,) = load_manifests([Source("dump", canonical(raw))]).objects
    assert b"hunter2" not in loaded.canonical
    assert b'"kept":"yes"' in loaded.canonical
    assert loaded.canonical.count(b'"secretKeyRef"') == 3
    assert loaded.canonical.count(b'"TOKEN"') == 3


def test_so_are_those_of_a_revision() -> None:
    raw = {"apiVersion": "apps/v1", "kind": "ControllerRevision", "metadata": METADATA}
    data = {"data": {"spec": {"template": TEMPLATE}}, "revision": 2}
    (loaded,) = load_manifests([Source("dump", canonical(raw | data))]).objects
    assert b"hunter2" not in loaded.canonical
    assert loaded.canonical.count(b'"TOKEN"') == 3


def test_secrets_and_config_maps_are_passed_over() -> None:
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}, "data": {"a": "aHVudGVyMg=="}}
    config_map = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "c"},
        "data": {"a": "hunter2"},
    }
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}}
    items = {"apiVersion": "v1", "kind": "List", "items": [secret, config_map, node]}
    loaded = load_manifests([Source("dump", canonical(items))])
    assert [obj.kind for obj in loaded.objects] == ["Node"]
    assert loaded.skipped == {"ConfigMap": 1, "Secret": 1}


@pytest.mark.parametrize(
    "spec", [[], "text", {"containers": "x"}, {"containers": [1, {"env": [2, {}]}, {"env": 3}]}]
)
def test_what_has_another_shape_is_left_to_the_types(spec: Any) -> None:
    raw = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"}, "spec": spec}
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}}
    loaded = load_manifests([Source("a", canonical(raw)), Source("b", canonical(node))], skip_invalid=True)
    assert loaded.errors
