"""A cluster's objects, one by one: each change makes a revision, and none that is refused leaves a trace."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from playground.api.label_selector import parse_label_selector
from playground.models import ClusterRevision, Pod
from tests.web.conftest import Api, manifests, node, pod

pytestmark = pytest.mark.django_db

ABSENT = "0123456789abcdef"


@pytest.fixture
def cluster(api: Api) -> str:
    labelled = pod("web")
    labelled["metadata"]["labels"] = {"app": "web", "tier": "front"}
    plain = [{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": f"ns{i}"}} for i in range(3)]
    return str(
        api.import_text(manifests(node("n1"), labelled, *plain, pod("db", nodeName="n1"), node("n2")))["id"]
    )


def send(api: Api, method: str, path: str, body: Any = None, **headers: str) -> Any:
    content_type = headers.pop("content_type", "application/json")
    text = body if isinstance(body, str | bytes) else json.dumps(body)
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return api.client.generic(method, f"/api/v1/clusters/{path}", text, content_type, headers=names)


def keys(page: dict[str, Any]) -> list[str]:
    return [item["key"] for item in page["results"]]


def test_lists_give_items_as_they_are_stored_a_page_at_a_time(api: Api) -> None:
    odd = pod("odd")
    odd["metadata"]["labels"] = {"app": "web", "note": "x"}
    odd["spec"]["schedulerName"] = "sch\u00e9duler"
    made = api.import_text(manifests(node("n1"), odd, *(pod(f"p{place}") for place in range(4))))
    stored = list(Pod.objects.filter(revision__cluster=made["id"]).values_list("item", flat=True))
    path = f"clusters/{made['id']}/pods"
    assert api.get(path)["results"] == stored
    page = api.get(path, limit=2, offset=2)
    assert (page["count"], page["results"]) == (5, stored[2:4])
    assert page["next"].endswith("pods?limit=2&offset=4")
    assert page["previous"].endswith("pods?limit=2")
    assert api.get(path, offset=9)["results"] == []
    assert [item["name"] for item in api.get(path, q="dd")["results"]] == ["odd"]
    assert [item["object"]["metadata"]["name"] for item in api.get(path, q="dd", full=1)["results"]] == [
        "odd"
    ]


def test_objects_of_all_kinds_come_in_the_order_of_the_input(api: Api, cluster: str) -> None:
    page = api.get(f"clusters/{cluster}/objects")
    assert keys(page) == [
        *("Node/n1", "Pod/default/web", "Namespace/ns0", "Namespace/ns1", "Namespace/ns2"),
        *("Pod/default/db", "Node/n2"),
    ]
    assert page["next"] is None
    assert page["results"][1]["object"]["spec"]["containers"][0]["image"] == "registry.example/app:1"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"kind": "Namespace"}, ["Namespace/ns0", "Namespace/ns1", "Namespace/ns2"]),
        ({"kind": "Node"}, ["Node/n1", "Node/n2"]),
        ({"kind": "Pod", "q": "D"}, ["Pod/default/db"]),
        ({"namespace": "default"}, ["Pod/default/web", "Pod/default/db"]),
        ({"labelSelector": "app=web,tier in (front,back)"}, ["Pod/default/web"]),
        ({"labelSelector": "!app", "kind": "Pod"}, ["Pod/default/db"]),
        ({"kind": "Secret"}, []),
    ],
)
def test_filters_narrow(api: Api, cluster: str, query: dict[str, str], expected: list[str]) -> None:
    assert keys(api.get(f"clusters/{cluster}/objects", **query)) == expected


def test_pages_follow_each_other_even_while_the_cluster_changes(api: Api, cluster: str) -> None:
    page = api.get(f"clusters/{cluster}/objects", limit=3)
    assert keys(page) == ["Node/n1", "Pod/default/web", "Namespace/ns0"]
    assert send(api, "DELETE", f"{cluster}/objects/Namespace/ns1").status_code == 204
    rest = []
    while page["next"]:
        page = api.client.get(page["next"]).json()
        rest += keys(page)
    assert rest == ["Namespace/ns1", "Namespace/ns2", "Pod/default/db", "Node/n2"]


@pytest.mark.parametrize(
    ("query", "status"),
    [
        *(("limit=0", 400), ("cursor=x", 422), ("cursor=%F0", 422), ("cursor=YWJj", 422)),
        *(("labelSelector=a%20b", 422), ("labelSelector=,", 422)),
    ],
)
def test_odd_questions_are_refused(api: Api, cluster: str, query: str, status: int) -> None:
    answer = api.client.get(f"/api/v1/clusters/{cluster}/objects?{query}")
    assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json")


def test_one_object_is_read_with_its_tag(api: Api, cluster: str) -> None:
    answer = api.client.get(f"/api/v1/clusters/{cluster}/objects/Pod/default/web")
    assert answer.json()["metadata"]["labels"] == {"app": "web", "tier": "front"}
    listed = api.get(f"clusters/{cluster}/objects", q="web")["results"][0]
    assert answer["ETag"] == listed["etag"]
    again = api.client.get(
        f"/api/v1/clusters/{cluster}/objects/Pod/default/web", headers={"if-none-match": listed["etag"]}
    )
    assert again.status_code == 304
    assert (
        "no Pod/default/nope" in api.get(f"clusters/{cluster}/objects/Pod/default/nope", status=404)["detail"]
    )
    api.get(f"clusters/{cluster}/objects/Node/default/n1", status=404)
    api.get(f"clusters/{ABSENT}/objects/Node/n1", status=404)


def test_putting_creates_then_replaces_and_each_makes_a_revision(api: Api, cluster: str) -> None:
    before = api.get(f"clusters/{cluster}")
    created = send(api, "PUT", f"{cluster}/objects/Pod/default/new", pod("new", cpu="1"))
    assert created.status_code == 201
    replaced = send(
        api,
        "PUT",
        f"{cluster}/objects/Pod/default/new",
        yaml.safe_dump(pod("new", cpu="2")),
        content_type="application/yaml",
    )
    assert replaced.status_code == 200
    assert replaced.json()["spec"]["containers"][0]["resources"]["requests"]["cpu"] == "2"
    after = api.get(f"clusters/{cluster}")
    names = [each["revision"] for each in api.get(f"clusters/{cluster}/revisions")["results"]]
    assert names == [replaced["Playground-Revision"], created["Playground-Revision"], before["revision"]]
    assert after["revision"] == names[0]
    assert (after["counts"]["pods"], before["counts"]["pods"]) == (3, 2)
    old = api.get(f"clusters/{cluster}/pods", revision=before["revision"])
    assert [item["name"] for item in old["results"]] == ["web", "db"]


def test_if_match_refuses_what_has_changed_meanwhile(api: Api, cluster: str) -> None:
    path = f"{cluster}/objects/Pod/default/web"
    etag = api.client.get(f"/api/v1/clusters/{path}")["ETag"]
    assert send(api, "PUT", path, pod("web", cpu="1"), if_match=etag).status_code == 200
    late = send(api, "PUT", path, pod("web", cpu="3"), if_match=etag)
    assert late.status_code == 412
    assert late.json()["detail"].startswith("Pod/default/web is not what If-Match says: its ETag is")
    assert send(api, "DELETE", path, if_match=etag).status_code == 412
    newest = api.client.get(f"/api/v1/clusters/{path}", headers={"accept-encoding": "gzip"})["ETag"]
    assert send(api, "DELETE", path, if_match=f'"x", W/{newest.removeprefix("W/")}').status_code == 204
    assert send(api, "PUT", path, pod("web"), if_match="*").status_code == 412
    assert send(api, "PUT", path, pod("web"), if_none_match="*").status_code == 201
    assert send(api, "PUT", path, pod("web", cpu="2"), if_none_match="*").status_code == 412


def test_a_merge_patch_changes_adds_and_takes_away(api: Api, cluster: str) -> None:
    path = f"{cluster}/objects/Pod/default/web"
    patch = {"metadata": {"labels": {"tier": None, "new": "yes"}}, "spec": {"priority": 7}}
    answer = send(api, "PATCH", path, patch, content_type="application/merge-patch+json")
    assert answer.status_code == 200, answer.content
    assert answer.json()["metadata"]["labels"] == {"app": "web", "new": "yes"}
    assert answer.json()["spec"]["priority"] == 7


def test_a_json_patch_does_all_its_operations_or_none(api: Api, cluster: str) -> None:
    path = f"{cluster}/objects/Pod/default/web"
    operations: list[dict[str, Any]] = [
        {"op": "test", "path": "/metadata/labels/app", "value": "web"},
        {"op": "replace", "path": "/spec/containers/0/resources/requests/cpu", "value": "2"},
        {"op": "add", "path": "/metadata/labels/a~1b", "value": "c"},
        {"op": "move", "from": "/metadata/labels/tier", "path": "/metadata/labels/level"},
        {"op": "copy", "from": "/metadata/labels/app", "path": "/metadata/labels/copy"},
        {"op": "remove", "path": "/metadata/labels/app"},
    ]
    answer = send(api, "PATCH", path, operations, content_type="application/json-patch+json")
    assert answer.status_code == 200, answer.content
    assert answer.json()["metadata"]["labels"] == {"a/b": "c", "level": "front", "copy": "web"}
    refused = send(
        api,
        "PATCH",
        path,
        [{"op": "remove", "path": "/metadata/labels/copy"}, operations[0]],
        content_type="application/json-patch+json",
    )
    assert refused.status_code == 422
    assert refused.json()["detail"] == "Operation 1 of the JSON patch: there is no 'app' in the path."
    assert "copy" in api.get(f"clusters/{cluster}/objects/Pod/default/web")["metadata"]["labels"]


@pytest.mark.parametrize(
    "operations",
    [
        {}, [1], [{}], [{"op": "add"}], [{"op": "add", "path": "/a"}], [{"op": "add", "path": "a", "value": 1}],
        [{"op": "remove", "path": ""}], [{"op": "remove", "path": "/spec/containers/01"}],
        [{"op": "add", "path": "/spec/containers/9", "value": {}}], [{"op": "replace", "path": "/nope", "value": 1}],
        [{"op": "move", "from": "/spec", "path": "/spec/containers/0"}],
        [{"op": "test", "path": "/kind", "value": True}],
        [{"op": "add", "path": "/kind/x", "value": 1}], [{"op": "remove", "path": "/spec/containers/" + "9" * 5000}],
    ],
)  # fmt: skip
def test_an_odd_json_patch_is_422_and_changes_nothing(api: Api, cluster: str, operations: Any) -> None:
    before = api.get(f"clusters/{cluster}")["revision"]
    answer = send(
        api,
        "PATCH",
        f"{cluster}/objects/Pod/default/web",
        operations,
        content_type="application/json-patch+json",
    )
    assert answer.status_code == 422, answer.content
    assert api.get(f"clusters/{cluster}")["revision"] == before


def test_the_patch_of_kubectls_default_type_is_refused_with_what_is_taken(api: Api, cluster: str) -> None:
    answer = send(
        api,
        "PATCH",
        f"{cluster}/objects/Pod/default/web",
        {},
        content_type="application/strategic-merge-patch+json",
    )
    assert answer.status_code == 415
    assert "application/merge-patch+json, application/json-patch+json" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("body", "field", "says"),
    [
        (pod("other"), "metadata.name", "does not match the name on the URL (web)"),
        (node("web"), "kind", "the address names a Pod"),
        (pod("web", cpu="6GiB"), "spec.containers[0].resources.requests[cpu]", "6GiB"),
        ({**pod("web"), "spce": {}}, "spce", "unknown field"),
        ([], "", ""),
        ("{", "", ""),
        (b"\x00\xff", "", ""),
    ],
)
def test_what_the_api_server_would_refuse_is_422_with_its_field(
    api: Api, cluster: str, body: Any, field: str, says: str
) -> None:
    revisions = ClusterRevision.objects.count()
    answer = send(api, "PUT", f"{cluster}/objects/Pod/default/web", body)
    assert answer.status_code == 422, answer.content
    errors = answer.json()["errors"]
    assert errors
    assert field in [error["field"] for error in errors]
    assert any(says in json.dumps(error) for error in errors)
    assert ClusterRevision.objects.count() == revisions


def test_several_are_created_at_once_or_none(api: Api, cluster: str) -> None:
    two = yaml.safe_dump_all([pod("a"), pod("b")])
    created = send(
        api, "POST", f"{cluster}/objects", two, content_type="application/yaml", idempotency_key="k"
    )
    assert (created.status_code, created.json()["revision"]) == (201, created["Playground-Revision"])
    again = send(api, "POST", f"{cluster}/objects", two, content_type="application/yaml", idempotency_key="k")
    assert again.json() == created.json()
    refused = send(
        api,
        "POST",
        f"{cluster}/objects",
        yaml.safe_dump_all([pod("c"), pod("a")]),
        content_type="application/yaml",
    )
    assert refused.status_code == 409
    assert refused.json()["detail"] == "Pod/default/a exists already; PUT replaces it."
    assert keys(api.get(f"clusters/{cluster}/objects", kind="Pod"))[-2:] == ["Pod/default/a", "Pod/default/b"]


def test_a_former_revision_comes_back(api: Api, cluster: str) -> None:
    first = api.get(f"clusters/{cluster}")["revision"]
    send(api, "DELETE", f"{cluster}/objects/Node/n2")
    assert api.get(f"clusters/{cluster}")["counts"]["nodes"] == 1
    assert api.post(f"clusters/{cluster}/revisions/{first}/restore", status=200)["counts"]["nodes"] == 2
    listed = api.get(f"clusters/{cluster}/revisions")["results"]
    assert [each["is_newest"] for each in listed] == [False, True]
    api.post(f"clusters/{cluster}/revisions/ffffffffffff/restore", status=404)


def test_a_cluster_is_exported_as_what_it_was_made_from(api: Api, cluster: str) -> None:
    text = api.client.get(f"/api/v1/clusters/{cluster}/export?format=yaml")
    assert text["Content-Type"] == "application/yaml"
    assert text["Content-Disposition"].startswith(f'attachment; filename="{cluster}-')
    assert [each["kind"] for each in yaml.safe_load(text.content)["items"]][:2] == ["Node", "Pod"]
    as_json = api.client.get(f"/api/v1/clusters/{cluster}/export", headers={"accept": "application/json"})
    again = api.import_text(as_json.content)
    assert again["revision"] == api.get(f"clusters/{cluster}")["revision"]
    by_accept = api.client.get(f"/api/v1/clusters/{cluster}/export", headers={"accept": "application/yaml"})
    assert by_accept.content == text.content
    redacted = api.client.get(f"/api/v1/clusters/{cluster}/export?redact=true").content
    assert b"registry.example" not in redacted
    assert len(json.loads(redacted)["items"]) == 7
    assert api.client.get(f"/api/v1/clusters/{cluster}/export?format=xml").status_code == 400
    assert (
        api.client.get(f"/api/v1/clusters/{cluster}/export", headers={"accept": "text/csv"}).status_code
        == 406
    )


def test_a_cluster_is_written_from_nothing(api: Api) -> None:
    empty = api.post("clusters", {"name": "mine"})
    assert (empty["name"], empty["counts"]["nodes"]) == ("mine", 0)
    assert send(api, "PUT", f"{empty['id']}/objects/Node/n1", node("n1")).status_code == 201
    full = api.post("clusters", {"name": "full", "objects": [node("n1"), pod("a")]})
    assert (full["counts"]["nodes"], full["counts"]["pending"]) == (1, 1)
    (error,) = api.post("clusters", {"name": "x", "objects": [node("n1"), {"kind": 3}]}, status=422)[
        "errors"
    ][:1]
    assert error["file"] == "objects"
    api.post("clusters", {"objects": []}, status=400)
    api.post("clusters", {"name": "x", "objects": [1]}, status=400)
    changed = send(api, "PATCH", full["id"], {"name": "other", "question": "Does it fit?"})
    assert (changed.status_code, changed.json()["name"], changed.json()["question"]) == (
        200,
        "other",
        "Does it fit?",
    )
    assert changed.json()["revision"] == full["revision"]
    assert send(api, "PATCH", full["id"], {"id": "x"}).status_code == 400


@pytest.mark.parametrize(
    ("text", "labels", "matches"),
    [
        ("", {}, True), ("a=b", {"a": "b"}, True), ("a==b", {"a": "c"}, False), ("a!=b", {}, True),
        ("a", {"a": ""}, True),
        ("!a", {"a": ""}, False), ("a in (b, c),d", {"a": "c", "d": "1"}, True), ("a notin (b)", {"a": "b"}, False),
        ("example.com/a-b=c.d", {"example.com/a-b": "c.d"}, True), ("a=", {"a": ""}, True),
        ("a in ()", {"a": ""}, True),
    ],
)  # fmt: skip
def test_selectors_are_read_as_kubectl_reads_them(text: str, labels: dict[str, str], matches: bool) -> None:
    assert all(each.matches(labels) for each in parse_label_selector(text)) is matches
