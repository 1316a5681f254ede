"""Autoscalers: they follow what the load asks for, within their bounds and no faster than allowed.

There are no metrics here: the annotation ``scheduler-playground/desired-replicas`` of the autoscaler says how many pods
the load asks for (the edit ``setTarget`` writes it). Without it an autoscaler keeps its target within its bounds.

Source: pkg/controller/podautoscaler/horizontal.go, reconcileAutoscaler, normalizeDesiredReplicas, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msgspec.structs import replace

from scheduler_core.api.meta import Condition
from scheduler_core.clock import MICROSECONDS
from scheduler_core.simulator.controllers.base import ControllerBase, key_of
from scheduler_core.simulator.controllers.event_recorder import EventRecorder
from scheduler_core.simulator.controllers.pod_util import FALSE, TRUE, now, with_condition
from scheduler_core.trace.events import WorkloadScaled

if TYPE_CHECKING:
    from scheduler_core.api.quotas import HorizontalPodAutoscaler
    from scheduler_core.simulator.controllers.interface import Cluster, WorkQueue

DESIRED_REPLICAS: Final = "scheduler-playground/desired-replicas"
PERIOD_US: Final = 15 * MICROSECONDS
STABILIZATION_US: Final = 300 * MICROSECONDS
MOST: Final = 100_000
_TARGETS: Final = frozenset({"Deployment", "ReplicaSet", "StatefulSet", "ReplicationController"})
_NO_METRICS: Final = (
    "the HPA was unable to compute the replica count: there are no metrics in a simulated cluster; the annotation "
    f"{DESIRED_REPLICAS} says how many pods the load asks for"
)


class Bounded(NamedTuple):
    """A number of pods within what is allowed, and which limit it ran into."""

    replicas: int
    reason: str
    message: str


class HorizontalPodAutoscalerController(ControllerBase):
    """Scales workloads every 15 s of virtual time, as long as there is anything to scale."""

    name = "horizontal-pod-autoscaler-controller"
    kind = "HorizontalPodAutoscaler"
    kinds = _TARGETS | {"HorizontalPodAutoscaler"}

    def __init__(self, cluster: Cluster, queue: WorkQueue) -> None:
        super().__init__(cluster, queue)
        self._events = EventRecorder(cluster, self.name)
        self._asked: dict[str, list[tuple[int, int]]] = {}
        """Key → until when (virtual µs) the load asked for how many."""

    def on_event(self, kind: str, old: Any | None, new: Any | None) -> None:
        """Has an autoscaler looked at in its next period; remembers what was asked for before.

        Periods in which nothing changed are left out, so a target that somebody else has scaled counts as a change.
        """
        if new is None:
            return
        if kind != self.kind:
            if old is None or old.spec.replicas != new.spec.replicas:
                self._on_scaled(new)
            return
        now_us = self._cluster.clock.now_us
        before = asked_for(old) if old is not None else None
        if before is not None and before != asked_for(new):
            last_look_us = now_us // PERIOD_US * PERIOD_US
            self._asked.setdefault(key_of(new), []).append((last_look_us, before))
        elif old is not None and old.spec == new.spec and before == asked_for(new):
            return
        self._look_later(key_of(new))

    def _on_scaled(self, target: Any) -> None:
        for own in self._api.list(self.kind, target.metadata.namespace):
            reference = own.spec.scale_target_ref
            if (reference.kind, reference.name) == (target.kind, target.metadata.name):
                self._look_later(key_of(own))

    def sync(self, key: str) -> None:
        """Takes the next step towards what the load asks for."""
        autoscaler: HorizontalPodAutoscaler | None = self._find(key)
        if autoscaler is None:
            return
        reference = autoscaler.spec.scale_target_ref
        target = self._find(f"{autoscaler.metadata.namespace}/{reference.name}", reference.kind)
        if target is None or reference.kind not in _TARGETS:
            message = (
                f"the HPA controller was unable to get the target's current scale: {reference.kind} "
                f'"{reference.name}" not found'
            )
            self._events.warn(autoscaler, "FailedGetScale", message)
            self._tell(autoscaler, None, [("AbleToScale", FALSE, "FailedGetScale", message)])
            return
        current = target.spec.replicas or 0
        self._decide(key, autoscaler, target, current)

    def _decide(self, key: str, autoscaler: HorizontalPodAutoscaler, target: Any, current: int) -> None:
        least = 1 if autoscaler.spec.min_replicas is None else autoscaler.spec.min_replicas
        most = autoscaler.spec.max_replicas
        wanted = asked_for(autoscaler)
        told: list[tuple[str, str, str, str]] = []
        if current == 0 and least != 0:
            message = "scaling is disabled since the replica count of the target is zero"
            self._tell(autoscaler, (current, current), [("ScalingActive", FALSE, "ScalingDisabled", message)])
            return
        if current > most or current < least:
            desired = most if current > most else least
            above = "above Spec.MaxReplicas" if current > most else "below Spec.MinReplicas"
            why = f"Current number of replicas {above}"
        elif wanted is None:
            told.append(("ScalingActive", FALSE, "FailedGetResourceMetric", _NO_METRICS))
            self._tell(autoscaler, (current, current), told)
            return
        else:
            stable = self._stabilized(key, wanted)
            bounded = within_bounds(stable, current, least, most)
            desired = bounded.replicas
            why = f"{DESIRED_REPLICAS} is {wanted}"
            told.append(("ScalingActive", TRUE, "ValidMetricFound", f"the load asks for {wanted} pods"))
            is_limited = bounded.reason != "DesiredWithinRange"
            told.append(("ScalingLimited", TRUE if is_limited else FALSE, bounded.reason, bounded.message))
            if stable != wanted or is_limited:
                self._look_later(key)
        if desired == current:
            told.append(("AbleToScale", TRUE, "ReadyForNewScale", "recommended size matches current size"))
        else:
            self._scale(autoscaler, target, current, desired, why)
            message = f"the HPA controller was able to update the target scale to {desired}"
            told.append(("AbleToScale", TRUE, "SucceededRescale", message))
            self._look_later(key)
        self._tell(autoscaler, (current, desired), told)

    def _stabilized(self, key: str, wanted: int) -> int:
        """The most that the load asked for lately: pods go only when it has asked for less for five minutes."""
        since_us = self._cluster.clock.now_us - STABILIZATION_US
        recent = [(until, number) for until, number in self._asked.get(key, ()) if until > since_us]
        self._asked[key] = recent
        return max([wanted, *(number for _, number in recent)])

    def _scale(
        self, autoscaler: HorizontalPodAutoscaler, target: Any, current: int, desired: int, why: str
    ) -> None:
        changed = replace(target, spec=replace(target.spec, replicas=desired))
        self._api.update(changed, by=self.name)
        self._events.tell(autoscaler, "SuccessfulRescale", f"New size: {desired}; reason: {why}")
        if self._cluster.tracer.on:
            metadata = target.metadata
            self._cluster.tracer.emit(
                WorkloadScaled(
                    object=f"{target.kind}/{metadata.namespace}/{metadata.name}",
                    replicas=desired,
                    previous=current,
                    by=self.name,
                )
            )

    def _tell(
        self,
        autoscaler: HorizontalPodAutoscaler,
        sizes: tuple[int, int] | None,
        told: list[tuple[str, str, str, str]],
    ) -> None:
        at = now(self._wall_us())
        status = autoscaler.status
        conditions = status.conditions
        for type_, value, reason, message in told:
            conditions = with_condition(
                conditions,
                Condition(type=type_, status=value, reason=reason, message=message, last_transition_time=at),
            )
        status = replace(status, observed_generation=autoscaler.metadata.generation, conditions=conditions)
        if sizes is not None:
            scaled_at = at if sizes[0] != sizes[1] else status.last_scale_time
            status = replace(
                status,
                current_replicas=sizes[0],
                desired_replicas=sizes[1],
                last_scale_time=scaled_at,
            )
        self._api.update_status(replace(autoscaler, status=status), by=self.name)

    def _look_later(self, key: str) -> None:
        """The next whole period; the first one begins at 0."""
        now_us = self._cluster.clock.now_us
        self._queue.enqueue_after(key, (now_us // PERIOD_US + 1) * PERIOD_US - now_us if now_us else 0)


def asked_for(autoscaler: HorizontalPodAutoscaler) -> int | None:
    """Returns how many pods the load asks for; None where nothing was said."""
    text = autoscaler.metadata.annotations.get(DESIRED_REPLICAS, "")
    return min(int(text), MOST) if text.isascii() and text.isdigit() and len(text) < 10 else None


def within_bounds(wanted: int, current: int, least: int, most: int) -> Bounded:
    """Returns what is allowed: within the bounds, and at most double, or four where that is more.

    Source: pkg/controller/podautoscaler/horizontal.go, convertDesiredReplicasWithRules, v1.34.1
    """
    lowest = max(least, 1) if least else 0
    if wanted < lowest:
        return Bounded(
            lowest, "TooFewReplicas", "the desired replica count is less than the minimum replica count"
        )
    fastest = max(2 * current, 4)
    if most <= fastest and wanted > most:
        return Bounded(
            most, "TooManyReplicas", "the desired replica count is more than the maximum replica count"
        )
    if wanted > fastest:
        return Bounded(
            fastest,
            "ScaleUpLimit",
            "the desired replica count is increasing faster than the maximum scale rate",
        )
    return Bounded(wanted, "DesiredWithinRange", "the desired count is within the acceptable range")
