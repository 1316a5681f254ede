"""Requests against what a node offers, one node at a time, in plain numbers."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence

from scheduler_core.api.node import Node
from scheduler_core.api.pod import Pod
from scheduler_core.api.pod_resources import pod_requests, to_ints

Verdict = tuple[str, tuple[str, ...]]
Pair = tuple[int, int]


def allocatable_of(node: Node) -> dict[str, int]:
    return to_ints(node.status.allocatable)


def total(pods: Iterable[Pod], requests_of: Callable[[Pod], Mapping[str, int]]) -> dict[str, int]:
    sums: dict[str, int] = {}
    for pod in pods:
        for name, amount in requests_of(pod).items():
            sums[name] = sums.get(name, 0) + amount
    return sums


def fit(pod: Pod, node: Node, pods_there: Sequence[Pod], ignored: Callable[[str], bool]) -> Verdict | None:
    allocatable, used = allocatable_of(node), total(pods_there, pod_requests)
    reasons, resolvable = [], True
    if len(pods_there) + 1 > allocatable.get("pods", 0):
        reasons.append("Too many pods")
    for name, amount in pod_requests(pod).items():
        if amount == 0 or ignored(name):
            continue
        if amount > allocatable.get(name, 0) - used.get(name, 0):
            reasons.append(f"Insufficient {name}")
            resolvable = resolvable and amount <= allocatable.get(name, 0)
    if not reasons:
        return None
    return "Unschedulable" if resolvable else "UnschedulableAndUnresolvable", tuple(sorted(reasons))


DEFAULTS = {"cpu": 100, "memory": 200 * 1024 * 1024}
"""What a container that does not request them counts for."""


def incoming(pod: Pod) -> dict[str, int]:
    """What the pod to be placed counts for: its containers only."""
    return pod_requests(pod, skip_pod_level_resources=True, non_missing_container_requests=DEFAULTS)


def standing(pod: Pod) -> dict[str, int]:
    """What a pod on a node counts for: with pod-level requests the defaults stand in only for what is missing."""
    requests = pod_requests(pod)
    missing = dict(DEFAULTS)
    if pod.spec.resources is not None and pod.spec.resources.requests:
        missing = {name: amount for name, amount in DEFAULTS.items() if name not in requests}
    return pod_requests(pod, non_missing_container_requests=missing)


def pairs(
    pod: Pod, node: Node, pods_there: Sequence[Pod], names: Sequence[str], *, actual: bool
) -> list[Pair]:
    """(requested with the pod, allocatable) of each resource, (0, 0) where it does not count."""
    allocatable = allocatable_of(node)
    used = total(pods_there, pod_requests if actual else standing)
    wanted = pod_requests(pod) if actual else incoming(pod)
    found = []
    for name in names:
        offered = allocatable.get(name, 0)
        if offered == 0 or ("/" in name and wanted.get(name, 0) == 0):
            found.append((0, 0))
        else:
            found.append((used.get(name, 0) + wanted.get(name, 0), offered))
    return found


def least_allocated(found: Sequence[Pair], weights: Sequence[int]) -> int:
    score = weight_sum = 0
    for (requested, offered), weight in zip(found, weights, strict=True):
        if offered:
            free = offered - requested
            score += weight * (free * 100 // offered if free >= 0 else 0)
            weight_sum += weight
    return score // weight_sum if weight_sum else 0


def most_allocated(found: Sequence[Pair], weights: Sequence[int]) -> int:
    score = weight_sum = 0
    for (requested, offered), weight in zip(found, weights, strict=True):
        if offered:
            score += weight * (min(requested, offered) * 100 // offered)
            weight_sum += weight
    return score // weight_sum if weight_sum else 0


def on_shape(shape: Sequence[Pair], percent: int) -> int:
    if percent <= shape[0][0]:
        return shape[0][1] * 10
    for (left, low), (right, high) in itertools.pairwise(shape):
        if percent <= right:
            return low * 10 + math.trunc((high - low) * 10 * (percent - left) / (right - left))
    return shape[-1][1] * 10


def requested_to_capacity_ratio(found: Sequence[Pair], weights: Sequence[int], shape: Sequence[Pair]) -> int:
    score = weight_sum = 0
    for (requested, offered), weight in zip(found, weights, strict=True):
        if offered:
            value = on_shape(shape, 100 if requested > offered else requested * 100 // offered)
            if value > 0:
                score += weight * value
                weight_sum += weight
    return math.floor(score / weight_sum + 0.5) if weight_sum else 0


def balanced_allocation(found: Sequence[Pair]) -> int:
    shares = [min(requested / offered, 1.0) for requested, offered in found if offered]
    if len(shares) < 2:
        return 100
    if len(shares) == 2:
        deviation = abs((shares[0] - shares[1]) / 2)
    else:
        mean = sum_in_order(shares) / len(shares)
        deviation = math.sqrt(
            sum_in_order([(share - mean) * (share - mean) for share in shares]) / len(shares)
        )
    return int((1 - deviation) * 100.0)


def sum_in_order(numbers: Iterable[float]) -> float:
    """Python's own sum of floats compensates for lost digits from 3.12 on."""
    result = 0.0
    for number in numbers:
        result += number
    return result
