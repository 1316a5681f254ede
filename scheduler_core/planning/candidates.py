"""Sets of small changes that are worth a run each, read off the refusals of a pod's last attempt."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import product
from typing import TYPE_CHECKING, Final, TypeAlias

import msgspec

from scheduler_core.api.canonical import canonical
from scheduler_core.api.copies import PASSING_TAINTS
from scheduler_core.api.decode import encode_object
from scheduler_core.api.defaulting import default_object
from scheduler_core.api.pod_resources import pod_requests
from scheduler_core.api.quantity import parse_quantity
from scheduler_core.planning.changes import MAX_EVICTED, Change, changes_for, evict, new_node, ungated
from scheduler_core.simulator.controllers.node_lifecycle import UNSCHEDULABLE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scheduler_core.planning.situation import Situation
    from scheduler_core.trace import CycleDetail
    from scheduler_core.trace.detail import Record

MAX_TRIALS: Final = 40
MAX_TOGETHER: Final = 3
_MAX_MODELS: Final = 8
_COST_OF_A_NODE: Final = 20.0
_COST_OF_ANOTHER: Final = 0.5
_OF_THE_POD: Final = frozenset({"requests", "selector", "tolerations"})
_LEFT_TO_PREEMPTION: Final = frozenset(
    {"NodeResourcesFit", "InterPodAffinity", "NodePorts", "PodTopologySpread"}
)

Changes: TypeAlias = tuple[Change, ...]


def candidates(detail: CycleDetail | None, around: Situation) -> list[Changes]:
    """Sets of changes, each once, at most MAX_TRIALS.

    The cheapest of every sort comes first, then the second of every sort: so what is left out is like what is tried.

    Args:
        detail: of an attempt when everything else had its place; None for a pod that is not tried
        around: the pod and the cluster around it
    """
    found: dict[bytes, Changes] = {}
    for changes in (*_of_the_pod(around), *_by_node(detail, around), *_new_nodes(detail, around)):
        changes = _once(changes, around)
        same = [(one.object, one.patch, one.evict, one.add_like) for one in changes]
        found.setdefault(canonical(msgspec.to_builtins(same)), changes)
    sorts: dict[frozenset[tuple[str, int]], int] = defaultdict(int)
    ranked: list[tuple[int, float, Changes]] = []
    for changes in sorted(found.values(), key=lambda changes: (cost_of(changes), len(changes))):
        sort = frozenset(sort_of(changes).items())
        ranked.append((sorts[sort], cost_of(changes), changes))
        sorts[sort] += 1
    return [changes for _, _, changes in sorted(ranked, key=lambda one: one[:2])[:MAX_TRIALS]]


def _once(changes: Changes, around: Situation) -> Changes:
    """Nothing twice: all who go go by one change, whichever plugins want it."""
    gone = sorted({pod for change in changes for pod in change.evict})
    different: list[Change] = []
    for change in changes:
        if not change.evict:
            if change not in different:
                different.append(change)
        elif not any(one.evict for one in different):
            different.append(evict(gone, around))
    return tuple(different)


def asks_of(changes: Changes) -> dict[str, float]:
    """What changes ask for, each with how much of it: more of the same asks for at least as much of everything."""
    found: dict[str, float] = {}
    for change in changes:
        found.update({f"evict {pod}": 1.0 for pod in change.evict})
        if change.kind == "requests":
            for container in change.patch["spec"]["containers"]:
                for name, amount in container.get("resources", {}).get("requests", {}).items():
                    found[f"requests {container['name']} {name}"] = -float(
                        parse_quantity(str(amount)).milli_value()
                    )
        elif change.kind == "tolerations":
            found.update({f"tolerate {one}": 1.0 for one in change.patch["spec"]["tolerations"]})
        elif change.kind == "spread":
            for number, one in enumerate(change.patch["spec"]["topologySpreadConstraints"]):
                found[f"spread {number}"] = float(one["maxSkew"])
        elif not change.evict:
            found[f"{change.kind} {change.object} {change.add_like} {change.patch}"] = 1.0
    return found


def is_part_of(less: Changes, more: Changes) -> bool:
    """Whether some changes ask for nothing that others do not ask for too, as much or more."""
    asked = asks_of(more)
    return all(name in asked and amount <= asked[name] for name, amount in asks_of(less).items())


def parts_of(changes: Changes, around: Situation) -> Iterator[Changes]:
    """The changes without each one of them, and with one pod less evicted."""
    for number, change in enumerate(changes):
        others = changes[:number], changes[number + 1 :]
        if len(changes) > 1:
            yield (*others[0], *others[1])
        if len(change.evict) > 1:
            for pod in change.evict:
                fewer = evict([other for other in change.evict if other != pod], around)
                yield (*others[0], fewer, *others[1])


def cost_of(changes: Changes) -> float:
    """How much changes ask for together; each one more is more to agree on."""
    return sum(change.cost for change in changes) + _COST_OF_ANOTHER * max(0, len(changes) - 1)


def words_of(changes: Changes) -> str:
    """What is to be done, as one imperative."""
    first, *others = (change.text for change in changes)
    return " and ".join([first, *(text[0].lower() + text[1:] for text in others)])


def sort_of(changes: Changes) -> Counter[str]:
    """Which kinds of change these are, each with its number."""
    return Counter(change.kind for change in changes)


def _of_the_pod(around: Situation) -> Iterator[Changes]:
    change = ungated(around)
    if change is not None:
        yield (change,)


def _by_node(detail: CycleDetail | None, around: Situation) -> Iterator[Changes]:
    """For each node what contents all that refuse it; where the pod may preempt, also without what that would solve."""
    for row, node in enumerate(detail.nodes if detail is not None else ()):
        assert detail is not None
        refusals = detail.refusals_of(row)
        if not 1 <= len(refusals) <= MAX_TOGETHER:
            continue
        may_preempt = around.may_preempt(node)
        ways: list[list[Changes]] = []
        for status in refusals:
            records = detail.records_of(status.plugin, row)
            if status.plugin == "TaintToleration" and around.is_cordoned(node):
                records = [record for record in records if record["key"] != UNSCHEDULABLE]
                if not records:  # that taint goes with the cordon
                    continue
            known: list[Changes] = [(way,) for way in changes_for(status.plugin, records, node, around)]
            if status.plugin == "NodeResourcesFit":
                known += _smaller_for_fewer(records, node, around)
            ways.append([*known, *([()] if may_preempt and status.plugin in _LEFT_TO_PREEMPTION else [])])
        for chosen in product(*ways):
            if changes := tuple(change for way in chosen for change in way):
                yield changes


def _smaller_for_fewer(records: Sequence[Record], node: str, around: Situation) -> Iterator[Changes]:
    """The request lowered, at least to what the node has, so that fewer others have to be evicted or preempted.

    All that is short is not taken off here: that is a change of its own.
    """
    beyond = {record["resource"]: record["short"] for record in around.short_of_all(node)}
    freed: Counter[str] = Counter()
    pods = around.movable(node)
    for number, pod in enumerate(pods, start=1):
        freed.update({**pod_requests(pod), "pods": 1})
        if MAX_EVICTED < number < len(pods):
            continue
        lowered, left = [], []
        for record in records:
            by = max(beyond.get(record["resource"], 0), record["short"] - freed[record["resource"]])
            lowered.append({**record, "short": by})
            left.append({**record, "short": record["short"] - by})
        lowered = [record for record in lowered if record["short"] > 0]
        if not lowered:
            return  # evicting is enough
        left = [record for record in left if record["short"] > 0]
        for lower in _of_kind("requests", lowered, node, around):
            if around.may_preempt(node):
                yield (lower,)
            for others in _of_kind("evict", left, node, around) if left else ():
                yield lower, others


def _of_kind(kind: str, records: Sequence[Record], node: str, around: Situation) -> list[Change]:
    return [way for way in changes_for("NodeResourcesFit", records, node, around) if way.kind == kind]


def _new_nodes(detail: CycleDetail | None, around: Situation) -> Iterator[Changes]:
    """A node of each kind, alone and with what even an empty one of its kind would refuse the pod for."""
    rows = {name: row for row, name in enumerate(detail.nodes)} if detail is not None else {}
    for model in _models(around):
        node = new_node(model, _COST_OF_A_NODE)
        yield (node,)
        if detail is None or model not in rows:
            continue
        refusals = {
            "NodeResourcesFit": around.short_of_all(model),
            "NodeAffinity": detail.records_of("NodeAffinity", rows[model]),
            "TaintToleration": [
                record
                for record in detail.records_of("TaintToleration", rows[model])
                if not record["key"].startswith(PASSING_TAINTS)
            ],
        }
        ways = [
            [way for way in changes_for(plugin, records, model, around) if way.kind in _OF_THE_POD]
            for plugin, records in refusals.items()
            if records
        ]
        for more in product(*ways):
            if more:
                yield node, *more


def _models(around: Situation) -> list[str]:
    """A node of each kind."""
    kinds: dict[bytes, str] = {}
    for name, node in sorted(around.nodes.items()):
        if not around.is_live(name):
            continue
        raw = encode_object(default_object(node))
        labels = {key: value for key, value in node.metadata.labels.items() if value != name}
        allocatable = raw.get("status", {}).get("allocatable")
        kinds.setdefault(
            canonical({"labels": labels, "taints": raw.get("spec", {}).get("taints"), "has": allocatable}),
            name,
        )
    return list(kinds.values())[:_MAX_MODELS]
