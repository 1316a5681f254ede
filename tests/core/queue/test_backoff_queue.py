from __future__ import annotations

import pytest

from scheduler_core.clock import MICROSECONDS, VirtualClock
from scheduler_core.framework.types import QueuedPodInfo
from scheduler_core.queue.backoff_queue import BackoffQueue, duration_us
from scheduler_core.snapshot.axes import ResourceAxis
from scheduler_core.snapshot.pod_info import PodInfo
from tests.make import make_pod


def make_queue(clock: VirtualClock, *, pop_before_end: bool = True) -> BackoffQueue:
    return BackoffQueue(
        clock,
        lambda queued: (-queued.pod_info.priority, queued.timestamp_us),
        initial_us=MICROSECONDS,
        max_us=10 * MICROSECONDS,
        pop_before_end=pop_before_end,
    )


def failed(name: str, t_us: int, *, times: int = 1, priority: int = 0, errors: int = 0) -> QueuedPodInfo:
    pod = QueuedPodInfo(PodInfo(make_pod(name, priority=priority), ResourceAxis()), t_us)
    pod.attempts = times + errors
    pod.unschedulable_count = times
    pod.consecutive_errors_count = errors
    if not errors:
        pod.unschedulable_plugins = {"NodeResourcesFit"}
    return pod


@pytest.mark.parametrize(("times", "seconds"), [(1, 1), (2, 2), (3, 4), (4, 8), (5, 10), (6, 10), (60, 10)])
def test_backoff_doubles_from_one_second_up_to_ten(times: int, seconds: int) -> None:
    queue = make_queue(VirtualClock())
    assert queue.end_us(failed("pod", 5_000, times=times)) == 5_000 + seconds * MICROSECONDS


def test_errors_count_by_themselves() -> None:
    queue = make_queue(VirtualClock())
    assert queue.end_us(failed("pod", 0, times=7, errors=2)) == 2 * MICROSECONDS


def test_a_pod_that_was_never_tried_does_not_back_off() -> None:
    queue = make_queue(VirtualClock())
    assert not queue.is_backing_off(failed("pod", 0, times=0))


def test_a_pod_backs_off_throughout_the_second_in_which_its_backoff_ends() -> None:
    clock = VirtualClock()
    queue = make_queue(clock)
    pod = failed("pod", 15_000)
    clock.advance_to(1_999_999)
    assert queue.is_backing_off(pod)
    clock.advance_to(2_000_000)
    assert not queue.is_backing_off(pod)


def test_without_popping_early_a_backoff_ends_to_the_microsecond() -> None:
    """v1.34.1 cuts ends to seconds for the order of early pops alone: none of that with the gate off."""
    clock = VirtualClock(epoch_us=400_000)
    queue = make_queue(clock, pop_before_end=False)
    low, high = failed("low", 100_000, priority=1), failed("high", 200_000, priority=5)
    queue.add(high)
    queue.add(low)
    assert list(queue) == [low, high]
    assert queue.next_end_us() == 1_100_001
    clock.advance_to(1_100_000)
    assert queue.is_backing_off(low)
    clock.advance_to(1_100_001)
    assert list(queue.pop_completed()) == [low]


def test_ends_within_one_second_are_equal_so_that_priority_decides() -> None:
    queue = make_queue(VirtualClock())
    queue.add(failed("early-and-low", 100_000, priority=1))
    queue.add(failed("late-and-high", 900_000, priority=5))
    queue.add(failed("next-second", 1_000_000, priority=9))
    assert [pod.key for pod in queue] == [
        "default/late-and-high",
        "default/early-and-low",
        "default/next-second",
    ]


def test_pods_with_errors_stand_apart_and_come_out_only_when_their_backoff_is_over() -> None:
    clock = VirtualClock()
    queue = make_queue(clock)
    wrong, refused = failed("wrong", 0, times=0, errors=1), failed("refused", 0, times=3)
    queue.add(wrong)
    queue.add(refused)
    assert [len(queue.errors), len(queue.refused)] == [1, 1]
    assert queue.next_end_us() == 2 * MICROSECONDS
    clock.advance_to(2 * MICROSECONDS)
    assert list(queue.pop_completed()) == [wrong]
    assert list(queue) == [refused]


def test_the_second_is_the_wall_clocks() -> None:
    clock = VirtualClock(epoch_us=400_000)
    queue = make_queue(clock)
    pod = failed("pod", 0)
    assert queue.backoff_until_us(pod) == 600_000
    clock.advance_to(1_599_999)
    assert queue.is_backing_off(pod)
    clock.advance_to(1_600_000)
    assert not queue.is_backing_off(pod)


def test_a_maximum_of_centuries_overflows_to_no_backoff_at_all() -> None:
    assert duration_us(10) == 10 * MICROSECONDS
    assert duration_us(9_223_372_036) == 9_223_372_036 * MICROSECONDS
    assert duration_us(9_223_372_037) == -9_223_372_036_709_552
    clock = VirtualClock()
    maximum = duration_us(9_999_999_999)
    queue = BackoffQueue(clock, lambda queued: (0,), initial_us=MICROSECONDS, max_us=maximum)
    assert not queue.is_backing_off(failed("pod", 0))
