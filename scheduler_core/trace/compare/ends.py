"""Where pods ended in two runs: who is newly pending, rescued, moved, new, gone."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final

import msgspec

from scheduler_core.trace.words import verdict_words

if TYPE_CHECKING:
    from scheduler_core.trace.compare.facts import Facts, PodFacts

NEWLY_PENDING: Final = "newly pending"
RESCUED: Final = "rescued"
MOVED: Final = "moved"
NEW: Final = "new"
GONE: Final = "gone"


class PlacementChange(msgspec.Struct, frozen=True):
    """A pod that ended elsewhere. A node; "" for a pod that waits; None where there is no such pod.

    Args:
        pod: namespace/name
        before: in the first run
        after: in the second one
        kind: newly pending, rescued, moved, new or gone
        why: what the scheduler said last of a pod that is newly pending, or was pending and is rescued
        instead: the pod that its workload has in its place, where that has another name
    """

    pod: str
    before: str | None
    after: str | None
    kind: str
    why: str = ""
    instead: str = ""


def placement_changes(old: Facts, new: Facts) -> list[PlacementChange]:
    """Returns the pods that ended elsewhere, by name."""
    instead = _successors(old, new)
    taken_over = set(instead.values())
    changes = []
    for pod in sorted(old.pods.keys() | new.pods.keys()):
        if pod in taken_over or _only_moved_late(old, new, pod):
            continue
        successor = instead.get(pod, "")
        was, now = old.pods.get(pod), new.pods.get(successor or pod)
        before, after = _node(was), _node(now)
        if before != after:
            kind = _kind(before, after)
            told = now if kind == NEWLY_PENDING else was if kind == RESCUED else None
            changes.append(PlacementChange(pod, before, after, kind, told.message if told else "", successor))
    return changes


def count_kinds(changes: list[PlacementChange]) -> dict[str, int]:
    """How many pods are newly pending, rescued, moved, new and gone."""
    counts = Counter(change.kind for change in changes)
    return {kind: counts[kind] for kind in (NEWLY_PENDING, RESCUED, MOVED, NEW, GONE)}


def verdict(kinds: dict[str, int]) -> str:
    """The changes in few words, those of a what-if: "2 newly pending, 1 rescued, 14 moved"."""
    return verdict_words(*kinds.values())


def _kind(before: str | None, after: str | None) -> str:
    if after is None:
        return GONE
    if not after:
        return NEWLY_PENDING
    if before is None:
        return NEW
    return MOVED if before else RESCUED


def _node(pod: PodFacts | None) -> str | None:
    return None if pod is None else pod.node


def _only_moved_late(old: Facts, new: Facts, pod: str) -> bool:
    """A pod that came with its node is told of by the run alone that took it away, where no start was given."""
    if old.knows_all or new.knows_all:
        return False
    seen = [facts.pods[pod] for facts in (old, new) if pod in facts.pods]
    return len(seen) == 1 and seen[0].enqueued_us is None and seen[0].node is not None


def _successors(old: Facts, new: Facts) -> dict[str, str]:
    """Which pod of the second run a workload has in place of which one of the first: on the same node first."""
    free: dict[str, list[str]] = defaultdict(list)
    for key, pod in sorted(new.pods.items()):
        if pod.owner and pod.node is not None and _node(old.pods.get(key)) is None:
            free[pod.owner].append(key)
    lost = [
        (key, pod)
        for key, pod in sorted(old.pods.items())
        if pod.owner in free and pod.node is not None and _node(new.pods.get(key)) is None
    ]
    found: dict[str, str] = {}
    for key, pod in lost:
        same = next((each for each in free[pod.owner] if new.pods[each].node == pod.node), None)
        if same is not None:
            free[pod.owner].remove(same)
            found[key] = same
    for key, pod in lost:
        if key not in found and free[pod.owner]:
            found[key] = free[pod.owner].pop(0)
    return found
