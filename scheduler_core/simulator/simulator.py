"""A run: objects, configuration and options in; trace, placements and reasons out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from scheduler_core.api.defaulting import default_object
from scheduler_core.api.pod import Pod
from scheduler_core.clock import MICROSECONDS, VirtualClock
from scheduler_core.config import leave_out_unknown
from scheduler_core.config.duration import Duration
from scheduler_core.config.feature_gates import FeatureGates
from scheduler_core.framework.registry import Registry
from scheduler_core.plugins.in_tree import IN_TREE
from scheduler_core.scheduler.cycle_detail import cycle_detail
from scheduler_core.scheduler.event_handlers import EventHandlers
from scheduler_core.scheduler.schedule_one import schedule_one
from scheduler_core.scheduler.scheduler import Scheduler
from scheduler_core.scheduler.tie_break import LowestName, RandomTieBreak, SplitMix64, TieBreak
from scheduler_core.simulator.admission.chain import AdmissionChain
from scheduler_core.simulator.admission.priority import admit_priority
from scheduler_core.simulator.api_server.server import ApiServer
from scheduler_core.simulator.availability import Availability
from scheduler_core.simulator.client import StoreClient
from scheduler_core.simulator.controllers.pv_controller import PersistentVolumeController
from scheduler_core.simulator.controllers.roster import Controllers
from scheduler_core.simulator.event_loop import EventLoop
from scheduler_core.simulator.headline import headline
from scheduler_core.simulator.held_up import held_up
from scheduler_core.simulator.loading import Loader
from scheduler_core.simulator.object_store import ObjectStore
from scheduler_core.simulator.options import DEFAULT, SimulatorOptions
from scheduler_core.simulator.questions import CONTINUE, Asked, Question, ask
from scheduler_core.simulator.result import (
    ENGINE_VERSION,
    Move,
    PendingPod,
    Progress,
    RunResult,
    what_it_waits_for,
)
from scheduler_core.simulator.scenario.running import EditRunner
from scheduler_core.trace.events import (
    NodeAdded,
    NodeDeleted,
    NodeUpdated,
    PodUpdated,
    RunFinished,
    RunStopped,
)
from scheduler_core.trace.sink import Sink, Tracer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from scheduler_core.api.kinds import KubeObject
    from scheduler_core.config import SchedulerConfiguration
    from scheduler_core.extender.extender import Transport
    from scheduler_core.framework.types import NominatingInfo
    from scheduler_core.simulator.scenario.edits import AnyEdit

BACKOFF_FLUSH_US: Final = MICROSECONDS
LEFTOVER_FLUSH_US: Final = 30 * MICROSECONDS
MAX_UNSCHEDULABLE_US: Final = 300 * MICROSECONDS


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """Changes made once the queue is quiet: the clock moves, objects are put, then others deleted.

    Args:
        delete: ``Kind/namespace/name``, or ``Kind/name`` of a cluster-scoped kind
    """

    advance_us: int = 0
    apply: tuple[Any, ...] = ()
    delete: tuple[str, ...] = ()


class Simulator:
    """One run over its own object store and its own virtual time."""

    def __init__(
        self,
        config: SchedulerConfiguration,
        options: SimulatorOptions = DEFAULT,
        sink: Sink | None = None,
        *,
        registry: Registry | None = None,
        extender_transport: Transport | None = None,
    ) -> None:
        self.options = options
        self.clock = VirtualClock(options.epoch_us)
        self.tracer = Tracer(self.clock, sink)
        self.store = ObjectStore()
        self.loop = EventLoop(self.clock, lambda: self.store.resource_version)
        random = SplitMix64(options.seed)
        self.lister = self.store
        self.api = ApiServer(
            self.store, self.clock, self.tracer, AdmissionChain(self.store), seed=options.seed
        )
        self._loader = Loader(self.api, self.clock, self.tracer, options)
        self.client = StoreClient(self.store, self.clock, self.tracer, self.api)
        self.feature_gates = FeatureGates(options.feature_gates)
        self.tie_break: TieBreak = (
            LowestName() if options.tie_break == "lowest-name" else RandomTieBreak(random)
        )
        self.reuse = options.reuse
        self.preemption_offset_seed = None if options.preemption_offset == "zero" else options.seed
        self.extender_transport = extender_transport
        registry = registry or Registry(IN_TREE)
        if options.unknown_plugins == "leave-out":
            config = leave_out_unknown(config, registry)
        self.notes = config.notes
        self.scheduler = Scheduler(config, registry, self, self.clock, self.tracer)
        self.store.listen(EventHandlers(self.scheduler).on_event)
        self.store.listen(PersistentVolumeController(self.store, options.volume_driver).on_event)
        self.controllers = Controllers(
            self.api, self.clock, self.loop.call_later, self.loop.cancel, options, self.tracer
        )
        if options.controllers != "off":
            self.store.listen(self.controllers.on_event)
            self.api.has_kubelet = self.controllers.has("kubelet")
            self.api.wake_kubelet = lambda: self.controllers.activate("kubelet")
        self.availability = Availability(self.store)
        self.edits = EditRunner(
            self.api, self.loop.call_later, self.controllers, options.seed, self.availability.start
        )
        self._asked = Asked([], {}, "")
        self._stopped = ""
        self._messages: dict[str, str] = {}
        self.num_pods = 0
        self.num_bound = 0
        self.num_finished = 0
        self._placed: set[str] = set()
        self.store.listen(self._count_pods)
        self._last_flush_us = 0
        self._is_stopped: Callable[[], bool] = lambda: False

    # What the scheduler asks of its environment.

    def defer(self, delay_us: int, step: Callable[[], None]) -> None:
        """Has ``step`` done after a delay of virtual time."""
        self.loop.call_later(delay_us, step)

    def defer_binding(self, step: Callable[[], None]) -> None:
        """Has a binding cycle done: at once, or ``bind_us`` later."""
        if self.options.bind_us is None:
            step()
        else:
            self.loop.call_later(self.options.bind_us, step)

    def write_failure(self, pod: Pod, message: str, *, is_error: bool, info: NominatingInfo | None) -> None:
        """Writes a failed attempt's condition and nomination to the pod."""
        self._messages[pod.key] = message
        if info is not None and info.node_name:
            self.api.account.note_preemptor(pod.key)
        self.client.write_failure(pod, message, is_error=is_error, info=info)

    # The run.

    def load(self, objects: Iterable[KubeObject], question: Question = CONTINUE) -> None:
        """Puts the objects of a cluster: others first, then nodes, bound pods and pending pods.

        Nodes and bound pods enter in order of (namespace, name), pending pods as the options say.

        Raises:
            ManifestError: the question is about no pod.
        """
        self._asked = ask(objects, question)
        known = self._asked.objects
        self.edits.note_written(known)
        self._loader.load(known, ENGINE_VERSION, self.scheduler.queue.waits_for())
        if self.scheduler.queue.has_next():  # else steps may change nodes before anything looks at them
            self.scheduler.cache.update_snapshot(self.scheduler.snapshot)

    def run(
        self,
        steps: Iterable[Step] = (),
        *,
        edits: Sequence[AnyEdit] = (),
        is_cancelled: Callable[[], bool] = lambda: False,
        until_cycle: int | None = None,
    ) -> RunResult:
        """Runs until nothing is left to do, through ``edits`` and ``steps``, or until the horizon.

        A cancel, or ``until_cycle``, stops it where it is: RunFinished is not traced then.
        """
        self._is_stopped = lambda: (
            is_cancelled() or (until_cycle is not None and self.scheduler.cycle >= until_cycle)
        )
        self.edits.schedule(edits)
        self._until_quiet()
        for step in steps:
            if self._is_over():
                break
            self._take_step(step)
            self._until_quiet()
        is_ended = not self._is_stopped()
        if is_ended:
            self.edits.finish(self.scheduler.cycle)
            self._note_stop()
        result = self.result()
        if self.tracer.on and is_ended:
            self.tracer.emit(
                RunFinished(
                    num_cycles=result.num_cycles,
                    num_bound=result.num_bound,
                    num_pending=result.num_pending,
                    num_finished=result.num_finished,
                )
            )
        return msgspec.structs.replace(result, digest=self.tracer.digest(), last_seq=self.tracer.seq)

    def result(self) -> RunResult:
        """Where everything stands now."""
        placements: dict[str, str] = {}
        pending: list[PendingPod] = []
        queue = self.scheduler.queue
        for pod in self.store.list("Pod"):
            key = f"{pod.metadata.namespace}/{pod.metadata.name}"
            if pod.spec.node_name:
                placements[key] = pod.spec.node_name
            if pod.standing != "pending":
                continue
            name, queued = queue.where(pod.metadata.uid)
            plugins = tuple(sorted(queued.unschedulable_plugins)) if queued is not None else ()
            message = self._messages.get(key, "")
            is_deleting = pod.metadata.deletion_timestamp is not None
            if is_deleting and not name:
                message = f"skip schedule deleting pod: {key}"  # schedule_one.go, skipPodSchedule
            waits = what_it_waits_for(pod, name)
            pending.append(PendingPod(key, message, name, plugins, waits, is_deleting))
        result = RunResult(
            num_cycles=self.scheduler.cycle,
            num_bound=self.num_bound,
            num_pending=len(pending),
            num_finished=self.num_finished,
            num_placed=len(self._placed),
            evicted=tuple(self.api.account.evicted),
            not_admitted=self.api.account.not_admitted,
            workloads=self.availability.workloads(),
            held_up=held_up(self.store) if self.options.controllers != "off" else (),
            placements=placements,
            pending=tuple(pending),
            digest=self.tracer.digest(),
            last_seq=self.tracer.seq,
            notes=self.notes,
            refused=tuple(self._loader.refused),
            refused_edits=tuple(self.edits.refused),
            stopped=self._stopped,
            question=self._asked.text,
            moves=tuple(
                Move(pod, before, placements.get(pod, "")) for pod, before in self._asked.moved.items()
            ),
        )
        return msgspec.structs.replace(result, headline=headline(result))

    def progress(self) -> Progress:
        """How far the run is."""
        return Progress(
            cycles=self.scheduler.cycle,
            bound=self.num_bound,
            pending=self.num_pods - self.num_bound - self.num_finished,
            t_us=self.clock.now_us,
        )

    def _is_over(self) -> bool:
        return self._is_stopped() or self.clock.now_us >= self.options.horizon_us or self._is_too_large()

    def _is_too_large(self) -> bool:
        options = self.options
        return (
            self.num_pods > options.max_pods or self.loop.num_done + self.scheduler.cycle > options.max_steps
        )

    def _note_stop(self) -> None:
        """Says why the run ended before it was quiet, if so."""
        reason: Literal["horizon", "limit"] = "limit"
        if self.num_pods > self.options.max_pods:
            self._stopped = f"Ended with {self.num_pods} pods: a run takes {self.options.max_pods} at most."
        elif self._is_too_large():
            self._stopped = f"Ended after {self.options.max_steps} steps, the most that a run does."
        elif self.loop.has_active:
            reason = "horizon"
            horizon = Duration(self.options.horizon_us * 1000)
            self._stopped = f"Ended at the horizon of {horizon}: what was due later was not done."
        if self._stopped and self.tracer.on:
            self.tracer.emit(RunStopped(reason=reason, text=self._stopped))

    def _until_quiet(self) -> None:
        while not self._is_over():
            self.loop.run_due()
            if self.scheduler.queue.has_next():
                self._move_clock(self.options.attempt_us)
                self._attempt()
            elif not self._advance_to_next() and not self.edits.before_cycle(self.scheduler.cycle + 1):
                break

    def _attempt(self) -> None:
        scheduler = self.scheduler
        if self.edits.before_cycle(scheduler.cycle + 1) and not scheduler.queue.has_next():
            return
        attempt = schedule_one(scheduler)
        if attempt is None:
            return
        if attempt.want_detail:
            self.tracer.emit_detail(attempt.cycle, cycle_detail(attempt, scheduler))

    def _take_step(self, step: Step) -> None:
        self.scheduler.step += 1
        self._move_clock(step.advance_us)
        for object_ in step.apply:
            self._put(default_object(object_), edit=True)
        for key in step.delete:
            kind, _, rest = key.partition("/")
            namespace, _, name = rest.rpartition("/")
            if kind == "Pod":
                self.client.delete_pod(f"{namespace}/{name}", "deleted")
            elif self.store.delete(kind, namespace, name) is not None and kind == "Node" and self.tracer.on:
                self.tracer.emit(NodeDeleted(node=name))

    def _put(self, object_: KubeObject, *, edit: bool = False) -> None:
        kind = object_.kind
        metadata = object_.metadata
        known = edit and self.store.get(kind, metadata.namespace, metadata.name) is not None
        if isinstance(object_, Pod):
            self.clock.advance(self.options.put_us)
            object_ = admit_priority(object_, self.store)
        if edit and self.tracer.on:
            self._trace_edit(kind, object_, known=known)
        self.store.put(kind, object_)

    def _trace_edit(self, kind: str, object_: KubeObject, *, known: bool) -> None:
        metadata = object_.metadata
        if kind == "Node":
            name = metadata.name
            self.tracer.emit(NodeUpdated(node=name) if known else NodeAdded(node=name))
        elif kind == "Pod" and known:
            self.tracer.emit(PodUpdated(pod=f"{metadata.namespace}/{metadata.name}"))

    def _count_pods(self, kind: str, old: Any, new: Any) -> None:
        if kind != "Pod":
            return
        self.num_pods += (new is not None) - (old is not None)
        if new is None:
            self._placed.discard(old.metadata.uid)
        elif old is not None and new.spec.node_name and not old.spec.node_name:
            self._placed.add(new.metadata.uid)
        for pod, change in ((old, -1), (new, 1)):
            if pod is not None:
                self.num_bound += change * (pod.standing == "bound")
                self.num_finished += change * (pod.standing == "finished")

    # Time.

    def _move_clock(self, by_us: int) -> None:
        """Moves the clock on, doing on the way what falls due."""
        target = self.clock.now_us + by_us
        while (due := self.loop.next_us()) is not None and due <= target:
            self.clock.advance_to(due)
            self.loop.run_due()
        self.clock.advance_to(target)
        self._flush()

    def _advance_to_next(self) -> bool:
        """Moves the clock to whatever happens next; whether there is anything."""
        times = [None if self.loop.is_waiting_in_vain else self.loop.next_us()]
        if self.options.flushes:
            end = self.scheduler.queue.backoff.next_end_us()
            if end is not None:
                times.append(-(-max(end, self.clock.now_us) // BACKOFF_FLUSH_US) * BACKOFF_FLUSH_US)
        due = min((time for time in times if time is not None), default=None)
        if due is None or due > self.options.horizon_us:
            return False
        self._move_clock(max(due - self.clock.now_us, 0))
        return True

    def _flush(self) -> None:
        """The queue's background flushes, at whole multiples of their periods."""
        if not self.options.flushes:
            return
        now, last = self.clock.now_us, self._last_flush_us
        self._last_flush_us = now
        if now // BACKOFF_FLUSH_US > last // BACKOFF_FLUSH_US:
            self.scheduler.queue.flush_backoff_completed()
        if now // LEFTOVER_FLUSH_US > last // LEFTOVER_FLUSH_US:
            self.scheduler.queue.flush_unschedulable_leftover(MAX_UNSCHEDULABLE_US)
