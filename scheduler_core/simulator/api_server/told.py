"""What the trace tells of a write: the events of an object that is made, changed or goes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from scheduler_core.api.kinds import object_key
from scheduler_core.api.pod_resources import pod_requests, to_ints
from scheduler_core.clock import MICROSECONDS
from scheduler_core.trace.events import (
    AdmissionRefused,
    NodeAdded,
    NodeDeleted,
    NodeUpdated,
    ObjectChanged,
    PodCreated,
    PodDefaulted,
    PodDeleted,
    PodTerminating,
    PodUpdated,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scheduler_core.simulator.api_server.errors import ApiError
    from scheduler_core.trace.sink import Tracer


def created(tracer: Tracer, object_: Any, by: str, fields: Mapping[str, str]) -> None:
    """An object is about to be stored; ``fields`` is what admission filled in."""
    if not tracer.on:
        return
    metadata = object_.metadata
    if object_.kind == "Pod":
        owner = metadata.controller()
        named = f"{owner.kind}/{owner.name}" if owner is not None else ""
        tracer.emit(PodCreated(pod=object_.key, by=by, owner=named, requests=pod_requests(object_)))
        if fields:
            tracer.emit(PodDefaulted(pod=object_.key, fields=dict(fields)))
    elif object_.kind == "Node":
        tracer.emit(NodeAdded(node=metadata.name, **_node_facts(object_)))
    else:
        _changed(tracer, object_, by, "created")


def refused(tracer: Tracer, object_: Any, by: str, refusal: ApiError) -> None:
    """Admission refused an object."""
    if tracer.on:
        tracer.emit(AdmissionRefused(object=_key(object_), by=by, message=refusal.message))


def updated(tracer: Tracer, old: Any, new: Any, by: str) -> None:
    """An object is about to be replaced."""
    if not tracer.on:
        return
    if old.kind == "Pod":
        tracer.emit(PodUpdated(pod=old.key))
    elif old.kind == "Node":
        tracer.emit(NodeUpdated(node=old.metadata.name, **_node_facts(new)))
    elif getattr(old, "spec", None) != getattr(new, "spec", None):
        _changed(tracer, new, by, "updated")


def deleting(tracer: Tracer, object_: Any, by: str, grace_seconds: int, reason: str) -> None:
    """An object is about to go, once its grace period is over and its finalizers are gone."""
    if not tracer.on:
        return
    if object_.kind == "Pod":
        tracer.emit(
            PodTerminating(
                pod=object_.key,
                node=object_.spec.node_name,
                grace_us=grace_seconds * MICROSECONDS,
                by=by,
                reason=_reason(reason),
            )
        )
    else:
        _changed(tracer, object_, by, "deleting")


def deleted(tracer: Tracer, object_: Any, by: str, reason: str) -> None:
    """An object is gone."""
    if not tracer.on:
        return
    if object_.kind == "Pod":
        tracer.emit(PodDeleted(pod=object_.key, node=object_.spec.node_name, reason=_reason(reason)))
    elif object_.kind == "Node":
        tracer.emit(NodeDeleted(node=object_.metadata.name))
    else:
        _changed(tracer, object_, by, "deleted")


def _changed(
    tracer: Tracer, object_: Any, by: str, change: Literal["created", "updated", "deleting", "deleted"]
) -> None:
    tracer.emit(ObjectChanged(object=_key(object_), change=change, by=by))


def _node_facts(node: Any) -> dict[str, Any]:
    """What a picture of the node needs."""
    return {
        "allocatable": to_ints(node.status.allocatable),
        "labels": dict(node.metadata.labels),
        "taints": tuple(f"{taint.key}={taint.value}:{taint.effect}" for taint in node.spec.taints),
        "unschedulable": node.spec.unschedulable,
        "ready": node.is_ready is not False,
    }


def _key(object_: Any) -> str:
    return object_key(object_.kind, object_.metadata.namespace, object_.metadata.name)


def _reason(text: str) -> Literal["deleted", "preempted", "evicted"]:
    if text == "preempted":
        return "preempted"
    return "evicted" if text == "evicted" else "deleted"
