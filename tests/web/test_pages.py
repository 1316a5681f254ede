"""The pages as a browser without JavaScript gets them."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.needs import ROOT
from tests.web.conftest import Api, manifests, node, pod, small_cluster

pytestmark = pytest.mark.django_db

TAINT = {"key": "dedicated", "value": "gpu", "effect": "NoSchedule"}


def text_of(client: Client, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status
    return answer.content.decode()


def test_the_start_page_lists_clusters_and_questions(api: Api) -> None:
    empty = text_of(api.client, "/")
    assert "Your clusters" not in empty
    assert 'action="/examples/eighth-replica/run/"' in empty
    assert "Why does the eighth replica not fit nine nodes?" in empty
    cluster = api.import_text(small_cluster(), query="?name=Three%20nodes")
    page = text_of(api.client, "/")
    assert "Three nodes" in page
    assert f"/clusters/{cluster['id']}/" in page


@pytest.mark.parametrize("path", ["/runs/%00/", "/?q=%00"])
def test_an_address_with_a_nul_byte_is_told_on_a_page(client: Client, path: str) -> None:
    page = text_of(client, path, 400)
    assert "This request could not be read" in page
    assert 'href="/"' in page


def test_the_cluster_page_shows_nodes_and_pods_in_tables(api: Api) -> None:
    things = [node("node-a", taints=[TAINT]), pod("held", "1500m", nodeName="node-a"), pod("waits")]
    cluster = api.import_text(manifests(*things))
    page = text_of(api.client, f"/clusters/{cluster['id']}/")
    for shown in ("node-a", "held", "waits", "dedicated", "<table"):
        assert shown in page


def test_a_name_is_text_and_never_markup(api: Api) -> None:
    evil = "<script>alert(1)</script>"
    labelled = node("n1")
    labelled["metadata"]["annotations"] = {"note": evil}
    cluster = api.import_text(manifests(labelled), query=f"?name={evil}")
    for path in ("/", f"/clusters/{cluster['id']}/"):
        assert "<script>alert" not in text_of(api.client, path)


def test_the_form_imports_what_is_pasted_and_shows_the_cluster(client: Client) -> None:
    answer = client.post("/import/", {"text": small_cluster(), "name": "Pasted"})
    assert answer.status_code == 302
    assert "Pasted" in text_of(client, answer["Location"])


def test_the_form_shows_what_is_wrong_and_keeps_the_text(client: Client) -> None:
    answer = client.post("/import/", {"text": "kind: Node\napiVersion: v1\nmetadata: {}", "name": "Mine"})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "metadata.name" in page
    assert "metadata: {}" in page
    empty = client.post("/import/", {})
    assert empty.status_code == 422
    assert "Choose a file or paste manifests." in empty.content.decode()


def test_an_example_is_loaded_and_a_cluster_deleted_by_a_button(client: Client) -> None:
    answer = client.post("/examples/eighth-replica/load/")
    assert answer.status_code == 302
    assert "edge-proxy-7" in text_of(client, answer["Location"])
    gone = client.post(f"{answer['Location']}delete/")
    assert (gone.status_code, gone["Location"]) == (302, "/")
    text_of(client, answer["Location"], status=404)
    assert client.post("/examples/no-such-example/load/").status_code == 404


def test_buttons_only_work_by_post(api: Api) -> None:
    cluster = api.import_text(small_cluster())
    for path in ("/import/", f"/clusters/{cluster['id']}/run/", f"/clusters/{cluster['id']}/delete/"):
        assert api.client.get(path).status_code == 405


def test_forms_carry_a_token_against_foreign_forms() -> None:
    strict = Client(enforce_csrf_checks=True)
    assert strict.post("/import/", {"text": small_cluster()}).status_code == 403


@pytest.mark.usefixtures("worker")
def test_a_run_by_the_button_is_shown_with_its_outcome(api: Api) -> None:
    cluster = api.import_text(manifests(node("n1"), pod("fits"), pod("too-large", "64")))
    answer = api.client.post(f"/clusters/{cluster['id']}/run/")
    run_id = answer["Location"].strip("/").split("/")[1]
    api.wait_for(run_id)
    page = text_of(api.client, f"/runs/{run_id}/")
    assert "default/too-large" in page
    assert "Insufficient cpu" in page


def test_static_files_are_served_with_their_types(client: Client) -> None:
    if not (ROOT / "frontend" / "dist" / "theme.js").exists():
        pytest.skip("needs the built front end: make setup")
    answer = client.get("/static/theme.js")
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/javascript")
    assert client.get("/static/../manage.py").status_code == 404
