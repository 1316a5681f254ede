"""Where nothing makes a pod fit: what is in the way of each kind of change."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

import msgspec

from scheduler_core.planning.candidates import MAX_TOGETHER
from scheduler_core.planning.changes import has_ways

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scheduler_core.planning.changes import Change, Situation
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
        return (
            Obstacle(
                "other",
                "The scheduler does not try it: a gate holds it, or no profile has its schedulerName.",
            ),
        )
    by_plugin = _refusing(detail)
    tried: dict[str, tuple[tuple[Change, ...], str]] = {}
    for changes, why in failed:
        for change in changes:
            tried.setdefault(change.kind, (changes, why))
    found = []
    for kind, plugin, verb, words in _NEEDS:
        if kind in tried:
            found.append(_tried(kind, *tried[kind]))
        else:
            number = by_plugin[plugin]
            text = f"{_nodes(number, verb)} {words}." if number else _NONE[kind]
            found.append(Obstacle(kind, text))
    if "evict" in tried:
        found.append(_tried("evict", *tried["evict"]))
    else:
        found.append(Obstacle("evict", "On no node would it fit if pods that may go went."))
    if "node" in tried:
        found.append(_tried("node", *tried["node"]))
    return (*found, *_others(detail, by_plugin))


def _tried(kind: str, changes: tuple[Change, ...], why: str) -> Obstacle:
    what = " and ".join(change.text for change in changes)
    return Obstacle(kind, f"{what} was tried, and it stays pending: {why}")


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
