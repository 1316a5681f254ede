"""Where we knowingly differ from kube-scheduler: each stands in docs/fidelity.md and is pinned by a test."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from scheduler_core.api import Source, load_manifests
from scheduler_core.api.pod import Pod
from scheduler_core.config import load_config
from scheduler_core.simulator import CONFORMANCE, DEFAULT, Simulator, Step
from tests.core.simulator.running import Run
from tests.make import make, make_node, make_pod

SMALL = make_node("n0", cpu="1")


def with_args(plugin: str, args: dict[str, Any]) -> str:
    head = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
    return json.dumps({**head, "profiles": [{"pluginConfig": [{"name": plugin, "args": args}]}]})


def victim(name: str, node: str, priority: int = 0, **spec: Any) -> Pod:
    return make_pod(name, node=node, priority=priority, requests={"cpu": "1"}, **spec)


def urgent(**fields: Any) -> Pod:
    return make_pod("urgent", priority=100, requests={"cpu": "1"}, **fields)


def test_victims_are_gone_within_the_attempt_whatever_their_grace_period() -> None:
    run = Run([SMALL, victim("old", "n0", terminationGracePeriodSeconds=30), urgent()])
    (deleted,) = run.of_type("PodDeleted")
    (failed,) = run.of_type("PodUnschedulable")
    assert (deleted["pod"], deleted["reason"]) == ("default/old", "preempted")
    assert deleted["t_us"] == failed["t_us"]
    assert deleted["seq"] < failed["seq"]
    assert run.result.placements == {"default/urgent": "n0"}


def test_a_victim_gets_no_condition_before_it_goes() -> None:
    simulator = Simulator(load_config(""), CONFORMANCE)
    seen: list[tuple[Any, Any]] = []
    simulator.load([SMALL, victim("old", "n0"), urgent()])
    simulator.store.listen(lambda kind, old, new: seen.append((old, new)))
    simulator.run()
    of_victim = [(old, new) for old, new in seen if old is not None and old.metadata.name == "old"]
    assert len(of_victim) == 1
    ((old, new),) = of_victim
    assert (old.status.conditions, new) == ((), None)


def test_candidates_for_preemption_are_looked_at_in_the_order_of_the_snapshot() -> None:
    nodes = [make_node(f"n{number}", cpu="1") for number in range(3)]
    victims = [victim(f"old-{number}", f"n{number}", priority=9 - number) for number in range(3)]
    few = with_args("DefaultPreemption", {"minCandidateNodesPercentage": 0, "minCandidateNodesAbsolute": 2})
    assert Run([*nodes, *victims, urgent()], config=few).result.placements["default/urgent"] == "n1"
    assert Run([*nodes, *victims, urgent()]).result.placements["default/urgent"] == "n2"


def test_nodes_that_a_plugin_narrowed_to_are_looked_at_in_the_order_of_the_snapshot() -> None:
    nodes = [make_node(f"n{number:03}") for number in range(300)]
    terms = [
        {"matchFields": [{"key": "metadata.name", "operator": "In", "values": [f"n{number:03}"]}]}
        for number in reversed(range(250))
    ]
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}
    pod = make_pod(affinity={"nodeAffinity": required})
    config = json.dumps({**json.loads(with_args("NodeAffinity", {})), "percentageOfNodesToScore": 50})
    (detail,) = Run([*nodes, pod], config=config).sink.details.values()
    assert [detail.nodes[row] for row in detail.scored] == [f"n{number:03}" for number in range(125)]


def test_a_claim_of_an_immediate_class_stays_unbound() -> None:
    storage = {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "now"}}
    spec = {"storageClassName": "now", "resources": {"requests": {"storage": "1Gi"}}}
    spec["accessModes"] = ["ReadWriteOnce"]  # type: ignore[assignment]
    claim = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "c"}, "spec": spec}
    pod = make_pod(volumes=[{"name": "v", "persistentVolumeClaim": {"claimName": "c"}}])
    options = msgspec.structs.replace(DEFAULT, controllers="off")
    run = Run([SMALL, make({**storage, "provisioner": "x"}), make(claim), pod], options=options)
    (pending,) = run.result.pending
    assert "pod has unbound immediate PersistentVolumeClaims" in pending.message


def test_no_controller_makes_pods_moves_budgets_or_taints_nodes() -> None:
    sick = make(
        {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": "n0"},
            "status": {
                "allocatable": {"cpu": "1", "pods": "9"},
                "conditions": [{"type": "Ready", "status": "False"}],
            },
        }
    )
    labels = {"app": "x"}
    budget = {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "b", "namespace": "default"},
        "spec": {"selector": {"matchLabels": labels}},
        "status": {"disruptionsAllowed": 1},
    }
    owner = {
        "apiVersion": "apps/v1",
        "kind": "ReplicaSet",
        "metadata": {"name": "rs"},
        "spec": {"replicas": 3, "selector": {"matchLabels": labels}},
    }
    simulator = Simulator(load_config(""), CONFORMANCE)
    old = make_pod("old", node="n0", labels=labels, requests={"cpu": "1"})
    simulator.load([sick, make(budget), make(owner), old, urgent()])
    result = simulator.run()
    assert result.placements == {"default/urgent": "n0"}
    assert result.pending == ()
    assert simulator.store.get("PodDisruptionBudget", "default", "b").status.disruptions_allowed == 1


def test_the_kubelet_refuses_nothing() -> None:
    run = Run([make_node("n0", cpu="1", pods="1"), victim("a", "n0"), victim("b", "n0")], steps=[Step()])
    assert run.result.placements == {"default/a": "n0", "default/b": "n0"}


def test_overhead_of_a_runtime_class_counts_where_the_pod_already_carries_it_only() -> None:
    runtime = {"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "metadata": {"name": "vm"}}
    runtime |= {"handler": "vm", "overhead": {"podFixed": {"cpu": "1"}}}
    bare = make_pod("bare", runtimeClassName="vm", requests={"cpu": "1"})
    carrying = make_pod("carrying", runtimeClassName="vm", overhead={"cpu": "1"}, requests={"cpu": "1"})
    assert Run([SMALL, bare]).result.placements == {"default/bare": "n0"}
    assert Run([SMALL, carrying]).result.placements == {}


def test_pods_that_nobody_asks_about_run_from_their_binding_on() -> None:
    run = Run([SMALL, make_pod("alone")], options=DEFAULT)
    pod = run.simulator.store.get("Pod", "default", "alone")
    assert pod.status.phase == "Running"
    assert {condition.type: condition.status for condition in pod.status.conditions}["Ready"] == "True"
    assert run.of_type("PodStarted") == []
    assert not run.simulator.controllers.is_on("kubelet")


def test_a_class_that_was_left_out_of_the_cluster_refuses_no_pod_of_it() -> None:
    text = """\
{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {priorityClassName: gold, containers: [{name: c, image: i}]}}
"""
    loaded = load_manifests([Source("p.yaml", text)])
    run = Run([SMALL, *(item.object for item in loaded.objects)], options=DEFAULT)
    assert (run.result.placements, run.result.refused) == ({"default/p": "n0"}, ())
