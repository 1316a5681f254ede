"""Where nothing makes a pod fit: what is in the way of each kind of change."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

import msgspec

from scheduler_core.api.node_marks import may_tolerate
from scheduler_core.planning.candidates import MAX_TOGETHER, words_of
from scheduler_core.planning.changes import has_ways
from scheduler_core.planning.trial import key_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scheduler_core.planning.changes import Change
    from scheduler_core.planning.situation import Situation
    from scheduler_core.trace import CycleDetail


class Obstacle(msgspec.Struct, frozen=True):
    """What is against a kind of change, as a sentence; ``kind`` as in ``Change``, or "other"."""

    kind: str
    text: str


_NEEDS: Final[tuple[tuple[str, str, str, str], ...]] = (
    ("requests", "NodeResourcesFit", "lack", "what it asks for, more than a lower request could make up for"),
    ("tolerations", "TaintToleration", "have", "taints, but something else is against them too"),
    (
        "labels",
        "NodeAffinity",
        "have",
        "other labels than it asks for, but something else is against them too",
    ),
)
_NONE: Final = {
    "requests": "No node lacks what it asks for, so a lower request changes nothing.",
    "tolerations": "No node refuses it for a taint, so a toleration changes nothing.",
    "labels": "No node refuses it for its labels, so a label changes nothing.",
}


def limit_of(detail: CycleDetail | None, around: Situation) -> str:
    """Why nothing can be said of a pod: what the scheduler does with it is not simulated. Else nothing."""
    spec = around.pod.spec
    if spec.resource_claims:
        return (
            f"{key_of(around.pod)} has resource claims. Their allocation is not simulated, so what would make it fit "
            "is not known: this is a limit of the playground, not the scheduler's verdict."
        )
    if detail is None and around.nodes and not spec.scheduling_gates:
        return (
            f"No profile has the schedulerName {spec.scheduler_name}: another scheduler places {key_of(around.pod)}, "
            "and what that one would do is not known."
        )
    return ""


def obstacles(
    detail: CycleDetail | None, around: Situation, failed: Sequence[tuple[tuple[Change, ...], str]]
) -> tuple[Obstacle, ...]:
    """What is in the way of lowering requests, tolerating, relabelling, evicting, adding a node.

    Args:
        detail: of the pod's attempt; None where it is not tried
        around: the pod and the cluster
        failed: what was run without success, and why the pod stayed pending then
    """
    if not around.nodes:
        return (Obstacle("node", "The cluster has no node, and so none that a new one could be like."),)
    if detail is None:
        return (Obstacle("other", "The scheduler does not try it: a gate holds it."),)
    by_plugin = _refusing(detail)
    tried: dict[str, tuple[tuple[Change, ...], str]] = {}
    for changes, why in failed:
        for change in changes:
            tried.setdefault(change.kind, (changes, why))
    found = []
    of_state = _num_of_state(detail)
    for kind, plugin, verb, words in _NEEDS:
        if kind in tried:
            found.append(_tried(kind, *tried[kind]))
        else:
            number = by_plugin[plugin] - (of_state if kind == "tolerations" else 0)
            text = f"{_nodes(number, verb)} {words}." if number else _NONE[kind]
            found.append(Obstacle(kind, text))
    if "evict" in tried:
        found.append(_tried("evict", *tried["evict"]))
    else:
        found.append(Obstacle("evict", "On no node would it fit if pods that may go went."))
    if "node" in tried:
        found.append(_tried("node", *tried["node"]))
    if of_state:
        words = "a taint that tells of its state, such as being lost: it goes when the node recovers"
        found.append(Obstacle("other", f"{_nodes(of_state, 'have')} {words}, and is not to be tolerated."))
    return (*found, *_others(detail, by_plugin))


def _num_of_state(detail: CycleDetail) -> int:
    """How many nodes have a taint of a state that is refused."""
    return sum(
        any(not may_tolerate(record["key"]) for record in detail.records_of("TaintToleration", row))
        for row in range(len(detail.nodes))
    )


def _tried(kind: str, changes: tuple[Change, ...], why: str) -> Obstacle:
    return Obstacle(kind, f"{words_of(changes)} was tried, and it stays pending: {why}")


def _refusing(detail: CycleDetail) -> Counter[str]:
    """Plugin → how many nodes it refuses."""
    return Counter(status.plugin for row in range(len(detail.nodes)) for status in detail.refusals_of(row))


def _others(detail: CycleDetail, by_plugin: Counter[str]) -> Iterator[Obstacle]:
    for plugin, number in sorted(by_plugin.items()):
        if not has_ways(plugin):
            refused = "refuses 1 node" if number == 1 else f"refuses {number} nodes"
            yield Obstacle(
                "other", f"{plugin or 'PreFilter'} {refused}, and no small change is known that contents it."
            )
    many = sum(len(detail.refusals_of(row)) > MAX_TOGETHER for row in range(len(detail.nodes)))
    if many:
        yield Obstacle("other", f"{_nodes(many, 'are')} refused by more than {MAX_TOGETHER} plugins at once.")


def _nodes(number: int, verb: str) -> str:
    one = {"have": "has", "are": "is"}.get(verb, f"{verb}s")
    return f"1 node {one}" if number == 1 else f"{number} nodes {verb}"
