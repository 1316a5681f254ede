from __future__ import annotations

from scheduler_core.trace.detail import PreemptionDetail
from tests.core.simulator.running import Run
from tests.make import make, make_node, make_pod


def preemption(*objects: object) -> PreemptionDetail:
    found = Run(objects).sink.details[1].preemption  # type: ignore[arg-type]
    assert found is not None
    return found


def test_candidates_stand_the_cheapest_first_with_what_decided() -> None:
    detail = preemption(
        *[make_node(name, cpu="2") for name in "abc"],
        make_node("t", cpu="2", taints=["x:NoSchedule"]),
        make_pod("a1", node="a", priority=5, requests={"cpu": "2"}),
        make_pod("b1", node="b", priority=3, requests={"cpu": "1"}),
        make_pod("b2", node="b", priority=2, requests={"cpu": "1"}),
        make_pod("c1", node="c", priority=99, requests={"cpu": "2"}),
        make_pod("new", priority=10, requests={"cpu": "2"}),
    )
    assert [candidate.node for candidate in detail.candidates] == ["b", "a"]
    assert detail.candidates[0].victims == ("default/b1", "default/b2")
    assert (detail.candidates[0].highest_priority, detail.candidates[0].sum_of_priorities) == (3, 5)
    assert detail.criterion == "lowest highest priority of a victim"
    assert detail.text == (
        "Deleting pods makes room on 2 nodes; b has the lowest highest priority of a victim."
    )
    assert {refused.text: refused.nodes for refused in detail.not_helpful} == {
        "No preemption victims found for incoming pod": ("c",),
        "Preemption is not helpful for scheduling": ("t",),
    }


def test_disruption_budgets_that_would_be_broken_are_named() -> None:
    budget = {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "keep-web", "namespace": "default"},
        "spec": {"selector": {"matchLabels": {"app": "web"}}},
        "status": {"disruptionsAllowed": 0},
    }
    detail = preemption(
        make(budget),
        make_node("a", cpu="2"),
        make_pod("web", node="a", labels={"app": "web"}, requests={"cpu": "2"}),
        make_pod("new", priority=10, requests={"cpu": "2"}),
    )
    (candidate,) = detail.candidates
    assert (candidate.num_pdb_violations, candidate.budgets) == (1, ("default/keep-web",))
    assert detail.text == "a is the only node where deleting pods of a lower priority makes room."


def test_a_pod_that_may_not_preempt_says_so() -> None:
    detail = preemption(
        make_node("a", cpu="1"),
        make_pod("new", priority=10, requests={"cpu": "2"}, preemptionPolicy="Never"),
    )
    assert "not eligible due to preemptionPolicy=Never" in detail.text
    assert detail.candidates == ()
