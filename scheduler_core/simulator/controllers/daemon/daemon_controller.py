"""Daemon sets: one pod on every node that fits, on new nodes too.

Source: pkg/controller/daemon/daemon_controller.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from scheduler_core.api.workloads import ROLLING_UPDATE, DaemonSetStatus
from scheduler_core.simulator.controllers.base import ControllerBase, key_of
from scheduler_core.simulator.controllers.controller_ref_manager import ControllerRefManager
from scheduler_core.simulator.controllers.daemon.fitting import (
    for_node,
    target_node,
    verdict,
    with_tolerations,
)
from scheduler_core.simulator.controllers.daemon.plan import Daemons, Plan, age_order, manage, rolling_update
from scheduler_core.simulator.controllers.history import REVISION_LABEL, History, most_common_hash
from scheduler_core.simulator.controllers.pod_control import delete_pods, pod_from_template, slow_start
from scheduler_core.simulator.controllers.pod_util import available_at, is_ready

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scheduler_core.api.pod import Pod, PodTemplateSpec
    from scheduler_core.api.workloads import DaemonSet
    from scheduler_core.simulator.controllers.interface import Cluster, WorkQueue

BURST_REPLICAS: Final = 250


class DaemonSetController(ControllerBase):
    """Keeps daemons."""

    name = "daemonset-controller"
    kind = "DaemonSet"
    kinds = frozenset({"DaemonSet", "Pod", "Node"})

    def __init__(self, cluster: Cluster, queue: WorkQueue) -> None:
        super().__init__(cluster, queue)
        self._refs = ControllerRefManager(self._api, self.kind, "Pod", lambda own: own.spec.selector)
        self._history = History(self._api, self.name)

    def on_event(self, kind: str, old: Any | None, new: Any | None) -> None:
        """Has the daemon set of the change looked at; a node that is new or other concerns them all."""
        if kind == self.kind:
            self._refs.on_owner(old, new)
            super().on_event(kind, old, new)
        elif kind == "Pod":
            for key in self._refs.on_owned(old, new):
                self._queue.enqueue(key)
        elif _concerns_daemons(old, new):
            for daemon_set in self._api.list(self.kind):
                self._queue.enqueue(key_of(daemon_set))

    def sync(self, key: str) -> None:
        """Makes and deletes daemons, and tells on how many nodes they are."""
        daemon_set: DaemonSet | None = self._find(key)
        if daemon_set is None or daemon_set.spec.selector is None or daemon_set.spec.selector.is_empty():
            return
        pods: list[Pod] = self._refs.claim(daemon_set, by=self.name)
        common = most_common_hash(pods)
        known = f"{daemon_set.metadata.name}-{common}" if common else ""
        revision = self._history.update_revision(daemon_set, known)
        digest = revision.metadata.labels.get(REVISION_LABEL, "")
        daemons = self._look(daemon_set, pods, digest)
        self._queue.busy(key, len(daemons.verdicts) + len(pods))
        if daemon_set.metadata.deletion_timestamp is None:
            step = manage(daemons)
            if not step.create and not step.delete and _is_rolling(daemon_set):
                step = rolling_update(daemons)
            self._do(daemon_set, step, digest)
            live = {f"{daemon_set.metadata.name}-{pod.metadata.labels.get(REVISION_LABEL)}" for pod in pods}
            self._history.truncate(daemon_set, live | {revision.metadata.name})
        self._update_status(daemon_set, daemons)

    def _look(self, daemon_set: DaemonSet, pods: Sequence[Pod], digest: str) -> Daemons:
        spec = with_tolerations(daemon_set.spec.template.spec)
        by_node: dict[str, list[Pod]] = {}
        for pod in pods:
            node = target_node(pod)
            if node:
                by_node.setdefault(node, []).append(pod)
        revisions = self._history.of(daemon_set)
        first = revisions[0].metadata.labels.get(REVISION_LABEL, "") if revisions else digest

        def is_updated(pod: Pod) -> bool:
            return (pod.metadata.labels.get(REVISION_LABEL) or first) == digest

        verdicts = {node.metadata.name: verdict(spec, node) for node in self._api.list("Node")}
        return Daemons(daemon_set, verdicts, by_node, is_updated, self._wall_us())

    def _do(self, daemon_set: DaemonSet, plan: Plan, digest: str) -> None:
        delete_pods(self._api, plan.delete[:BURST_REPLICAS], by=self.name)
        nodes = iter(plan.create[:BURST_REPLICAS])
        template = self._template(daemon_set, digest)

        def create() -> None:
            pod = pod_from_template(for_node(template, next(nodes)), daemon_set)
            self._api.create(pod, by=self.name)

        slow_start(min(len(plan.create), BURST_REPLICAS), create)

    def _template(self, daemon_set: DaemonSet, digest: str) -> PodTemplateSpec:
        template = daemon_set.spec.template
        labels = {**template.metadata.labels, REVISION_LABEL: digest}
        return replace(
            template,
            metadata=replace(template.metadata, labels=labels),
            spec=with_tolerations(template.spec),
        )

    def _update_status(self, daemon_set: DaemonSet, daemons: Daemons) -> None:
        stored = self._find(key_of(daemon_set))
        if stored is None:
            return
        status = daemon_status(stored.status, daemons)
        status = replace(status, observed_generation=daemon_set.metadata.generation)
        self._api.update_status(replace(stored, status=status), by=self.name)
        min_ready = daemon_set.spec.min_ready_seconds
        if min_ready and status.number_ready != status.number_available:
            wall_us = self._wall_us()
            moments = [
                at
                for pods in daemons.pods.values()
                for pod in pods
                if (at := available_at(pod, min_ready, wall_us)) is not None and at > wall_us
            ]
            if moments:
                self._queue.enqueue_after(key_of(daemon_set), min(moments) - wall_us)


def daemon_status(before: DaemonSetStatus, daemons: Daemons) -> DaemonSetStatus:
    """Returns on how many nodes a daemon is to run, and runs.

    Source: pkg/controller/daemon/daemon_controller.go, updateDaemonSetStatus, v1.34.1
    """
    desired = current = misscheduled = ready = updated = available = 0
    for node, verdict_ in daemons.verdicts.items():
        pods = age_order(daemons.pods.get(node, ()))
        if not verdict_.should_run:
            misscheduled += bool(pods)
            continue
        desired += 1
        if pods:
            current += 1
            first = pods[0]
            ready += is_ready(first)
            available += is_ready(first) and daemons.is_available(first)
            updated += daemons.is_updated(first)
    return replace(
        before,
        desired_number_scheduled=desired,
        current_number_scheduled=current,
        number_misscheduled=misscheduled,
        number_ready=ready,
        updated_number_scheduled=updated,
        number_available=available,
        number_unavailable=desired - available,
    )


def _is_rolling(daemon_set: DaemonSet) -> bool:
    return daemon_set.spec.update_strategy.type == ROLLING_UPDATE


def _concerns_daemons(old: Any | None, new: Any | None) -> bool:
    """Whether a node came, went, or has other labels or taints."""
    if old is None or new is None:
        return True
    return bool(old.metadata.labels != new.metadata.labels or old.spec.taints != new.spec.taints)
