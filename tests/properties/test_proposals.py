"""What planning proposes after edits holds in the run that the headline shows: apply it, and what it promised is so."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scheduler_core.api.kinds import KubeObject
from scheduler_core.api.node import Node
from scheduler_core.api.pod import Pod
from scheduler_core.config import load_config
from scheduler_core.planning import growth, removals, repairs, what_if
from scheduler_core.planning.candidates import is_part_of
from scheduler_core.simulator import DEFAULT, RunResult, Simulator, read_edits
from tests.make import make_node, make_owned, make_pod

CONFIG = load_config("")
ZONE = "topology.kubernetes.io/zone"
_few = settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])
Edits = list[dict[str, Any]]


@st.composite
def clusters(draw: st.DrawFn) -> list[KubeObject]:
    """Two to four nodes in zones, ReplicaSets with a pod each that fill them, and a pod that comes."""
    cluster: list[KubeObject] = []
    for number in range(draw(st.integers(2, 4))):
        name = f"n{number}"
        labels = {"kubernetes.io/hostname": name, ZONE: "ab"[number % 2]}
        taints = draw(st.sampled_from(([], [], ["gpu=yes:NoSchedule"])))
        cluster.append(make_node(name, cpu="4", labels=labels, taints=taints))
        for pod in range(draw(st.integers(1, 2))):
            cpu = draw(st.sampled_from(("1", "2", "2")))
            cluster += make_owned(f"p{number}x{pod}", requests={"cpu": cpu}, node=name, priority=0)
    cpu = draw(st.sampled_from(("2", "3", "5")))
    cluster.append(make_pod("late", requests={"cpu": cpu}, priority=draw(st.sampled_from((0, 5)))))
    return cluster


@st.composite
def edited(draw: st.DrawFn) -> tuple[list[KubeObject], Edits]:
    """A cluster and what happens to it: losses, drains, taints, scaling, rollouts."""
    cluster = draw(clusters())
    owners = [one.metadata.name for one in cluster if one.kind == "ReplicaSet"]
    possible: Edits = [
        {"kind": "lose", "zone": "a"},
        {"kind": "lose", "nodes": ["n1"]},
        {"kind": "drain", "nodes": ["n0"], "force": True},
        {"kind": "taint", "nodes": ["n0"], "taint": "old:NoExecute"},
        {"kind": "cordon", "nodes": ["n1"]},
    ]
    for owner in owners[:2]:
        possible.append({"kind": "scale", "object": f"ReplicaSet/default/{owner}", "replicas": 4})
    first = draw(st.sampled_from(possible[:2] if draw(st.booleans()) else possible))
    return cluster, [first, *draw(st.lists(st.sampled_from(possible), max_size=1))]


def run(cluster: list[KubeObject], edits: Edits) -> tuple[Simulator, RunResult]:
    simulator = Simulator(CONFIG, DEFAULT)
    simulator.load(cluster)
    return simulator, simulator.run(edits=read_edits(edits))


def dead(simulator: Simulator) -> set[str]:
    """Nodes of which nothing is heard."""
    return {
        node.metadata.name
        for node in simulator.store.list("Node")
        if "stopped" in node.metadata.annotations.values()
        or any("unreachable" in taint.key for taint in node.spec.taints)
    }


@_few
@given(edited())
def test_a_repair_that_is_applied_puts_the_pod_on_a_live_node_and_the_headline_agrees(
    asked: tuple[list[KubeObject], Edits],
) -> None:
    cluster, edits = asked
    simulator, before = run(cluster, edits)
    priorities = {
        f"{pod.metadata.namespace}/{pod.metadata.name}": pod.spec.priority or 0
        for pod in simulator.store.list("Pod")
    }
    for waiting in before.pending[:1]:
        found = repairs(cluster, waiting.pod, CONFIG, edits=read_edits(edits))
        for repair in found.repairs:
            applied = [*edits, *repair.edits]
            ended, after = run(cluster, applied)
            assert after.placements[waiting.pod] == repair.node
            assert repair.node not in dead(ended)
            headline = what_if(cluster, read_edits(applied), CONFIG).changes
            promised = repair.difference
            assert (headline.t_us, headline.num_cycles) == (promised.t_us, promised.num_cycles)
            pending = {pod.pod for pod in after.pending}
            assert {pod.pod for pod in promised.newly_pending} <= pending
            rescued = {pod.pod for pod in before.pending} - pending
            assert {placed.pod for placed in promised.rescued} <= rescued | set(after.placements)
            evicted = [pod for change in repair.changes for pod in change.evict]
            assert len(evicted) == len(set(evicted))
            assert all(priorities[pod] <= priorities[waiting.pod] for pod in evicted)
        for one in found.repairs:
            for other in found.repairs:
                lost = [len(each.difference.newly_pending + each.difference.gone) for each in (one, other)]
                moved = [len(each.difference.moved) for each in (one, other)]
                if one is not other and is_part_of(one.changes, other.changes):
                    assert (lost[0], moved[0]) > (lost[1], moved[1])


@_few
@given(edited(), st.data())
def test_nodes_that_are_needed_leave_pending_what_was_said_when_they_are_added(
    asked: tuple[list[KubeObject], Edits], data: st.DataObject
) -> None:
    cluster, edits = asked
    _, before = run(cluster, edits)
    model = data.draw(st.sampled_from([one.metadata.name for one in cluster if isinstance(one, Node)]))
    found = growth(cluster, model, CONFIG, edits=read_edits(edits))
    assert found.curve[0].pending == len(before.pending)
    if found.nodes:
        _, after = run(cluster, [*edits, *found.edits])
        assert [pod.pod for pod in after.pending] == [pod.pod for pod in found.pending]
        assert len(after.pending) < len(before.pending)


@_few
@given(edited())
def test_nodes_that_could_go_can_be_drained_after_the_edits(
    asked: tuple[list[KubeObject], Edits],
) -> None:
    cluster, edits = asked
    simulator, before = run(cluster, edits)
    found = removals(cluster, CONFIG, edits=read_edits(edits))
    assert not dead(simulator) & {name for one in found.nodes for name in (one.node, *one.like)}
    if found.together:
        drain = {"kind": "drain", "nodes": list(found.together), **({"at": found.at} if found.at else {})}
        ended, after = run(cluster, [*edits, drain])
        assert len(after.pending) <= len(before.pending)
        assert [refused.edit for refused in after.refused_edits if refused.edit > len(edits)] == []
        left = [
            pod.metadata.name
            for pod in ended.store.list("Pod")
            if isinstance(pod, Pod) and pod.spec.node_name in found.together
        ]
        assert left == []
