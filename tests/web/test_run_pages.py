"""Forks as a tree, and two runs side by side, as a browser without JavaScript gets them."""

from __future__ import annotations

import re
from typing import Any

import pytest

from playground.models import Run
from playground.views import compare as compare_view
from tests.web.conftest import Api, manifests, node, pod
from tests.web.test_forks import finished
from tests.web.test_pages import text_of

pytestmark = pytest.mark.usefixtures("worker")

CORDON = {"kind": "cordon", "nodes": ["n1"]}
ABSENT = "0123456789abcdef"


@pytest.fixture
def cluster(api: Api) -> str:
    return str(api.import_text(manifests(node("n1"), node("n2"), pod("a", "3"), pod("b", "3")))["id"])


def plain(page: str) -> str:
    """The words of a page."""
    return " ".join(re.sub(r"<[^>]*>", " ", page).split())


def family(page: str) -> str:
    """The nested lists of runs, without what stands in them."""
    return "".join(
        re.findall(r"</?ul|</?li", page[page.index('class="family"') :].partition("</section>")[0])
    )


@pytest.fixture
def forks(api: Api, cluster: str) -> dict[str, Any]:
    root = finished(api, {"cluster": cluster, "name": "as it is"})["id"]
    cordoned = finished(api, {"cycle": 2, "edits": [CORDON]}, f"runs/{root}/fork")["id"]
    again = finished(api, {"cycle": 1, "name": "once more"}, f"runs/{cordoned}/fork")["id"]
    return {"root": root, "cordoned": cordoned, "again": again}


def test_the_runs_of_a_cluster_are_a_tree_with_what_was_changed(
    api: Api, cluster: str, forks: dict[str, Any]
) -> None:
    page = text_of(api.client, f"/clusters/{cluster}/")
    assert family(page) == "<li<ul<li<ul<li</li</ul</li</ul</li</ul"
    words = plain(page)
    assert "as it is just now All 2 pods are placed, 2 cycles" in words
    assert (
        "Cordon n1 just now All 2 pods are placed, 2 cycles forked at cycle 2 Compare with its parent"
        in words
    )
    assert f"/runs/{forks['cordoned']}/compare/{forks['again']}/" in page
    answer = api.client.get("/compare/", {"before": forks["root"], "after": forks["again"]})
    assert answer["Location"] == f"/runs/{forks['root']}/compare/{forks['again']}/"
    assert api.client.get("/compare/", {"before": forks["root"]}).status_code == 404


def test_a_run_s_page_offers_its_parent_first(api: Api, cluster: str, forks: dict[str, Any]) -> None:
    other = finished(api, {"cluster": cluster, "name": "elsewhere"})["id"]
    sibling = finished(api, {"cycle": 1}, f"runs/{forks['root']}/fork")["id"]
    page = text_of(api.client, f"/runs/{forks['cordoned']}/")
    offered = page[page.index('id="compare-menu"') :].partition("</div>")[0]
    assert re.findall(r"<h2>(.*?)</h2>", offered) == ["Forked from", "Siblings", "Its forks", "Other runs"]
    root, cordoned, again = forks.values()
    assert re.findall(r'href="(.*?)"', offered) == [
        f"/runs/{root}/compare/{cordoned}/",
        f"/runs/{cordoned}/compare/{sibling}/",
        f"/runs/{cordoned}/compare/{again}/",
        f"/runs/{cordoned}/compare/{other}/",
    ]
    assert '<strong aria-current="page">Cordon n1</strong>' in page
    assert "elsewhere" not in page[page.index('class="family"') :].partition("compare-menu")[0]


def test_two_runs_are_compared_on_a_page(api: Api, cluster: str) -> None:
    root = finished(api, {"cluster": cluster})["id"]
    fork = finished(
        api, {"cycle": 2, "edits": [CORDON, {"kind": "cordon", "nodes": ["n2"]}]}, f"runs/{root}/fork"
    )
    words = plain(text_of(api.client, f"/runs/{root}/compare/{fork['id']}/"))
    assert "Δ 1 newly pending" in words
    assert "default/b newly pending n2 pending 0/2 nodes are available: 2 node(s) were unschedulable" in words
    assert "≤ 10 ms 2 1" in words
    itself = plain(text_of(api.client, f"/runs/{root}/compare/{root}/"))
    assert "Δ Nothing changes A run beside itself is always the same: choose another one." in itself


def test_a_comparison_of_what_is_not_there_is_a_page_that_says_so(api: Api, cluster: str) -> None:
    run = finished(api, {"cluster": cluster})["id"]
    for path in (f"/runs/{run}/compare/{ABSENT}/", f"/runs/{ABSENT}/compare/{run}/"):
        assert "There is nothing here" in text_of(api.client, path, status=404)


def test_long_runs_and_those_that_go_on_are_compared_when_asked(
    api: Api, cluster: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = (finished(api, {"cluster": cluster})["id"] for _ in range(2))
    monkeypatch.setattr(compare_view, "MAX_EVENTS_HERE", 3)
    path = f"/runs/{one}/compare/{other}/"
    assert "Compare them now" in text_of(api.client, path)
    assert "Nothing changes" in text_of(api.client, f"{path}?now")
    Run.objects.filter(id=other).update(status="running")
    assert "The second run is still going" in text_of(api.client, f"{path}?now")
    Run.objects.filter(id=other).update(status="finished")
