"""The field that blocks: for each plugin the part of the spec that it read."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.api.field_path import format_path
from scheduler_core.checks.blocking import blocking_path, pod_spec_path
from tests.core.checks.asking import Raw, finding, node, pod, verdict

SPEC: Raw = {
    "tolerations": [{"key": "a", "operator": "Exists"}],
    "nodeSelector": {"disk": "ssd"},
    "topologySpreadConstraints": [{}],
    "schedulingGates": [{"name": "wait"}],
    "volumes": [{"name": "v"}],
    "nodeName": "node-a",
    "containers": [
        {"name": "a", "resources": {"requests": {"cpu": "100m", "memory": "1Gi"}}},
        {
            "name": "b",
            "resources": {"limits": {"cpu": "2"}},
            "ports": [{"containerPort": 1}, {"hostPort": 80}],
        },
    ],
}


@pytest.mark.parametrize(
    ("plugin", "resource", "field"),
    [
        ("NodeResourcesFit", "cpu", "spec.containers[1].resources.limits[cpu]"),
        ("NodeResourcesFit", "memory", "spec.containers[0].resources.requests[memory]"),
        ("NodeResourcesFit", "pods", "spec.containers"),
        ("TaintToleration", "", "spec.tolerations"),
        ("NodeUnschedulable", "", "spec.tolerations"),
        ("NodeAffinity", "", "spec.nodeSelector"),
        ("NodeName", "", "spec.nodeName"),
        ("NodePorts", "", "spec.containers[1].ports[1].hostPort"),
        ("PodTopologySpread", "", "spec.topologySpreadConstraints"),
        ("SchedulingGates", "", "spec.schedulingGates"),
        ("VolumeBinding", "", "spec.volumes"),
        ("InterPodAffinity", "", "spec"),
        ("OutOfTree", "", "spec"),
    ],
)
def test_each_plugin_points_at_what_it_reads(plugin: str, resource: str, field: str) -> None:
    assert format_path(blocking_path({"kind": "Pod", "spec": SPEC}, plugin, resource)) == field


@pytest.mark.parametrize(
    ("kind", "base"),
    [
        ("Pod", "spec"),
        ("Deployment", "spec.template.spec"),
        ("Job", "spec.template.spec"),
        ("CronJob", "spec.jobTemplate.spec.template.spec"),
    ],
)
def test_a_workload_holds_its_pods_spec_in_its_template(kind: str, base: str) -> None:
    assert format_path(pod_spec_path(kind)) == base


def test_affinity_that_is_required_is_pointed_at_before_a_selector() -> None:
    required = "requiredDuringSchedulingIgnoredDuringExecution"
    spec = {**SPEC, "affinity": {"nodeAffinity": {required: {}}, "podAntiAffinity": {required: [{}]}}}
    raw = {"kind": "Pod", "spec": spec}
    assert format_path(blocking_path(raw, "NodeAffinity")) == f"spec.affinity.nodeAffinity.{required}"
    assert format_path(blocking_path(raw, "InterPodAffinity")) == f"spec.affinity.podAntiAffinity.{required}"


OTHER = [{"key": "other", "operator": "Exists"}]
TAINT = [{"key": "own", "value": "gpu", "effect": "NoSchedule"}]


@pytest.mark.parametrize(
    ("cluster", "spec", "plugin", "field", "line"),
    [
        ([node("n", taints=TAINT)], {"tolerations": OTHER}, "TaintToleration", "spec.tolerations", 17),
        ([node("n", taints=TAINT)], {}, "TaintToleration", "spec.tolerations", 9),
        ([node("n", unschedulable=True)], {}, "NodeUnschedulable", "spec.tolerations", 9),
        ([node("n")], {"nodeSelector": {"disk": "ssd"}}, "NodeAffinity", "spec.nodeSelector", 17),
        ([node("n")], {"schedulingGates": [{"name": "wait"}]}, "SchedulingGates", "spec.schedulingGates", 17),
        (
            [node("n", labels={"zone": "a"})],
            {"topologySpreadConstraints": [{
                "maxSkew": 1, "topologyKey": "rack", "whenUnsatisfiable": "DoNotSchedule", "labelSelector": {},
            }]},
            "PodTopologySpread", "spec.topologySpreadConstraints", 17,
        ),
    ],
)  # fmt: skip
def test_the_place_in_the_file_is_that_of_the_field(
    cluster: list[Raw], spec: dict[str, Any], plugin: str, field: str, line: int
) -> None:
    """A field that is not there is placed at what it would be in."""
    why = finding(verdict([pod("web", **spec)], cluster))
    assert why.plugin == plugin
    assert why.location is not None
    if line != 9:
        assert why.location.field == field
    assert (why.location.file, why.location.line) == ("app.yaml", line)
