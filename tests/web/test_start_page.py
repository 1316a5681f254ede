"""The start page's cards: a picture of each cluster, who waits and why, and how one among many is found."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from tests.web.conftest import Api, manifests, node, pod

pytestmark = pytest.mark.django_db

REFUSED = "0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1 x."


def refused_pod(name: str, message: str = REFUSED) -> dict[str, Any]:
    """Returns a pod as a dump has it when its scheduler found no node."""
    made = pod(name, cpu="9")
    made["status"]["conditions"] = [{"type": "PodScheduled", "status": "False", "message": message}]
    return made


def cards(client: Client, query: str = "") -> list[str]:
    """Returns the words on each cluster's card."""
    page = client.get(f"/{query}").content.decode()
    shelf = page.split('aria-label="Clusters">', 1)[-1].split("</ul>", 1)[0]
    return [
        re.sub(
            r"\s+", " ", re.sub(r"<svg.*?</svg>|<[^>]+>", "", card.split(">", 1)[1], flags=re.DOTALL)
        ).strip()
        for card in shelf.split('<li class="card')[1:]
    ]


def test_a_card_says_who_waits_in_the_words_of_the_dump(api: Api) -> None:
    objects = [node("n1", cpu="1"), pod("runs", nodeName="n1"), refused_pod("a"), refused_pod("b")]
    gated = refused_pod("c", "0/1 nodes are available: 1 node(s) were unschedulable.")
    api.import_text(manifests(*objects, gated), query="?name=Mine")
    (card,) = cards(api.client)
    assert card.startswith(
        "Mine 3 of 4 pods pending: Insufficient cpu and 1 other reason 1 node · not run yet"
    )
    assert card.endswith("imported just now")


def test_a_cluster_without_pods_says_how_many_a_run_makes(api: Api) -> None:
    template = {
        "metadata": {"labels": {"a": "b"}},
        "spec": {"containers": [{"name": "c", "image": "i"}]},
    }
    spec = {"replicas": 3, "selector": {"matchLabels": {"a": "b"}}, "template": template}
    deployment = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": spec}
    api.import_text(manifests(node("n1"), deployment))
    assert "No pods yet: a run makes 3" in cards(api.client)[0]


def test_what_was_odd_leads_to_the_import_s_report(api: Api) -> None:
    cluster = api.import_text(manifests(node("n1"), pod("a", nodeName="gone")))
    page = api.client.get("/").content.decode()
    assert f'href="/clusters/{cluster["id"]}/#import">1 thing looks odd</a>' in page


@pytest.mark.usefixtures("worker")
def test_after_a_run_a_card_says_how_it_left_the_pods(api: Api) -> None:
    cluster = api.import_text(manifests(node("n1", cpu="1"), pod("fits"), pod("big", cpu="9")))
    assert "2 of 2 pods pending 1 node · not run yet" in cards(api.client)[0]
    api.wait_for(api.run(cluster["id"])["id"])
    assert "1 of 2 pods pending: Insufficient cpu 1 node · last run just now" in cards(api.client)[0]
    objects = f"/api/v1/clusters/{cluster['id']}/objects"
    assert api.client.post(objects, pod("more"), content_type="application/json").status_code == 201
    assert "3 of 3 pods pending 1 node" in cards(api.client)[0]  # the run was of another revision


def test_a_picture_shows_zones_pods_and_who_waits(api: Api) -> None:
    zoned = node("n1")
    zoned["metadata"]["labels"]["topology.kubernetes.io/zone"] = "a"
    api.import_text(
        manifests(zoned, node("n2", unschedulable=True), pod("p", nodeName="n1"), pod("q"), pod("r"))
    )
    page = api.client.get("/").content.decode()
    picture = page.split('aria-label="Clusters">', 1)[1].split("</svg>", 1)[0]
    paths = {
        name: path.count("M") for name, path in re.findall(r'<path class="p-(\w+)" d="([^"]+)"', picture)
    }
    assert paths == {"zone": 2, "off": 1, "free": 1, "h12": 1, "waits": 2}
    assert 'aria-label="2 nodes by zone and what is on them; 2 pods wait below"' in picture


def test_many_clusters_are_found_by_name_and_put_in_order(api: Api) -> None:
    for name, num_nodes, num_pods in (("b-large", 3, 0), ("a-busy", 1, 2), ("c-old", 1, 0)):
        things = [node(f"n{index}") for index in range(num_nodes)] + [pod(f"p{i}") for i in range(num_pods)]
        api.import_text(manifests(*things), query=f"?name={name}")
    names = lambda query: [card.split()[0] for card in cards(api.client, query)]  # noqa: E731
    assert names("") == ["c-old", "a-busy", "b-large"]
    assert names("?order=name") == ["a-busy", "b-large", "c-old"]
    assert names("?order=pending")[0] == "a-busy"
    assert names("?order=nodes")[0] == "b-large"
    assert names("?find=LAR&order=nodes") == ["b-large"]
    assert names("?order=nonsense&page=nonsense") == ["c-old", "a-busy", "b-large"]
    nothing = api.client.get("/?find=%3Cb%3E").content.decode()
    assert "No cluster has “&lt;b&gt;” in its name" in nothing
    assert "No more clusters" in api.client.get("/?page=7").content.decode()


def test_there_is_nothing_to_find_among_few(api: Api) -> None:
    api.import_text(manifests(node("n1")))
    assert "Find by name" not in api.client.get("/").content.decode()
