"""The run that shows what a check says: the same placements, and the pod that waits waits there too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from scheduler_core.api import decode_object
from scheduler_core.checks import CheckInput, Proof, Verdict, proof_of, read_check, run
from scheduler_core.checks.verdict import Counterexample, Robustness
from scheduler_core.config import load_config
from scheduler_core.simulator import RunResult, Simulator, SimulatorOptions, read_edits
from tests.core.checks.asking import asked, node, pod

SMALL = [pod("small-0", "1"), pod("small-1", "1")]


def checked(question: CheckInput) -> tuple[Verdict, Proof]:
    check = read_check(question)
    verdict = run(check)
    return verdict, proof_of(check, verdict)


def shown(cluster: Sequence[dict[str, Any]], proof: Proof) -> RunResult:
    """Runs a proof as a server does: its edits read from plain values."""
    options = SimulatorOptions(seed=proof.seed, horizon_us=proof.horizon_us)
    simulator = Simulator(load_config(""), options)
    objects = [decode_object(raw) for raw in cluster]
    simulator.load(objects)
    return simulator.run(edits=read_edits(proof.edits, objects=objects))


def test_a_run_of_the_proof_ends_as_the_verdict_says() -> None:
    cluster = [node("node-a"), node("node-b"), pod("old", "1500m", on="node-b"), pod("waits", "9")]
    manifests = [pod("new", "1500m"), pod("huge", "5"), pod("tiny", "100m")]
    verdict, proof = checked(asked(manifests, cluster, deletions=("Pod/default/old",), seed=7))
    result = shown(cluster, proof)
    assert {each.pod: each.node for each in verdict.placements} == {
        name: node for name, node in result.placements.items() if name != "default/old"
    }
    assert {each.pod for each in result.pending} == {"default/waits", "default/huge"}
    assert "default/old" not in result.placements
    assert (proof.seed, proof.is_exact, proof.moved) == (7, True, ())


def test_where_only_another_order_fails_it_is_that_order_which_is_shown() -> None:
    manifests = [pod("big", "2"), *SMALL, pod("other", "1m")]
    expected = {"scheduled": {"workloads": ["Pod/big"]}}
    verdict, proof = checked(asked(manifests, [node("node-a")], expected, orders=30))
    assert verdict.outcome == "fail"
    assert proof.moved == ("Pod/default/big",)
    assert proof.is_exact
    waiting = {each.pod for each in shown([node("node-a")], proof).pending}
    assert waiting == {each.pod for each in verdict.pending} == {"default/big", "default/other"}


def test_ties_that_the_check_chose_are_not_those_of_a_run() -> None:
    question = asked([pod("a", "1")], [node("node-a"), node("node-b")])
    verdict, proof = checked(question)
    assert proof.is_exact
    example = Counterexample(order=("Pod/default/a",), ties=(1,), seed=3)
    chosen = replace(verdict, robustness=Robustness(tried=2, held=1, counterexample=example))
    proof = proof_of(read_check(question), chosen)
    assert (proof.seed, proof.is_exact) == (3, False)


def test_a_loss_is_shown_by_taking_the_nodes_away_afterwards() -> None:
    cluster = [node("node-a", cpu="2"), node("node-b", cpu="2")]
    template = {"metadata": {"labels": {"app": "web"}}, "spec": pod("x", "1500m")["spec"]}
    web = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web", "namespace": "default"},
        "spec": {"replicas": 2, "selector": {"matchLabels": {"app": "web"}}, "template": template},
    }
    check = read_check(asked([web], cluster, {"survivesLoss": {}}))
    verdict = run(check)
    finding = verdict.results[0].findings[0]
    assert finding.without == ("node-a",)
    result = shown(cluster, proof_of(check, verdict, finding.without))
    assert (result.num_pending, set(result.placements.values())) == (1, {"node-b"})
