"""One pod's attempt, read downward as a story: scheduling cycle, then binding cycle, then what failure leaves.

Source: pkg/scheduler/schedule_one.go, ScheduleOne, schedulingCycle, bindingCycle, handleSchedulingFailure, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from scheduler_core.config.duration import Duration
from scheduler_core.extender.chain import bind as bind_by_extender
from scheduler_core.framework.cluster_event import ASSIGNED_POD_DELETE
from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.diagnosis import NO_NODES_MESSAGE, Diagnosis, FitError
from scheduler_core.framework.status import Status, error
from scheduler_core.framework.types import CLEAR_NOMINATION, NominatingInfo
from scheduler_core.framework.waiting_pods import WaitingPod
from scheduler_core.scheduler.attempt import Attempt
from scheduler_core.scheduler.find_nodes import SchedulingError
from scheduler_core.scheduler.prioritize import (
    prioritize_nodes,
    prioritize_without_pods,
    select_host,
    tied_rows,
)
from scheduler_core.scheduler.recorded import recorded_decision, take_over
from scheduler_core.trace.events import (
    CycleStarted,
    PodAssumed,
    PodBound,
    PodDequeued,
    PodNominated,
    PodPermitted,
    PodUnschedulable,
    PodWaiting,
    VictimsSelected,
)

if TYPE_CHECKING:
    from scheduler_core.framework.runtime import Framework
    from scheduler_core.framework.types import QueuedPodInfo
    from scheduler_core.scheduler.scheduler import Scheduler
    from scheduler_core.snapshot.pod_info import PodInfo


class Failure(NamedTuple):
    """Why a cycle ended without a node."""

    message: str
    diagnosis: Diagnosis | None = None
    nominating_info: NominatingInfo | None = CLEAR_NOMINATION
    refused_in_binding: bool = False

    @property
    def is_error(self) -> bool:
        """Whether it was an error and not a refusal."""
        return self.diagnosis is None and self.message != NO_NODES_MESSAGE and not self.refused_in_binding


class BindingCycle(msgspec.Struct, frozen=True):
    """A pod on its way from assumed to bound."""

    framework: Framework
    state: CycleState
    queued: QueuedPodInfo
    assumed: PodInfo
    node_name: str
    cycle: int


def schedule_one(scheduler: Scheduler) -> Attempt | None:
    """Arrow 3: takes the next pod through a scheduling cycle and starts its binding cycle.

    Returns: what the attempt looked at, or None if nothing was to be tried
    """
    queued = scheduler.queue.pop()
    if queued is None:
        return None
    framework = scheduler.framework_for(queued.pod_info.pod)
    if framework is None or _skip(scheduler, queued):
        scheduler.queue.done(queued.uid)
        return None
    scheduler.cycle += 1
    attempt = Attempt(scheduler.cycle, queued.pod_info, queued.attempts)
    tracer = scheduler.tracer
    if tracer.on:
        tracer.emit(
            CycleStarted(cycle=attempt.cycle, pod=queued.key, attempt=queued.attempts, step=scheduler.step)
        )
    state = CycleState()
    failure = _scheduling_cycle(scheduler, framework, state, queued, attempt)
    if failure is not None:
        _handle_failure(scheduler, queued, failure, attempt)
    return attempt


def _skip(scheduler: Scheduler, queued: QueuedPodInfo) -> bool:
    if queued.pod_info.pod.metadata.deletion_timestamp is None:
        return scheduler.cache.is_assumed(queued.uid)
    if scheduler.tracer.on:
        scheduler.tracer.emit(PodDequeued(pod=queued.key, reason="deleting"))
    return True


def _scheduling_cycle(
    scheduler: Scheduler,
    framework: Framework,
    state: CycleState,
    queued: QueuedPodInfo,
    attempt: Attempt,
) -> Failure | None:
    pod = queued.pod_info
    try:
        node_name = _schedule_pod(scheduler, framework, state, pod, attempt)
    except FitError as fit_error:
        return _post_filter(scheduler, framework, state, pod, fit_error, attempt)
    except SchedulingError as wrong:
        return Failure(str(wrong))
    if node_name is None:
        return Failure(NO_NODES_MESSAGE)
    assumed = _assume(scheduler, queued, node_name, attempt)
    status = framework.run_reserve(state, assumed, node_name)
    timeouts: dict[str, int] = {}
    point = "Reserve"
    if status is None:
        point = "Permit"
        status, timeouts = framework.run_permit(state, assumed, node_name)
    if status is not None:
        attempt.stopped(point, status.with_plugin(min(timeouts)) if timeouts else status)
    if status is not None and not status.is_wait:
        framework.run_unreserve(state, assumed, node_name)
        scheduler.cache.forget_pod(assumed.uid)
        return _refused_late(node_name, status)
    if state.pods_to_activate:
        _activate(scheduler, state)
    attempt.node = node_name
    binding = BindingCycle(framework, state, queued, assumed, node_name, attempt.cycle)
    if timeouts:
        _wait_on_permit(scheduler, binding, timeouts)
    else:
        scheduler.defer_binding(lambda: _binding_cycle(scheduler, binding))
    return None


def _schedule_pod(
    scheduler: Scheduler, framework: Framework, state: CycleState, pod: PodInfo, attempt: Attempt
) -> str | None:
    """The name of the best node; None where there is no node at all.

    Raises:
        FitError: no node fits.
        SchedulingError: a plugin met an error.
    """
    snapshot, nodes = scheduler.snapshot, scheduler.snapshot.node_infos
    scheduler.cache.update_snapshot(snapshot)
    num_nodes = len(nodes)
    attempt.begin(
        nodes,
        scheduler.finder.next_start_node_index,
        want_detail=scheduler.tracer.wants_detail(attempt.cycle, num_nodes),
    )
    if not num_nodes:
        return None
    if scheduler.recorded and (decision := recorded_decision(scheduler, pod, attempt.cycle)) is not None:
        return take_over(scheduler, framework, state, pod, decision)
    found = scheduler.finder.find(
        framework,
        state,
        pod,
        sample=scheduler.ranks_nodes(framework),
        reuse=not attempt.want_detail,
    )
    attempt.found(found, state, framework)
    if scheduler.tracer.on:
        attempt.trace_filters(scheduler.tracer)
    if not len(found.rows):
        raise FitError(num_nodes, found.diagnosis)
    if len(found.rows) == 1:
        return nodes.names[int(found.rows[0])]
    extenders = scheduler.extenders
    if found.without_pods:
        scores = prioritize_without_pods(framework, extenders, state, pod, snapshot, found.rows)
    else:
        scores = prioritize_nodes(framework, extenders, state, pod, nodes, found.rows, found.answers)
    tied = tied_rows(scores)
    row = select_host(tied, nodes, scheduler.tie_break)
    attempt.scored(scores, tied)
    if scheduler.tracer.on:
        attempt.trace_scores(scheduler.tracer)
    return nodes.names[row]


def _post_filter(
    scheduler: Scheduler,
    framework: Framework,
    state: CycleState,
    pod: PodInfo,
    fit_error: FitError,
    attempt: Attempt,
) -> Failure:
    diagnosis = fit_error.diagnosis
    if not framework.post_filter_plugins:  # v1.34.1 leaves a nomination as it is then
        return Failure(fit_error.message(), diagnosis, None)
    result, status = framework.run_post_filter(state, pod, diagnosis.node_to_status)
    diagnosis.post_filter_message = status.message
    attempt.post_filter = status
    info: NominatingInfo | None = None
    if result is not None:
        info = result.nominating_info
        attempt.preempted(info.node_name, result.victims)
        if result.victims and scheduler.tracer.on:
            scheduler.tracer.emit(
                VictimsSelected(
                    cycle=attempt.cycle, pod=pod.key, node=info.node_name, victims=tuple(result.victims)
                )
            )
    return Failure(fit_error.message(), diagnosis, info)


def _assume(scheduler: Scheduler, queued: QueuedPodInfo, node_name: str, attempt: Attempt) -> PodInfo:
    assumed = queued.pod_info.with_node(node_name)
    scheduler.cache.assume_pod(assumed, node_name)
    scheduler.queue.nominator.delete(assumed.uid)
    if scheduler.tracer.on:
        scheduler.tracer.emit(PodAssumed(cycle=attempt.cycle, pod=assumed.key, node=node_name))
    return assumed


def _refused_late(node_name: str, status: Status) -> Failure:
    """What a refusal by Reserve or Permit comes to: a fit error on the one node that was chosen."""
    if not status.is_rejected:
        return Failure(status.message)
    diagnosis = Diagnosis()
    diagnosis.node_to_status.set(node_name, status)
    diagnosis.add_plugin_status(status)
    return Failure(FitError(1, diagnosis).message(), diagnosis)


def _activate(scheduler: Scheduler, state: CycleState) -> None:
    for key in state.pods_to_activate:
        pod = scheduler.find_pod(key)
        if pod is not None:
            scheduler.queue.activate(pod.metadata.uid, pod)
    state.pods_to_activate = []


# The binding cycle: a step of the event loop, so that it may overlap the next scheduling cycle.


def _wait_on_permit(scheduler: Scheduler, binding: BindingCycle, timeouts: dict[str, int]) -> None:
    now = scheduler.clock.now_us
    waiting = WaitingPod(
        binding.assumed, binding.node_name, {plugin: now + wait for plugin, wait in timeouts.items()}
    )

    def decided() -> None:
        scheduler.waiting_pods.remove(binding.assumed.uid)
        assert waiting.status is not None
        if waiting.status.is_success:
            if scheduler.tracer.on:
                scheduler.tracer.emit(
                    PodPermitted(cycle=binding.cycle, pod=binding.assumed.key, node=binding.node_name)
                )
            scheduler.defer_binding(lambda: _binding_cycle(scheduler, binding))
        else:
            failure = _refused_late(binding.node_name, waiting.status)
            _handle_binding_error(scheduler, binding, waiting.status, failure)

    waiting.on_decided = decided
    scheduler.waiting_pods.add(waiting)
    if scheduler.tracer.on:
        scheduler.tracer.emit(
            PodWaiting(
                cycle=binding.cycle,
                pod=binding.assumed.key,
                node=binding.node_name,
                plugin=min(timeouts),
            )
        )
    _time_out(scheduler, waiting, timeouts)


def _time_out(scheduler: Scheduler, waiting: WaitingPod, timeouts: dict[str, int]) -> None:
    """Refuses the pod when the time of a plugin is over that has not allowed it until then."""
    deadline, plugin = waiting.first_deadline

    def over() -> None:
        if waiting.status is not None:
            return
        if plugin not in waiting.deadlines:
            _time_out(scheduler, waiting, timeouts)
            return
        waited = Duration(timeouts[plugin] * 1000)
        waiting.reject(plugin, f"rejected due to timeout after waiting {waited} at plugin {plugin}")

    scheduler.defer(deadline - scheduler.clock.now_us, over)


def _binding_cycle(scheduler: Scheduler, binding: BindingCycle) -> None:
    framework, state, assumed, node_name = (
        binding.framework,
        binding.state,
        binding.assumed,
        binding.node_name,
    )
    scheduler.queue.done(assumed.uid)
    extender = ""
    status = framework.run_pre_bind(state, assumed, node_name)
    if status is None:
        extender, status = _bind(scheduler, framework, state, assumed, node_name)
    if (
        status is not None
    ):  # a refusal, too, is told in its own words, and by no plugin that events could help
        failure = Failure(status.message, refused_in_binding=status.is_rejected)
        _handle_binding_error(scheduler, binding, status, failure)
        return
    if scheduler.tracer.on:
        scheduler.tracer.emit(
            PodBound(cycle=binding.cycle, pod=assumed.key, node=node_name, extender=extender)
        )
    framework.run_post_bind(state, assumed, node_name)
    if state.pods_to_activate:
        _activate(scheduler, state)


def _bind(
    scheduler: Scheduler, framework: Framework, state: CycleState, assumed: PodInfo, node_name: str
) -> tuple[str, Status | None]:
    """Has an extender bind the pod, or the Bind plugins; what an extender says it bound is bound here, too.

    Returns: the extender that was asked ("" for none), and what went wrong
    """
    extender, problem = bind_by_extender(scheduler.extenders, assumed, node_name)
    if problem:
        return extender, error(problem)
    if extender:
        return extender, scheduler.environment.client.bind(assumed, node_name)
    return "", framework.run_bind(state, assumed, node_name)


def _handle_binding_error(
    scheduler: Scheduler, binding: BindingCycle, status: Status, failure: Failure
) -> None:
    """Takes the assumption back; the room that is free again moves a refused pod not even while it is in flight."""
    assumed, queue = binding.assumed, scheduler.queue
    binding.framework.run_unreserve(binding.state, assumed, binding.node_name)
    scheduler.cache.forget_pod(assumed.uid)
    attempt = Attempt(binding.cycle, assumed, binding.queued.attempts)
    if not status.is_rejected:
        queue.move_all(ASSIGNED_POD_DELETE, assumed.pod, None)
    _handle_failure(scheduler, binding.queued, failure, attempt)
    if status.is_rejected:
        queue.move_all(ASSIGNED_POD_DELETE, assumed.pod, None, lambda pod: pod.uid != assumed.uid)


# Failure: back to the queue, an event, a condition on the pod.


def _handle_failure(scheduler: Scheduler, queued: QueuedPodInfo, failure: Failure, attempt: Attempt) -> None:
    if failure.diagnosis is not None:
        queued.unschedulable_plugins = set(failure.diagnosis.unschedulable_plugins)
        queued.pending_plugins = set(failure.diagnosis.pending_plugins)
    attempt.failed(failure.message, queued, is_error=failure.is_error)
    tracer = scheduler.tracer
    if tracer.on:
        plugins = tuple(sorted(queued.unschedulable_plugins | queued.pending_plugins))
        tracer.emit(
            PodUnschedulable(
                cycle=attempt.cycle,
                pod=queued.key,
                message=failure.message,
                plugins=plugins,
                error=failure.is_error,
            )
        )
    pod = scheduler.find_pod(queued.key)
    if pod is None or pod.spec.node_name:
        scheduler.queue.done(queued.uid)
        return
    queued.pod_info = scheduler.pod_info(pod, queued.pod_info)
    scheduler.queue.add_unschedulable(queued)
    scheduler.queue.nominator.add(queued.pod_info, failure.nominating_info)
    info = failure.nominating_info
    if info is not None and info.node_name and tracer.on:
        tracer.emit(PodNominated(cycle=attempt.cycle, pod=queued.key, node=info.node_name))
    scheduler.write_failure(pod, failure.message, is_error=failure.is_error, info=info)
