from __future__ import annotations

from typing import Any

from scheduler_core.framework.status import Code, Status, unschedulable
from scheduler_core.trace.detail import CycleDetail, PointDetail
from tests.core.simulator.running import Run
from tests.make import make_node, make_pod

LATE = ["Reserve", "Permit", "PreBind", "Bind", "PostBind"]


def points(detail: CycleDetail) -> dict[str, PointDetail]:
    return {point.name: point for point in detail.points}


def calls(point: PointDetail) -> dict[str, str]:
    return {call.plugin: call.did for call in point.calls}


def test_the_points_stand_in_the_order_of_the_cycle_with_what_each_plugin_did() -> None:
    nodes = [make_node("a"), make_node("b"), make_node("c", cpu="1")]
    detail = Run([*nodes, make_pod("pod", requests={"cpu": "2"})]).sink.details[1]
    assert [point.name for point in detail.points] == [
        "PreFilter", "Filter", "PostFilter", "PreScore", "Score", *LATE,
    ]  # fmt: skip
    found = points(detail)
    assert calls(found["PreFilter"])["NodeResourcesFit"] == "ran"
    assert calls(found["PreFilter"])["InterPodAffinity"] == "skipped"
    assert (found["Filter"].did, found["Filter"].text) == ("ran", "2 of 3 fit")
    assert calls(found["Filter"])["NodeResourcesFit"] == "refused"
    assert calls(found["Filter"])["InterPodAffinity"] == "skipped"
    assert found["PostFilter"].did == ""
    assert found["Score"].text.startswith("2 tied at ")
    assert found["Reserve"].did == "ran"
    assert found["Bind"].did == "later"


def test_a_search_over_one_node_says_why_there_was_no_other() -> None:
    alone = Run([make_node("a"), make_pod("pod")]).sink.details[1]
    assert alone.sample is not None
    assert alone.sample.text == "Only a was looked at: there is no other."
    on_a = [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["a"]}]}]
    affinity = {
        "nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": on_a}}
    }
    left = Run([make_node("a"), make_node("b"), make_pod("pod", affinity=affinity)]).sink.details[1]
    assert left.sample is not None
    assert left.sample.text == "Only a was looked at: PreFilter left no other."


def test_where_no_node_fits_the_points_after_postfilter_are_not_reached() -> None:
    detail = Run([make_node("a"), make_pod("pod", requests={"cpu": "9"})]).sink.details[1]
    found = points(detail)
    assert found["Filter"].did == "refused"
    assert found["PostFilter"].did == "refused"
    assert "Preemption is not helpful" in found["PostFilter"].text
    assert [found[name].did for name in ("PreScore", "Score", *LATE)] == [""] * 7


class Doorman:
    """Refuses, or has wait, at Permit."""

    name = "Doorman"

    def __init__(self, status: Status) -> None:
        self._status = status

    def permit(self, state: Any, pod: Any, node_name: str) -> tuple[Status, int]:
        return self._status, 5_000_000


CONFIG = """
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- schedulerName: default-scheduler
  plugins: {permit: {enabled: [{name: Doorman}]}}
"""


def permit(status: Status) -> PointDetail:
    run = Run(
        [make_node("a"), make_pod("pod")],
        config=CONFIG,
        plugins={"Doorman": lambda args, handle: Doorman(status)},
    )
    return points(run.sink.details[1])["Permit"]


def test_a_plugin_that_has_the_pod_wait_is_named() -> None:
    point = permit(Status(Code.WAIT))
    assert (point.did, point.text, calls(point)) == (
        "waits",
        "Doorman has the pod wait",
        {"Doorman": "waits"},
    )


def test_a_plugin_that_refuses_late_is_named_with_its_reason() -> None:
    point = permit(unschedulable("not today"))
    assert (point.did, point.text, calls(point)) == ("refused", "not today", {"Doorman": "refused"})
