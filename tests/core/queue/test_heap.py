from __future__ import annotations

from scheduler_core.framework.types import QueuedPodInfo
from scheduler_core.queue.heap import PodHeap
from scheduler_core.snapshot.axes import ResourceAxis
from scheduler_core.snapshot.pod_info import PodInfo
from tests.make import make_pod


def queued(name: str, priority: int) -> QueuedPodInfo:
    return QueuedPodInfo(PodInfo(make_pod(name, priority=priority), ResourceAxis()), 0)


def by_priority(pod: QueuedPodInfo) -> tuple[int, ...]:
    return (-pod.pod_info.priority,)


def test_pods_come_out_by_key_and_equal_keys_in_the_order_of_their_arrival() -> None:
    heap = PodHeap(by_priority)
    for name, priority in (("a", 1), ("b", 5), ("c", 1), ("d", 5)):
        heap.add(queued(name, priority))
    assert [pod.key for pod in heap] == ["default/b", "default/d", "default/a", "default/c"]
    popped = [heap.pop(), heap.pop(), heap.pop(), heap.pop(), heap.pop()]
    assert [pod.key if pod else None for pod in popped] == [
        "default/b",
        "default/d",
        "default/a",
        "default/c",
        None,
    ]


def test_a_pod_that_is_added_again_stands_at_its_new_place_once() -> None:
    heap = PodHeap(by_priority)
    low, other = queued("low", 0), queued("other", 3)
    heap.add(low)
    heap.add(other)
    low.pod_info = PodInfo(make_pod("low", priority=9), ResourceAxis())
    heap.add(low)
    assert len(heap) == 2
    assert [pod.key for pod in heap] == ["default/low", "default/other"]


def test_an_update_leaves_a_pod_before_its_equals_and_coming_again_does_not() -> None:
    """Upstream updates a heap in place; two pods of one moment would change places otherwise."""
    heap = PodHeap(by_priority)
    first, second = queued("first", 1), queued("second", 1)
    heap.add(first)
    heap.add(second)
    first.pod_info = PodInfo(make_pod("first", priority=1, labels={"new": "label"}), ResourceAxis())
    heap.add(first)
    assert [pod.key for pod in heap] == ["default/first", "default/second"]
    heap.delete(first.uid)
    heap.add(first)
    assert [heap.pop(), heap.pop(), heap.pop()] == [second, first, None]


def test_a_deleted_pod_is_passed_over() -> None:
    heap = PodHeap(by_priority)
    first, second = queued("first", 9), queued("second", 1)
    heap.add(first)
    heap.add(second)
    assert heap.delete(first.uid)
    assert not heap.delete(first.uid)
    assert first.uid not in heap
    assert heap.peek() is second
    assert heap.get(first.uid) is None
