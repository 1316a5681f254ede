"""What a change moves: pods that come, go, and lie elsewhere, and how full the nodes are before and after."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from scheduler_core.api.resources import CPU, MEMORY, PODS
from scheduler_core.checks.cluster_state import is_over
from scheduler_core.checks.trial import Order, Trial
from scheduler_core.errors import NOT_FOUND, FieldError, ManifestError

if TYPE_CHECKING:
    from scheduler_core.api.pod import Pod
    from scheduler_core.checks.check import Check
    from scheduler_core.checks.cluster_state import ClusterState

_RESOURCES = (CPU, MEMORY, PODS)


class MovedPod(msgspec.Struct, frozen=True, kw_only=True):
    """A pod that is elsewhere; an empty node: pending; None: there is no such pod."""

    pod: str
    workload: str
    before: str | None
    after: str | None
    why: str = ""


class NodeUse(msgspec.Struct, frozen=True, kw_only=True):
    """How much of a node is taken, in percent by resource."""

    node: str
    before: dict[str, float]
    after: dict[str, float]


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """All that a change moves."""

    pods: tuple[MovedPod, ...]
    nodes: tuple[NodeUse, ...]


def difference(check: Check) -> Difference:
    """Returns what a check's change moves, in the order of the files.

    Raises:
        ManifestError: the change deletes what does not exist.
    """
    trial = Trial(check, Order(None, check.seed))
    if errors := list(_missing(trial)):
        raise ManifestError(errors)
    return Difference(pods=tuple(_moved(trial)), nodes=tuple(_used(trial)))


def _missing(trial: Trial) -> Iterator[FieldError]:
    """Yields the deletions of objects that were not there; what goes with its owner was."""
    there = {
        "/".join(filter(None, (object_.kind, object_.metadata.namespace, object_.metadata.name)))
        for object_ in trial.before.objects
    }
    refused = {denied.object: denied.message for denied in trial.after.facts.denied if denied.by == "delete"}
    for index, key in enumerate(trial.check.change.delete):
        if key in refused and key not in there:
            yield FieldError(field=f"deletions[{index}]", value=key, type=NOT_FOUND, message=refused[key])


def _moved(trial: Trial) -> Iterator[MovedPod]:
    before, after = trial.before, trial.after
    victims = {each.pod: f"preempted by {each.preemptor}" for each in after.facts.preempted}
    for key in sorted(before.pods.keys() | after.pods.keys()):
        then, now = _where(before.pods.get(key)), _where(after.pods.get(key))
        if then == now:
            continue
        state = after if key in after.pods else before
        why = victims.get(key, "")
        if now == "" and (refused := after.facts.refused.get(key)):
            why = refused.message
        workload = state.workload(state.pods[key])
        yield MovedPod(pod=key, workload=workload, before=then, after=now, why=why)


def _where(pod: Pod | None) -> str | None:
    return None if pod is None or is_over(pod) else pod.spec.node_name


def _used(trial: Trial) -> Iterator[NodeUse]:
    for name in sorted(trial.before.nodes.keys() | trial.after.nodes.keys()):
        then, now = _use(trial.before, name), _use(trial.after, name)
        if then != now:
            yield NodeUse(node=name, before=then, after=now)


def _use(state: ClusterState, name: str) -> dict[str, float]:
    room = state.rooms.get(name)
    if room is None:
        return {}
    return {
        resource: round(100 * room.used.get(resource, 0) / room.allocatable[resource], 1)
        for resource in _RESOURCES
        if room.allocatable.get(resource)
    }
