"""Preemption from end to end: candidates, the choice among them, the victims' deletion.

Source: pkg/scheduler/framework/preemption/preemption.go, Evaluator, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from scheduler_core.extender.errors import ExtenderError
from scheduler_core.extender.wire import Victims
from scheduler_core.framework.diagnosis import Diagnosis, FitError, NodeToStatus
from scheduler_core.framework.status import Code, Status, error, unresolvable, unschedulable
from scheduler_core.framework.types import (
    CLEAR_NOMINATION,
    NominatingInfo,
    NominatingMode,
    PostFilterResult,
)
from scheduler_core.preemption.dry_run import DryRun, Preemptor
from scheduler_core.preemption.pick_node import pick_one_node

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scheduler_core.framework.cycle_state import CycleState
    from scheduler_core.preemption.handle import PreemptionHandle
    from scheduler_core.preemption.pick_node import Choice, Criterion
    from scheduler_core.snapshot.pod_info import PodInfo

DECISION_KEY: Final = "preemption.decision"
"""Where the cycle state keeps the PreemptionDecision of the attempt."""
EVIDENCE_KEY: Final = "preemption.evidence"
"""Where the cycle state keeps the PreemptionEvidence, whether or not there is a decision."""
NOT_HELPFUL: Final = unresolvable("Preemption is not helpful for scheduling")
PREEMPTED_MESSAGE: Final = "preempted"


class PreemptionDecision(NamedTuple):
    """Where a pod preempts, whom, out of how many candidates, and what decided between them.

    ``victims`` are those that are deleted: not those that are terminating already.
    """

    node_name: str
    victims: tuple[str, ...]
    num_pdb_violations: int
    num_candidates: int
    criterion: Criterion

    def clone(self) -> PreemptionDecision:
        """Itself: nothing in it changes."""
        return self


class PreemptionEvidence(NamedTuple):
    """What the dry runs found: candidates with their victims, and what is against the other nodes tried."""

    candidates: dict[str, Victims]
    refusals: NodeToStatus

    def clone(self) -> PreemptionEvidence:
        """Itself: nothing in it changes."""
        return self


class Evaluator:
    """Runs preemption for the plugin that owns it."""

    __slots__ = ("_dry_run", "_handle", "_num_candidates", "_plugin_name")

    def __init__(
        self, plugin_name: str, handle: PreemptionHandle, num_candidates: Callable[[int], int]
    ) -> None:
        """``num_candidates`` tells for a number of nodes how many candidates will do."""
        self._plugin_name = plugin_name
        self._handle = handle
        self._num_candidates = num_candidates
        self._dry_run = DryRun(handle)

    def preempt(
        self, state: CycleState, pod: PodInfo, statuses: NodeToStatus
    ) -> tuple[PostFilterResult | None, Status | None]:
        """Finds a node for ``pod``, which every node refused; deletes the victims there and nominates it.

        Returns: (None, error), (a cleared nomination, unschedulable) where preemption does not help, or
            (the nomination, None)
        """
        candidates, refusals, errors = self._find_candidates(state, pod, statuses)
        state.write(EVIDENCE_KEY, PreemptionEvidence(candidates, refusals))
        if not candidates and errors:
            return None, error(_aggregate(errors))
        if not candidates:
            return PostFilterResult(CLEAR_NOMINATION), unschedulable(self._message(refusals))
        num_candidates = len(candidates)
        candidates, status = self._call_extenders(pod, candidates)
        if status is not None:
            return None, status
        if not candidates:
            return None, unschedulable("no candidate node for preemption")
        choice = pick_one_node(candidates)
        victims = candidates[choice.node_name]
        deleted = [victim for victim in victims.pods if victim.pod.metadata.deletion_timestamp is None]
        self._prepare(choice, deleted, pod)
        keys = tuple(pod_info.key for pod_info in deleted)
        state.write(
            DECISION_KEY,
            PreemptionDecision(
                choice.node_name, keys, victims.num_pdb_violations, num_candidates, choice.criterion
            ),
        )
        return PostFilterResult(NominatingInfo(NominatingMode.OVERRIDE, choice.node_name), keys), None

    def _find_candidates(
        self, state: CycleState, pod: PodInfo, statuses: NodeToStatus
    ) -> tuple[dict[str, Victims], NodeToStatus, list[str]]:
        """Candidates that break no disruption budget, then those that do; refusals; messages of errors."""
        refusals = NodeToStatus(NOT_HELPFUL)
        rows = self._potential_rows(statuses)
        if not rows:
            return {}, refusals, []
        offset = self._handle.preemption_offset(len(rows))
        num_wanted = self._num_candidates(len(rows))
        pdbs = tuple(self._handle.lister.list("PodDisruptionBudget"))
        kind: dict[bool, dict[str, Victims]] = {False: {}, True: {}}
        errors: list[str] = []
        for name, outcome in self._dry_run.outcomes(
            Preemptor(pod, state, pdbs), rows[offset:] + rows[:offset], num_wanted
        ):
            if isinstance(outcome, Victims) and outcome.pods:
                found = kind[outcome.num_pdb_violations > 0]
                if len(found) < num_wanted:
                    found[name] = outcome
                if kind[False] and len(kind[False]) + len(kind[True]) >= num_wanted:
                    break
                continue
            if isinstance(outcome, Victims):
                outcome = error(f'expected at least one victim pod on node "{name}"')
            if not outcome.is_rejected:
                outcome = error(_error_message(outcome))
                errors.append(outcome.message)
            refusals.set(name, outcome)
        return {**kind[False], **kind[True]}, refusals, errors

    def _potential_rows(self, statuses: NodeToStatus) -> list[int]:
        """Rows whose refusal a deletion may undo, in the snapshot's order."""
        nodes = self._handle.snapshot.node_infos
        names = nodes.names
        if statuses.absent.code == Code.UNSCHEDULABLE:
            code_of = statuses.get
            return [row for row in nodes.order.tolist() if code_of(names[row]).code == Code.UNSCHEDULABLE]
        named = {name for name, status in statuses.items() if status.code is Code.UNSCHEDULABLE}
        return [row for row in nodes.order.tolist() if names[row] in named]

    def _message(self, refusals: NodeToStatus) -> str:
        diagnosis = Diagnosis()
        diagnosis.node_to_status = refusals
        return FitError(len(self._handle.snapshot), diagnosis).message()

    def _call_extenders(
        self, pod: PodInfo, candidates: dict[str, Victims]
    ) -> tuple[dict[str, Victims], Status | None]:
        """The candidates that the extenders leave, each asked about what the one before left."""
        nodes = self._handle.snapshot.node_infos
        for extender in self._handle.extenders:
            if not extender.supports_preemption or not extender.is_interested(pod):
                continue
            try:
                answer = extender.process_preemption(pod, candidates, nodes)
            except ExtenderError as failure:
                if extender.is_ignorable:
                    continue
                return {}, error(str(failure))
            empty = [name for name, victims in answer.items() if not victims.pods]
            if empty and not extender.is_ignorable:
                return {}, error(f'expected at least one victim pod on node "{empty[0]}"')
            candidates = {name: victims for name, victims in answer.items() if victims.pods}
            if not candidates:
                break
        return candidates, None

    def _prepare(self, choice: Choice, victims: Sequence[PodInfo], pod: PodInfo) -> None:
        """Deletes the victims and clears the nominations to the node that rank below the pod."""
        handle = self._handle
        for victim in victims:
            waiting = handle.waiting_pods.get(victim.uid)
            if waiting is not None:
                waiting.reject(self._plugin_name, PREEMPTED_MESSAGE)
            else:
                handle.client.delete_pod(victim.key, PREEMPTED_MESSAGE)
        for nominated in tuple(handle.nominator.nominated_pods_for_node(choice.node_name)):
            if nominated.priority < pod.priority and nominated.pod.status.nominated_node_name:
                handle.client.clear_nomination(nominated.key)


def _error_message(status: Status) -> str:
    """The text of an error; one that a filter gave says which filter."""
    return f'running "{status.plugin}" filter plugin: {status.message}' if status.plugin else status.message


def _aggregate(messages: Sequence[str]) -> str:
    """Errors in one line, each once."""
    distinct = tuple(dict.fromkeys(messages))
    return distinct[0] if len(distinct) == 1 else f"[{', '.join(distinct)}]"
