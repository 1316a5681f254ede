"""Stored profiles: changed by two people, in use, on their pages."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from tests.web.conftest import Api, manifests, node, pod

pytestmark = pytest.mark.django_db

HEAD = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"
PACKED = HEAD + "profiles:\n- plugins: {multiPoint: {enabled: [{name: ImageLocality, weight: 7}]}}\n"
UNKNOWN = HEAD + "profiles:\n- plugins: {score: {enabled: [{name: Coscheduling}]}}\n"


def kept(api: Api, name: str = "packed", config: str = PACKED) -> str:
    found: str = api.post("profiles", {"name": name, "config": config})["id"]
    return found


def shop(api: Api) -> str:
    """Imports a cluster with a configuration of its own; the configuration's profile."""
    config = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "percentageOfNodesToScore": 100,
    }
    export = {"nodes": [node("n1")], "pods": [], "namespaces": [], "schedulerConfig": config}
    found: str = api.import_files({"shop.json": json.dumps(export).encode()}, name="shop")["profile"]
    return found


def put(api: Api, path: str, body: dict[str, Any], etag: str) -> Any:
    headers = {"if-match": etag}
    return api.client.put(f"/api/v1/{path}", json.dumps(body), "application/json", headers=headers)


def page_of(api: Api, name: str, *args: str, status: int = 200, query: str = "") -> str:
    answer = api.client.get(reverse(f"playground:{name}", args=args) + query)
    assert answer.status_code == status
    return answer.content.decode()


def test_an_empty_configuration_is_kept_and_means_the_defaults(api: Api) -> None:
    found = api.post("profiles", {"name": "plain", "config": ""})
    assert found["config"] == ""
    form = api.post("profiles/form", {"config": ""}, status=200)
    assert form["differences"] == []
    shown = page_of(api, "profile", found["id"])
    assert "plain" in shown
    refused = api.client.post("/api/v1/profiles", '{"name": "none"}', "application/json")
    assert (refused.status_code, "config" in refused.content.decode()) == (400, True)


def test_who_saves_late_is_told_and_overwrites_nothing(api: Api) -> None:
    path = f"profiles/{kept(api)}"
    seen = api.client.get(f"/api/v1/{path}")["ETag"]
    first = put(api, path, {"name": "packed", "config": HEAD}, seen)
    assert first.status_code == 200
    late = put(api, path, {"name": "mine", "config": PACKED}, seen)
    assert late.status_code == 412
    assert late.json()["detail"].startswith("The profile packed is not what If-Match says")
    assert api.get(path)["config"] == HEAD
    assert put(api, path, {"name": "mine", "config": PACKED}, first["ETag"]).status_code == 200
    assert api.get(path)["name"] == "mine"


def test_a_profile_that_a_cluster_runs_with_is_not_deleted(api: Api) -> None:
    profile = shop(api)
    answer = api.client.delete(f"/api/v1/profiles/{profile}")
    assert answer.status_code == 409
    assert answer.json()["detail"].startswith("The cluster shop runs with this configuration")
    by_page = api.client.post(f"/profiles/{profile}/delete/")
    assert by_page.status_code == 409
    assert "The cluster shop runs with this configuration" in by_page.content.decode()
    spare = kept(api)
    assert api.client.post(f"/profiles/{spare}/delete/")["Location"] == "/profiles/"
    api.get(f"profiles/{spare}", 404)


def test_the_list_says_what_differs_and_what_uses_it(api: Api) -> None:
    assert "Default configuration" in page_of(api, "profiles")
    kept(api)
    kept(api, "plain", HEAD)
    kept(api, "gangs", UNKNOWN)
    shop(api)
    page = page_of(api, "profiles")
    for words in (
        "ImageLocality weighs 7, by default 1.",
        "The same as the default.",
        "kube-scheduler would not start with it",
        "&quot;Coscheduling&quot; does not exist",
        ">shop</a> runs with it",
        "not used yet",
    ):
        assert words in page


def test_a_profile_is_made_from_the_default_a_copy_and_a_file(api: Api) -> None:
    assert "kind: KubeSchedulerConfiguration" in page_of(api, "profile-new")
    original = kept(api)
    copy = page_of(api, "profile-new", query=f"?copy={original}")
    assert "Copy of packed" in copy
    assert "weight: 7" in copy
    page_of(api, "profile-new", query="?copy=unknown", status=404)
    made = api.client.post("/profiles/file/", {"file": SimpleUploadedFile("mine.yaml", PACKED.encode())})
    assert made.status_code == 302
    assert "mine.yaml" in api.client.get(made["Location"]).content.decode()
    broken = SimpleUploadedFile("broken.yaml", HEAD.encode() + b"profiles: 5\n")
    refused = api.client.post("/profiles/file/", {"file": broken})
    assert refused.status_code == 422
    assert "line 3" in refused.content.decode()
    assert "profiles: 5" in refused.content.decode()
    assert api.client.post("/profiles/file/").status_code == 422


def test_a_profile_is_saved_without_scripts(api: Api) -> None:
    profile = kept(api)
    saved = api.client.post(f"/profiles/{profile}/", {"name": "plain", "config": HEAD.replace("\n", "\r\n")})
    assert saved["Location"] == f"/profiles/{profile}/"
    assert api.get(f"profiles/{profile}")["config"] == HEAD
    late = api.client.post(f"/profiles/{profile}/", {"name": "late", "config": PACKED, "etag": '"older"'})
    assert late.status_code == 409
    assert "Somebody else has saved this profile since you opened it." in late.content.decode()
    assert "weight: 7" in late.content.decode()
    refused = api.client.post(f"/profiles/{profile}/", {"name": " ", "config": HEAD})
    assert refused.status_code == 422
    assert api.get(f"profiles/{profile}")["name"] == "plain"


def test_a_cluster_is_run_with_the_profile_that_was_chosen(api: Api, worker: None) -> None:
    cluster = api.import_text(manifests(node("n1"), pod("p")))["id"]
    profile = kept(api)
    assert f'<option value="{profile}">packed</option>' in page_of(api, "cluster", cluster)
    for sent, stored in (({"profile": profile}, profile), ({"profile": ""}, None), ({}, None)):
        answer = api.client.post(f"/clusters/{cluster}/run/", sent)
        assert api.get(f"runs/{answer['Location'].split('/')[2]}")["profile"] == stored
    assert api.client.post(f"/clusters/{cluster}/run/", {"profile": "unknown"}).status_code == 404


def test_a_cluster_runs_under_two_profiles_by_one_button(api: Api, worker: None) -> None:
    cluster = api.import_text(manifests(node("n1"), pod("p")))["id"]
    profile = kept(api)
    answer = api.client.post(f"/profiles/{profile}/compare/", {"cluster": cluster, "other": ""})
    first, second = (api.wait_for(run) for run in answer["Location"].split("/")[2:5:2])
    assert (first["profile"], first["name"]) == (None, "Default configuration")
    assert (second["profile"], second["name"]) == (profile, "packed")
    weighed = f"/profiles/new/?run={second['id']}&weights=ImageLocality:3"
    assert api.client.get(weighed)["Location"] == f"/profiles/{profile}/?weights=ImageLocality%3A3"
    put(api, f"profiles/{profile}", {"name": "packed", "config": HEAD}, "*")
    assert "weight: 7" in page_of(api, "profile-new", query=f"?run={second['id']}")
