"""How many nodes of a kind are needed for what is pending."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from scheduler_core.planning.advisable import lost_zone
from scheduler_core.planning.new_nodes import added_nodes, new_node_edits, share_of_daemons
from scheduler_core.planning.what_if import End, changes_between
from scheduler_core.simulator import PendingPod, read_edits
from scheduler_core.simulator.options import DEFAULT
from scheduler_core.simulator.questions import CONTINUE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scheduler_core.api.kinds import KubeObject
    from scheduler_core.config import SchedulerConfiguration
    from scheduler_core.simulator import AnyEdit, SimulatorOptions
    from scheduler_core.simulator.questions import Question

DEFAULT_LIMIT: Final = 1_000


class GrowthPoint(msgspec.Struct, frozen=True):
    """With ``nodes`` more nodes ``pending`` pods stay pending or are evicted; without any, those of the run itself."""

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
        edits: what adds them, to stand after the edits that were asked about
    """

    model: str
    nodes: int | None
    pending: tuple[PendingPod, ...]
    curve: tuple[GrowthPoint, ...]
    text: str
    edits: tuple[dict[str, Any], ...] = ()


def growth(
    cluster: Sequence[KubeObject],
    model: str,
    config: SchedulerConfiguration,
    options: SimulatorOptions = DEFAULT,
    *,
    edits: Sequence[AnyEdit] = (),
    question: Question = CONTINUE,
    limit: int = DEFAULT_LIMIT,
    progress: Callable[[int], None] = lambda nodes: None,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> Growth:
    """Adds nodes like one that is there until nothing is pending, or until more of them do not help.

    Each number is tried by a run: first 1, 2, 4, …, then between the last two. It is the run with the edits that are
    there, and nodes that come when everything has its place. A new node runs what DaemonSets make for it, and the
    model's mirror pods.

    Args:
        cluster: nodes, pods and whatever else scheduling reads
        model: a node's name
        config: profiles of the scheduler
        options: of every run
        edits: of a scenario, which are made in every run
        question: what every run asks
        limit: the highest number that is tried
        progress: told each number that is tried
        is_cancelled: asked between runs; the best that was found by then is returned

    Raises:
        KeyError: there is no such node
        ManifestError: the question is about no pod
    """
    base = End(cluster, edits, config, options, question, is_cancelled)
    search = _Search(
        base, lambda more: End(cluster, (*edits, *more), config, options, question), model, progress
    )
    fewest = search.pending(0)
    if search.is_hopeless:
        return search.answer(0)
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
        base: End,
        ends: Callable[[Sequence[AnyEdit]], End],
        model: str,
        progress: Callable[[int], None],
    ) -> None:
        self._ends = ends
        self._model = model
        self._progress = progress
        self._base = base
        if model not in {node.metadata.name for node in self._base.nodes}:
            raise KeyError(model)
        self._share = ""
        self._lost_zone = lost_zone(model, self._base.nodes)
        self._tried: dict[int, tuple[tuple[PendingPod, ...], int]] = {}

    def pending(self, number: int) -> int:
        """How many pods stay pending, or are evicted, with so many new nodes."""
        if number not in self._tried:
            ended = self._ends(read_edits(self._edits(number))) if number else self._base
            gone = changes_between(self._base, ended).gone
            self._tried[number] = tuple(ended.pending.values()), len(gone)
            if new := added_nodes(self._base, ended):
                self._share = share_of_daemons(ended, new[0])
            self._progress(number)
        waiting, num_evicted = self._tried[number]
        return len(waiting) + num_evicted

    @property
    def is_hopeless(self) -> bool:
        """Whether all of the model's zone is lost: a node more would be in it too."""
        return bool(self._lost_zone)

    def _edits(self, number: int) -> tuple[dict[str, Any], ...]:
        at = "" if self._base.is_unmoved() else self._base.settled_at()
        return new_node_edits(self._base, self._model, number, at)

    def answer(self, best: int) -> Growth:
        """What is to be told."""
        waiting, _ = self._tried[best]
        before = self.pending(0)
        helps = self.pending(best) < before
        curve = tuple(GrowthPoint(number, self.pending(number)) for number in sorted(self._tried))
        nodes = best if helps or not before else None
        text = self._sentence(nodes, waiting)
        if self._share:
            text += f" Of each new node, {self._share}."
        return Growth(self._model, nodes, waiting, curve, text, self._edits(nodes) if nodes else ())

    def _sentence(self, nodes: int | None, waiting: tuple[PendingPod, ...]) -> str:
        if nodes is None and self._lost_zone:
            zone = self._lost_zone
            return f"All nodes of the zone {zone} are lost, and a node like {self._model} would be in it too."
        if nodes is None:
            return f"No number of nodes like {self._model} helps: {waiting[0].pod}: {waiting[0].message}"
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
