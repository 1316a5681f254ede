"""Victims: the pods of one node that would have to go, and who of them may stay after all.

Source: pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go, SelectVictimsOnNode, and
pkg/scheduler/util/utils.go, MoreImportantPod, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scheduler_core.api.selectors import SelectorError
from scheduler_core.extender.wire import Victims
from scheduler_core.framework.status import Code, Status, unresolvable
from scheduler_core.preemption.importance import sorted_by_importance

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scheduler_core.api.policy import PodDisruptionBudget
    from scheduler_core.framework.cycle_state import CycleState
    from scheduler_core.framework.interface import Handle
    from scheduler_core.snapshot.node_info import NodeInfo
    from scheduler_core.snapshot.pod_info import PodInfo

NO_VICTIMS: Final = unresolvable("No preemption victims found for incoming pod")


class DryRunError(Exception):
    """A plugin failed while a dry run told it of a pod added or removed."""


def potential_victims(node_info: NodeInfo, priority: int) -> list[PodInfo]:
    """Pods of a node with a priority lower than ``priority``, in the node's order."""
    return [pod for pod in node_info.pods.values() if pod.priority < priority]


def has_potential_victims(node_info: NodeInfo, priority: int) -> bool:
    """Whether a pod of the node has a priority lower than ``priority``."""
    for pod_info in node_info.pods.values():  # noqa: SIM110 (a generator costs twice as much here)
        if pod_info.priority < priority:
            return True
    return False


def split_by_pdb_violation(
    pods: Iterable[PodInfo], pdbs: Sequence[PodDisruptionBudget]
) -> tuple[list[PodInfo], list[PodInfo]]:
    """Pods whose deletion would break a disruption budget, and the others; both keep the order given.

    Budgets are spent in that order. A selector that is absent, empty or invalid means no pod.

    Returns: (violating, not violating)
    """
    if not pdbs:
        return [], list(pods)
    allowed = [pdb.status.disruptions_allowed for pdb in pdbs]
    violating: list[PodInfo] = []
    others: list[PodInfo] = []
    for pod_info in pods:
        violates = False
        for index, pdb in enumerate(pdbs):
            if protects(pdb, pod_info):
                allowed[index] -= 1
                violates |= allowed[index] < 0
        (violating if violates else others).append(pod_info)
    return violating, others


def select_victims_on_node(
    handle: Handle, state: CycleState, preemptor: PodInfo, row: int, pdbs: Sequence[PodDisruptionBudget]
) -> Victims | Status:
    """The fewest pods of one node that must go so that ``preemptor`` fits there.

    ``state`` is a clone that belongs to this dry run.

    Returns: the victims (none if the pod fits as it is), or why the node does not help
    """
    node_info = handle.snapshot.node_infos.info(row)
    found = potential_victims(node_info, preemptor.priority)
    if not found:
        return NO_VICTIMS
    node_info = node_info.clone()
    with handle.snapshot.overlay(row, node_info):
        dry_run = _DryRun(handle, state, preemptor, row, node_info)
        try:
            for pod_info in found:
                dry_run.remove(pod_info)
            status = dry_run.status()
            if status is not None:
                return status
            return _reprieve(dry_run, found, pdbs)
        except DryRunError as failure:
            return Status(Code.ERROR, (str(failure),))


class _DryRun:
    """The node as it would be, shown in its row; the plugins' data follows each pod."""

    __slots__ = ("_handle", "_node_info", "_preemptor", "_row", "_state")

    def __init__(
        self, handle: Handle, state: CycleState, preemptor: PodInfo, row: int, node_info: NodeInfo
    ) -> None:
        self._handle = handle
        self._state = state
        self._preemptor = preemptor
        self._row = row
        self._node_info = node_info

    def remove(self, pod_info: PodInfo) -> None:
        """Takes a pod off the node."""
        self._node_info.remove_pod(pod_info.uid)
        self._check(
            self._handle.run_pre_filter_remove_pod(self._state, self._preemptor, pod_info, self._node_info)
        )

    def add(self, pod_info: PodInfo) -> None:
        """Puts a pod back."""
        self._node_info.add_pod(pod_info)
        self._check(
            self._handle.run_pre_filter_add_pod(self._state, self._preemptor, pod_info, self._node_info)
        )

    def status(self) -> Status | None:
        """What the filters say of the preemptor now; None if it fits."""
        handle = self._handle
        handle.snapshot.node_infos.write_pods(self._row, self._node_info)
        status = handle.run_filters_on_row(self._state, self._preemptor, self._row)
        return None if status is None or status.is_success else status

    @staticmethod
    def _check(status: Status | None) -> None:
        if status is not None and not status.is_success:
            raise DryRunError(status.message)


def _reprieve(dry_run: _DryRun, found: Sequence[PodInfo], pdbs: Sequence[PodDisruptionBudget]) -> Victims:
    """Puts pods back, the most important first, as long as the preemptor still fits."""
    violating, others = split_by_pdb_violation(sorted_by_importance(found), pdbs)
    victims: list[PodInfo] = []
    num_pdb_violations = 0
    for group in (violating, others):
        for pod_info in group:
            dry_run.add(pod_info)
            if dry_run.status() is not None:
                dry_run.remove(pod_info)
                victims.append(pod_info)
        if group is violating:
            num_pdb_violations = len(victims)
    if violating and others:
        victims = sorted_by_importance(victims)
    return Victims(tuple(victims), num_pdb_violations)


def protects(pdb: PodDisruptionBudget, pod_info: PodInfo) -> bool:
    """Whether a disruption budget counts the pod: an invalid selector, or an empty one, counts none."""
    metadata = pod_info.pod.metadata
    selector = pdb.spec.selector
    if not metadata.labels or pdb.metadata.namespace != metadata.namespace:
        return False
    if selector is None or selector.is_empty():
        return False
    try:
        if not selector.matches(metadata.labels):
            return False
    except SelectorError:
        return False
    return metadata.name not in pdb.status.disrupted_pods
