"""What a watch saw, written as it was seen: no admission, the object's own uid and times."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from scheduler_core.api.decode import decode_object
from scheduler_core.api.defaulting import default_object
from scheduler_core.api.node import Node
from scheduler_core.api.pod import FINAL_PHASES, Pod
from scheduler_core.simulator.api_server import told
from scheduler_core.simulator.questions import unbound

if TYPE_CHECKING:
    from scheduler_core.simulator.api_server.server import ApiServer
    from scheduler_core.simulator.scenario import edits

WATCH: Final = "watch"
"""Who writes, where the trace asks."""
_replace = msgspec.structs.replace


def observe(api: ApiServer, edit: edits.Observe) -> None:
    """Stores, replaces or removes an object. A pod's node is this run's own decision."""
    object_ = default_object(decode_object(edit.object))
    metadata = object_.metadata
    current = api.get(object_.kind, metadata.namespace, metadata.name)
    if edit.type == "DELETED":
        if current is not None:
            api.remove(current, WATCH)
        return
    if isinstance(object_, Pod):
        if current is not None and current.metadata.uid != metadata.uid:
            api.remove(current, WATCH)
            current = None
        object_ = _with_own_node(object_, current)
    if current is None:
        told.created(api.tracer, object_, WATCH, {})
        api.observe(object_)
    elif not _is_heartbeat(current, object_):
        told.updated(api.tracer, current, object_, WATCH)
        api.store.put(object_.kind, object_)


def _with_own_node(seen: Pod, current: Pod | None) -> Pod:
    """A pod that came with a node stays there; else it gets its node here, and ends when the real one ended."""
    if current is None:
        return seen
    if not current.spec.node_name:
        waiting = unbound(seen)
        if seen.status.phase in FINAL_PHASES:
            return waiting
        return _replace(waiting, status=current.status)
    status = current.status
    if seen.status.phase in FINAL_PHASES:
        status = _replace(status, phase=seen.status.phase)
    return _replace(seen, spec=_replace(seen.spec, node_name=current.spec.node_name), status=status)


def _is_heartbeat(current: Any, seen: Any) -> bool:
    """Whether only the version and the times of heartbeats are other ones: a node says every few seconds that it is."""
    version = current.metadata.resource_version
    seen = _replace(seen, metadata=_replace(seen.metadata, resource_version=version))
    return bool(_calm(current) == _calm(seen))


def _calm(object_: Any) -> Any:
    if not isinstance(object_, Node):
        return object_
    conditions = tuple(_replace(own, last_heartbeat_time=None) for own in object_.status.conditions)
    return _replace(object_, status=_replace(object_.status, conditions=conditions))
