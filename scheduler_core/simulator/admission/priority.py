"""Priority admission: a pod's priorityClassName becomes its priority and preemption policy.

Source: plugin/pkg/admission/priority/admission.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

if TYPE_CHECKING:
    from scheduler_core.api.pod import Pod
    from scheduler_core.api.policy import PriorityClass
    from scheduler_core.simulator.object_store import ObjectStore

SYSTEM_PRIORITIES: Final = {
    "system-cluster-critical": 2_000_000_000,
    "system-node-critical": 2_000_001_000,
}
_replace = msgspec.structs.replace


def admit_priority(pod: Pod, store: ObjectStore) -> Pod:
    """Fills in the priority that a pod does not have yet.

    A class that does not exist leaves the pod as it is: in a dump the pod was admitted when its class still was.
    """
    if pod.spec.priority is not None:
        return pod
    name = pod.spec.priority_class_name
    found = store.get("PriorityClass", "", name) if name else _global_default(store)
    changes: dict[str, Any] = {"priority": SYSTEM_PRIORITIES.get(name, 0)}
    if found is not None:
        changes["priority"] = found.value
        changes["priority_class_name"] = found.metadata.name
        if pod.spec.preemption_policy is None:
            changes["preemption_policy"] = found.preemption_policy
    return _replace(pod, spec=_replace(pod.spec, **changes))


def _global_default(store: ObjectStore) -> PriorityClass | None:
    """The default class with the lowest value, as upstream takes it when there are several."""
    defaults = [cls for cls in store.list("PriorityClass") if cls.global_default]
    return min(defaults, key=lambda cls: cls.value, default=None)
