"""Workloads that end a run with less than they should have, and what their controller waits for.

Source: pkg/controller/statefulset/stateful_set_control.go, updateStatefulSet: with OrderedReady one pod after
the other; pkg/controller/daemon/update.go: no more pods than maxUnavailable are down at a time, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from scheduler_core.simulator.availability import is_available

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scheduler_core.api.pod import Pod
    from scheduler_core.simulator.object_store import ObjectStore

_PARALLEL: Final = "Parallel"


class HeldUp(msgspec.Struct, frozen=True):
    """``text`` is a sentence about ``object``, such as StatefulSet/shop/db; ``pod`` is the one that it waits for."""

    object: str
    text: str
    pod: str = ""


def held_up(store: ObjectStore) -> tuple[HeldUp, ...]:
    """Returns stateful sets that make no further pod, and daemon sets whose pods do not run on all their nodes."""
    return (*_stateful_sets(store), *_daemon_sets(store))


def _stateful_sets(store: ObjectStore) -> Iterator[HeldUp]:
    for object_ in store.list("StatefulSet"):
        wanted = 1 if object_.spec.replicas is None else object_.spec.replicas
        pods = sorted(_pods_of(store, object_), key=_ordinal)
        if object_.spec.pod_management_policy == _PARALLEL or len(pods) >= wanted:
            continue
        waited = next((pod for pod in pods if not is_available(pod)), None)
        if waited is None:
            continue
        name = _name(object_)
        text = f"StatefulSet {name} has {len(pods)} of {wanted} pods: it makes no other before {waited.key} is ready"
        yield HeldUp(f"StatefulSet/{name}", text, waited.key)


def _daemon_sets(store: ObjectStore) -> Iterator[HeldUp]:
    for object_ in store.list("DaemonSet"):
        status, name = object_.status, _name(object_)
        missing = [pod for pod in _pods_of(store, object_) if pod.standing == "pending"]
        if not missing:
            continue
        number = f"{len(missing)} of {status.desired_number_scheduled} pods"
        stay = "stays" if len(missing) == 1 else "stay"
        text = f"DaemonSet {name}: {number} {stay} pending, each for the one node that it belongs to"
        yield HeldUp(f"DaemonSet/{name}", text, missing[0].key)


def _pods_of(store: ObjectStore, object_: Any) -> list[Pod]:
    metadata = object_.metadata
    found = []
    for pod in store.list("Pod", metadata.namespace):
        owner = pod.metadata.controller()
        if owner is not None and owner.kind == object_.kind and owner.name == metadata.name:
            found.append(pod)
    return found


def _ordinal(pod: Pod) -> int:
    digits = pod.metadata.name.rpartition("-")[2]
    return int(digits) if digits.isdigit() else -1


def _name(object_: Any) -> str:
    return f"{object_.metadata.namespace}/{object_.metadata.name}"
