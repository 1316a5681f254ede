"""All extenders of a configuration, asked one after the other.

Source: pkg/scheduler/scheduler.go, buildExtenders; pkg/scheduler/schedule_one.go, findNodesThatPassExtenders,
prioritizeNodes and extendersBinding, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from scheduler_core.extender.errors import ExtenderError, TransportError
from scheduler_core.extender.extender import HTTPExtender, scores_by_row
from scheduler_core.extender.wire import MAX_EXTENDER_PRIORITY
from scheduler_core.framework.status import unresolvable, unschedulable
from scheduler_core.framework.types import MAX_NODE_SCORE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scheduler_core.config import Extender
    from scheduler_core.extender.extender import Transport
    from scheduler_core.framework.diagnosis import NodeToStatus
    from scheduler_core.snapshot.node_infos import Int64Array, NodeInfos, RowIndex
    from scheduler_core.snapshot.pod_info import PodInfo

EXTENDER_NAME: Final = "Extender"
"""Stands among a pod's unschedulable plugins where an extender refused nodes: any event requeues the pod."""

_SCALE: Final = MAX_NODE_SCORE // MAX_EXTENDER_PRIORITY


def build_extenders(configs: Iterable[Extender], transport: Transport | None) -> tuple[HTTPExtender, ...]:
    """The extenders in the order in which they are asked: those that may be ignored come last."""
    made = [HTTPExtender(config, transport or no_transport) for config in configs]
    return tuple(sorted(made, key=lambda extender: extender.is_ignorable))


def ignored_resources(configs: Iterable[Extender]) -> tuple[str, ...]:
    """Resources that NodeResourcesFit leaves to extenders."""
    return tuple(
        resource.name
        for config in configs
        for resource in config.managed_resources
        if resource.ignored_by_scheduler
    )


def no_transport(address: str, payload: bytes, timeout: float) -> bytes:
    """Stands for the transport where extenders are switched off."""
    raise TransportError("extenders are switched off here")


class Passed(NamedTuple):
    """The rows that all extenders let pass.

    ``without_pods``: an extender gave back whole nodes; what scores them then sees them without their pods and
    images, as upstream makes its node infos anew.
    """

    rows: RowIndex
    without_pods: bool = False


def filter_rows(
    extenders: Sequence[HTTPExtender],
    pod: PodInfo,
    nodes: NodeInfos,
    rows: RowIndex,
    statuses: NodeToStatus,
) -> Passed:
    """The rows that all extenders let pass, each asked about what the one before left.

    Args:
        extenders: in their order
        pod: the pod
        nodes: the columns
        rows: the feasible rows
        statuses: where refusals are written

    Raises:
        ExtenderError: one that may not be ignored could not be asked.
    """
    without_pods = False
    for extender in extenders:
        if not len(rows):
            break
        if not extender.is_interested(pod):
            continue
        try:
            verdict = extender.filter(pod.pod, nodes, rows)
        except ExtenderError:
            if extender.is_ignorable:
                continue
            raise
        for name, message in verdict.failed_and_unresolvable.items():
            statuses.set(name, unresolvable(message))
        for name, message in verdict.failed.items():
            if name not in verdict.failed_and_unresolvable:
                statuses.set(name, unschedulable(message))
        rows = verdict.rows
        without_pods = without_pods or verdict.whole
    return Passed(rows, without_pods)


def score_rows(
    extenders: Sequence[HTTPExtender], pod: PodInfo, nodes: NodeInfos, rows: RowIndex
) -> list[tuple[str, Int64Array]]:
    """What each extender adds to the rows' totals: its name, and its scores times its weight, of 0 to 100.

    One that could not be asked adds nothing.

    Shapes: int64[len(rows)] each
    """
    found = []
    for extender in extenders:
        if not extender.is_interested(pod):
            continue
        try:
            scores, weight = extender.prioritize(pod.pod, nodes, rows)
        except ExtenderError:
            continue
        found.append((extender.name, scores_by_row(scores, nodes, rows, weight * _SCALE)))
    return found


def bind(extenders: Sequence[HTTPExtender], pod: PodInfo, node_name: str) -> tuple[str, str]:
    """Has the first extender that binds such pods bind this one.

    Returns: who was asked ("" for none), and what went wrong with it ("" if nothing)
    """
    for extender in extenders:
        if not extender.is_binder or not extender.is_interested(pod):
            continue
        try:
            extender.bind(pod.pod, node_name)
        except ExtenderError as problem:
            if extender.is_ignorable:
                continue
            return extender.name, str(problem)
        return extender.name, ""
    return "", ""
