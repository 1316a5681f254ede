"""Priority admission: a pod's priorityClassName becomes its priority and preemption policy.

Source: plugin/pkg/admission/priority/admission.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from scheduler_core.api.policy import PREEMPT_LOWER_PRIORITY
from scheduler_core.simulator.api_server.interface import Refusal

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


def check_priority(pod: Pod, store: ObjectStore) -> None:
    """Holds what the plugin holds where a pod is new.

    Raises:
        Refusal: the class is not there, or gives another priority than the pod says.
    """
    name = pod.spec.priority_class_name
    found: PriorityClass | None = store.get("PriorityClass", "", name) if name else _global_default(store)
    if name and found is None and name not in SYSTEM_PRIORITIES:
        raise Refusal(f"no PriorityClass with name {name} was found")
    value = found.value if found is not None else SYSTEM_PRIORITIES.get(name, 0)
    if pod.spec.priority is not None and pod.spec.priority != value:
        raise Refusal(
            f"the integer value of priority ({pod.spec.priority}) must not be provided in pod spec; "
            f"priority admission controller computed {value} from the given PriorityClass name"
        )
    policy = (found.preemption_policy if found is not None else None) or PREEMPT_LOWER_PRIORITY
    if pod.spec.preemption_policy not in (None, policy):
        raise Refusal(
            f"the string value of PreemptionPolicy ({pod.spec.preemption_policy}) must not be provided in pod spec; "
            f"priority admission controller computed {policy} from the given PriorityClass name"
        )


def _global_default(store: ObjectStore) -> PriorityClass | None:
    """The default class with the lowest value, as upstream takes it when there are several."""
    defaults = [cls for cls in store.list("PriorityClass") if cls.global_default]
    return min(defaults, key=lambda cls: cls.value, default=None)
