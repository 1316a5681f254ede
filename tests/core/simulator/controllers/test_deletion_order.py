"""Which pods of a replica set go first."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from scheduler_core.api.meta import Time
from scheduler_core.api.pod import Pod
from scheduler_core.clock import MICROSECONDS
from scheduler_core.simulator.controllers.deletion_order import deletion_cost, deletion_order
from tests.make import make_pod

NOW = 1_767_225_600 * MICROSECONDS


def pod(
    name: str,
    *,
    node: str = "n1",
    phase: str = "Running",
    ready_for: int | None = 1000,
    age: int = 5000,
    cost: str = "",
    restarts: int = 0,
) -> Pod:
    conditions: list[dict[str, Any]] = []
    if ready_for is not None:
        since = str(Time(NOW - ready_for * MICROSECONDS))
        conditions = [{"type": "Ready", "status": "True", "lastTransitionTime": since}]
    made = make_pod(
        name,
        node=node,
        status={
            "phase": phase,
            "conditions": conditions,
            "containerStatuses": [{"name": "main", "restartCount": restarts}],
        },
    )
    annotations = {"controller.kubernetes.io/pod-deletion-cost": cost} if cost else {}
    metadata = replace(
        made.metadata, creation_timestamp=Time(NOW - age * MICROSECONDS), annotations=annotations
    )
    return replace(made, metadata=metadata)


def order(*pods: Pod, related: tuple[Pod, ...] = ()) -> list[str]:
    return [own.metadata.name for own in deletion_order(pods, (*pods, *related), NOW)]


def test_each_rule_counts_before_the_next() -> None:
    assert order(
        pod("running"),
        pod("unready", ready_for=None),
        pod("dear", cost="5"),
        pod("unknown", phase="Unknown"),
        pod("pending", phase="Pending", ready_for=None),
        pod("cheap", cost="-5"),
        pod("unassigned", node="", phase="Pending", ready_for=None, cost="100"),
    ) == ["unassigned", "pending", "unknown", "unready", "cheap", "running", "dear"]


def test_pods_doubled_up_on_a_node_go_before_those_alone_on_one() -> None:
    alone, one, two = pod("a-alone", node="n2"), pod("one"), pod("two")
    assert order(alone, one, two)[2] == "a-alone"


def test_pods_of_the_sister_set_count_for_the_node() -> None:
    sister = (pod("x", node="n2"), pod("y", node="n2"))
    assert order(pod("a", node="n1"), pod("b", node="n2"), related=sister) == ["b", "a"]


def test_finished_pods_do_not_count_for_the_node() -> None:
    sister = (pod("x", node="n2", phase="Succeeded"), pod("y", node="n2", phase="Failed"))
    assert order(pod("a"), pod("b", node="n2"), related=sister) == ["a", "b"]


def test_those_ready_for_less_long_go_first() -> None:
    assert order(pod("old", ready_for=5000), pod("new", ready_for=10)) == ["new", "old"]


def test_ages_of_the_same_magnitude_are_equal_and_the_uid_decides() -> None:
    """2^42 ns are 4398 s: 4400 s and 8000 s lie between the same powers of two."""
    assert order(pod("a", ready_for=8000), pod("b", ready_for=4400)) == ["a", "b"]
    assert order(pod("a", ready_for=8000), pod("b", ready_for=4300)) == ["b", "a"]


def test_among_equals_those_restarted_more_often_and_then_the_younger_go_first() -> None:
    assert order(pod("a"), pod("b", restarts=3)) == ["b", "a"]
    assert order(pod("a", age=50000), pod("b", age=2000)) == ["b", "a"]


@pytest.mark.parametrize(
    ("text", "cost"),
    [("10", 10), ("-10", -10), ("0", 0), ("+10", 0), ("010", 0), ("ten", 0), ("3000000000", 0), ("", 0)],
)
def test_a_cost_that_is_no_plain_int32_is_none(text: str, cost: int) -> None:
    assert deletion_cost(pod("a", cost=text)) == cost
