"""How many nodes of a kind are needed for what is pending."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from scheduler_core.api.copies import csi_node_like, node_like
from scheduler_core.api.meta import ObjectMeta
from scheduler_core.api.node import Node
from scheduler_core.api.pod import Pod
from scheduler_core.api.storage import CSINode
from scheduler_core.planning.trial import is_of_its_node, trial
from scheduler_core.simulator import PendingPod
from scheduler_core.simulator.options import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scheduler_core.api.kinds import KubeObject
    from scheduler_core.config import SchedulerConfiguration
    from scheduler_core.simulator import SimulatorOptions

DEFAULT_LIMIT: Final = 1_000
_replace = msgspec.structs.replace


class GrowthPoint(msgspec.Struct, frozen=True):
    """With ``nodes`` more nodes ``pending`` pods stay pending or are evicted."""

    nodes: int
    pending: int


class Growth(msgspec.Struct, frozen=True):
    """The answer.

    Args:
        model: the node that the new ones are like
        nodes: how many are needed; with one less, more stays pending. None where no number of them helps
        pending: what stays pending even so, with the scheduler's reasons
        curve: every number that was tried
        text: the answer as a sentence
    """

    model: str
    nodes: int | None
    pending: tuple[PendingPod, ...]
    curve: tuple[GrowthPoint, ...]
    text: str


def growth(
    cluster: Sequence[KubeObject],
    model: str,
    config: SchedulerConfiguration,
    options: SimulatorOptions = DEFAULT,
    *,
    limit: int = DEFAULT_LIMIT,
    progress: Callable[[int], None] = lambda nodes: None,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> Growth:
    """Adds nodes like one that is there until nothing is pending, or until more of them do not help.

    Each number is tried by a run: first 1, 2, 4, …, then between the last two. A new node runs the model's
    DaemonSet pods and mirror pods.

    Args:
        cluster: nodes, pods and whatever else scheduling reads
        model: a node's name
        config: profiles of the scheduler
        options: of every run
        limit: the highest number that is tried
        progress: told each number that is tried
        is_cancelled: asked between runs; the best that was found by then is returned

    Raises:
        KeyError: there is no such node
    """
    search = _Search(cluster, model, config, options, progress, is_cancelled)
    fewest = search.pending(0)
    low, best, step = 0, 0, 1
    while fewest and step <= limit and not is_cancelled():
        left = search.pending(step)
        if left < fewest:
            low, best, fewest = best, step, left
        elif step >= 4 * max(best, 1):  # twice twice as many, and nothing came of it
            break
        step = min(step * 2, limit) if step < limit else limit + 1
    while best - low > 1 and not is_cancelled():
        middle = (low + best) // 2
        if search.pending(middle) <= fewest:
            best = middle
        else:
            low = middle
    return search.answer(best)


class _Search:
    """What was tried."""

    def __init__(
        self,
        cluster: Sequence[KubeObject],
        model: str,
        config: SchedulerConfiguration,
        options: SimulatorOptions,
        progress: Callable[[int], None],
        is_cancelled: Callable[[], bool],
    ) -> None:
        self._cluster = cluster
        self._model = model
        self._config = config
        self._options = options
        self._progress = progress
        self._is_cancelled = is_cancelled
        self._parts = _parts_of(cluster, model)
        self._tried: dict[int, tuple[tuple[PendingPod, ...], int]] = {}

    def pending(self, number: int) -> int:
        """How many pods stay pending, or are evicted, with so many new nodes."""
        if number not in self._tried:
            added = [copy for index in range(number) for copy in self._copies(index)]
            ended = trial([*self._cluster, *added], self._config, self._options, self._is_cancelled)
            self._tried[number] = tuple(ended.pending.values()), len(ended.evicted)
            self._progress(number)
        waiting, num_evicted = self._tried[number]
        return len(waiting) + num_evicted

    def answer(self, best: int) -> Growth:
        """What is to be told."""
        waiting, _ = self._tried[best]
        before = self.pending(0)
        helps = self.pending(best) < before
        curve = tuple(GrowthPoint(number, self.pending(number)) for number in sorted(self._tried))
        nodes = best if helps or not before else None
        return Growth(self._model, nodes, waiting, curve, self._sentence(nodes, waiting))

    def _sentence(self, nodes: int | None, waiting: tuple[PendingPod, ...]) -> str:
        if nodes is None:
            why = f"{waiting[0].pod}: {waiting[0].message}" if waiting else "some are evicted all the same."
            return f"No number of nodes like {self._model} helps: {why}"
        if nodes == 0:
            return "Nothing is pending: no node is needed."
        needed = (
            f"{nodes} more nodes like {self._model} are"
            if nodes > 1
            else f"1 more node like {self._model} is"
        )
        if not waiting:
            return f"{needed} needed; then nothing is pending."
        stay = f"{len(waiting)} pods stay" if len(waiting) > 1 else f"{waiting[0].pod} stays"
        return f"{needed} needed for what they can help; {stay} pending all the same."

    def _copies(self, index: int) -> list[KubeObject]:
        name = f"{self._model}-new-{index + 1}"
        copies: list[KubeObject] = []
        for part in self._parts:
            if isinstance(part, Node):
                copies.append(node_like(part, name))
            elif isinstance(part, CSINode):
                copies.append(csi_node_like(part, name))
            elif isinstance(part, Pod):
                metadata = part.metadata
                new = ObjectMeta(
                    name=f"{metadata.name}-{name}",
                    namespace=metadata.namespace,
                    labels=metadata.labels,
                    annotations=metadata.annotations,
                    owner_references=metadata.owner_references,
                )
                copies.append(_replace(part, metadata=new, spec=_replace(part.spec, node_name=name)))
        return copies


def _parts_of(cluster: Sequence[KubeObject], model: str) -> list[KubeObject]:
    """The model, its drivers, and the pods that any such node runs."""
    parts: list[KubeObject] = [
        object_
        for object_ in cluster
        if isinstance(object_, (Node, CSINode)) and object_.metadata.name == model
    ]
    if not any(isinstance(part, Node) for part in parts):
        raise KeyError(model)
    pods = (object_ for object_ in cluster if isinstance(object_, Pod) and object_.spec.node_name == model)
    return [*parts, *(pod for pod in pods if is_of_its_node(pod))]
