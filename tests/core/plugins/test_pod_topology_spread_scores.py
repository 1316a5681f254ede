from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.api.affinity import TopologySpreadConstraint
from scheduler_core.api.pod import Pod
from scheduler_core.config.plugin_args import PodTopologySpreadArgs
from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.plugins.pod_topology_spread import plugin as pod_topology_spread
from scheduler_core.snapshot.pod_info import PodInfo
from tests.core.plugins.judging import pre_filter, refused, score
from tests.core.plugins.small_handle import handle_of
from tests.core.plugins.test_pod_topology_spread import APP, HOST, ZONE, constraint, web, zoned
from tests.core.simulator.running import Run
from tests.make import make, make_node, make_pod


def soft(key: str = ZONE, **changed: Any) -> dict[str, Any]:
    return constraint(key, whenUnsatisfiable="ScheduleAnyway", **changed)


def owned(kind: str, api_version: str, name: str = "owner", **labels: str) -> Pod:
    """A pod with a controller."""
    owner = {"apiVersion": api_version, "kind": kind, "name": name, "uid": "u", "controller": True}
    pod = make(
        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": "p", "namespace": "default", "labels": labels, "ownerReferences": [owner]},
            "spec": {"containers": [{"name": "main", "image": "app:1"}]},
        }
    )
    assert isinstance(pod, Pod)
    return pod


def workload(kind: str, api_version: str, selector: Any, name: str = "owner") -> Any:
    return make(
        {
            "apiVersion": api_version,
            "kind": kind,
            "metadata": {"name": name, "namespace": "default"},
            "spec": {"selector": selector},
        }
    )


def test_pods_weigh_by_the_logarithm_of_the_domains_and_the_sum_is_rounded() -> None:
    nodes = zoned(n1="a", n2="a", n3="b")
    handle = handle_of(nodes, [web(f"w{index}", node="n1") for index in range(5)])
    plugin = pod_topology_spread.new(None, handle)
    # zones: 5 pods · ln(2 + 2) = 6.93; hosts: 5 · ln(3 + 2) = 8.05
    assert score(plugin, web("p", soft()), handle.snapshot) == {"n1": 7, "n2": 7, "n3": 0}
    assert score(plugin, web("p", soft(HOST)), handle.snapshot) == {"n1": 8, "n2": 0, "n3": 0}
    assert score(plugin, web("p", soft(), soft(HOST)), handle.snapshot) == {"n1": 15, "n2": 7, "n3": 0}


def test_the_skew_allowed_waters_differences_down() -> None:
    handle = handle_of(zoned(n1="a", n2="b"), [web("w", node="n1")])
    plugin = pod_topology_spread.new(None, handle)
    assert score(plugin, web("p", soft(maxSkew=10)), handle.snapshot) == {"n1": 10, "n2": 9}
    assert score(plugin, web("p", soft(maxSkew=10)), handle.snapshot, normalize=True) == {"n1": 90, "n2": 100}


def test_nodes_outside_a_topology_are_ignored_and_get_nothing() -> None:
    nodes = [*zoned(n1="a", n2="b"), make_node("n3", labels={ZONE: "b"})]
    handle = handle_of(nodes, [web("w1", node="n1"), web("w2", node="n3")])
    plugin = pod_topology_spread.new(None, handle)
    pod = web("p", soft(), soft(HOST))
    assert score(plugin, pod, handle.snapshot) == {"n1": 3, "n2": 0, "n3": 0}
    assert score(plugin, pod, handle.snapshot, normalize=True) == {"n1": 0, "n2": 100, "n3": 0}
    nowhere = web("p", soft("rack"))
    assert score(plugin, nowhere, handle.snapshot, normalize=True) == {"n1": 0, "n2": 0, "n3": 0}


def test_without_any_pod_all_nodes_get_everything() -> None:
    handle = handle_of(zoned(n1="a", n2="b"))
    plugin = pod_topology_spread.new(None, handle)
    assert score(plugin, web("p", soft()), handle.snapshot, normalize=True) == {"n1": 100, "n2": 100}


def test_only_domains_of_feasible_nodes_count_as_domains() -> None:
    handle = handle_of(zoned(n1="a", n2="b", n3="c"), [web(f"w{index}", node="n1") for index in range(3)])
    plugin, nodes = pod_topology_spread.new(None, handle), handle.snapshot.node_infos
    state, rows, info = CycleState(), nodes.order[:2], PodInfo(web("p", soft()), nodes.axis)
    assert plugin.pre_score(state, info, nodes, rows) is None
    assert plugin.score(state, info, nodes, rows).tolist() == [4, 0]


OTHER = {"app": "other"}


@pytest.mark.parametrize(
    ("pod", "objects"),
    [
        (make_pod("p", labels=APP), [workload("Service", "v1", APP)]),
        (owned("ReplicationController", "v1", **APP), [workload("ReplicationController", "v1", APP)]),
        (owned("ReplicaSet", "apps/v1", **APP), [workload("ReplicaSet", "apps/v1", {"matchLabels": APP})]),
        (owned("StatefulSet", "apps/v1", **APP), [workload("StatefulSet", "apps/v1", {"matchLabels": APP})]),
    ],
)
def test_the_system_spreads_what_a_service_or_a_controller_holds_together(
    pod: Pod, objects: list[Any]
) -> None:
    handle = handle_of(
        zoned(n1="a", n2="b"), [web("w1", node="n1"), web("w2", node="n2", labels=OTHER)], objects
    )
    plugin = pod_topology_spread.new(None, handle)
    # hosts: ln(4) + 2, zones: ln(4) + 4
    assert score(plugin, pod, handle.snapshot) == {"n1": 9, "n2": 6}


@pytest.mark.parametrize(
    ("pod", "objects"),
    [
        (make_pod("p", labels=APP), []),
        (make_pod("p", labels=APP), [workload("Service", "v1", OTHER)]),
        (make_pod("p", labels=APP), [workload("Service", "v1", {})]),
        (make_pod("p", labels=APP, namespace="else"), [workload("Service", "v1", APP)]),
        (owned("ReplicaSet", "apps/v1", **APP), []),
        (owned("ReplicaSet", "apps/v1", **APP), [workload("ReplicaSet", "apps/v1", None)]),
        (
            owned("ReplicaSet", "extensions/v1beta1", **APP),
            [workload("ReplicaSet", "apps/v1", {"matchLabels": APP})],
        ),
        (owned("Job", "batch/v1", **APP), [workload("Job", "batch/v1", {"matchLabels": APP})]),
    ],
)
def test_the_system_leaves_pods_alone_that_nothing_holds_together(pod: Pod, objects: list[Any]) -> None:
    handle = handle_of(zoned(n1="a", n2="b"), [web("w1", node="n1")], objects)
    assert score(pod_topology_spread.new(None, handle), pod, handle.snapshot) is None


def test_a_service_and_a_controller_must_both_select() -> None:
    services = [
        workload("Service", "v1", APP),
        workload("ReplicaSet", "apps/v1", {"matchLabels": {"v": "2"}}),
    ]
    bound = [web("w1", node="n1", labels=APP | {"v": "1"}), web("w2", node="n2", labels=APP | {"v": "2"})]
    handle = handle_of(zoned(n1="a", n2="b"), bound, services)
    pod = owned("ReplicaSet", "apps/v1", v="2", **APP)
    assert score(pod_topology_spread.new(None, handle), pod, handle.snapshot) == {"n1": 6, "n2": 9}


def test_the_systems_constraints_keep_nodes_without_a_zone() -> None:
    nodes = [*zoned(n1="a"), make_node("n2", labels={HOST: "n2"})]
    handle = handle_of(nodes, [web("w", node="n2")], [workload("Service", "v1", APP)])
    # n1: hosts 0 + 2, zones 0 + 4; n2: hosts ln(4) + 2, no zone
    assert score(pod_topology_spread.new(None, handle), web("p"), handle.snapshot) == {"n1": 6, "n2": 3}


def test_a_list_of_defaults_takes_the_systems_place_and_may_be_hard() -> None:
    default = TopologySpreadConstraint(max_skew=1, topology_key=ZONE, when_unsatisfiable="DoNotSchedule")
    args = PodTopologySpreadArgs(defaulting_type="List", default_constraints=(default,))
    handle = handle_of(zoned(n1="a", n2="b"), [web("w", node="n1")], [workload("Service", "v1", APP)])
    plugin = pod_topology_spread.new(args, handle)
    assert set(refused(plugin, web("p"), handle.snapshot)) == {"n1"}
    assert score(plugin, web("p"), handle.snapshot) is None
    assert pre_filter(plugin, web("p", soft()), handle.snapshot)[2] == ("Skip", ())
    nothing = pod_topology_spread.new(PodTopologySpreadArgs(defaulting_type="List"), handle)
    assert score(nothing, web("p"), handle.snapshot) is None


def test_a_detail_tells_the_domains_that_were_scored_the_emptiest_first() -> None:
    nodes = [*zoned(n1="a", n2="a", n3="b"), make_node("n4")]
    objects = [
        *nodes,
        *(web(f"w{index}", node="n1") for index in range(5)),
        web("late", soft(maxSkew=2), soft(HOST)),
    ]
    detail = Run(objects).sink.details[1]
    zones, hosts = detail.score_numbers["PodTopologySpread"]
    assert zones == {
        "topology_key": ZONE,
        "max_skew": 2,
        "weight": 1.3863,
        "selector": [{"key": "app", "operator": "In", "values": ["web"]}],
        "num_domains": 2,
        "num_lacking": 1,
        "domains": [
            {"domain": "b", "pods": 0, "score": 1.0, "num_nodes": 1},
            {"domain": "a", "pods": 5, "score": 7.93, "num_nodes": 2},
        ],
    }
    by_host = {one["domain"]: (one["pods"], one["score"]) for one in hosts["domains"]}
    assert by_host == {"n2": (0, 0.0), "n3": (0, 0.0), "n1": (5, 8.05)}
    raw = dict(
        zip((detail.nodes[row] for row in detail.scored), detail.raw["PodTopologySpread"], strict=True)
    )
    assert raw == {"n1": 16, "n2": 8, "n3": 1, "n4": 0}


def test_a_pod_without_soft_constraints_has_no_table_of_scores() -> None:
    objects = [*zoned(n1="a", n2="b"), web("late", constraint())]
    assert Run(objects).sink.details[1].score_numbers == {}
