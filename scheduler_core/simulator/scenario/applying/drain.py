"""Drain: nodes are cordoned and their pods evicted; what a disruption budget holds back is tried again every 5 s.

Source: kubectl/pkg/drain/{drain,filters}.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from scheduler_core.api.pod import FINAL_PHASES
from scheduler_core.clock import MICROSECONDS
from scheduler_core.simulator.api_server.errors import ApiError
from scheduler_core.simulator.api_server.eviction import guards
from scheduler_core.simulator.questions import MIRROR
from scheduler_core.simulator.scenario.applying.nodes import cordon
from scheduler_core.simulator.scenario.applying.objects import EDIT
from scheduler_core.simulator.scenario.references import chosen_nodes, listed
from scheduler_core.trace.events import EvictionRefused, NodeDrained

if TYPE_CHECKING:
    from collections.abc import Callable

    from scheduler_core.api.pod import Pod
    from scheduler_core.simulator.api_server.server import ApiServer
    from scheduler_core.simulator.event_loop import CallLater
    from scheduler_core.simulator.scenario.edits import Drain

RETRY_US: Final = 5 * MICROSECONDS
POLL_US: Final = MICROSECONDS
_DAEMON_SETS: Final = "DaemonSet-managed Pods (use --ignore-daemonsets to ignore)"
_LOCAL: Final = "Pods with local storage (use --delete-emptydir-data to override)"
_UNMANAGED: Final = "Pods that declare no controller (use --force to override)"


def start_drain(api: ApiServer, edit: Drain) -> list[Pod]:
    """Cordons the nodes and returns the pods to evict, in order of (namespace, name).

    Raises:
        ApiError: a pod stands in the way, in kubectl's words; then nothing is cordoned.
    """
    nodes = {node.metadata.name for node in chosen_nodes(edit, api.list("Node"))}
    evicted: list[Pod] = []
    against: dict[str, list[str]] = {}
    for pod in api.list("Pod"):
        if pod.spec.node_name not in nodes:
            continue
        reason = _reason_to_stay(api, edit, pod)
        if reason is None:
            evicted.append(pod)
        elif reason:
            against.setdefault(reason, []).append(pod.key)
    if against:
        texts = [f"cannot delete {reason}: {', '.join(pods)}" for reason, pods in sorted(against.items())]
        raise ApiError("Forbidden", 403, texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]")
    cordon(api, edit)
    return evicted


def _reason_to_stay(api: ApiServer, edit: Drain, pod: Pod) -> str | None:
    """None: the pod goes; an empty text: it stays and that is well; else why the drain cannot be."""
    if MIRROR in pod.metadata.annotations:
        return ""
    is_finished = pod.status.phase in FINAL_PHASES
    owner = pod.metadata.controller()
    if owner is not None and owner.kind == "DaemonSet" and not is_finished:
        if api.get("DaemonSet", pod.metadata.namespace, owner.name) is None:
            return None if edit.force else f'pods whose daemonsets.apps "{owner.name}" is not found'
        return "" if edit.ignore_daemon_sets else _DAEMON_SETS
    if is_finished:
        return None
    if not edit.delete_empty_dir_data and any(volume.empty_dir is not None for volume in pod.spec.volumes):
        return _LOCAL
    return None if owner is not None or edit.force else _UNMANAGED


class Eviction:
    """The pods of one drain, each evicted and waited for beside the others, as kubectl's goroutines do."""

    def __init__(
        self,
        api: ApiServer,
        edit: Drain,
        pods: list[Pod],
        call_later: CallLater,
        give_up: Callable[[str], None],
    ) -> None:
        self._api = api
        self._edit = edit
        self._call_later = call_later
        self._give_up = give_up
        self._left = {pod.key: pod for pod in pods}
        self._told: dict[str, str] = {}
        self._is_over = False

    def start(self) -> None:
        """Evicts all pods for the first time, and begins to wait."""
        if self._edit.timeout:
            self._call_later(int(self._edit.timeout) // 1000, self._time_out)
        for pod in tuple(self._left.values()):
            self._try(pod)
        self._poll()

    def _try(self, pod: Pod) -> None:
        if self._is_over or not self._is_there(pod):
            return
        namespace, name = pod.metadata.namespace, pod.metadata.name
        try:
            if self._edit.disable_eviction:
                grace = self._edit.grace_seconds
                self._api.delete("Pod", namespace, name, by=EDIT, grace_seconds=grace, reason="evicted")
            else:
                self._api.evict(namespace, name, by=EDIT, grace_seconds=self._edit.grace_seconds)
        except ApiError as refusal:
            if refusal.reason == "TooManyRequests":
                self._tell(pod, refusal)
                self._call_later(RETRY_US, lambda: self._try(pod), passive=True)
            else:
                self._end(f'error when evicting pod "{name}": {refusal.message}')

    def _tell(self, pod: Pod, refusal: ApiError) -> None:
        """Traces a refusal once, until it is another one: a drain may try for hours."""
        if self._told.get(pod.key) == refusal.cause:
            return
        self._told[pod.key] = refusal.cause
        if self._api.tracer.on:
            self._api.tracer.emit(
                EvictionRefused(
                    pod=pod.key,
                    node=pod.spec.node_name,
                    message=refusal.message,
                    cause=refusal.cause,
                    retry_us=RETRY_US,
                )
            )

    def _poll(self) -> None:
        if self._is_over:
            return
        for key, pod in tuple(self._left.items()):
            if not self._is_there(pod):
                del self._left[key]
        if self._left:
            self._call_later(POLL_US, self._poll, passive=not all(map(self._is_going, self._left.values())))
            return
        self._is_over = True
        if self._api.tracer.on:
            for node in chosen_nodes(self._edit, self._api.list("Node")):
                self._api.tracer.emit(NodeDrained(node=node.metadata.name))

    def _is_there(self, pod: Pod) -> bool:
        metadata = pod.metadata
        current: Any = self._api.get("Pod", metadata.namespace, metadata.name)
        return current is not None and current.metadata.uid == metadata.uid

    def _is_going(self, pod: Pod) -> bool:
        current: Pod | None = self._api.get("Pod", pod.metadata.namespace, pod.metadata.name)
        return current is None or current.metadata.deletion_timestamp is not None

    def _time_out(self) -> None:
        if not self._is_over:
            self._end(f"global timeout reached: {self._edit.timeout}; still there: {listed(self._left)}")

    def _end(self, message: str) -> None:
        self._is_over = True
        self._give_up(message)

    def rest(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Returns the pods that are still there, and the budgets that hold any of them back."""
        left = [pod for key, pod in self._left.items() if key in self._told]
        budgets = {
            f"PodDisruptionBudget {budget.metadata.namespace}/{budget.metadata.name}"
            for pod in left
            for budget in self._api.list("PodDisruptionBudget", pod.metadata.namespace)
            if guards(budget, pod)
        }
        return tuple(self._left), tuple(sorted(budgets))

    def text_of_the_rest(self) -> str:
        """Returns what a drain that never ended waits for, or an empty text."""
        if self._is_over or not self._left:
            return ""
        causes = sorted({cause for cause in self._told.values() if cause})
        why = f": {'; '.join(causes)}" if causes else ""
        return f"still there: {listed(self._left)}{why}"
