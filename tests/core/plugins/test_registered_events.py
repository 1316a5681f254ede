"""The events that every plugin registers: those of kube-scheduler v1.34.1 with its default gates, and no other.

Source: EventsToRegister of each plugin in pkg/scheduler/framework/plugins, v1.34.1
"""

from __future__ import annotations

from scheduler_core.config import load_config
from scheduler_core.framework.cluster_event import ActionType as A
from scheduler_core.framework.interface import EnqueueExtensions
from scheduler_core.scheduler.profile import queueing_hints
from scheduler_core.simulator import CONFORMANCE, Simulator

EXPECTED: dict[str, dict[tuple[str, A], str | None]] = {
    "SchedulingGates": {("Pod", A.UPDATE_POD_SCHEDULING_GATES_ELIMINATED): "gates eliminated"},
    "NodeUnschedulable": {
        ("Node", A.ADD | A.UPDATE_NODE_TAINT): "node change",
        ("Pod", A.UPDATE_POD_TOLERATION): "pod toleration change",
    },
    "NodeName": {("Node", A.ADD): None},
    "TaintToleration": {
        ("Node", A.ADD | A.UPDATE_NODE_TAINT): "node change",
        ("Pod", A.UPDATE_POD_TOLERATION): "pod toleration change",
    },
    "NodeAffinity": {("Node", A.ADD | A.UPDATE_NODE_LABEL): "node change"},
    "NodePorts": {("Pod", A.DELETE): "pod deleted", ("Node", A.ADD): None},
    "NodeResourcesFit": {
        ("Pod", A.DELETE | A.UPDATE_POD_SCALE_DOWN): "pod event",
        ("Node", A.ADD | A.UPDATE_NODE_ALLOCATABLE): "node change",
    },
    "VolumeRestrictions": {
        ("Pod", A.DELETE): "pod deleted",
        ("Node", A.ADD): None,
        ("PersistentVolumeClaim", A.ADD): "claim added",
    },
    "NodeVolumeLimits": {
        ("CSINode", A.ADD): None,
        ("CSINode", A.UPDATE): "csi node updated",
        ("Pod", A.DELETE): "pod deleted",
        ("PersistentVolumeClaim", A.ADD): "claim added",
        ("VolumeAttachment", A.DELETE): "volume attachment deleted",
    },
    "VolumeBinding": {
        ("StorageClass", A.ADD | A.UPDATE): "storage class change",
        ("PersistentVolumeClaim", A.ADD | A.UPDATE): "claim change",
        ("PersistentVolume", A.ADD | A.UPDATE): None,
        ("Node", A.ADD | A.UPDATE_NODE_LABEL): None,
        ("CSINode", A.ADD | A.UPDATE): "csi node change",
        ("CSIDriver", A.UPDATE): "csi driver change",
        ("CSIStorageCapacity", A.ADD | A.UPDATE): "storage capacity change",
    },
    "VolumeZone": {
        ("StorageClass", A.ADD): "storage class added",
        ("Node", A.ADD | A.UPDATE_NODE_LABEL): None,
        ("PersistentVolumeClaim", A.ADD | A.UPDATE): "claim change",
        ("PersistentVolume", A.ADD | A.UPDATE): "volume change",
    },
    "PodTopologySpread": {
        ("Pod", A.ADD | A.DELETE | A.UPDATE_POD_LABEL | A.UPDATE_POD_TOLERATION): "pod change",
        ("Node", A.ADD | A.DELETE | A.UPDATE_NODE_LABEL | A.UPDATE_NODE_TAINT): "node change",
    },
    "InterPodAffinity": {
        ("Pod", A.ADD | A.DELETE | A.UPDATE_POD_LABEL): "pod change",
        ("Node", A.ADD | A.UPDATE_NODE_LABEL): "node change",
    },
    "DefaultPreemption": {},
    "DynamicResources": {},
}
"""Plugin → (kind, actions) → what its hint looks at; None where every such event queues the pod.

DynamicResources registers nothing here, as claims are not simulated: no event would help (docs/fidelity.md).
"""
WITHOUT_EVENTS = {"PrioritySort", "NodeResourcesBalancedAllocation", "ImageLocality", "DefaultBinder"}
"""Plugins that cannot refuse a pod."""
TAINT_ADDED = {"NodeName", "NodeAffinity", "NodePorts", "NodeResourcesFit", "VolumeRestrictions"} | {
    *("VolumeBinding", "VolumeZone", "InterPodAffinity")
}
"""Those that register Node Add without taints get them from the framework, without a hint."""


def simulator() -> Simulator:
    return Simulator(load_config(""), CONFORMANCE)


def test_every_plugin_registers_the_events_of_v1_34_1_and_no_other() -> None:
    (framework,) = simulator().scheduler.frameworks.values()
    registered = {
        plugin.name: {
            (event.resource, event.action_type): None if hint is None else about(hint.__name__)
            for event, hint in plugin.events_to_register()
        }
        for plugin in framework.plugins()
        if isinstance(plugin, EnqueueExtensions)
    }
    assert registered == EXPECTED
    assert {plugin.name for plugin in framework.plugins()} == EXPECTED.keys() | WITHOUT_EVENTS


def about(function: str) -> str:
    """What a hint's name says it looks at."""
    return function.strip("_").removeprefix("is_schedulable_").removeprefix("after_").replace("_", " ")


def test_a_plugin_is_registered_for_taints_where_it_waits_for_nodes_without_them() -> None:
    (hints,) = queueing_hints(simulator().scheduler.frameworks).values()
    own = {(plugin, *key) for plugin, events in EXPECTED.items() for key in events}
    added = {
        (hint.plugin, hint.event.resource, hint.event.action_type, hint.hint)
        for hint in hints
        if hint.plugin != "Extender" and (hint.plugin, hint.event.resource, hint.event.action_type) not in own
    }
    assert added == {(plugin, "Node", A.UPDATE_NODE_TAINT, None) for plugin in TAINT_ADDED}


def test_a_pod_that_an_extender_refused_is_helped_by_any_change_of_what_plugins_read() -> None:
    (hints,) = queueing_hints(simulator().scheduler.frameworks).values()
    events = {
        (hint.event.resource, hint.event.action_type, hint.hint)
        for hint in hints
        if hint.plugin == "Extender"
    }
    kinds = {
        *("Pod", "Node", "PersistentVolume", "PersistentVolumeClaim", "StorageClass", "CSINode", "CSIDriver"),
        *("CSIStorageCapacity", "VolumeAttachment", "ResourceClaim", "ResourceSlice", "DeviceClass"),
    }
    assert events == {(kind, A.ALL, None) for kind in kinds}
