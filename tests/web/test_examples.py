"""Each example loads, runs, and gives the answer that its question asks for."""

from __future__ import annotations

from typing import Any

import pytest

from playground.clusters.examples import examples, load_example, load_examples_once
from playground.models import Cluster, Workspace, workspace_of
from tests.web.conftest import Api

NAMES = [example.slug for example in examples()]


def outcome_of(api: Api, slug: str) -> tuple[dict[str, str], dict[str, dict[str, Any]]]:
    example = next(each for each in examples() if each.slug == slug)
    over = api.wait_for(api.run(load_example(workspace_of(), example).id)["id"])
    assert over["status"] == "finished", over["message"]
    outcome = api.get(f"runs/{over['id']}/placements")
    return outcome["placements"], {each["pod"]: each for each in outcome["pending"]}


def test_there_are_at_least_four_each_a_question_with_a_description() -> None:
    assert len(NAMES) >= 4
    for example in examples():
        assert example.question.endswith("?")
        assert len(example.description) > 40
        assert example.counts["nodes"] >= 3


@pytest.mark.django_db
def test_they_are_loaded_once(api: Api) -> None:
    workspace = Workspace.objects.get(id=workspace_of())
    load_examples_once(workspace)
    assert [cluster["example"] for cluster in api.get("clusters")["results"]] == NAMES
    Cluster.objects.first().delete()  # type: ignore[union-attr]
    load_examples_once(Workspace.objects.get(id=workspace_of()))
    assert Cluster.objects.count() == len(NAMES) - 1


@pytest.mark.usefixtures("worker")
class TestAnswers:
    def test_seven_ports_on_nine_nodes(self, api: Api) -> None:
        placements, pending = outcome_of(api, "eighth-replica")
        proxies = {pod: node for pod, node in placements.items() if pod.startswith("edge/")}
        assert len(set(proxies.values())) == 7
        assert pending["edge/edge-proxy-7"]["message"].startswith(
            "0/9 nodes are available: 1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }, "
            "1 node(s) were unschedulable, 7 node(s) didn't have free ports for the requested pod ports."
        )

    def test_free_but_scattered(self, api: Api) -> None:
        placements, pending = outcome_of(api, "free-but-scattered")
        assert list(pending) == ["default/report-builder"]
        assert pending["default/report-builder"]["message"].startswith(
            "0/4 nodes are available: 4 Insufficient cpu."
        )
        assert sum(pod.startswith("default/mailer") for pod in placements) == 5

    def test_trainings_get_their_gpus_before_notebooks(self, api: Api) -> None:
        placements, pending = outcome_of(api, "last-gpu")
        assert {f"research/training-{index}" for index in range(3)} <= set(placements)
        assert set(pending) == {"research/notebook-1", "research/forgot-the-toleration"}

    def test_the_node_with_the_image_comes_first(self, api: Api) -> None:
        placements, pending = outcome_of(api, "image-already-there")
        servers = [node for pod, node in sorted(placements.items()) if pod.startswith("default/model-server")]
        assert pending == {}
        assert servers[0] == "right"
        assert "far" not in servers

    def test_four_pods_wait_for_four_reasons(self, api: Api) -> None:
        _, pending = outcome_of(api, "pending-for-four-reasons")
        assert {pod: (each["queue"], *each["plugins"]) for pod, each in pending.items()} == {
            "default/batch-4": ("gated", "SchedulingGates"),
            "default/database-0": ("unschedulable", "NodeAffinity"),
            "default/simulation": ("unschedulable", "NodeResourcesFit"),
            "monitoring/second-exporter": ("unschedulable", "NodePorts"),
        }

    def test_a_payment_pod_evicts_the_least(self, api: Api) -> None:
        placements, pending = outcome_of(api, "who-is-evicted")
        assert pending == {}
        assert placements["default/payment-0"] == "node-2"
        assert "default/batch-2-2" not in placements  # the one that started last
        assert sum(pod.startswith("default/batch") for pod in placements) == 5
