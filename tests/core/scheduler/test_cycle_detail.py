from __future__ import annotations

from scheduler_core.trace.detail import FEASIBLE, NOT_LOOKED_AT, CycleDetail
from tests.core.simulator.running import Run
from tests.make import make_node, make_pod


def detail_of(run: Run, cycle: int = 1) -> CycleDetail:
    return run.sink.details[cycle]


def test_verdicts_stand_in_the_order_of_the_nodes_and_point_into_the_statuses() -> None:
    nodes = [make_node("a"), make_node("b", cpu="1"), make_node("c", taints=["team=ml:NoSchedule"])]
    detail = detail_of(Run([*nodes, make_pod("pod", requests={"cpu": "2"})]))
    assert detail.nodes == ["a", "b", "c"]
    assert detail.outcome[0] == FEASIBLE
    assert [detail.statuses[index].plugin for index in detail.outcome[1:]] == [
        "NodeResourcesFit",
        "TaintToleration",
    ]
    assert (detail.result, detail.node, detail.num_feasible, detail.num_evaluated) == ("scheduled", "a", 1, 3)
    assert detail.scored == []
    assert detail.ties == [0]


def test_every_filter_is_told_by_itself_also_where_an_earlier_one_refused() -> None:
    node = make_node("a", cpu="1", taints=["team=ml:NoSchedule"])
    detail = detail_of(Run([node, make_pod("pod", requests={"cpu": "2"})]))
    taint, fit = detail.filters["TaintToleration"][0], detail.filters["NodeResourcesFit"][0]
    assert detail.statuses[taint].reasons == ("node(s) had untolerated taint {team: ml}",)
    assert detail.statuses[fit].reasons == ("Insufficient cpu",)
    assert detail.outcome == [taint]


def test_scores_add_up_from_raw_to_total() -> None:
    detail = detail_of(
        Run([make_node("a"), make_node("b", cpu="64"), make_pod("pod", requests={"cpu": "1"})])
    )
    assert detail.scored == [0, 1]
    assert detail.weights["TaintToleration"] == 3
    for plugin, weight in detail.weights.items():
        assert detail.weighted[plugin] == [value * weight for value in detail.normalized[plugin]]
    assert detail.total == [sum(values) for values in zip(*detail.weighted.values(), strict=True)]
    assert detail.ties == [detail.total.index(max(detail.total))]
    assert detail.node == detail.nodes[detail.ties[0]]


def test_nodes_outside_the_sample_are_told_as_not_looked_at() -> None:
    nodes = [make_node(f"node-{number:03d}") for number in range(250)]
    detail = detail_of(Run([*nodes, make_pod("pod")]))
    assert detail.outcome.count(FEASIBLE) == 120
    assert detail.outcome.count(NOT_LOOKED_AT) == 130
    assert detail.next_start_node_index == 120


def test_the_numbers_behind_a_refusal_become_a_sentence() -> None:
    nodes = [make_node("a", cpu="1"), make_node("b", cpu="1500m"), make_node("c", cpu="1")]
    detail = detail_of(Run([*nodes, make_pod("pod", requests={"cpu": "1620m"})]))
    assert detail.records_of("NodeResourcesFit", 1) == [
        {"resource": "cpu", "requested": 1620, "used": 0, "allocatable": 1500, "short": 120}
    ]
    (explanation,) = detail.explanation
    assert explanation.text == (
        "3 nodes lack cpu: the least short is b, short by 120m (asked 1620m, free 1.5 of 1.5)"
    )
    assert explanation.nodes == ("a", "b", "c")


def test_a_refusal_by_prefilter_is_told_for_the_pod_and_not_for_each_node() -> None:
    term = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["elsewhere"]}]}
    affinity = {
        "nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}
    }
    detail = detail_of(Run([make_node("a"), make_node("b"), make_pod("pod", affinity=affinity)]))
    assert detail.absent is not None
    assert detail.outcome == [detail.absent, detail.absent]
    assert detail.statuses[detail.absent].reasons == ("node(s) didn't satisfy plugin(s) [NodeAffinity]",)
    assert any(call.plugin == "NodeAffinity" and call.nodes == 1 for call in detail.prefilter)


def test_a_taken_port_is_told_with_who_holds_it() -> None:
    objects = [
        make_node("a"),
        make_node("b"),
        make_pod("proxy-0", node="a", host_ports=[443]),
        make_pod("proxy-1", node="b", host_ports=[443, 80]),
        make_pod("proxy-2", host_ports=[443]),
    ]
    detail = detail_of(Run(objects))
    assert detail.records_of("NodePorts", 1) == [
        {"port": 443, "protocol": "TCP", "ip": "0.0.0.0", "held_by": ["default/proxy-1"]}
    ]
    (explanation,) = detail.explanation
    assert explanation.text == "port 443/TCP is taken on 2 nodes, on a by default/proxy-0"
