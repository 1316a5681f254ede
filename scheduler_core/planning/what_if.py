"""A cluster as it is beside the same cluster after edits: who is newly pending, rescued, moved, gone, new."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import msgspec

from scheduler_core.api.pod import Pod
from scheduler_core.planning.advisable import is_live
from scheduler_core.planning.trial import key_of
from scheduler_core.simulator import PendingPod, Simulator
from scheduler_core.simulator.options import DEFAULT, MILLISECOND_US
from scheduler_core.simulator.questions import CONTINUE
from scheduler_core.simulator.scenario.running import RefusedEdit
from scheduler_core.trace.words import verdict_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from scheduler_core.api.kinds import KubeObject
    from scheduler_core.api.node import Node
    from scheduler_core.config import SchedulerConfiguration
    from scheduler_core.simulator import RunResult, SimulatorOptions
    from scheduler_core.simulator.questions import Question
    from scheduler_core.simulator.scenario.edits import AnyEdit


class Placed(msgspec.Struct, frozen=True):
    """A pod and its node."""

    pod: str
    node: str


class Moved(msgspec.Struct, frozen=True):
    """A pod that is elsewhere; ``instead`` is the pod that its owner made in its place, if it did not keep its name."""

    pod: str
    before: str
    after: str
    instead: str = ""


class Changes(msgspec.Struct, frozen=True, kw_only=True):
    """What edits come to.

    Args:
        text: the verdict: "2 newly pending, 1 rescued, 14 moved"
        newly_pending: pods without a node that had one, or that the edits brought
        rescued: pods that stay pending without the edits
        moved: pods on another node
        new: pods that the edits brought and that found a node
        gone: pods that had a node, or waited, and are no more
        refused: edits that changed nothing
        stopped: why the run was ended before it was quiet, or nothing
        num_cycles: of the run with the edits
        t_us: virtual time when that run was quiet
    """

    text: str
    newly_pending: tuple[PendingPod, ...]
    rescued: tuple[Placed, ...]
    moved: tuple[Moved, ...]
    new: tuple[Placed, ...]
    gone: tuple[str, ...]
    refused: tuple[RefusedEdit, ...]
    stopped: str
    num_cycles: int
    t_us: int


class WhatIf(msgspec.Struct, frozen=True, kw_only=True):
    """The changes, and what there is to draw: what is no longer as the cluster has it.

    Args:
        changes: in words and lists
        nodes: nodes that came or that anything was written to, as they are in the end
        pods: pods likewise
        gone_nodes: names of the cluster's nodes that are no more
        gone_pods: namespace/name of the cluster's pods that are no more
    """

    changes: Changes
    nodes: tuple[Node, ...]
    pods: tuple[Pod, ...]
    gone_nodes: tuple[str, ...]
    gone_pods: tuple[str, ...]


class Before:
    """A cluster as it is, run to its end once; what edits come to may be asked again and again.

    Args:
        cluster: nodes, pods and whatever else scheduling reads
        config: profiles of the scheduler
        options: of all runs
        is_cancelled: stops the run at hand
    """

    def __init__(
        self,
        cluster: Sequence[KubeObject],
        config: SchedulerConfiguration,
        options: SimulatorOptions = DEFAULT,
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> None:
        self._cluster = cluster
        self._config = config
        self._options = options
        self._places = {key_of(pod): pod.spec.node_name for pod in cluster if isinstance(pod, Pod)}
        self._end = End(cluster, (), config, options, CONTINUE, is_cancelled)
        self._ready: Simulator | None = None

    def get_ready(self) -> None:
        """Loads the cluster for the next question ahead of it: most of what an answer takes is done then."""
        if self._ready is None:
            self._ready = loaded_simulator(self._cluster, self._config, self._options, CONTINUE)

    def ask(
        self,
        edits: Sequence[AnyEdit],
        *,
        question: Question = CONTINUE,
        other_config: SchedulerConfiguration | None = None,
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> WhatIf:
        """Runs the cluster with edits, and says what is other than without.

        Args:
            edits: of a scenario, with their times
            question: what the run with the edits asks; the one without places what is pending
            other_config: profiles of the run with the edits, where they differ
            is_cancelled: stops the run

        Raises:
            ManifestError: the question is about no pod
        """
        is_plain = question == CONTINUE and other_config is None
        if is_plain and not edits:
            return self._answer(self._end)
        ready, self._ready = (self._ready if is_plain else None), None
        config = other_config or self._config
        return self._answer(
            End(self._cluster, edits, config, self._options, question, is_cancelled, loaded=ready)
        )

    def _answer(self, after: End) -> WhatIf:
        nodes = {node.metadata.name for node in after.nodes}
        return WhatIf(
            changes=changes_between(self._end, after),
            nodes=tuple(node for node in after.nodes if after.is_touched(node)),
            pods=tuple(
                pod
                for key, pod in after.pods.items()
                if after.is_touched(pod) or pod.spec.node_name != self._places.get(key)
            ),
            gone_nodes=tuple(
                object_.metadata.name
                for object_ in self._cluster
                if object_.kind == "Node" and object_.metadata.name not in nodes
            ),
            gone_pods=tuple(key for key in self._places if key not in after.pods),
        )


def what_if(
    cluster: Sequence[KubeObject],
    edits: Sequence[AnyEdit],
    config: SchedulerConfiguration,
    options: SimulatorOptions = DEFAULT,
    *,
    question: Question = CONTINUE,
    other_config: SchedulerConfiguration | None = None,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> WhatIf:
    """Runs a cluster without and with edits: `Before`, asked once."""
    before = Before(cluster, config, options, is_cancelled)
    return before.ask(edits, question=question, other_config=other_config, is_cancelled=is_cancelled)


def loaded_simulator(
    cluster: Sequence[KubeObject],
    config: SchedulerConfiguration,
    options: SimulatorOptions,
    question: Question,
) -> Simulator:
    """A simulator that has a cluster as a question has it, before its run."""
    simulator = Simulator(config, options)
    simulator.load(cluster, question)
    return simulator


class End:
    """Where a run of a cluster with edits ended; ``loaded`` is a simulator that has the cluster already."""

    def __init__(
        self,
        cluster: Sequence[KubeObject],
        edits: Sequence[AnyEdit],
        config: SchedulerConfiguration,
        options: SimulatorOptions,
        question: Question,
        is_cancelled: Callable[[], bool] = lambda: False,
        *,
        loaded: Simulator | None = None,
    ) -> None:
        self._edits = edits
        self.simulator = loaded or loaded_simulator(cluster, config, options, question)
        store = self.simulator.store
        # Objects are replaced, never changed: what is the same object still is as it was.
        self._loaded = {id(object_): object_ for kind in ("Node", "Pod") for object_ in store.list(kind)}
        self.result: RunResult = self.simulator.run(edits=edits, is_cancelled=is_cancelled)
        self.nodes: list[Node] = list(store.list("Node"))
        self.pods: dict[str, Pod] = {key_of(pod): pod for pod in store.list("Pod")}
        self.pending = {pod.pod: pod for pod in self.result.pending}

    def is_touched(self, object_: KubeObject) -> bool:
        """Whether a node or pod was written during the run, or was not there before."""
        return id(object_) not in self._loaded

    def node(self, key: str) -> str:
        """A pod's node, or nothing."""
        return self.pods[key].spec.node_name

    def has_live_node(self, key: str) -> bool:
        """Whether a pod is there and its node runs pods."""
        name = self.pods[key].spec.node_name if key in self.pods else ""
        return any(node.metadata.name == name and is_live(node) for node in self.nodes)

    def is_unmoved(self, but: str = "") -> bool:
        """Whether every pod is where it was loaded, none waits but one, no node is lost, and no edit was done."""
        loaded = {key_of(one): one for one in self._loaded.values() if isinstance(one, Pod)}
        return (
            not self._edits
            and loaded.keys() == self.pods.keys()
            and all(loaded[key].spec.node_name == self.node(key) for key in loaded)
            and self.pending.keys() <= {but}
            and all(map(is_live, self.nodes))
            and not self.result.stopped
        )

    def settled_at(self) -> str:
        """When everything had its place, as the time of an edit that goes on from there."""
        return f"{-(-self.simulator.clock.now_us // MILLISECOND_US)}ms"

    def workload(self, key: str) -> str:
        """What a pod belongs to in the end: a Deployment rather than its ReplicaSet; nothing for a pod on its own."""
        metadata = self.pods[key].metadata
        owner, found = metadata.controller(), ""
        while owner is not None:
            found = f"{owner.kind}/{metadata.namespace}/{owner.name}"
            parent = self.simulator.store.get(owner.kind, metadata.namespace, owner.name)
            owner = None if parent is None else parent.metadata.controller()
        return found


def changes_between(before: End, after: End) -> Changes:
    """What one run of a cluster has that another had not."""
    lost = [key for key in before.pods if key not in after.pods]
    brought = [key for key in after.pods if key not in before.pods]
    instead = _successors(before, after, lost, brought)
    moved = [
        Moved(key, before.node(key), after.node(key))
        for key in before.pods
        if key in after.pods and before.node(key) and after.node(key) not in ("", before.node(key))
    ]
    rescued = [
        Placed(key, after.node(key)) for key in before.pending if key in after.pods and after.node(key)
    ]
    newly_pending = {
        key: pod
        for key, pod in after.pending.items()
        if key not in before.pending or (key in instead.values() and key not in before.pods)
    }
    for old, new in instead.items():
        was, now = before.node(old), after.node(new)
        if was and now and was != now:
            moved.append(Moved(old, was, now, new))
        elif not was and now:
            rescued.append(Placed(new, now))
        elif not was and not now:
            newly_pending.pop(new, None)
    succeeded = set(instead.values())
    new_pods = [Placed(key, after.node(key)) for key in brought if key not in succeeded and after.node(key)]
    gone = [key for key in lost if key not in instead]
    return Changes(
        text=verdict_words(len(newly_pending), len(rescued), len(moved), len(new_pods), len(gone)),
        newly_pending=tuple(newly_pending.values()),
        rescued=tuple(rescued),
        moved=tuple(moved),
        new=tuple(new_pods),
        gone=tuple(gone),
        refused=after.result.refused_edits,
        stopped=after.result.stopped,
        num_cycles=after.result.num_cycles,
        t_us=after.simulator.clock.now_us,
    )


def _successors(before: End, after: End, lost: Iterable[str], brought: Iterable[str]) -> dict[str, str]:
    """Which new pod a workload has in place of which old one: those on the same node first, then in order."""
    free: dict[str, list[str]] = defaultdict(list)
    for key in brought:
        if workload := after.workload(key):
            free[workload].append(key)
    found: dict[str, str] = {}
    waiting = []
    for key in lost:
        candidates = free.get(before.workload(key), [])
        same = next(
            (new for new in candidates if before.node(key) and after.node(new) == before.node(key)), None
        )
        if same is None:
            waiting.append((key, candidates))
        else:
            candidates.remove(same)
            found[key] = same
    for key, candidates in waiting:
        if candidates:
            found[key] = candidates.pop(0)
    return found
