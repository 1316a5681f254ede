"""Each example loads, runs by one click, and gives the answer that its question asks for, where its address points."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
from django.test import Client

from playground.clusters.examples import examples, find_example, load_example, load_examples_once
from playground.models import Cluster, Run, Workspace, workspace_of
from tests.needs import ROOT
from tests.web.conftest import Api, node

ALL = {example.slug: example for example in examples()}
PRELOADED = [slug for slug, example in ALL.items() if example.scenario is None]


class Ran:
    """An example as a visitor runs it: one click, and the page that it opens."""

    def __init__(self, api: Api, slug: str) -> None:
        answer = api.client.post(f"/examples/{slug}/run/")
        assert answer.status_code == 302
        self.address = answer["Location"]
        self.api, self.id = api, self.address.split("/")[2]
        self.run = api.wait_for(self.id)
        assert self.run["status"] == "finished", self.run["message"]
        outcome = api.get(f"runs/{self.id}/placements")
        self.placements: dict[str, str] = outcome["placements"]
        self.pending = {each["pod"]: each for each in outcome["pending"]}
        self.hold_the_address_against_the_run(ALL[slug].look)

    def hold_the_address_against_the_run(self, look: str) -> None:
        """What the page is to show is there."""
        assert self.address.endswith(f"?{look}")
        shown = {name: values[0] for name, values in parse_qs(look).items()}
        if "pod" in shown:
            assert shown["pod"] in {*self.placements, *self.pending}
        if "cycle" in shown:
            assert int(shown["cycle"]) <= self.run["num_cycles"]
        if "pod" in shown:
            self.hold_the_moment_against_the_pod(shown["pod"], int(shown.get("cycle", 0)))
        if "node" in shown:
            assert any(event["node"] == shown["node"] for event in self.events("PodBound"))
        if "q" in shown:
            told = self.events("AdmissionRefused", "EvictionRefused")
            assert any(shown["q"] in str(event).lower() for event in told)

    def hold_the_moment_against_the_pod(self, pod: str, cycle: int) -> None:
        """The page opens on the pod's last cycle: what it decided, and the cluster that it decided by."""
        attempts = self.events("CycleStarted")
        last = max(event["cycle"] for event in attempts if event["pod"] == pod)
        assert (cycle or len(attempts)) == last

    def events(self, *types: str) -> list[dict[str, Any]]:
        answer = self.api.get(f"runs/{self.id}/events", limit=5000)
        return [event for event in answer["events"] if event["type"] in types]

    def said_of(self, pod: str) -> str:
        """Returns what the nodes say of a pod that waits."""
        message: str = self.pending[pod]["message"]
        return message.split(". no new claims")[0]


def test_there_are_more_than_ten_each_a_question_with_a_description_and_an_address() -> None:
    assert len(ALL) == 18
    assert "eighteen questions" in (ROOT / "README.md").read_text()
    for example in ALL.values():
        assert example.question.endswith("?")
        assert 40 < len(example.description) < 330, example.slug
        assert example.topic in ("Why is it pending?", "Why there?", "What happens then?")
        assert example.look
        assert example.summary.counts["nodes"] >= 3
        assert example.summary.warnings == [] or "controllers" in example.summary.warnings[0]


def test_every_example_is_tested_here() -> None:
    assert set(ALL) <= set(Path(__file__).read_text().split('"'))


@pytest.mark.django_db
def test_those_that_are_a_cluster_alone_are_loaded_once(api: Api) -> None:
    workspace = Workspace.objects.get(id=workspace_of())
    load_examples_once(workspace)
    assert [cluster["example"] for cluster in api.get("clusters")["results"]] == PRELOADED
    Cluster.objects.first().delete()  # type: ignore[union-attr]
    load_examples_once(Workspace.objects.get(id=workspace_of()))
    assert Cluster.objects.count() == len(PRELOADED) - 1


@pytest.mark.django_db
def test_a_cluster_is_loaded_by_the_first_click_and_again_only_when_somebody_changed_it(
    client: Client,
) -> None:
    first = client.post("/examples/lose-a-zone/load/")["Location"]
    assert client.post("/examples/lose-a-zone/load/")["Location"] == first
    client.post("/examples/lose-a-zone/run/")
    run = Run.objects.get()
    assert f"/clusters/{run.cluster_id}/" == first
    assert [edit["kind"] for edit in run.edits] == ["scale", "lose", "restore"]
    assert run.options == {"horizon_us": 1_800_000_000}
    client.post(f"/api/v1/clusters/{run.cluster_id}/objects", node("one-more"), "application/json")
    assert client.post("/examples/lose-a-zone/load/")["Location"] != first
    assert client.post("/examples/no-such-example/run/").status_code == 404


@pytest.mark.django_db
def test_run_again_asks_the_same_of_the_cluster_as_it_is_now(client: Client) -> None:
    client.post("/examples/lose-a-zone/run/")
    first = Run.objects.get()
    page = client.get(f"/runs/{first.id}/").content.decode()
    assert "For five minutes nothing seems to happen; then its pods move." in page
    assert f'action="/runs/{first.id}/again/"' in page
    client.post(f"/api/v1/clusters/{first.cluster_id}/objects", node("one-more"), "application/json")
    again = client.post(f"/runs/{first.id}/again/")["Location"]
    second = Run.objects.get(id=again.strip("/").split("/")[1])
    assert (second.edits, second.options) == (first.edits, first.options)
    assert second.told == ["Scale Deployment/shop/web to 9", "Lose zone b", "Restore zone b"]
    assert second.revision.counts["nodes"] == 7
    client.post("/examples/two-profiles/run/")
    packed = Run.objects.exclude(id__in=[first.id, second.id]).get()
    client.post(f"/runs/{packed.id}/again/")
    assert Run.objects.filter(config=packed.config, config__contains="MostAllocated").count() == 2
    assert client.post("/runs/zzzzzzzzzzzzzzzz/again/").status_code == 404


@pytest.mark.usefixtures("worker")
class TestAnswers:
    def test_seven_ports_on_nine_nodes(self, api: Api) -> None:
        ran = Ran(api, "eighth-replica")
        proxies = {pod: node for pod, node in ran.placements.items() if pod.startswith("edge/")}
        assert len(set(proxies.values())) == 7
        assert ran.said_of("edge/edge-proxy-7") == (
            "0/9 nodes are available: 1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }, "
            "1 node(s) were unschedulable, 7 node(s) didn't have free ports for the requested pod ports"
        )

    def test_free_but_scattered(self, api: Api) -> None:
        ran = Ran(api, "free-but-scattered")
        assert list(ran.pending) == ["default/report-builder"]
        assert ran.said_of("default/report-builder") == "0/4 nodes are available: 4 Insufficient cpu"
        assert sum(pod.startswith("default/mailer") for pod in ran.placements) == 5

    def test_trainings_get_their_gpus_before_notebooks(self, api: Api) -> None:
        ran = Ran(api, "last-gpu")
        assert {f"research/training-{index}" for index in range(3)} <= set(ran.placements)
        assert set(ran.pending) == {"research/notebook-1", "research/forgot-the-toleration"}

    def test_the_node_with_the_image_comes_first(self, api: Api) -> None:
        ran = Ran(api, "image-already-there")
        servers = [
            node for pod, node in sorted(ran.placements.items()) if pod.startswith("default/model-server")
        ]
        assert ran.pending == {}
        assert servers[0] == "right"
        assert "far" not in servers

    def test_four_pods_wait_for_four_reasons(self, api: Api) -> None:
        ran = Ran(api, "pending-for-four-reasons")
        assert {pod: (each["queue"], *each["plugins"]) for pod, each in ran.pending.items()} == {
            "default/batch-4": ("gated", "SchedulingGates"),
            "default/database-0": ("unschedulable", "NodeAffinity"),
            "default/simulation": ("unschedulable", "NodeResourcesFit"),
            "monitoring/second-exporter": ("unschedulable", "NodePorts"),
        }

    def test_a_payment_pod_evicts_the_least(self, api: Api) -> None:
        ran = Ran(api, "who-is-evicted")
        assert ran.pending == {}
        assert ran.placements["default/payment-0"] == "node-2"
        assert "default/batch-2-2" not in ran.placements  # the one that started last
        assert sum(pod.startswith("default/batch") for pod in ran.placements) == 5

    def test_a_volume_holds_its_pod_in_a_full_zone(self, api: Api) -> None:
        ran = Ran(api, "volume-in-another-zone")
        assert ran.said_of("shop/orders-0") == (
            "0/4 nodes are available: 2 Insufficient cpu, 2 node(s) didn't match PersistentVolume's node affinity"
        )
        assert ran.placements["shop/orders-1"] == "b-2"

    def test_skew_refuses_free_nodes(self, api: Api) -> None:
        ran = Ran(api, "skew")
        assert {ran.placements["default/web-3"], ran.placements["default/web-4"]} == {"a-1", "b-1"}
        assert ran.said_of("default/web-5") == (
            "0/3 nodes are available: 1 Insufficient cpu, "
            "2 node(s) didn't match pod topology spread constraints"
        )

    def test_the_first_of_a_series_may_begin_and_the_others_wait_for_it(self, api: Api) -> None:
        ran = Ran(api, "who-waits-for-whom")
        assert ran.pending == {}
        assert {ran.placements[f"default/worker-{index}"][0] for index in range(3)} == {"b"}
        assert ran.placements["default/report"] == ran.placements["default/cache"]
        refused = ran.events("PodUnschedulable")
        assert [(event["pod"], event["message"].split(". ")[0]) for event in refused] == [
            ("default/report", "0/4 nodes are available: 4 node(s) didn't match pod affinity rules")
        ]

    def test_a_quota_refuses_pods_before_anything_is_pending(self, api: Api) -> None:
        ran = Ran(api, "no-pods-at-all")
        assert (len(ran.placements), ran.pending) == (2, {})
        assert all(pod.startswith("team-a/api-") for pod in ran.placements)
        messages = [event["message"].split(" is forbidden: ")[1] for event in ran.events("AdmissionRefused")]
        assert set(messages) == {
            "failed quota: team-a: must specify requests.cpu for: web",
            "exceeded quota: team-a, requested: requests.cpu=1, used: requests.cpu=2, limited: requests.cpu=2",
        }

    def test_one_profile_spreads_and_the_other_packs(self, api: Api) -> None:
        ran = Ran(api, "two-profiles")
        assert (ran.placements["default/spread"], ran.placements["default/pack"]) == ("empty", "nearly-full")

    def test_a_rollout_stops_where_no_node_is_left_for_one_more(self, api: Api) -> None:
        ran = Ran(api, "stuck-rollout")
        assert len(set(ran.placements.values())) == 3
        assert list(ran.pending) == ["shop/web-5f7fffd86-frqzx"]
        assert ran.said_of("shop/web-5f7fffd86-frqzx") == (
            "0/3 nodes are available: 3 node(s) didn't match pod anti-affinity rules"
        )

    def test_a_budget_holds_a_drain_up_for_good(self, api: Api) -> None:
        ran = Ran(api, "drain-without-end")
        (refused,) = ran.events("EditRefused")
        assert refused["message"] == (
            "the drain did not end: still there: shop/db-1: "
            "The disruption budget db needs 2 healthy pods and has 2 currently"
        )
        assert ran.placements["shop/db-1"] == "node-1"
        assert {event["pod"] for event in ran.events("EvictionRefused")} == {"shop/db-1"}

    def test_each_event_wakes_the_one_pod_that_gains_by_it(self, api: Api) -> None:
        ran = Ran(api, "what-wakes-a-pod")
        woken = [event for event in ran.events("PodEnqueued") if event["t_us"] >= 10_000_000]
        assert [(event["t_us"] // 1_000_000, event["event"], event["pod"]) for event in woken] == [
            (10, "NodeLabelChange", "default/fast"),
            (20, "AssignedPodDelete", "default/large"),
            (30, "NodeTaintChange", "default/build"),
        ]
        assert ran.placements["default/large"] == "node-2"

    def test_what_tolerates_a_taint_is_placed_there_again(self, api: Api) -> None:
        ran = Ran(api, "back-to-the-tainted-node")
        leaving = [
            (event["t_us"] // 1_000_000, event["pod"].split("-")[0]) for event in ran.events("PodTerminating")
        ]
        assert leaving == [
            *[(60, "shop/web")] * 2,
            *[(seconds, "shop/cache") for seconds in (180, 300, 420, 540)],
        ]
        assert sum(node == "node-1" for node in ran.placements.values()) == 2  # the agent, and a cache

    def test_a_lost_zone_comes_back_to_nine_pods(self, api: Api) -> None:
        ran = Ran(api, "lose-a-zone")
        assert sum(pod.startswith("shop/web-") for pod in ran.placements) == 9
        assert [event["text"] for event in ran.events("EditApplied")][1] == "Lose zone b"

    def test_nodes_are_renewed_with_the_question_s_options(self, api: Api) -> None:
        ran = Ran(api, "renew-the-nodes")
        assert {"a-3", "a-4"} <= set(ran.placements.values())
        assert not {"a-1", "a-2"} & set(ran.placements.values())

    def test_a_rush_ends_with_the_shop_as_it_should_be(self, api: Api) -> None:
        ran = Ran(api, "a-rush")
        assert ran.pending == {}
        assert sum(pod.startswith("shop/web-") for pod in ran.placements) == 6


@pytest.mark.django_db
def test_a_card_is_made_without_loading_anything() -> None:
    shop = find_example("a-rush")
    assert shop is not None
    assert shop.summary.card["wanted"] == 12
    assert Cluster.objects.count() == 0
    assert load_example(workspace_of(), shop).example == "a-rush"
