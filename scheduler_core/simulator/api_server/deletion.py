"""How objects go: finalizers, propagation, and a pod's grace period.

Source: apiserver/pkg/registry/rest/delete.go, BeforeDelete; registry/generic/registry/store.go, Delete;
pkg/registry/core/pod/strategy.go, CheckGracefulDelete, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from scheduler_core.api.meta import Time
from scheduler_core.api.pod import FINAL_PHASES, Pod
from scheduler_core.api.policy import Namespace
from scheduler_core.clock import MICROSECONDS
from scheduler_core.simulator.api_server import told

if TYPE_CHECKING:
    from scheduler_core.api.kinds import KubeObject
    from scheduler_core.simulator.api_server.interface import Writes

FOREGROUND: Final = "foregroundDeletion"
ORPHAN: Final = "orphan"
KUBERNETES: Final = "kubernetes"
"""What a namespace's spec waits for: that it is empty."""
_FINALIZERS: Final = {"Foreground": FOREGROUND, "Orphan": ORPHAN}
_REASONS: Final = {"PreemptionByScheduler": "preempted", "EvictionByEvictionAPI": "evicted"}
_replace = msgspec.structs.replace


def delete(
    api: Writes, object_: KubeObject, *, by: str, grace_seconds: int | None, how: str, reason: str
) -> None:
    """Deletes an object, or begins to."""
    metadata = object_.metadata
    finalizers = list(metadata.finalizers)
    wanted = _FINALIZERS.get(how)
    if wanted is not None and wanted not in finalizers:
        finalizers.append(wanted)
    grace = _grace_seconds(api, object_, grace_seconds)
    if isinstance(object_, Namespace) and (object_.spec.finalizers or api.empties_namespaces):
        _terminate_namespace(api, object_, by)
        return
    if not grace and not finalizers:
        api.remove(object_, by, reason)
        return
    if metadata.deletion_timestamp is not None:
        shorter = isinstance(object_, Pod) and grace < (metadata.deletion_grace_period_seconds or 0)
        if not shorter and tuple(finalizers) == metadata.finalizers:
            return
    now = api.clock.wall_us()
    changes: dict[str, Any] = {
        "finalizers": tuple(finalizers),
        "deletion_timestamp": Time(now // MICROSECONDS * MICROSECONDS + grace * MICROSECONDS),
        "deletion_grace_period_seconds": grace,
    }
    if isinstance(object_, Pod):
        api.account.leaving(object_, by, reason)
    told.deleting(api.tracer, object_, by, grace, reason)
    api.store.put(object_.kind, _replace(object_, metadata=_replace(metadata, **changes)))


def reason_of(object_: KubeObject, reason: str) -> str:
    """Returns why an object goes: a pod that terminated tells by its condition who had asked for it."""
    if isinstance(object_, Pod) and reason == "deleted" and object_.metadata.deletion_timestamp is not None:
        for condition in object_.status.conditions:
            if condition.type == "DisruptionTarget" and condition.status == "True":
                return _REASONS.get(condition.reason, reason)
    return reason


def is_over(object_: KubeObject) -> bool:
    """Returns whether nothing stands before an object's deletion any more."""
    metadata = object_.metadata
    if metadata.deletion_timestamp is None or metadata.finalizers:
        return False
    if isinstance(object_, Namespace):
        return not object_.spec.finalizers
    return not metadata.deletion_grace_period_seconds


def _grace_seconds(api: Writes, object_: KubeObject, asked: int | None) -> int:
    """A pod that runs nowhere, or no longer, needs no time to end."""
    if not isinstance(object_, Pod) or not object_.spec.node_name or object_.status.phase in FINAL_PHASES:
        return 0
    if not api.graceful:
        api.wake_kubelet()
    if not api.graceful:
        return 0
    own = object_.spec.termination_grace_period_seconds
    grace = own if asked is None else asked
    return max(grace or 0, 0)


def _terminate_namespace(api: Writes, namespace: Namespace, by: str) -> None:
    if namespace.metadata.deletion_timestamp is not None:
        return
    now = Time(api.clock.wall_us() // MICROSECONDS * MICROSECONDS)
    metadata = _replace(namespace.metadata, deletion_timestamp=now)
    status = _replace(namespace.status, phase="Terminating")
    spec = _replace(namespace.spec, finalizers=namespace.spec.finalizers or (KUBERNETES,))
    told.deleting(api.tracer, namespace, by, 0, "deleted")
    api.store.put("Namespace", _replace(namespace, metadata=metadata, spec=spec, status=status))
