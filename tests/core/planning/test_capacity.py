"""How many more fit."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.api.pod import Pod
from scheduler_core.config import load_config
from scheduler_core.planning import Template, capacity
from tests.make import make, make_node, make_pod

CONFIG = load_config("")


def test_a_pod_fits_as_often_as_its_requests_do() -> None:
    cluster = [
        make_node("node-1", cpu="4"),
        make_node("node-2", cpu="2500m"),
        make_pod("old", requests={"cpu": "1"}, node="node-1"),
    ]
    found = capacity(cluster, [Template(make_pod("web", requests={"cpu": "1"}))], CONFIG)
    assert found.pods == found.rounds == 5
    assert found.placements == {"node-1": 3, "node-2": 2}
    assert found.stopped_by is not None
    assert found.stopped_by.plugins == ("NodeResourcesFit",)
    assert found.text == (
        "5 more of web fit. The next one stays pending: 0/2 nodes are available: 2 Insufficient cpu. "
        "no new claims to deallocate, preemption: not eligible due to preemptionPolicy=Never."
    )


def test_the_curve_tells_what_is_requested_and_how_many_nodes_are_left() -> None:
    cluster = [make_node("node-1", cpu="2"), make_node("node-2", cpu="1")]
    found = capacity(cluster, [Template(make_pod("web", requests={"cpu": "1"}))], CONFIG)
    assert [(point.pods, point.requested["cpu"]) for point in found.curve] == [
        (1, 1000),
        (2, 2000),
        (3, 3000),
    ]
    assert found.curve[0].feasible == 2
    assert found.curve[-1].feasible == 1
    assert found.allocatable["cpu"] == 3000


def test_a_ratio_is_placed_in_full_rounds() -> None:
    api, worker = make_pod("api", requests={"cpu": "1"}), make_pod("worker", requests={"cpu": "500m"})
    found = capacity([make_node("node-1", cpu="4500m")], [Template(api, 1), Template(worker, 2)], CONFIG)
    assert found.rounds == 2
    assert found.pods == 6
    assert found.stopped_by is not None
    assert found.stopped_by.pod == "default/api-more-3-1"
    assert found.text.startswith("2 more times 1 api + 2 worker fit. The next one stays pending: 0/1 nodes")


def test_what_is_pending_takes_its_room_first() -> None:
    cluster = [make_node("node-1", cpu="4"), make_pod("waiting", requests={"cpu": "3"})]
    found = capacity(cluster, [Template(make_pod("web", requests={"cpu": "1"}))], CONFIG)
    assert found.pods == 1
    assert found.text.startswith("1 more of web fits.")


def test_copies_evict_nobody() -> None:
    cluster = [
        make_node("node-1", cpu="4"),
        make_pod("low", requests={"cpu": "4"}, node="node-1", priority=0),
    ]
    found = capacity(cluster, [Template(make_pod("high", requests={"cpu": "1"}, priority=1000))], CONFIG)
    assert found.pods == 0
    assert found.placements == {}


def test_anti_affinity_counts() -> None:
    apart = {
        "podAntiAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": [
                {"labelSelector": {"matchLabels": {"app": "db"}}, "topologyKey": "kubernetes.io/hostname"}
            ]
        }
    }
    nodes = [make_node(f"node-{n}", labels={"kubernetes.io/hostname": f"node-{n}"}) for n in range(3)]
    found = capacity(nodes, [Template(make_pod("db", labels={"app": "db"}, affinity=apart))], CONFIG)
    assert found.placements == {"node-0": 1, "node-1": 1, "node-2": 1}


def test_the_limit_ends_a_question_without_an_end() -> None:
    found = capacity([make_node("node-1", pods="1000")], [Template(make_pod("tiny"))], CONFIG, limit=150)
    assert found.pods == 150
    assert found.stopped_by is None
    assert found.text == "At least 150 more of tiny fit; no more were tried."


def test_a_cancel_gives_what_was_found() -> None:
    tried: list[int] = []
    found = capacity(
        [make_node("node-1", pods="1000")],
        [Template(make_pod("tiny"))],
        CONFIG,
        progress=tried.append,
        is_cancelled=lambda: len(tried) >= 2,
    )
    assert tried == [64, 128, 128]
    assert found.pods == 128
    assert found.text == "At least 128 more of tiny fit; no more were tried."


def test_a_copy_that_waits_for_one_that_would_come_after_it_ends_the_count() -> None:
    affinity = {
        "podAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": [
                {"labelSelector": {"matchLabels": {"app": "db"}}, "topologyKey": "kubernetes.io/hostname"}
            ]
        }
    }
    web = make_pod("web", labels={"app": "web"}, affinity=affinity)
    db = make_pod("db", labels={"app": "db"})
    node = make_node("n", labels={"kubernetes.io/hostname": "n"}, pods="4")
    assert capacity([node], [Template(web), Template(db)], CONFIG).pods == 0
    assert capacity([node], [Template(db), Template(web)], CONFIG).pods == 4


def test_a_pod_of_a_deployment_goes_by_its_name() -> None:
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web-7d9", "uid": "u", "controller": True}
    metadata = {"name": "web-7d9-x", "labels": {"pod-template-hash": "7d9"}, "ownerReferences": [owner]}
    spec = {"containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "1"}}}]}
    pod = make({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec})
    assert isinstance(pod, Pod)
    assert capacity([make_node("n", cpu="2")], [Template(pod)], CONFIG).text.startswith("2 more of web fit.")


@settings(deadline=None, max_examples=25)
@given(st.lists(st.integers(1, 16), min_size=1, max_size=5), st.integers(1, 5))
def test_it_is_what_adding_up_gives(quarters: list[int], need: int) -> None:
    nodes = [make_node(f"n{index}", cpu=f"{250 * free}m") for index, free in enumerate(quarters)]
    found = capacity(nodes, [Template(make_pod("web", requests={"cpu": f"{250 * need}m"}))], CONFIG)
    assert found.pods == sum(free // need for free in quarters)
