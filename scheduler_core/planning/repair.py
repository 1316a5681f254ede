"""What would make a pending pod fit: the cheapest changes, each proven by a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from scheduler_core.api.pod import Pod
from scheduler_core.errors import ManifestError
from scheduler_core.planning.advisable import is_live, too_few_domains
from scheduler_core.planning.after import objects_at
from scheduler_core.planning.candidates import candidates, cost_of, is_part_of, parts_of, sort_of, words_of
from scheduler_core.planning.changes import Change
from scheduler_core.planning.new_nodes import added_nodes, share_of_daemons
from scheduler_core.planning.obstacles import Obstacle, limit_of, obstacles
from scheduler_core.planning.repair_edits import edits_of
from scheduler_core.planning.situation import Situation
from scheduler_core.planning.trial import key_of, pods_alone
from scheduler_core.planning.what_if import Changes, End, changes_between
from scheduler_core.simulator import Simulator, read_edits
from scheduler_core.simulator.options import DEFAULT
from scheduler_core.simulator.questions import CONTINUE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scheduler_core.api.kinds import KubeObject
    from scheduler_core.config import SchedulerConfiguration
    from scheduler_core.simulator import AnyEdit, SimulatorOptions
    from scheduler_core.simulator.questions import Question
    from scheduler_core.trace import CycleDetail

MAX_REPAIRS: Final = 8
_MAX_OF_A_SORT: Final = 2


class Repair(msgspec.Struct, frozen=True):
    """Changes that make the pod fit, as a run has shown.

    Args:
        changes: all of them are needed
        text: what is to be done and what comes of it, as a sentence
        node: where the pod went
        difference: what else is not as it was
        edits: the changes as a scenario's edits, to stand after those that were asked about
    """

    changes: tuple[Change, ...]
    text: str
    node: str
    difference: Changes
    edits: tuple[dict[str, Any], ...]


class Repairs(msgspec.Struct, frozen=True):
    """What helps, the least harm to others first.

    Args:
        pod: as namespace/name
        message: why it stays pending, as the scheduler says
        repairs: at most MAX_REPAIRS, two of a sort
        tried: how many sets of changes were run
        text: the best one, or that there is none
        in_the_way: where nothing helps, what is against each kind of change
        note: what to mind in any of them, or nothing
        warning: that none of them makes room, where each takes another pod's place; or nothing
    """

    pod: str
    message: str
    repairs: tuple[Repair, ...]
    tried: int
    text: str
    in_the_way: tuple[Obstacle, ...] = ()
    note: str = ""
    warning: str = ""


def repairs(
    cluster: Sequence[KubeObject],
    pod: str,
    config: SchedulerConfiguration,
    options: SimulatorOptions = DEFAULT,
    *,
    edits: Sequence[AnyEdit] = (),
    question: Question = CONTINUE,
    progress: Callable[[int, int], None] = lambda done, total: None,
    so_far: Callable[[Repairs], None] = lambda found: None,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> Repairs:
    """Looks for what would make a pod fit that stays pending.

    Candidates are read off an attempt when everything else has its place: for each node, what contents all plugins
    that refuse it; and a new node like one of each kind that is there. Each is run as edits after those that are
    there, made when everything else has its place: that is the run with these edits, gone on. Those where the pod gets
    a node that is not lost are ranked by how many other pods are newly pending or gone for it, by the budgets that this
    is against, by how many pods move, and by how much they ask. Of those that help nothing can be left out: what holds
    with less is told instead, unless others lose more by it. What can only rank behind something proven is not run.

    Args:
        cluster: nodes, pods and whatever else scheduling reads
        pod: as namespace/name
        config: profiles of the scheduler
        options: of every run
        edits: of a scenario, which are made in every run
        question: what every run asks
        progress: told how many candidates are done, of how many
        so_far: told what helps, whenever there is more
        is_cancelled: asked between runs; what was found by then is returned

    Raises:
        KeyError: there is no such pod
        ManifestError: the question is about no pod
    """
    search = _Search(cluster, pod, config, options, edits, question, is_cancelled)
    if pod not in search.base.pods:
        raise KeyError(pod)
    if search.base.node(pod):
        return Repairs(pod, "", (), 0, f"{pod} has a node: nothing is to be repaired.")
    detail = search.last_attempt()
    around = Situation(objects_at(search.base), search.base.pods[pod])
    if beyond := limit_of(detail, around):
        return msgspec.structs.replace(search.answer(), text=beyond)
    wanted = candidates(detail, around)
    for number, changes in enumerate(wanted, start=1):
        if is_cancelled():
            break
        if not search.is_beaten(changes) and search.tries(changes):
            search.tries_less_than(changes, around)
            so_far(search.answer())
        progress(number, len(wanted))
    found = search.answer()
    if found.repairs or is_cancelled():
        return found
    return msgspec.structs.replace(found, in_the_way=obstacles(detail, around, search.failed))


class _Search:
    """What was tried."""

    def __init__(
        self,
        cluster: Sequence[KubeObject],
        pod: str,
        config: SchedulerConfiguration,
        options: SimulatorOptions,
        edits: Sequence[AnyEdit],
        question: Question,
        is_cancelled: Callable[[], bool],
    ) -> None:
        self._cluster = cluster
        self._pod = pod
        self._config = config
        self._options = options
        self._edits = tuple(edits)
        self._question = question
        self._is_cancelled = is_cancelled
        self.base = self._end(())
        self._proven: list[Repair] = []
        self._run: list[tuple[Change, ...]] = []
        self._tried = 0
        self.failed: list[tuple[tuple[Change, ...], str]] = []

    def _end(self, more: tuple[AnyEdit, ...]) -> End:
        edits = (*self._edits, *more)
        return End(self._cluster, edits, self._config, self._options, self._question, self._is_cancelled)

    def last_attempt(self) -> CycleDetail | None:
        """The detail of one more attempt, once everything else has its place; None for a pod that is not tried."""
        sink = _LastDetail(self._pod)
        simulator = Simulator(self._config, pods_alone(self._options), sink)
        simulator.load(
            object_
            for object_ in objects_at(self.base)
            if not isinstance(object_, Pod) or object_.spec.node_name or key_of(object_) == self._pod
        )
        simulator.run(is_cancelled=self._is_cancelled)
        return sink.detail

    def is_beaten(self, changes: tuple[Change, ...]) -> bool:
        """Whether less of the same is known to do without anything else changed, or the same was run."""
        cost = cost_of(changes)
        return any(is_part_of(changes, known) and is_part_of(known, changes) for known in self._run) or any(
            not any(_harm(repair))
            and sort_of(repair.changes) <= sort_of(changes)
            and cost_of(repair.changes) <= cost
            for repair in self._proven
        )

    def tries_less_than(self, changes: tuple[Change, ...], around: Situation) -> None:
        """Runs what has proven to do without each of its parts, and so on with what still does."""
        for left_out in parts_of(changes, around):
            if (
                left_out
                and not self._is_cancelled()
                and not self.is_beaten(left_out)
                and self.tries(left_out)
            ):
                return self.tries_less_than(left_out, around)
        return None

    def tries(self, changes: tuple[Change, ...]) -> bool:
        """Runs a set of changes; whether it makes the pod fit."""
        self._run.append(changes)
        plain = edits_of(changes, self.base, self._pod, self._at())
        try:
            more = read_edits(plain)
        except ManifestError as error:  # the pod is none that the API server would take again
            self.failed.append((changes, error.errors[0].message))
            return False
        ended = self._end(more)
        if self._is_cancelled():
            return False
        self._tried += 1
        if not ended.has_live_node(self._pod):
            self.failed.append((changes, self._why_not(ended)))
            return False
        after = changes_between(self.base, ended)
        node = ended.node(self._pod)
        told = _told(changes, self._pod, node, after, self._share_of_new(changes, ended))
        self._proven.append(Repair(changes, told, node, after, plain))
        self._proven.sort(key=_rank)
        return True

    def _share_of_new(self, changes: tuple[Change, ...], ended: End) -> str:
        new = added_nodes(self.base, ended) if any(change.add_like for change in changes) else []
        return share_of_daemons(ended, new[0]) if new else ""

    def _at(self) -> str:
        """When: as soon as all else has its place; at once where nothing else happens before."""
        return "" if self.base.is_unmoved(self._pod) else self.base.settled_at()

    def _why_not(self, ended: End) -> str:
        refused = [one for one in ended.result.refused_edits if one.edit > len(self._edits)]
        if refused:
            return refused[0].message
        if self._pod in ended.pods and ended.node(self._pod):
            return f"{ended.node(self._pod)}, where it would go, is lost."
        return ended.pending[self._pod].message if self._pod in ended.pending else "the pod is gone"

    def answer(self) -> Repairs:
        """What is known by now."""
        shown: list[Repair] = []
        for repair in self._proven:
            alike = sum(sort_of(one.changes) == sort_of(repair.changes) for one in shown)
            if alike < _MAX_OF_A_SORT and not any(_says_less(one, repair) for one in self._proven):
                shown.append(repair)
        message = self.base.pending[self._pod].message
        text = shown[0].text if shown else _none_of(self._pod, self._tried)
        return Repairs(
            self._pod,
            message,
            tuple(shown[:MAX_REPAIRS]),
            self._tried,
            text,
            note=self._note(shown),
            warning=self._warning(shown),
        )

    def _warning(self, shown: Sequence[Repair]) -> str:
        if not all(_harm(repair)[0] for repair in shown):
            return ""
        live = [node for node in self.base.nodes if is_live(node)]
        why = too_few_domains(self.base.pods[self._pod], self.base.pods.values(), live)
        if why:
            return f"An eviction can only swap who waits: {why}"
        return "Nothing makes room for one more: this can only swap who waits." if shown else ""

    def _note(self, shown: Sequence[Repair]) -> str:
        workload = self.base.workload(self._pod)
        changed = any(change.object.startswith("Pod/") for repair in shown for change in repair.changes)
        if not workload or not changed:
            return ""
        return f"{self._pod} is made by {workload}: change it there too, or the next one waits again."


class _LastDetail:
    """Keeps the detail of a pod's last cycle."""

    def __init__(self, pod: str) -> None:
        self.detail: CycleDetail | None = None
        self._reader = msgspec.json.Decoder(_Started)
        self._is_tried = False
        self._pod = pod

    def write(self, seq: int, data: bytes) -> None:
        if b'"type":"CycleStarted"' in data:
            self._is_tried = self._reader.decode(data).pod == self._pod

    def wants_detail(self, cycle: int, num_nodes: int) -> bool:
        return self._is_tried

    def write_detail(self, cycle: int, detail: CycleDetail) -> None:
        self.detail = detail


class _Started(msgspec.Struct):
    pod: str


def _harm(repair: Repair) -> tuple[int, int]:
    after = repair.difference
    return len(after.newly_pending) + len(after.gone), len(after.moved)


def _rank(repair: Repair) -> tuple[int, int, float]:
    return *_harm(repair), cost_of(repair.changes)


def _says_less(one: Repair, other: Repair) -> bool:
    """Whether one repair asks for a part of what the other asks for, and nobody loses more by it."""
    is_less = is_part_of(one.changes, other.changes) and not is_part_of(other.changes, one.changes)
    return is_less and _harm(one) <= _harm(other)


def _told(changes: tuple[Change, ...], pod: str, node: str, after: Changes, share: str) -> str:
    others = [
        f"{len(after.newly_pending)} newly pending" if after.newly_pending else "",
        f"{len(after.gone)} evicted" if after.gone else "",
        f"{len(after.moved)} moved" if after.moved else "",
        f"{len(after.rescued) - 1} more placed" if len(after.rescued) > 1 else "",
        f"{len(after.new)} new" if after.new else "",
        f"{share} of the new node" if share else "",
    ]
    rest = ", ".join(part for part in others if part) or "nothing else changes"
    return f"{words_of(changes)}: {pod} goes to {node}; {rest}."


def _none_of(pod: str, tried: int) -> str:
    if not tried:
        return f"No small change is known that makes {pod} fit."
    return (
        f"None of {tried} changes makes {pod} fit."
        if tried > 1
        else f"1 change was tried: {pod} stays pending."
    )
