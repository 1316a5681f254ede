from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.config.plugin_args import DefaultPreemptionArgs
from scheduler_core.framework.diagnosis import NodeToStatus
from scheduler_core.framework.status import Code, unresolvable, unschedulable
from scheduler_core.plugins import default_preemption
from tests.core.preemption.small_cluster import SmallCluster, node, pod

BY_PREEMPTION = {"type": "DisruptionTarget", "status": "True", "reason": "PreemptionByScheduler"}
BY_EVICTION = {"type": "DisruptionTarget", "status": "True", "reason": "EvictionByEvictionAPI"}
GOING = {"deletionTimestamp": "2026-01-01T00:00:00Z"}


def test_a_pod_that_never_preempts_is_told_so() -> None:
    cluster = SmallCluster([node("a")], [pod("low", cpu="4", on="a")])
    result, status, _ = cluster.preempt(pod("p", priority=5, spec={"preemptionPolicy": "Never"}))
    assert result is None
    assert status is not None
    assert (status.code, status.reasons) == (
        Code.UNSCHEDULABLE,
        ("preemption: not eligible due to preemptionPolicy=Never.",),
    )


@pytest.mark.parametrize(
    ("priority", "conditions", "metadata", "reason"),
    [
        (1, [BY_PREEMPTION], GOING, "not eligible due to a terminating pod on the nominated node."),
        (1, [BY_PREEMPTION], {}, ""),
        (1, [BY_EVICTION], GOING, ""),
        (1, [BY_EVICTION, BY_PREEMPTION], GOING, ""),
        (1, [{**BY_PREEMPTION, "status": "False"}], GOING, ""),
        (1, [], GOING, ""),
        (5, [BY_PREEMPTION], GOING, ""),
    ],
)
def test_a_pod_waits_for_its_victims_that_are_still_terminating(
    priority: int, conditions: list[Any], metadata: dict[str, Any], reason: str
) -> None:
    going = pod("going", priority=priority, cpu="4", on="a", metadata=metadata, conditions=conditions)
    cluster = SmallCluster([node("a"), node("b")], [going, pod("b1", priority=4, cpu="4", on="b")])
    plugin = default_preemption.new(None, cluster)
    preemptor = cluster.pod_info(pod("p", priority=5, nominatedNodeName="a"))
    statuses = NodeToStatus()
    statuses.set("a", unschedulable("Insufficient cpu"))
    assert plugin.ineligible_reason(preemptor, statuses) == reason
    statuses.set("a", unresolvable("gone for good"))
    assert plugin.ineligible_reason(preemptor, statuses) == ""


def test_a_nominated_node_that_is_gone_is_no_reason_to_wait() -> None:
    cluster = SmallCluster([node("a")])
    plugin = default_preemption.new(None, cluster)
    statuses = NodeToStatus(unschedulable("refused"))
    preemptor = cluster.pod_info(pod("p", priority=5, nominatedNodeName="gone"))
    assert plugin.ineligible_reason(preemptor, statuses) == ""


@pytest.mark.parametrize(
    ("percentage", "absolute", "num_nodes", "expected"),
    [
        (10, 100, 50, 50),
        (10, 100, 500, 100),
        (10, 100, 1999, 199),
        (0, 1, 7, 1),
        (100, 0, 7, 7),
        (34, 0, 5, 1),
    ],
)
def test_how_many_candidates_will_do(percentage: int, absolute: int, num_nodes: int, expected: int) -> None:
    args = DefaultPreemptionArgs(
        min_candidate_nodes_percentage=percentage, min_candidate_nodes_absolute=absolute
    )
    plugin = default_preemption.new(args, SmallCluster([node("a")]))
    assert plugin.num_candidates(num_nodes) == expected


def test_no_event_is_of_interest_to_it() -> None:
    assert default_preemption.new(None, SmallCluster([node("a")])).events_to_register() == ()
