from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.api.pod import Pod
from scheduler_core.framework.cluster_event import ActionType, QueueingHint
from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.status import PluginError
from scheduler_core.plugins.pod_topology_spread import plugin as pod_topology_spread
from scheduler_core.snapshot.pod_info import PodInfo
from tests.core.plugins.judging import hints, judge, pre_filter, refused, score
from tests.core.plugins.small_handle import handle_of
from tests.make import make, make_node, make_pod

HOST, ZONE = "kubernetes.io/hostname", "topology.kubernetes.io/zone"
APP = {"app": "web"}
SKEWED = ("Unschedulable", ("node(s) didn't match pod topology spread constraints",))
MISSING = (
    "UnschedulableAndUnresolvable",
    ("node(s) didn't match pod topology spread constraints (missing required label)",),
)
SKIP = ("Skip", ())
ALL_PODS = ActionType.ADD | ActionType.UPDATE_POD_LABEL | ActionType.DELETE
ALL_NODES = ActionType.ADD | ActionType.DELETE | ActionType.UPDATE_NODE_LABEL | ActionType.UPDATE_NODE_TAINT


def constraint(key: str = ZONE, **changed: Any) -> dict[str, Any]:
    return {
        "maxSkew": 1,
        "topologyKey": key,
        "whenUnsatisfiable": "DoNotSchedule",
        "labelSelector": {"matchLabels": APP},
        **changed,
    }


def web(name: str = "pod", *constraints: dict[str, Any], node: str = "", **fields: Any) -> Pod:
    return make_pod(
        name, node=node, **{"labels": APP, "topologySpreadConstraints": list(constraints), **fields}
    )


def zoned(**zones: str) -> list[Any]:
    """Nodes by name, each in its zone and with its hostname."""
    return [make_node(name, labels={ZONE: zone, HOST: name}) for name, zone in zones.items()]


def test_a_domain_ahead_of_the_emptiest_is_refused() -> None:
    handle = handle_of(zoned(n1="a", n2="b", n3="b"), [web("w1", node="n1"), web("w2", node="n2")])
    plugin = pod_topology_spread.new(None, handle)
    assert refused(plugin, web("p", constraint()), handle.snapshot) == {}
    handle = handle_of(zoned(n1="a", n2="b", n3="b"), [web("w1", node="n2"), web("w2", node="n3")])
    plugin = pod_topology_spread.new(None, handle)
    assert refused(plugin, web("p", constraint()), handle.snapshot) == {"n2": SKEWED, "n3": SKEWED}
    assert refused(plugin, web("p", constraint(maxSkew=3)), handle.snapshot) == {}


def test_a_pod_that_its_own_selector_does_not_match_adds_nothing_to_the_skew() -> None:
    handle = handle_of(zoned(n1="a", n2="b"), [web("w1", node="n1")])
    plugin = pod_topology_spread.new(None, handle)
    assert refused(plugin, web("p", constraint(), labels={"app": "other"}), handle.snapshot) == {}
    assert refused(plugin, web("p", constraint()), handle.snapshot) == {"n1": SKEWED}


def test_a_node_without_the_label_is_refused_for_good_and_counts_for_nothing() -> None:
    nodes = [*zoned(n1="a"), make_node("n2", labels={HOST: "n2"})]
    handle = handle_of(nodes, [web("w1", node="n2"), web("w2", node="n2")])
    plugin = pod_topology_spread.new(None, handle)
    assert refused(plugin, web("p", constraint()), handle.snapshot) == {"n2": MISSING}


def test_the_first_constraint_that_is_broken_gives_the_reason() -> None:
    nodes = [*zoned(n1="a"), make_node("n2", labels={HOST: "n2"})]
    handle = handle_of(nodes, [web(f"w{index}", node="n1") for index in range(2)])
    plugin = pod_topology_spread.new(None, handle)
    by_host_first = web("p", constraint(HOST, minDomains=2), constraint(ZONE))
    by_zone_first = web("p", constraint(ZONE), constraint(HOST, minDomains=2))
    assert refused(plugin, by_host_first, handle.snapshot) == {"n1": SKEWED, "n2": MISSING}
    assert refused(plugin, by_zone_first, handle.snapshot) == {"n2": MISSING, "n1": SKEWED}


def test_too_few_domains_make_the_minimum_zero() -> None:
    handle = handle_of(zoned(n1="a", n2="b"), [web("w1", node="n1"), web("w2", node="n2")])
    plugin = pod_topology_spread.new(None, handle)
    assert refused(plugin, web("p", constraint(minDomains=2)), handle.snapshot) == {}
    assert set(refused(plugin, web("p", constraint(minDomains=3)), handle.snapshot)) == {"n1", "n2"}


@pytest.mark.parametrize(
    ("policies", "expected"),
    [
        ({}, set()),
        ({"nodeAffinityPolicy": "Ignore"}, {"n1"}),
        ({"nodeTaintsPolicy": "Honor", "nodeAffinityPolicy": "Ignore"}, {"n1"}),
    ],
)
def test_the_node_affinity_policy_says_whether_excluded_nodes_count(
    policies: dict[str, str], expected: set[str]
) -> None:
    nodes = [
        make_node("n1", labels={ZONE: "a", "disk": "ssd"}),
        make_node("n2", labels={ZONE: "b", "disk": "hdd"}),
    ]
    handle = handle_of(nodes, [web("w1", node="n1")])
    plugin = pod_topology_spread.new(None, handle)
    pod = web("p", constraint(**policies), nodeSelector={"disk": "ssd"})
    assert set(refused(plugin, pod, handle.snapshot)) == expected


@pytest.mark.parametrize(
    ("policy", "tolerations", "expected"),
    [
        (None, [], {"n1"}),
        ("Ignore", [], {"n1"}),
        ("Honor", [], set()),
        ("Honor", [{"operator": "Exists"}], {"n1"}),
    ],
)
def test_the_node_taints_policy_says_whether_tainted_nodes_count(
    policy: str | None, tolerations: list[dict[str, str]], expected: set[str]
) -> None:
    nodes = [
        make_node("n1", labels={ZONE: "a"}, taints=["soft:PreferNoSchedule"]),
        make_node("n2", labels={ZONE: "b"}, taints=["dedicated:NoSchedule"]),
    ]
    handle = handle_of(nodes, [web("w1", node="n1")])
    plugin = pod_topology_spread.new(None, handle)
    pod = web("p", constraint(nodeTaintsPolicy=policy), tolerations=tolerations)
    assert set(refused(plugin, pod, handle.snapshot)) == expected


def test_match_label_keys_count_only_pods_of_the_same_values() -> None:
    handle = handle_of(zoned(n1="a", n2="b"), [web("old", node="n1", labels=APP | {"version": "1"})])
    keyed = constraint(matchLabelKeys=["version", "absent"])
    new_version, old_version = APP | {"version": "2"}, APP | {"version": "1"}
    plugin = pod_topology_spread.new(None, handle)
    assert refused(plugin, web("p", keyed, labels=new_version), handle.snapshot) == {}
    assert set(refused(plugin, web("p", keyed, labels=old_version), handle.snapshot)) == {"n1"}
    ungated = handle_of(
        zoned(n1="a", n2="b"),
        [web("old", node="n1", labels=old_version)],
        MatchLabelKeysInPodTopologySpread=False,
    )
    plugin = pod_topology_spread.new(None, ungated)
    assert set(refused(plugin, web("p", keyed, labels=new_version), ungated.snapshot)) == {"n1"}


def test_only_running_pods_of_the_namespace_count() -> None:
    elsewhere = make_pod("elsewhere", namespace="other", labels=APP, node="n1")
    leaving = make(
        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {
                "name": "leaving",
                "namespace": "default",
                "labels": APP,
                "deletionTimestamp": "2026-01-01T00:00:00Z",
            },
            "spec": {"nodeName": "n1", "containers": [{"name": "main", "image": "app:1"}]},
        }
    )
    handle = handle_of(zoned(n1="a", n2="b"), [elsewhere, leaving])
    assert refused(pod_topology_spread.new(None, handle), web("p", constraint()), handle.snapshot) == {}


def test_prefilter_skips_without_hard_constraints() -> None:
    handle = handle_of(zoned(n1="a"))
    plugin = pod_topology_spread.new(None, handle)
    soft = web("p", constraint(whenUnsatisfiable="ScheduleAnyway"))
    assert pre_filter(plugin, soft, handle.snapshot)[2] == SKIP
    assert pre_filter(plugin, web("p"), handle.snapshot)[2] == SKIP
    assert pre_filter(plugin, web("p", constraint()), handle.snapshot)[2] is None


def test_prescore_skips_without_soft_constraints() -> None:
    handle = handle_of(zoned(n1="a"))
    plugin = pod_topology_spread.new(None, handle)
    assert score(plugin, web("p", constraint()), handle.snapshot) is None
    assert score(plugin, web("p"), handle.snapshot) is None
    soft = web("p", constraint(whenUnsatisfiable="ScheduleAnyway"))
    assert score(plugin, soft, handle.snapshot) == {"n1": 0}


def test_an_empty_cluster_is_skipped_too() -> None:
    handle = handle_of()
    plugin = pod_topology_spread.new(None, handle)
    soft = web("p", constraint(whenUnsatisfiable="ScheduleAnyway"))
    assert score(plugin, soft, handle.snapshot) is None
    assert judge(plugin, web("p", constraint()), handle.snapshot) == {}


def test_the_numbers_behind_a_refusal_are_the_counts_of_the_domains() -> None:
    nodes = [*zoned(n1="a", n2="b", n3="c"), make_node("n4")]
    handle = handle_of(nodes, [web("w1", node="n1"), web("w2", node="n1"), web("w3", node="n2")])
    plugin, infos = pod_topology_spread.new(None, handle), handle.snapshot.node_infos
    pod = web("p", constraint(maxSkew=2))
    state, _, _ = pre_filter(plugin, pod, handle.snapshot)
    info = PodInfo(pod, infos.axis)
    assert plugin.refusal_numbers(state, info, infos, infos.row_of["n1"]) == [
        {
            "topology_key": ZONE,
            "domain": "a",
            "pods": 2,
            "num_domains": 3,
            "min_domains": 1,
            "max_skew": 2,
            "skew": 3,
            "minimum": 0,
        }
    ]
    assert plugin.refusal_numbers(state, info, infos, infos.row_of["n2"]) == []
    assert plugin.refusal_numbers(state, info, infos, infos.row_of["n4"]) == [
        {"topology_key": ZONE, "missing": True}
    ]


def hint_for_pods() -> Any:
    [hint] = hints(pod_topology_spread.new(None, handle_of()), "Pod", ActionType.ADD)
    return hint


def hint_for_nodes() -> Any:
    [hint] = hints(pod_topology_spread.new(None, handle_of()), "Node", ActionType.ADD)
    return hint


def test_a_bound_pod_that_is_counted_queues_when_it_comes_and_when_it_goes() -> None:
    hint, pod = hint_for_pods(), web("mine", constraint())
    assert hint(pod, None, web("other", node="n1")) == QueueingHint.QUEUE
    assert hint(pod, web("other", node="n1"), None) == QueueingHint.QUEUE
    assert hint(pod, None, web("other", node="n1", labels={"app": "db"})) == QueueingHint.SKIP
    assert hint(pod, web("other", node="n1", labels={"app": "db"}), None) == QueueingHint.SKIP
    assert hint(pod, None, web("other")) == QueueingHint.SKIP
    assert hint(pod, web("other", node="n1", namespace="other"), None) == QueueingHint.SKIP


def test_a_bound_pod_queues_when_its_labels_make_it_counted_or_no_longer_counted() -> None:
    hint, pod = hint_for_pods(), web("mine", constraint())
    counted, not_counted = web("other", node="n1"), web("other", node="n1", labels={"app": "db"})
    still_counted = web("other", node="n1", labels=APP | {"x": "y"})
    assert hint(pod, counted, not_counted) == QueueingHint.QUEUE
    assert hint(pod, not_counted, counted) == QueueingHint.QUEUE
    assert hint(pod, counted, still_counted) == QueueingHint.SKIP
    assert hint(pod, counted, counted) == QueueingHint.SKIP


def test_new_labels_of_the_pod_itself_queue_it_when_they_change_what_it_is_counted_for() -> None:
    hint, pod = hint_for_pods(), web("mine", constraint())
    assert hint(pod, pod, web("mine", constraint(), labels={"app": "db"})) == QueueingHint.QUEUE
    assert hint(pod, pod, web("mine", constraint(), labels=APP | {"x": "y"})) == QueueingHint.SKIP


def test_new_tolerations_queue_the_pod_itself_where_a_constraint_honours_taints() -> None:
    hint = hint_for_pods()
    [same] = hints(pod_topology_spread.new(None, handle_of()), "Pod", ActionType.UPDATE_POD_TOLERATION)
    assert same.__name__ == hint.__name__
    for policy, expected in (("Honor", QueueingHint.QUEUE), ("Ignore", QueueingHint.SKIP)):
        honouring = constraint(nodeTaintsPolicy=policy)
        pod, tolerant = web("mine", honouring), web("mine", honouring, tolerations=[{"operator": "Exists"}])
        assert hint(pod, pod, tolerant) == expected
        assert hint(tolerant, web("other", node="n1"), web("other", node="n1")) == QueueingHint.SKIP


def test_a_node_queues_when_it_comes_to_the_domains_or_leaves_them() -> None:
    hint, pod = hint_for_nodes(), web("mine", constraint(), constraint(HOST))
    inside, outside = zoned(n1="a")[0], make_node("n1", labels={ZONE: "a"})
    assert hint(pod, None, inside) == QueueingHint.QUEUE
    assert hint(pod, inside, None) == QueueingHint.QUEUE
    assert hint(pod, outside, inside) == QueueingHint.QUEUE
    assert hint(pod, inside, outside) == QueueingHint.QUEUE
    assert hint(pod, None, outside) == QueueingHint.SKIP
    assert hint(pod, outside, None) == QueueingHint.SKIP
    assert hint(pod, outside, make_node("n1", labels={ZONE: "b"})) == QueueingHint.SKIP


def test_a_node_in_the_domains_queues_when_it_changes_domain_or_taints_and_for_nothing_else() -> None:
    hint, pod = hint_for_nodes(), web("mine", constraint())
    labels = {ZONE: "a"}
    node = make_node("n1", labels=labels)
    assert hint(pod, node, make_node("n1", labels={ZONE: "b"})) == QueueingHint.QUEUE
    assert hint(pod, node, make_node("n1", labels=labels, taints=["a:NoSchedule"])) == QueueingHint.QUEUE
    assert hint(pod, node, make_node("n1", labels=labels | {"x": "y"})) == QueueingHint.SKIP
    assert hint(pod, node, make_node("n1", labels=labels, cpu="64")) == QueueingHint.SKIP
    bare = make_node("n1")
    assert hint(pod, bare, make_node("n1", taints=["a:NoSchedule"])) == QueueingHint.SKIP


@pytest.mark.parametrize(("gate", "more"), [(True, ActionType.UPDATE_POD_TOLERATION), (False, ActionType(0))])
def test_nothing_else_queues(gate: bool, more: ActionType) -> None:
    plugin = pod_topology_spread.new(None, handle_of(SchedulerQueueingHints=gate))
    events = {(r.event.resource, r.event.action_type) for r in plugin.events_to_register()}
    assert events == {("Pod", ALL_PODS | more), ("Node", ALL_NODES)}


def test_without_pre_filter_it_meets_an_error() -> None:
    handle = handle_of(zoned(n1="a"))
    plugin, nodes = pod_topology_spread.new(None, handle), handle.snapshot.node_infos
    with pytest.raises(
        PluginError, match=r'^reading "PreFilterPodTopologySpread" from cycleState: not found$'
    ):
        plugin.filter(CycleState(), PodInfo(web(), nodes.axis), nodes, nodes.order)


def test_an_empty_selector_counts_no_pod_but_the_pod_itself() -> None:
    bound = [web("w1", node="n1"), web("w2", node="n1")]
    handle = handle_of(zoned(n1="a", n2="b"), bound)
    plugin = pod_topology_spread.new(None, handle)
    hard, soft = (
        constraint(labelSelector={}),
        constraint(labelSelector={}, whenUnsatisfiable="ScheduleAnyway"),
    )
    assert refused(plugin, web("p", hard), handle.snapshot) == {}
    assert (
        refused(plugin, web("p", constraint(labelSelector={}, minDomains=3, maxSkew=1)), handle.snapshot)
        == {}
    )
    assert score(plugin, web("p", soft), handle.snapshot) == {"n1": 0, "n2": 0}
    by_key = constraint(labelSelector={}, matchLabelKeys=["app"])
    assert refused(plugin, web("p", by_key), handle.snapshot) == {"n1": SKEWED}
