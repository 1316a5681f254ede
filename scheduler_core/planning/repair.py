"""What would make a pending pod fit: the cheapest changes, each proven by a run."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, Final

import msgspec

from scheduler_core.api.canonical import canonical
from scheduler_core.api.decode import encode_object
from scheduler_core.api.defaulting import default_object
from scheduler_core.api.pod import Pod
from scheduler_core.planning.changes import Change, Situation, apply_change, changes_for
from scheduler_core.planning.trial import Difference, Trial, difference, key_of, pods_alone, trial
from scheduler_core.simulator import Simulator, Step
from scheduler_core.simulator.options import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from scheduler_core.api.kinds import KubeObject
    from scheduler_core.config import SchedulerConfiguration
    from scheduler_core.simulator import SimulatorOptions
    from scheduler_core.trace import CycleDetail

MAX_REPAIRS: Final = 8
MAX_TRIALS: Final = 40
_MAX_TOGETHER: Final = 3
_MAX_MODELS: Final = 8
_COST_OF_A_NODE: Final = 20.0


class Repair(msgspec.Struct, frozen=True):
    """Changes that make the pod fit, as a run has shown.

    Args:
        changes: all of them are needed
        text: what is to be done and what comes of it, as a sentence
        node: where the pod went
        difference: what else is not as it was
        edits: the changes as a scenario's edits
    """

    changes: tuple[Change, ...]
    text: str
    node: str
    difference: Difference
    edits: tuple[dict[str, Any], ...]


class Repairs(msgspec.Struct, frozen=True):
    """What helps, the least harm to others first; ``tried``: how many sets of changes were run."""

    pod: str
    message: str
    repairs: tuple[Repair, ...]
    tried: int
    text: str


def repairs(
    cluster: Sequence[KubeObject],
    pod: str,
    config: SchedulerConfiguration,
    options: SimulatorOptions = DEFAULT,
    *,
    progress: Callable[[int, int], None] = lambda done, total: None,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> Repairs:
    """Looks for what would make a pod fit that stays pending.

    Candidates are read off an attempt when everything else has its place: for each node, what contents all plugins
    that refuse it; and a new node like one of each kind that is there. Each is run; those where the pod gets a node
    are ranked by how many other pods are newly pending or evicted for it, then by how many changes they need and how
    much they ask.

    Args:
        cluster: nodes, pods and whatever else scheduling reads
        pod: as namespace/name
        config: profiles of the scheduler
        options: of every run
        progress: told how many candidates were run, of how many
        is_cancelled: asked between runs; what was found by then is returned

    Raises:
        KeyError: there is no such pod
    """
    wanted = next((one for one in cluster if isinstance(one, Pod) and key_of(one) == pod), None)
    if wanted is None:
        raise KeyError(pod)
    base = trial(cluster, config, options, is_cancelled)
    if pod not in base.pending:
        return Repairs(pod, "", (), 0, f"{pod} has a node: nothing is to be repaired.")
    detail = _last_attempt(cluster, wanted, config, options)
    found = _candidates(cluster, wanted, detail)
    proven: list[Repair] = []
    for number, changes in enumerate(found):
        if is_cancelled():
            break
        changed: list[KubeObject] = list(cluster)
        for change in changes:
            changed = apply_change(changed, change)
        ended = trial(changed, config, options)
        if pod in ended.placements:
            proven.append(_proven(changes, wanted, changed, base, ended))
        progress(number + 1, len(found))
    proven.sort(key=_rank)
    message = base.pending[pod].message
    return Repairs(pod, message, tuple(proven[:MAX_REPAIRS]), len(found), _answer(pod, proven, len(found)))


def _proven(
    changes: tuple[Change, ...], pod: Pod, changed: Sequence[KubeObject], base: Trial, ended: Trial
) -> Repair:
    gone = {key for change in changes for key in change.evict}
    after = difference(base, ended)
    after = msgspec.structs.replace(after, evicted=(*sorted(gone), *after.evicted))
    node = ended.placements[key_of(pod)]
    return Repair(
        changes, _told(changes, key_of(pod), node, after), node, after, _edits(changes, key_of(pod), changed)
    )


def _edits(
    changes: tuple[Change, ...], pod: str, changed: Sequence[KubeObject]
) -> tuple[dict[str, Any], ...]:
    """The same as edits of a scenario; a pod that is changed is replaced, for most of its spec never changes."""
    edits: list[dict[str, Any]] = []
    for change in changes:
        edits += [{"kind": "delete", "object": f"Pod/{key}", "graceSeconds": 0} for key in change.evict]
        if change.add_like:
            edits.append({"kind": "addNodes", "like": change.add_like, "count": 1})
        if change.object.startswith("Node/"):
            edits.append({"kind": "mergePatch", "object": change.object, "patch": change.patch})
    if any(change.object.startswith("Pod/") for change in changes):
        new = next(one for one in changed if isinstance(one, Pod) and key_of(one) == pod)
        metadata = msgspec.structs.replace(new.metadata, uid="", resource_version="")
        edits.append({"kind": "delete", "object": f"Pod/{pod}", "graceSeconds": 0})
        edits.append(
            {"kind": "apply", "objects": [encode_object(msgspec.structs.replace(new, metadata=metadata))]}
        )
    return tuple(edits)


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


def _last_attempt(
    cluster: Sequence[KubeObject], pod: Pod, config: SchedulerConfiguration, options: SimulatorOptions
) -> CycleDetail | None:
    """The detail of one more attempt, once everything else has its place; None for a pod that is not tried."""
    sink = _LastDetail(key_of(pod))
    simulator = Simulator(config, pods_alone(options), sink)
    simulator.load(cluster)
    simulator.run()
    simulator.run([Step(delete=(f"Pod/{key_of(pod)}",)), Step(apply=(pod,))])
    return sink.detail


def _candidates(
    cluster: Sequence[KubeObject], pod: Pod, detail: CycleDetail | None
) -> list[tuple[Change, ...]]:
    """Sets of changes, each once, the cheapest first; at most MAX_TRIALS."""
    around = Situation(cluster, _default_pod(pod))
    found: dict[bytes, tuple[Change, ...]] = {}
    if detail is not None:
        for changes in _by_node(detail, around):
            found.setdefault(canonical(msgspec.to_builtins([_same(change) for change in changes])), changes)
    ranked = sorted(found.values(), key=_cost)
    models = _models(around)
    new_nodes = [
        (Change(text=f"Add a node like {name}", add_like=name, cost=_COST_OF_A_NODE),) for name in models
    ]
    return [*ranked[: MAX_TRIALS - len(new_nodes)], *new_nodes]


def _default_pod(pod: Pod) -> Pod:
    """The pod as the API server would store it."""
    stored = default_object(pod)
    assert isinstance(stored, Pod)
    return stored


def _same(change: Change) -> tuple[object, ...]:
    return change.object, change.patch, change.evict, change.add_like


def _by_node(detail: CycleDetail, around: Situation) -> Iterator[tuple[Change, ...]]:
    for row, node in enumerate(detail.nodes):
        refusals = detail.refusals_of(row)
        if not 1 <= len(refusals) <= _MAX_TOGETHER:
            continue
        ways = [
            changes_for(status.plugin, detail.records_of(status.plugin, row), node, around)
            for status in refusals
        ]
        yield from product(*ways)


def _models(around: Situation) -> list[str]:
    """A node of each kind."""
    kinds: dict[bytes, str] = {}
    for name, node in sorted(around.nodes.items()):
        raw = encode_object(default_object(node))
        labels = {key: value for key, value in node.metadata.labels.items() if value != name}
        allocatable = raw.get("status", {}).get("allocatable")
        kinds.setdefault(
            canonical({"labels": labels, "taints": raw.get("spec", {}).get("taints"), "has": allocatable}),
            name,
        )
    return list(kinds.values())[:_MAX_MODELS]


def _cost(changes: tuple[Change, ...]) -> tuple[float, int]:
    return sum(change.cost for change in changes), len(changes)


def _rank(repair: Repair) -> tuple[int, int, float]:
    harm = len(repair.difference.newly_pending) + len(repair.difference.evicted)
    return harm, len(repair.changes), sum(change.cost for change in repair.changes)


def _told(changes: tuple[Change, ...], pod: str, node: str, after: Difference) -> str:
    what = " and ".join(
        [changes[0].text, *(change.text[0].lower() + change.text[1:] for change in changes[1:])]
    )
    others = [
        f"{len(after.newly_pending)} newly pending" if after.newly_pending else "",
        f"{len(after.evicted)} evicted" if after.evicted else "",
        f"{len(after.moved)} moved" if after.moved else "",
        f"{len(after.rescued) - 1} more placed" if len(after.rescued) > 1 else "",
    ]
    rest = ", ".join(part for part in others if part) or "nothing else changes"
    return f"{what}: {pod} goes to {node}; {rest}."


def _answer(pod: str, proven: Sequence[Repair], tried: int) -> str:
    if proven:
        return proven[0].text
    return (
        f"None of {tried} changes makes {pod} fit."
        if tried
        else f"No small change is known that makes {pod} fit."
    )
