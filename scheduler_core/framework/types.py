"""What the framework passes around besides statuses: queued pods, nominations, results of extension points.

Source: pkg/scheduler/framework/types.go and interface.go, v1.34.1
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from scheduler_core.framework.status import Status

if TYPE_CHECKING:
    from scheduler_core.framework.cluster_event import ClusterEvent
    from scheduler_core.snapshot.node_infos import BoolArray, Int32Array, RowIndex
    from scheduler_core.snapshot.pod_info import PodInfo

MAX_NODE_SCORE: Final = 100
MIN_NODE_SCORE: Final = 0
PASSES: Final = 0


class PreFilterResult(NamedTuple):
    """Node names that PreFilter leaves; None means all of them."""

    node_names: frozenset[str] | None = None


class FilterResult:
    """A filter's verdict on a set of rows.

    Shapes:
        index: int32[len(rows)]; PASSES (0) where the node fits, else k for ``statuses[k - 1]``
    """

    __slots__ = ("index", "statuses")

    def __init__(self, index: Int32Array, statuses: tuple[Status, ...]) -> None:
        self.index = index
        self.statuses = statuses

    @classmethod
    def from_mask(cls, fits: BoolArray, status: Status) -> FilterResult:
        """The verdict of a filter that has one reason: ``status`` wherever ``fits`` is false."""
        return cls((~fits).astype(np.int32), (status,))

    @classmethod
    def everywhere(cls, rows: RowIndex, status: Status) -> FilterResult:
        """The verdict of a filter that says the same of every row."""
        return cls(np.ones(len(rows), np.int32), (status,))


class NominatingMode(IntEnum):
    """Whether a failed attempt changes the pod's nomination."""

    NOOP = 0
    OVERRIDE = 1


class NominatingInfo(NamedTuple):
    """The nomination that an attempt leaves."""

    mode: NominatingMode
    node_name: str = ""


CLEAR_NOMINATION: Final = NominatingInfo(NominatingMode.OVERRIDE, "")


class PostFilterResult(NamedTuple):
    """What PostFilter did for a pod that fits nowhere; ``victims`` are pods it had deleted."""

    nominating_info: NominatingInfo
    victims: tuple[str, ...] = ()


class QueuedPodInfo:
    """A pod with its history in the queue. Times are virtual microseconds.

    ``pod_info`` is replaced when the pod is updated; ``key`` (namespace/name) stays. ``skipped_events``:
    label → how many since the pod last moved its plugins found not worth an attempt; counted for traces only.
    """

    __slots__ = (
        "attempts",
        "backoff_until_us",
        "consecutive_errors_count",
        "gating_plugin",
        "gating_plugin_events",
        "initial_attempt_us",
        "key",
        "pending_plugins",
        "pod_info",
        "skipped_events",
        "timestamp_us",
        "uid",
        "unschedulable_count",
        "unschedulable_plugins",
    )

    def __init__(self, pod_info: PodInfo, now_us: int) -> None:
        self.pod_info = pod_info
        self.uid = pod_info.uid
        self.key = pod_info.key
        self.timestamp_us = now_us
        self.attempts = 0
        self.initial_attempt_us: int | None = None
        self.backoff_until_us: int | None = None
        self.unschedulable_count = 0
        self.consecutive_errors_count = 0
        self.unschedulable_plugins: set[str] = set()
        self.pending_plugins: set[str] = set()
        self.gating_plugin = ""
        self.gating_plugin_events: tuple[ClusterEvent, ...] = ()
        self.skipped_events: dict[str, int] = {}

    @property
    def gated(self) -> bool:
        """Whether a PreEnqueue plugin holds the pod back."""
        return self.gating_plugin != ""
