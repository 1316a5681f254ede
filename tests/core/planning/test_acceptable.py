"""Repairs that a person would accept: the inputs for which others were once proposed."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from scheduler_core.api.kinds import KubeObject
from scheduler_core.api.manifest import Source, load_manifests
from scheduler_core.config import load_config
from scheduler_core.planning import Repairs, Template, after_edits, capacity, growth, removals, repairs
from scheduler_core.simulator import DEFAULT, Simulator, read_edits
from tests.make import make, make_node, make_owned, make_pod

CONFIG = load_config("")
INPUTS: Final = Path(__file__).parents[2] / "inputs/faults/plans"
LOSE_B: Final = read_edits([{"kind": "lose", "zone": "eu-west-1b"}])


def read(name: str) -> list[KubeObject]:
    path = INPUTS / f"{name}.yaml"
    return [item.object for item in load_manifests([Source(path.name, path.read_bytes())]).objects]


def heads(found: Repairs) -> list[str]:
    """What is to be done, without what comes of it."""
    return [repair.text.partition(f": {found.pod} goes")[0] for repair in found.repairs]


def evicted(found: Repairs) -> list[tuple[str, ...]]:
    return [change.evict for repair in found.repairs for change in repair.changes if change.evict]


def pod_like(cluster: list[KubeObject], prefix: str) -> Any:
    return next(one for one in cluster if one.kind == "Pod" and one.metadata.name.startswith(prefix))


def test_the_smallest_pod_that_frees_enough_is_evicted() -> None:
    assert evicted(repairs(read("rank"), "default/p", CONFIG)) == [("default/small",)]


def test_nobody_of_higher_priority_is_evicted() -> None:
    assert not any("default/prod-db" in gone for gone in evicted(repairs(read("rank"), "default/q", CONFIG)))
    ports = make_pod("holder", host_ports=[80], node="n1", priority=5)
    found = repairs(
        [make_node("n1"), ports, make_pod("web", host_ports=[80], priority=0)], "default/web", CONFIG
    )
    assert evicted(found) == []


def test_the_milder_cut_comes_first() -> None:
    found = repairs(read("rep"), "default/big", CONFIG)
    assert heads(found)[0] == "Tolerate team=ml:NoSchedule and lower c's memory request to 16Gi (8Gi less)"
    assert heads(found)[-1].startswith("Lower c's cpu request to 900m (5.1 less)")


def test_no_zone_hostname_or_name_is_relabelled() -> None:
    assert not any(
        "abel n1 with topology" in head for head in heads(repairs(read("rep"), "default/db", CONFIG))
    )
    for key, value in (("kubernetes.io/hostname", "n9"), ("node.kubernetes.io/instance-type", "large")):
        found = repairs([make_node("n1"), make_pod("web", nodeSelector={key: value})], "default/web", CONFIG)
        assert heads(found) == [f"Take {key} out of the pod's nodeSelector"]
    terms = [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n9"]}]}]
    affinity = {
        "nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}
    }
    assert repairs([make_node("n1"), make_pod("web", affinity=affinity)], "default/web", CONFIG).repairs == ()


def test_the_state_of_a_node_is_not_tolerated() -> None:
    sick = make_node("n1", taints=["node.kubernetes.io/disk-pressure:NoSchedule"])
    found = repairs([sick, make_pod("web", requests={"cpu": "1"})], "default/web", CONFIG)
    assert heads(found) == ["Add a node like n1"]
    large = {"name": "side", "image": "app:1", "resources": {"requests": {"cpu": "900"}}}
    twice = make_pod("web", containers=[large, {**large, "name": "main"}])
    hopeless = repairs([sick, twice], "default/web", CONFIG)
    text = (
        "1 node has a taint that tells of its state, such as being lost: it goes when the node recovers, "
        "and is not to be tolerated."
    )
    assert text in [obstacle.text for obstacle in hopeless.in_the_way]


def test_four_replicas_in_three_zones_can_only_swap_who_waits() -> None:
    found = repairs(read("four-replicas-three-zones"), "shop/cache-3", CONFIG)
    assert found.warning == (
        "An eviction can only swap who waits: 4 pods must each have another topology.kubernetes.io/zone by their "
        "anti-affinity, and the nodes have 3 values of it: it takes a node with another one, or fewer replicas."
    )
    assert len(set(heads(found))) == len(heads(found))


def test_what_only_takes_another_s_place_is_said_to() -> None:
    pinned = {"nodeSelector": {"kubernetes.io/hostname": "n1"}, "preemptionPolicy": "Never"}
    cluster = [
        make_node("n1", cpu="2", labels={"kubernetes.io/hostname": "n1"}),
        *make_owned("old", requests={"cpu": "2"}, node="n1"),
        make_pod("web", requests={"cpu": "2"}, priority=5, **pinned),
    ]
    found = repairs(cluster, "default/web", CONFIG)
    assert heads(found) == ["Evict default/old"]
    assert [len(repair.difference.newly_pending) for repair in found.repairs] == [1]
    assert found.warning == "Nothing makes room for one more: this can only swap who waits."


def test_what_is_not_simulated_is_no_verdict_of_the_scheduler() -> None:
    claims = {"resourceClaims": [{"name": "gpu", "resourceClaimName": "gpu"}]}
    found = repairs([make_node("n1"), make_pod("web", **claims)], "default/web", CONFIG)
    assert (found.repairs, found.tried, found.in_the_way) == ((), 0, ())
    assert found.text.endswith("this is a limit of the playground, not the scheduler's verdict.")
    foreign = repairs([make_node("n1"), make_pod("web", schedulerName="volcano")], "default/web", CONFIG)
    assert (foreign.repairs, foreign.tried) == ((), 0)
    assert foreign.text == (
        "No profile has the schedulerName volcano: another scheduler places default/web, "
        "and what that one would do is not known."
    )


def test_after_a_lost_zone_no_proposal_names_a_node_of_it() -> None:
    cluster = read("prod")
    simulator = Simulator(CONFIG)
    simulator.load(cluster)
    pending = simulator.run(edits=LOSE_B).pending
    assert len(pending) == 3
    found = repairs(cluster, pending[0].pod, CONFIG, edits=LOSE_B)
    assert found.repairs
    assert not any("ip-10-0-b" in repair.text for repair in found.repairs)
    grown = growth(cluster, "ip-10-0-a-1", CONFIG, edits=LOSE_B)
    assert (grown.nodes, grown.curve[0].pending) == (None, 3)
    lost = growth(cluster, "ip-10-0-b-1", CONFIG, edits=LOSE_B)
    assert lost.text == (
        "All nodes of the zone eu-west-1b are lost, and a node like ip-10-0-b-1 would be in it too."
    )


def test_no_node_could_go_whose_pod_a_budget_holds_for_ever() -> None:
    found = removals(read("prod"), CONFIG)
    held = {one.node: one.held_by for one in found.nodes if one.held_by}
    assert sorted(held) == ["ip-10-0-a-2", "ip-10-0-b-3", "ip-10-0-c-3"]
    assert all("The disruption budget cache needs 3 healthy pods" in why for why in held.values())
    assert found.together
    assert not set(found.together) & set(held)


@pytest.mark.parametrize(
    ("prefix", "number"), [("api", 9), ("web", 22), ("report", 3), ("cache", 0), ("pg", 0)]
)
def test_as_many_more_fit_as_the_filters_let(prefix: str, number: int) -> None:
    cluster = read("prod")
    ended = after_edits(cluster, (), CONFIG, DEFAULT)
    assert capacity(ended, [Template(pod_like(cluster, prefix))], CONFIG).pods == number


def test_a_cluster_without_nodes_has_room_for_none_even_where_a_pod_waits() -> None:
    found = capacity(read("nonodes2"), [Template(pod_like(read("tpl"), "a"))], CONFIG)
    assert (found.pods, found.text) == (
        0,
        "0 more of a fit. The next one stays pending: no nodes available to schedule pods",
    )


def test_a_node_more_is_told_with_what_daemons_take_of_it_by_both_questions() -> None:
    labels = {"app": "agent"}
    spec = {"containers": [{"name": "c", "image": "app:1", "resources": {"requests": {"cpu": "500m"}}}]}
    agents = make(
        {
            "apiVersion": "apps/v1",
            "kind": "DaemonSet",
            "metadata": {"name": "agent", "namespace": "default"},
            "spec": {
                "selector": {"matchLabels": labels},
                "template": {"metadata": {"labels": labels}, "spec": spec},
            },
        }
    )
    full = make_owned("old", requests={"cpu": "3"}, node="n1")
    fits = [make_node("n1"), agents, *full, make_pod("web", requests={"cpu": "3500m"}, priority=0)]
    found = repairs(fits, "default/web", CONFIG)
    (added,) = [repair.text for repair in found.repairs if repair.changes[0].add_like]
    assert added.endswith("agent takes 500m cpu of the new node.")
    grown = growth(fits, "n1", CONFIG)
    assert grown.nodes == 1
    assert grown.text.endswith("Of each new node, agent takes 500m cpu.")
    too_large = [make_node("n1"), agents, *full, make_pod("web", requests={"cpu": "3600m"}, priority=0)]
    assert not any(
        len(repair.changes) == 1 and repair.changes[0].add_like
        for repair in repairs(too_large, "default/web", CONFIG).repairs
    )
    assert growth(too_large, "n1", CONFIG).nodes is None
