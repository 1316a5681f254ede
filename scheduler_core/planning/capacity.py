"""How many more of a pod fit, and what stops the next one."""

from __future__ import annotations

from collections import Counter
from itertools import count, islice
from math import gcd
from typing import TYPE_CHECKING, Final

import msgspec

from scheduler_core.api.defaulting import default_object
from scheduler_core.api.pod import Pod, PodStatus, PodTemplateSpec
from scheduler_core.api.pod_resources import pod_requests, to_ints
from scheduler_core.planning.trial import key_of, pods_alone
from scheduler_core.simulator import PendingPod, Simulator, Step
from scheduler_core.simulator.controllers.pod_control import pod_from_template
from scheduler_core.simulator.options import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Sequence

    from scheduler_core.api.kinds import KubeObject
    from scheduler_core.config import SchedulerConfiguration
    from scheduler_core.simulator import SimulatorOptions

DEFAULT_LIMIT: Final = 10_000
MAX_POINTS: Final = 500
_TOLD_EVERY: Final = 64
_NO_HORIZON: Final = 1 << 62
_replace = msgspec.structs.replace


class Template(msgspec.Struct, frozen=True):
    """A pod to be placed again and again, ``count`` of it in every round."""

    pod: Pod
    count: int = 1


def round_of(objects: Iterable[KubeObject]) -> list[tuple[KubeObject, int]]:
    """Those of the objects that mean pods, and how many of each are in a round: in the ratio of their replicas."""
    found: list[tuple[KubeObject, int]] = []
    for object_ in objects:
        if template_of(object_) is not None:
            replicas = getattr(getattr(object_, "spec", None), "replicas", None)
            found.append((object_, 1 if replicas is None else replicas))
    shared = gcd(*(count for _, count in found)) or 1
    return [(object_, count // shared) for object_, count in found if count]


def template_of(object_: KubeObject) -> Pod | None:
    """The pod that an object means: itself, or one of a workload; None where it means none."""
    if isinstance(object_, Pod):
        return object_
    spec = getattr(object_, "spec", None)
    job = getattr(spec, "job_template", None)
    template = getattr(spec if job is None else job.spec, "template", None)
    if not isinstance(template, PodTemplateSpec):
        return None
    pod = pod_from_template(template, object_)
    return _replace(pod, metadata=_replace(pod.metadata, name=object_.metadata.name, generate_name=""))


class CapacityPoint(msgspec.Struct, frozen=True):
    """The cluster with ``pods`` more pods.

    Args:
        pods: copies placed
        feasible: how many nodes were found feasible for the last of them
        evaluated: of how many that were looked at
        requested: what all pods together request, cpu in milli, others in units
    """

    pods: int
    feasible: int
    evaluated: int
    requested: dict[str, int]


class Capacity(msgspec.Struct, frozen=True, kw_only=True):
    """How many rounds of the templates fit.

    Args:
        rounds: full rounds before the first pod that stays pending
        pods: how many pods have a node then, those of the last, unfinished round too
        placements: node → how many of them it took
        stopped_by: the first pod that stays pending, with what the scheduler says; None where the limit ended it
        curve: one point a pod; of more than MAX_POINTS every so many, the first and the last among them
        allocatable: what all nodes together have, as the points' ``requested``
        text: the answer as a sentence
    """

    rounds: int
    pods: int
    placements: dict[str, int]
    stopped_by: PendingPod | None
    curve: tuple[CapacityPoint, ...]
    allocatable: dict[str, int]
    text: str


def capacity(
    cluster: Sequence[KubeObject],
    templates: Sequence[Template],
    config: SchedulerConfiguration,
    options: SimulatorOptions = DEFAULT,
    *,
    limit: int = DEFAULT_LIMIT,
    progress: Callable[[int], None] = lambda pods: None,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> Capacity:
    """Places copies of the templates, one after the other, until one stays pending.

    What is pending in the cluster is placed first, as in any run. Copies evict nobody. Each goes through the real queue
    and cycle, so spreading, affinity and volumes count as they would, and comes when all is quiet after the one before,
    or after as much time as a run has: what ends in an error is tried again for ever.

    Args:
        cluster: nodes, pods and whatever else scheduling reads
        config: profiles of the scheduler
        options: of every run
        templates: at least one; in every round each is placed ``count`` times, in this order
        limit: how many copies are tried at most
        progress: told how many copies were tried
        is_cancelled: asked all along; what was found by then is returned
    """
    watch = _Feasible()
    simulator = Simulator(config, _replace(pods_alone(options), horizon_us=_NO_HORIZON), watch)
    simulator.load(cluster)
    began_us = 0

    def is_over() -> bool:
        return is_cancelled() or simulator.clock.now_us - began_us > options.horizon_us

    simulator.run(is_cancelled=is_over)
    copies = _copies(templates, {key_of(object_) for object_ in cluster if object_.kind == "Pod"})
    tried: list[Pod] = []

    def steps() -> Iterator[Step]:
        nonlocal began_us
        for copy in islice(copies, limit):
            if tried and not _is_placed(tried[-1], simulator):
                return
            if tried and len(tried) % _TOLD_EVERY == 0:
                progress(len(tried))
            tried.append(copy)
            began_us = simulator.clock.now_us
            yield Step(apply=(copy,))

    began_us = simulator.clock.now_us
    result = simulator.run(steps(), is_cancelled=is_over)
    refused: PendingPod | None = None
    if tried and not _is_placed(tried[-1], simulator):
        last = key_of(tried[-1])
        refused = next((pod for pod in result.pending if pod.pod == last), None)
        if is_cancelled():
            tried.pop()
            refused = None
    progress(len(tried))
    return _answer(tried, refused, templates, simulator, watch)


def _is_placed(pod: Pod, simulator: Simulator) -> bool:
    stored = simulator.store.get("Pod", pod.metadata.namespace, pod.metadata.name)
    return stored is not None and bool(stored.spec.node_name)


class _Feasible:
    """Reads off the trace how many nodes were feasible for each pod."""

    def __init__(self) -> None:
        self.by_pod: dict[str, tuple[int, int]] = {}
        self._reader = msgspec.json.Decoder(_NodesFiltered)

    def write(self, seq: int, data: bytes) -> None:
        if b'"type":"NodesFiltered"' in data:
            event = self._reader.decode(data)
            self.by_pod[event.pod] = (event.num_feasible, event.num_evaluated)

    def wants_detail(self, cycle: int, num_nodes: int) -> bool:
        return False

    def write_detail(self, cycle: int, detail: object) -> None:
        raise AssertionError("no detail was asked for")


class _NodesFiltered(msgspec.Struct):
    pod: str
    num_feasible: int
    num_evaluated: int


def _copies(templates: Sequence[Template], taken: Container[str]) -> Iterator[Pod]:
    """Endless copies, round after round, under keys that nobody has; of one priority, to keep their order."""
    order = [template.pod for template in templates for _ in range(template.count)]
    priority = min(pod.spec.priority or 0 for pod in order)
    for serial in count(1):
        for position, pod in enumerate(order, start=1):
            name = f"{pod.metadata.name}-more-{serial}-{position}"
            if f"{pod.metadata.namespace}/{name}" in taken:
                continue
            metadata = _replace(pod.metadata, name=name, uid="", resource_version="", creation_timestamp=None)
            spec = _replace(pod.spec, node_name="", priority=priority, preemption_policy="Never")
            copy = default_object(_replace(pod, metadata=metadata, spec=spec, status=PodStatus()))
            assert isinstance(copy, Pod)
            yield copy


def _answer(
    tried: Sequence[Pod],
    refused: PendingPod | None,
    templates: Sequence[Template],
    simulator: Simulator,
    watch: _Feasible,
) -> Capacity:
    keys = [key_of(pod) for pod in tried]
    nodes = simulator.result().placements
    # One that had a node may have lost it again: to a pod of the cluster that waited for such a copy.
    placed = [pod for pod, key in zip(tried, keys, strict=True) if key in nodes]
    allocatable: Counter[str] = Counter()
    for node in simulator.store.list("Node"):
        allocatable.update(to_ints(node.status.allocatable))
    requested: Counter[str] = Counter()
    copies = set(keys)
    for pod in simulator.store.list("Pod"):
        if pod.spec.node_name and key_of(pod) not in copies:
            _count(requested, pod)
    curve = []
    for number, pod in enumerate(placed, start=1):
        _count(requested, pod)
        feasible, evaluated = watch.by_pod[key_of(pod)]
        curve.append(CapacityPoint(number, feasible, evaluated, dict(requested)))
    rounds = len(placed) // sum(template.count for template in templates)
    return Capacity(
        rounds=rounds,
        pods=len(placed),
        placements=dict(sorted(Counter(nodes[key_of(pod)] for pod in placed).items())),
        stopped_by=refused,
        curve=tuple(_thinned(curve)),
        allocatable=dict(allocatable),
        text=_sentence(rounds, len(placed), templates, refused),
    )


def _thinned(curve: list[CapacityPoint]) -> list[CapacityPoint]:
    last = len(curve) - 1
    if last < MAX_POINTS:
        return curve
    return [curve[round(index * last / (MAX_POINTS - 1))] for index in range(MAX_POINTS)]


def _count(requested: Counter[str], pod: Pod) -> None:
    requested.update(pod_requests(pod))
    requested["pods"] += 1


def _sentence(rounds: int, pods: int, templates: Sequence[Template], refused: PendingPod | None) -> str:
    if len(templates) == 1 and templates[0].count == 1:
        name = _name_of(templates[0].pod)
        fits = f"{pods} more of {name} fit" if pods != 1 else f"1 more of {name} fits"
    else:
        parts = [f"{template.count} {_name_of(template.pod)}" for template in templates]
        fits = f"{rounds} more times {' + '.join(parts)} fit"
    if refused is None:
        return f"At least {fits}; no more were tried."
    return f"{fits}. The next one stays pending: {refused.message}"


def _name_of(pod: Pod) -> str:
    """What people call it: the workload that makes it, a Deployment rather than its ReplicaSet, else its own name."""
    owner = pod.metadata.controller()
    if owner is None:
        return pod.metadata.name
    return owner.name.removesuffix(f"-{pod.metadata.labels.get('pod-template-hash', '')}")
