"""Which pods of a node go, so that what is short comes free: the least important, the fewest, the smallest."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final

from scheduler_core.api.pod_resources import pod_requests
from scheduler_core.planning.trial import key_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scheduler_core.api.pod import Pod
    from scheduler_core.planning.situation import Situation
    from scheduler_core.trace.detail import Record

_MAX_EXACT: Final = 3
_MAX_SETS: Final = 5_000


def fewest(pods: Sequence[Pod], records: Sequence[Record], around: Situation) -> list[Pod]:
    """The pods to evict; none where all together would not free what is short.

    Up to three are found by trying every set while there are few; more are taken from the largest down, without those
    that turn out not to be needed.

    Args:
        pods: that may go
        records: what is short, as the plugin has it
        around: the cluster
    """
    short = {record["resource"]: record["short"] for record in records if record["short"] > 0}
    useful = [pod for pod in pods if any(_frees(pod, name) for name in short)]
    for highest in sorted({pod.spec.priority or 0 for pod in useful}):
        within = [pod for pod in useful if (pod.spec.priority or 0) <= highest]
        if not _is_enough(within, short):
            continue
        for number in range(1, _MAX_EXACT + 1):
            if len(within) ** number > _MAX_SETS:
                break
            sets = [list(chosen) for chosen in combinations(within, number) if _is_enough(chosen, short)]
            if sets:
                return min(sets, key=lambda chosen: _cost(chosen, around))
        return _from_the_largest(within, short, around)
    return []


def _cost(chosen: Sequence[Pod], around: Situation) -> tuple[int, float, list[str]]:
    keys = [key_of(pod) for pod in chosen]
    return len(around.budgets_against(keys)), sum(around.share_of_node(pod) for pod in chosen), keys


def _from_the_largest(pods: Sequence[Pod], short: dict[str, int], around: Situation) -> list[Pod]:
    kept = sorted(pods, key=lambda pod: (-around.share_of_node(pod), key_of(pod)))
    taken: list[Pod] = []
    for pod in kept:
        taken.append(pod)
        if _is_enough(taken, short):
            break
    for pod in reversed(taken):
        rest = [other for other in taken if other is not pod]
        if _is_enough(rest, short):
            taken = rest
    return taken


def _is_enough(pods: Sequence[Pod], short: dict[str, int]) -> bool:
    return all(sum(_frees(pod, name) for pod in pods) >= amount for name, amount in short.items())


def _frees(pod: Pod, resource: str) -> int:
    return 1 if resource == "pods" else pod_requests(pod).get(resource, 0)
