"""Which pods of a replica set go first when there are too many.

Source: pkg/controller/controller_utils.go, ActivePodsWithRanks; pkg/controller/replicaset/replica_set.go,
getPodsRankedByRelatedPodsOnSameNode, v1.34.1
"""

from __future__ import annotations

import functools
from collections import Counter
from typing import TYPE_CHECKING, Final

from scheduler_core.api.pod import PENDING, RUNNING
from scheduler_core.simulator.controllers.pod_util import available_at, is_active, is_ready

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scheduler_core.api.pod import Pod

DELETION_COST: Final = "controller.kubernetes.io/pod-deletion-cost"
_PHASES: Final = {PENDING: 0, "Unknown": 1, RUNNING: 2}


def deletion_cost(pod: Pod) -> int:
    """Returns what the pod's annotation says deleting it costs; 0 for none or for one that is no int32.

    Source: pkg/apis/core/helper/helpers.go, GetDeletionCostFromPodAnnotations, v1.34.1
    """
    text = pod.metadata.annotations.get(DELETION_COST, "")
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 10 or (digits[0] == "0" and text != "0"):
        return 0
    return int(text) if -(2**31) <= int(text) < 2**31 else 0


def deletion_order(pods: Iterable[Pod], related: Iterable[Pod], wall_us: int) -> list[Pod]:
    """Returns pods, those to be deleted first at the front.

    Unassigned before assigned, pending before running, not ready before ready, the cheap before the dear, those on
    nodes with more of their like, those that are ready for less long, restarted more often, younger. Ages count by
    their logarithm: among pods of about the same age the uid decides.

    Args:
        pods: the active pods of a replica set
        related: those of all replica sets of the same owner, for nodes that have several
        wall_us: now, microseconds since 1970
    """
    on_node = Counter(pod.spec.node_name for pod in related if is_active(pod))

    def first(pod: Pod) -> tuple[bool, int, bool, int, int]:
        phase = _PHASES.get(pod.status.phase, 0)
        node = pod.spec.node_name
        return bool(node), phase, is_ready(pod), deletion_cost(pod), -on_node[node]

    def compare(one: tuple[object, Pod], other: tuple[object, Pod]) -> int:
        if one[0] != other[0]:
            return -1 if one[0] < other[0] else 1  # type: ignore[operator]
        return _compare_lives(one[1], other[1], wall_us)

    ranked = sorted(((first(pod), pod) for pod in pods), key=functools.cmp_to_key(compare))
    return [pod for _, pod in ranked]


def _compare_lives(one: Pod, other: Pod, wall_us: int) -> int:
    ready = available_at(one, 0, wall_us), available_at(other, 0, wall_us)
    if None not in ready and ready[0] != ready[1]:
        return _compare_ages(ready[0] or 0, ready[1] or 0, one, other, wall_us)
    restarts = _max_restarts(one), _max_restarts(other)
    if restarts[0] != restarts[1]:
        return -1 if restarts[0] > restarts[1] else 1
    made = one.metadata.creation_timestamp or 0, other.metadata.creation_timestamp or 0
    return _compare_ages(*made, one, other, wall_us) if made[0] != made[1] else 0


def _compare_ages(moment: int, other_moment: int, one: Pod, other: Pod, wall_us: int) -> int:
    if not moment or not other_moment:
        return -1 if not moment else 1
    difference = _rank(wall_us - moment) - _rank(wall_us - other_moment)
    if difference:
        return difference
    return -1 if one.metadata.uid < other.metadata.uid else 1


def _rank(age_us: int) -> int:
    """The logarithm of an age in nanoseconds to the base of 2, cut to an integer."""
    return (age_us * 1000).bit_length() - 1 if age_us > 0 else -1


def _max_restarts(pod: Pod) -> tuple[int, int]:
    sidecars = {container.name for container in pod.spec.init_containers if container.is_sidecar()}
    return (
        max((own.restart_count for own in pod.status.container_statuses), default=0),
        max(
            (own.restart_count for own in pod.status.init_container_statuses if own.name in sidecars),
            default=0,
        ),
    )
