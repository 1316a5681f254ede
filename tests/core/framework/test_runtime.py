"""The runtime of a profile: skips, narrowing, refusals, roll-back, and who is asked after whom."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from scheduler_core.config import load_config
from scheduler_core.framework.cluster_event import ClusterEventWithHint
from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.diagnosis import NodeToStatus
from scheduler_core.framework.registry import Registry
from scheduler_core.framework.runtime import Framework
from scheduler_core.framework.status import SKIP, Code, Status, error, unresolvable, unschedulable
from scheduler_core.framework.types import (
    NominatingInfo,
    NominatingMode,
    PostFilterResult,
    PreFilterResult,
)
from scheduler_core.plugins.in_tree import IN_TREE
from scheduler_core.plugins.priority_sort import PrioritySort
from scheduler_core.simulator import CONFORMANCE, Simulator
from scheduler_core.snapshot.pod_info import PodInfo
from scheduler_core.trace.sink import MemorySink
from tests.make import make_node, make_pod, make_snapshot

SNAPSHOT = make_snapshot([make_node("n0"), make_node("n1")])
NODES = SNAPSHOT.node_infos
POD = PodInfo(make_pod(), NODES.axis)


class Scripted:
    """Answers at every point what it was told to, and writes down that it was asked."""

    def __init__(self, name: str, log: list[str], **answers: Any) -> None:
        self.name = name
        self._log = log
        self._answers = answers

    def _answer(self, point: str) -> Any:
        self._log.append(f"{point} {self.name}")
        return self._answers.get(point)

    def pre_filter(self, state: CycleState, pod: PodInfo, nodes: Any) -> Any:
        return self._answer("pre_filter") or (None, None)

    def filter(self, state: CycleState, pod: PodInfo, nodes: Any, rows: Any) -> Any:
        return self._answer("filter")

    def post_filter(self, state: CycleState, pod: PodInfo, statuses: Any) -> Any:
        return self._answer("post_filter")

    def score(self, state: CycleState, pod: PodInfo, nodes: Any, rows: Any) -> Any:
        return self._answer("score")

    def reserve(self, state: CycleState, pod: PodInfo, node_name: str) -> Any:
        return self._answer("reserve")

    def unreserve(self, state: CycleState, pod: PodInfo, node_name: str) -> None:
        self._answer("unreserve")

    def permit(self, state: CycleState, pod: PodInfo, node_name: str) -> Any:
        return self._answer("permit") or (None, 0)

    def pre_bind(self, state: CycleState, pod: PodInfo, node_name: str) -> Any:
        return self._answer("pre_bind")

    def bind(self, state: CycleState, pod: PodInfo, node_name: str) -> Any:
        return self._answer("bind")

    def post_bind(self, state: CycleState, pod: PodInfo, node_name: str) -> None:
        self._answer("post_bind")

    def events_to_register(self) -> tuple[ClusterEventWithHint, ...]:
        return ()


def framework(point: str, log: list[str], **scripts: dict[str, Any]) -> Framework:
    plugins = [Scripted(name, log, **answers) for name, answers in scripts.items()]
    points = {"queueSort": [PrioritySort()], point: plugins}
    return Framework("p", points, dict.fromkeys(scripts, 2))  # type: ignore[arg-type]


def to(*names: str) -> tuple[PreFilterResult, None]:
    return PreFilterResult(frozenset(names)), None


@pytest.mark.parametrize(
    ("scripts", "asked", "code", "message", "names"),
    [
        ([to("n0", "n1"), to("n1")], "AB", None, "", {"n1"}),
        ([to("n0"), to("n1")], "AB", "UnschedulableAndUnresolvable",
         "node(s) didn't satisfy plugin(s) [A B] simultaneously", set()),
        ([to(), to("n1")], "A", "UnschedulableAndUnresolvable", "node(s) didn't satisfy plugin A", set()),
        ([(None, unresolvable("no")), to("n1")], "A", "UnschedulableAndUnresolvable", "no", None),
        ([(None, unschedulable("not now")), to("n1")], "AB", "Unschedulable", "not now", {"n1"}),
        ([(None, unschedulable("not now")), (None, unresolvable("no"))], "AB",
         "UnschedulableAndUnresolvable", "no", None),
        ([(None, error("broken")), to("n1")], "A", "Error", 'running PreFilter plugin "A": broken', None),
        ([(None, Status(Code.PENDING, ("later",))), to("n1")], "A", "Error",
         'running PreFilter plugin "A": later', None),
        ([(None, SKIP), (None, None)], "AB", None, "", None),
    ],
)  # fmt: skip
def test_pre_filter_narrows_goes_on_or_ends(
    scripts: list[Any], asked: str, code: str | None, message: str, names: set[str] | None
) -> None:
    log: list[str] = []
    profile = framework("preFilter", log, A={"pre_filter": scripts[0]}, B={"pre_filter": scripts[1]})
    outcome = profile.run_pre_filter(CycleState(), POD, NODES)
    assert log == [f"pre_filter {name}" for name in asked]
    status = outcome.status
    assert (status and status.code_name, status.message if status else "") == (code, message)
    if names:
        assert outcome.result.node_names == names


def test_a_plugin_that_skips_pre_filter_is_left_out_of_filter() -> None:
    log: list[str] = []
    plugin = Scripted("A", log, pre_filter=(None, SKIP))
    points = {"queueSort": [PrioritySort()], "preFilter": [plugin], "filter": [plugin]}
    profile, state = Framework("p", points, {}), CycleState()
    profile.run_pre_filter(state, POD, NODES)
    profile.run_filters(state, POD, NODES, NODES.order)
    assert log == ["pre_filter A"]


@pytest.mark.parametrize(
    ("answers", "asked", "code", "message", "plugin"),
    [
        ([(None, unschedulable("a")), (None, unschedulable("b"))], "AB", "Unschedulable", "a, b", "A"),
        ([(None, None), (None, unschedulable("b"))], "A", "Success", "", ""),
        ([(None, Status(Code.SUCCESS, ("made room",))), (None, None)], "A", "Success", "made room", ""),
        ([(None, unresolvable("a")), (None, None)], "A", "UnschedulableAndUnresolvable", "a", "A"),
        ([(None, error("broken")), (None, None)], "A", "Error", "broken", "A"),
    ],
)
def test_post_filter_asks_until_one_succeeds_or_ends_it(
    answers: list[Any], asked: str, code: str, message: str, plugin: str
) -> None:
    log: list[str] = []
    profile = framework("postFilter", log, A={"post_filter": answers[0]}, B={"post_filter": answers[1]})
    _, status = profile.run_post_filter(CycleState(), POD, NodeToStatus())
    assert log == [f"post_filter {name}" for name in asked]
    assert (status.code_name, status.message, status.plugin) == (code, message, plugin)


def test_of_several_results_of_post_filter_the_last_that_nominates_counts() -> None:
    noop = PostFilterResult(NominatingInfo(NominatingMode.NOOP))
    first, last = (PostFilterResult(NominatingInfo(NominatingMode.OVERRIDE, name)) for name in ("n0", "n1"))
    scripts = {
        name: {"post_filter": (result, unschedulable(name))}
        for name, result in {"A": noop, "B": first, "C": last, "D": noop, "E": None}.items()
    }
    result, status = framework("postFilter", [], **scripts).run_post_filter(CycleState(), POD, NodeToStatus())
    assert result is last
    assert (status.message, status.plugin) == ("A, B, C, D, E", "A")


def test_permit_waits_a_quarter_of_an_hour_at_most() -> None:
    waits = {"A": {"permit": (Status(Code.WAIT), 10**10)}, "B": {"permit": (Status(Code.WAIT), 7)}}
    _, timeouts = framework("permit", [], **waits).run_permit(CycleState(), POD, "n0")
    assert timeouts == {"A": 900 * 10**6, "B": 7}


@pytest.mark.parametrize("score", [-1, 101])
def test_a_score_out_of_range_is_an_error(score: int) -> None:
    profile = framework("score", [], A={"score": np.array([0, score], np.int64)})
    with pytest.raises(ValueError, match="A"):
        profile.run_scores(CycleState(), POD, NODES, NODES.order)


def test_scores_are_weighted_and_summed() -> None:
    profile = framework(
        "score", [], A={"score": np.array([0, 100], np.int64)}, B={"score": np.array([7, 1], np.int64)}
    )
    assert profile.run_scores(CycleState(), POD, NODES, NODES.order).total.tolist() == [14, 202]


CONFIG = """
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- schedulerName: default-scheduler
  plugins:
    reserve: {enabled: [{name: A}, {name: B}]}
    preBind: {enabled: [{name: A}, {name: B}]}
    bind: {enabled: [{name: A}, {name: B}], disabled: [{name: "*"}]}
    postBind: {enabled: [{name: A}, {name: B}]}
"""
RESERVED = ["reserve A", "reserve B"]
ROLLED_BACK = ["unreserve B", "unreserve A"]
PRE_BOUND = [*RESERVED, "pre_bind A", "pre_bind B"]


@pytest.mark.parametrize(
    ("a", "b", "log", "message", "plugins"),
    [
        ({"bind": SKIP}, {}, [*PRE_BOUND, "bind A", "bind B", "post_bind A", "post_bind B"], "", []),
        ({}, {}, [*PRE_BOUND, "bind A", "post_bind A", "post_bind B"], "", []),
        ({"reserve": error("full")}, {}, ["reserve A", *ROLLED_BACK],
         'running Reserve plugin "A": full', []),
        ({}, {"reserve": unschedulable("taken")}, [*RESERVED, *ROLLED_BACK],
         "0/1 nodes are available: 1 taken.", ["B"]),
        ({"pre_bind": error("no disk")}, {}, [*RESERVED, "pre_bind A", *ROLLED_BACK],
         'running PreBind plugin "A": no disk', []),
        ({"pre_bind": unschedulable("no disk")}, {}, [*RESERVED, "pre_bind A", *ROLLED_BACK],
         "no disk", []),
        ({"bind": unschedulable("not here")}, {}, [*PRE_BOUND, "bind A", *ROLLED_BACK], "not here", []),
        ({"bind": error("conflict")}, {}, [*PRE_BOUND, "bind A", *ROLLED_BACK],
         'running Bind plugin "A": conflict', []),
    ],
)  # fmt: skip
def test_what_was_reserved_is_rolled_back_in_reverse_when_a_later_point_refuses(
    a: dict[str, Status], b: dict[str, Status], log: list[str], message: str, plugins: list[str]
) -> None:
    asked: list[str] = []
    makers: dict[str, Any] = {
        "A": lambda args, handle: Scripted("A", asked, **a),
        "B": lambda args, handle: Scripted("B", asked, **b),
    }
    sink = MemorySink()
    simulator = Simulator(load_config(CONFIG), CONFORMANCE, sink, registry=Registry({**IN_TREE, **makers}))
    simulator.load([make_node("n0"), make_pod()])
    simulator.run(until_cycle=1)
    assert asked == log
    failed = [event for event in map(json.loads, sink.lines) if event["type"] == "PodUnschedulable"]
    assert [event["message"] for event in failed] == [message] * bool(message)
    assert [event.get("plugins", []) for event in failed] == [plugins] * bool(message)
    assert [event.get("error", False) for event in failed] == ["running" in message] * bool(message)


def test_a_pod_that_nobody_binds_fails() -> None:
    log: list[str] = []
    profile = framework("bind", log, A={"bind": SKIP})
    status = profile.run_bind(CycleState(), POD, "n0")
    assert status is not None
    assert status.code is Code.SKIP
