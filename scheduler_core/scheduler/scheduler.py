"""The scheduler: its parts and how they hang together.

Source: pkg/scheduler/scheduler.go, Scheduler and New, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from scheduler_core.api.pod_resources import has_same_amounts
from scheduler_core.cache.cache import SchedulerCache
from scheduler_core.config.feature_gates import POP_FROM_BACKOFF_QUEUE
from scheduler_core.extender.chain import build_extenders, ignored_resources
from scheduler_core.framework.waiting_pods import WaitingPods
from scheduler_core.queue.backoff_queue import duration_us
from scheduler_core.queue.hints import QueueingHints
from scheduler_core.queue.scheduling_queue import SchedulingQueue
from scheduler_core.scheduler.find_nodes import NodeFinder
from scheduler_core.scheduler.handle import FrameworkHandle
from scheduler_core.scheduler.profile import build_framework, queueing_hints
from scheduler_core.snapshot.pod_info import PodInfo
from scheduler_core.snapshot.snapshot import Snapshot

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scheduler_core.api.pod import Pod
    from scheduler_core.clock import VirtualClock
    from scheduler_core.config import FeatureGates, SchedulerConfiguration
    from scheduler_core.extender.extender import Transport
    from scheduler_core.framework.cycle_state import CycleState
    from scheduler_core.framework.interface import Client, ObjectLister
    from scheduler_core.framework.registry import Registry
    from scheduler_core.framework.runtime import Framework
    from scheduler_core.framework.types import NominatingInfo
    from scheduler_core.scheduler.decision import Decision
    from scheduler_core.scheduler.tie_break import TieBreak
    from scheduler_core.trace.sink import Tracer


class Environment(Protocol):
    """What the scheduler needs of whoever runs it: the objects, the API server, and a place for later steps."""

    @property
    def lister(self) -> ObjectLister:
        """The objects."""
        ...

    @property
    def client(self) -> Client:
        """Where writes go."""
        ...

    @property
    def feature_gates(self) -> FeatureGates:
        """The run's feature gates."""
        ...

    @property
    def reuse(self) -> bool:
        """Whether answers for equal pods are reused; it never changes a decision."""
        ...

    @property
    def tie_break(self) -> TieBreak:
        """Who wins among equals."""
        ...

    @property
    def preemption_offset_seed(self) -> int | None:
        """Seed of preemption's offset; None for offset 0."""
        ...

    @property
    def extender_transport(self) -> Transport | None:
        """How extenders are asked; None where they are switched off."""
        ...

    def defer(self, delay_us: int, step: Callable[[], None]) -> None:
        """Has ``step`` done after a delay of virtual time."""
        ...

    def defer_binding(self, step: Callable[[], None]) -> None:
        """Has a binding cycle done: at once, or as a later step that may overlap the next scheduling cycle."""
        ...

    def write_failure(self, pod: Pod, message: str, *, is_error: bool, info: NominatingInfo | None) -> None:
        """Writes a failed attempt's condition and nomination to the pod."""
        ...


class Scheduler:
    """Cache, queue, snapshot, frameworks; ``schedule_one`` takes a pod through them."""

    def __init__(
        self,
        config: SchedulerConfiguration,
        registry: Registry,
        environment: Environment,
        clock: VirtualClock,
        tracer: Tracer,
    ) -> None:
        self.clock = clock
        self.tracer = tracer
        self.environment = environment
        self.cache = SchedulerCache()
        self.snapshot = Snapshot(self.cache.axis, reuse=environment.reuse)
        self.waiting_pods = WaitingPods()
        self.tie_break = environment.tie_break
        self.cycle = 0
        self.recorded: Mapping[int, Decision] = {}
        self.recorded_states: dict[tuple[str, int], CycleState] = {}
        self.step = 0
        self.extenders = build_extenders(config.extenders, environment.extender_transport)
        ignored = ignored_resources(config.extenders)
        handles: list[FrameworkHandle] = []
        self.frameworks: dict[str, Framework] = {}
        for profile in config.profiles:
            handle = FrameworkHandle(
                snapshot=self.snapshot,
                lister=environment.lister,
                client=environment.client,
                clock=clock,
                feature_gates=environment.feature_gates,
                waiting_pods=self.waiting_pods,
                extenders=self.extenders,
                preemption_offset_seed=environment.preemption_offset_seed,
            )
            handles.append(handle)
            self.frameworks[profile.scheduler_name] = build_framework(profile, registry, handle, ignored)
        self.queue = self._new_queue(config)
        for handle in handles:
            handle.nominator = self.queue.nominator
        self.finder = NodeFinder(
            self.snapshot,
            self.queue.nominator,
            self.extenders,
            percentage_of_nodes_to_score=config.percentage_of_nodes_to_score or 0,
            reuse=environment.reuse,
        )
        self.defer = environment.defer
        self.defer_binding = environment.defer_binding
        self.write_failure = environment.write_failure

    def _new_queue(self, config: SchedulerConfiguration) -> SchedulingQueue:
        first = next(iter(self.frameworks.values()))
        return SchedulingQueue(
            self.clock,
            self.tracer,
            sort_key=first.queue_sort_plugin.sort_key,
            hints=QueueingHints(queueing_hints(self.frameworks)),
            pre_enqueue={name: fwk.pre_enqueue_plugins for name, fwk in self.frameworks.items()},
            is_nominable=self._is_pending,
            initial_backoff_us=duration_us(config.pod_initial_backoff_seconds),
            max_backoff_us=duration_us(config.pod_max_backoff_seconds),
            pop_from_backoff=self.environment.feature_gates.enabled(POP_FROM_BACKOFF_QUEUE),
        )

    def ranks_nodes(self, framework: Framework) -> bool:
        """Whether anything would choose among feasible nodes; else the first one will do."""
        return bool(framework.score_plugins) or any(
            extender.is_filter or extender.is_prioritizer for extender in self.extenders
        )

    def framework_for(self, pod: Pod) -> Framework | None:
        """The profile that a pod names, or None: then the pod is somebody else's."""
        return self.frameworks.get(pod.spec.scheduler_name)

    def find_pod(self, key: str) -> Pod | None:
        """The pod as the API server has it now."""
        namespace, _, name = key.partition("/")
        pod: Pod | None = self.environment.lister.get("Pod", namespace, name)
        return pod

    def pod_info(self, pod: Pod, known: PodInfo | None = None) -> PodInfo:
        """What is derived from a pod, taken over from ``known`` where what it is derived from is the same."""
        if known is not None and known.uid == pod.metadata.uid and has_same_amounts(known.pod, pod):
            return known.with_pod(pod)
        return PodInfo(pod, self.cache.axis)

    def _is_pending(self, pod_info: PodInfo) -> bool:
        pod = self.find_pod(pod_info.key)
        return pod is not None and not pod.spec.node_name and pod.metadata.uid == pod_info.uid
