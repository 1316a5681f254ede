"""Asks one plugin about a pod and all nodes of a snapshot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scheduler_core.api.pod import Pod
from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.status import SKIP, Status
from scheduler_core.framework.types import PASSES
from scheduler_core.snapshot.pod_info import PodInfo
from scheduler_core.snapshot.snapshot import Snapshot

if TYPE_CHECKING:
    from scheduler_core.snapshot.node_infos import NodeInfos, RowIndex

Verdict = tuple[str, tuple[str, ...]]
"""Code and sorted reasons."""


def verdict_of(status: Status | None) -> Verdict | None:
    """Returns a status so that it can be compared; success is None."""
    return None if status is None else (status.code_name, tuple(sorted(status.reasons)))


def pre_filter(plugin: Any, pod: Pod, snapshot: Snapshot) -> tuple[CycleState, Any, Verdict | None]:
    """Returns the state, the result and the status of PreFilter."""
    state = CycleState()
    if not hasattr(plugin, "pre_filter"):
        return state, None, None
    result, status = plugin.pre_filter(state, PodInfo(pod, snapshot.node_infos.axis), snapshot.node_infos)
    return state, result, verdict_of(status)


def filter_rows(
    plugin: Any, state: CycleState, pod: Pod, nodes: NodeInfos, rows: RowIndex
) -> dict[str, Verdict | None]:
    """Returns node → verdict of Filter on the rows."""
    result = plugin.filter(state, PodInfo(pod, nodes.axis), nodes, rows)
    if result is None:
        return {nodes.names[row]: None for row in rows}
    assert len(result.index) == len(rows)
    statuses = [None if k == PASSES else result.statuses[k - 1] for k in result.index]
    return {nodes.names[row]: verdict_of(status) for row, status in zip(rows, statuses, strict=True)}


def judge(plugin: Any, pod: Pod, snapshot: Snapshot) -> dict[str, Verdict | None]:
    """Returns node → verdict of PreFilter and Filter; a plugin that skips passes every node."""
    nodes = snapshot.node_infos
    state, _, status = pre_filter(plugin, pod, snapshot)
    if status == verdict_of(SKIP):
        return dict.fromkeys(nodes.row_of)
    assert status is None
    return filter_rows(plugin, state, pod, nodes, nodes.order)


def refused(plugin: Any, pod: Pod, snapshot: Snapshot) -> dict[str, Verdict]:
    """Returns the refusals only."""
    return {name: verdict for name, verdict in judge(plugin, pod, snapshot).items() if verdict}


def score(plugin: Any, pod: Pod, snapshot: Snapshot, *, normalize: bool = False) -> dict[str, int] | None:
    """Returns node → score, raw or normalized; None where PreScore skips."""
    nodes = snapshot.node_infos
    state, rows, pod_info = CycleState(), nodes.order, PodInfo(pod, nodes.axis)
    status = plugin.pre_score(state, pod_info, nodes, rows) if hasattr(plugin, "pre_score") else None
    if status is not None:
        assert status.is_skip, status
        return None
    scores = plugin.score(state, pod_info, nodes, rows)
    assert scores.dtype == "int64"
    if normalize and hasattr(plugin, "normalize_score"):
        scores = plugin.normalize_score(state, pod_info, nodes, rows, scores)
    return {nodes.names[row]: int(number) for row, number in zip(rows, scores, strict=True)}


def hints(plugin: Any, resource: str, action: Any) -> list[Any]:
    """Returns the hint functions registered for an event, None for one that always queues."""
    return [
        registered.hint
        for registered in plugin.events_to_register()
        if registered.event.resource == resource and registered.event.action_type & action
    ]
