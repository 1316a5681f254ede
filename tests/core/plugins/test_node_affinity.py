from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.api.decode import convert
from scheduler_core.api.selectors import NodeSelector, PreferredSchedulingTerm
from scheduler_core.framework.cluster_event import ActionType, QueueingHint
from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.plugins.node_affinity import NodeAffinity
from scheduler_core.snapshot.pod_info import PodInfo
from tests.core.plugins import strategies
from tests.core.plugins.judging import filter_rows, hints, judge, pre_filter, refused, score
from tests.core.plugins.reference import node_affinity as reference
from tests.make import make_node, make_pod, make_snapshot

PLUGIN = NodeAffinity(None, ())
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"


def with_affinity(**node_affinity: Any) -> dict[str, Any]:
    return {"affinity": {"nodeAffinity": node_affinity}}


def requiring(*terms: dict[str, Any]) -> dict[str, Any]:
    return with_affinity(**{REQUIRED: {"nodeSelectorTerms": list(terms)}})


def label(key: str, operator: str, *values: str) -> dict[str, Any]:
    return {"matchExpressions": [{"key": key, "operator": operator, "values": list(values)}]}


def named(*operators_and_names: tuple[str, str]) -> dict[str, Any]:
    return {
        "matchFields": [
            {"key": "metadata.name", "operator": operator, "values": [name]}
            for operator, name in operators_and_names
        ]
    }


@given(
    strategies.nodes(), strategies.selectors | st.none(), strategies.labels, strategies.selectors | st.none()
)
def test_the_columns_judge_as_one_node_at_a_time(
    nodes: list, required: dict | None, selector: dict, added: dict | None
) -> None:
    affinity = with_affinity(**{REQUIRED: required}) if required else {}
    pod, snapshot = make_pod(nodeSelector=selector, **affinity), make_snapshot(nodes)
    enforced = convert(added, NodeSelector) if added else None
    plugin = NodeAffinity(enforced, ())
    expected = {node.metadata.name: reference.node_affinity(pod, node, enforced) for node in nodes}
    state, result, status = pre_filter(plugin, pod, snapshot)
    if status == ("Skip", ()):
        assert not any(expected.values())
    elif status is not None:
        assert status == ("UnschedulableAndUnresolvable", ("pod affinity terms conflict",))
        assert all(expected.values())
    else:
        assert filter_rows(plugin, state, pod, snapshot.node_infos, snapshot.node_infos.order) == expected
        if result is not None:
            assert {name for name, verdict in expected.items() if not verdict} <= result.node_names


@given(strategies.nodes(), strategies.preferences)
def test_the_score_sums_the_weights_of_the_terms_that_match(nodes: list, preferences: list) -> None:
    pod, snapshot = make_pod(**with_affinity(**{PREFERRED: preferences})), make_snapshot(nodes)
    expected = {node.metadata.name: reference.preference(pod, node) for node in nodes}
    if None in expected.values():
        infos = snapshot.node_infos
        status = PLUGIN.pre_score(CycleState(), PodInfo(pod, infos.axis), infos, infos.order)
        assert status is not None
        assert status.code_name == "Error"
    else:
        assert score(PLUGIN, pod, snapshot) == (expected if preferences else None)


def test_a_pod_without_demands_is_skipped_unless_the_profile_adds_some() -> None:
    pod, snapshot = make_pod(), make_snapshot([make_node("n")])
    assert pre_filter(PLUGIN, pod, snapshot)[2] == ("Skip", ())
    preferring = make_pod(**with_affinity(**{PREFERRED: [{"weight": 1, "preference": label("a", "Exists")}]}))
    assert pre_filter(PLUGIN, preferring, snapshot)[2] == ("Skip", ())
    adding = NodeAffinity(NodeSelector(), ())
    assert pre_filter(adding, pod, snapshot)[2] is None


def test_what_the_profile_adds_is_named_before_what_the_pod_asks() -> None:
    added = convert({"nodeSelectorTerms": [label("zone", "In", "a")]}, NodeSelector)
    pod = make_pod(nodeSelector={"disk": "ssd"})
    snapshot = make_snapshot(
        [
            make_node("both", labels={"zone": "a", "disk": "ssd"}),
            make_node("added", labels={"zone": "a"}),
            make_node("neither"),
        ]
    )
    assert judge(NodeAffinity(added, ()), pod, snapshot) == {
        "both": None,
        "added": reference.POD,
        "neither": reference.ENFORCED,
    }


@pytest.mark.parametrize(
    ("terms", "names"),
    [
        ([named(("In", "n1"))], {"n1"}),
        ([named(("In", "n1")), named(("In", "n2"))], {"n1", "n2"}),
        ([named(("In", "n1")), label("a", "Exists")], None),
        ([named(("NotIn", "n1"))], None),
        ([named(("In", "n1"), ("NotIn", "n2"))], {"n1"}),
        ([{**named(("In", "n1")), **label("a", "Exists")}], {"n1"}),
    ],
)
def test_names_in_every_term_narrow_the_nodes(terms: list, names: set[str] | None) -> None:
    _, result, status = pre_filter(PLUGIN, make_pod(**requiring(*terms)), make_snapshot([make_node("n1")]))
    assert status is None
    assert (result.node_names if result else None) == names


def test_terms_whose_names_exclude_each_other_refuse_the_pod_before_any_node() -> None:
    pod = make_pod(**requiring(named(("In", "n1"), ("In", "n2"))))
    *_, status = pre_filter(PLUGIN, pod, make_snapshot([make_node("n1")]))
    assert status == ("UnschedulableAndUnresolvable", ("pod affinity terms conflict",))


@pytest.mark.parametrize(
    ("operator", "bound", "matching"),
    [("Gt", "4", {"five", "big"}), ("Lt", "5", {"minus"}), ("Gt", "-2", set())],
)
def test_greater_and_less_compare_integers_and_match_nothing_else(
    operator: str, bound: str, matching: set[str]
) -> None:
    labels = {"five": "5", "big": "9223372036854775807", "minus": "-2", "text": "v5", "huge": "9" * 19}
    nodes = [make_node("none"), *(make_node(name, labels={"gen": value}) for name, value in labels.items())]
    pod = make_pod(**requiring(label("gen", operator, bound)))
    assert set(refused(PLUGIN, pod, make_snapshot(nodes))) == (set(labels) | {"none"}) - matching


def test_required_affinity_without_terms_matches_no_node() -> None:
    pod = make_pod(**requiring())
    assert judge(PLUGIN, pod, make_snapshot([make_node("n")])) == {"n": reference.POD}


def test_a_selector_on_a_value_that_no_node_has_matches_none_also_without_the_label() -> None:
    snapshot = make_snapshot([make_node("n1"), make_node("n2", labels={"disk": "hdd"})])
    assert set(refused(PLUGIN, make_pod(nodeSelector={"disk": "ssd"}), snapshot)) == {"n1", "n2"}


def test_filter_without_prefilter_judges_the_same() -> None:
    snapshot = make_snapshot([make_node("n1", labels={"disk": "ssd"}), make_node("n2")])
    nodes, pod = snapshot.node_infos, make_pod(nodeSelector={"disk": "ssd"})
    assert filter_rows(PLUGIN, CycleState(), pod, nodes, nodes.order) == {"n1": None, "n2": reference.POD}


def test_the_highest_sum_is_scaled_to_100_and_added_preferences_count() -> None:
    added = convert(
        [{"weight": 2, "preference": label("zone", "In", "a")}], tuple[PreferredSchedulingTerm, ...]
    )
    pod = make_pod(**with_affinity(**{PREFERRED: [{"weight": 1, "preference": label("disk", "Exists")}]}))
    snapshot = make_snapshot(
        [
            make_node("both", labels={"zone": "a", "disk": "x"}),
            make_node("zone", labels={"zone": "a"}),
            make_node("none"),
        ]
    )
    plugin = NodeAffinity(None, added)
    assert score(plugin, pod, snapshot, normalize=True) == {"both": 100, "zone": 66, "none": 0}
    assert score(plugin, make_pod(), snapshot) == {"both": 2, "zone": 2, "none": 0}


def test_a_preference_that_cannot_be_used_is_an_error() -> None:
    pod = make_pod(**with_affinity(**{PREFERRED: [{"weight": 1, "preference": label("zone", "In")}]}))
    nodes = make_snapshot([make_node("n")]).node_infos
    status = PLUGIN.pre_score(CycleState(), PodInfo(pod, nodes.axis), nodes, nodes.order)
    assert status is not None
    assert (status.code_name, "values set can't be empty" in status.message) == ("Error", True)


def test_a_node_queues_when_it_comes_matching_or_starts_to_match() -> None:
    [hint] = hints(PLUGIN, "Node", ActionType.UPDATE_NODE_LABEL)
    assert hints(PLUGIN, "Node", ActionType.ADD) == [hint]
    pod = make_pod(nodeSelector={"disk": "ssd"})
    match, other = make_node("n", labels={"disk": "ssd"}), make_node("n")
    assert hint(pod, None, match) == QueueingHint.QUEUE
    assert hint(pod, other, match) == QueueingHint.QUEUE
    assert hint(pod, None, other) == QueueingHint.SKIP
    assert hint(pod, match, other) == QueueingHint.SKIP
    assert hint(pod, match, make_node("n", labels={"disk": "ssd", "zone": "a"})) == QueueingHint.SKIP
    assert hint(pod, other, make_node("n", labels={"zone": "a"})) == QueueingHint.SKIP


def test_a_node_that_the_profile_does_not_want_never_queues() -> None:
    added = convert({"nodeSelectorTerms": [label("zone", "In", "a")]}, NodeSelector)
    [hint] = hints(NodeAffinity(added, ()), "Node", ActionType.ADD)
    pod = make_pod(nodeSelector={"disk": "ssd"})
    assert hint(pod, None, make_node("n", labels={"disk": "ssd"})) == QueueingHint.SKIP
    assert hint(pod, None, make_node("n", labels={"disk": "ssd", "zone": "a"})) == QueueingHint.QUEUE


def test_a_node_that_the_profile_comes_to_want_does_not_queue_where_the_pod_wanted_it_before() -> None:
    added = convert({"nodeSelectorTerms": [label("zone", "In", "a")]}, NodeSelector)
    [hint] = hints(NodeAffinity(added, ()), "Node", ActionType.ADD)
    before, after = (
        make_node("n", labels={"disk": "ssd"}),
        make_node("n", labels={"disk": "ssd", "zone": "a"}),
    )
    assert hint(make_pod(nodeSelector={"disk": "ssd"}), before, after) == QueueingHint.SKIP
    assert hint(make_pod(nodeSelector={"zone": "a"}), before, after) == QueueingHint.QUEUE


def test_nothing_else_queues() -> None:
    events = [(r.event.resource, r.event.action_type) for r in PLUGIN.events_to_register()]
    assert events == [("Node", ActionType.ADD | ActionType.UPDATE_NODE_LABEL)]
