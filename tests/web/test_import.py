from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from playground.models import Cluster, ClusterRevision, Node, Pod, Resource
from tests.needs import ROOT, outside
from tests.web.conftest import Api, manifests, node, pod, small_cluster

pytestmark = pytest.mark.django_db


def nothing_is_stored() -> bool:
    return not any(model.objects.exists() for model in (Cluster, ClusterRevision, Node, Pod, Resource))


def test_a_body_of_yaml_becomes_a_cluster_with_counts(api: Api) -> None:
    answer = api.import_text(
        "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n---\n"
        "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: shop}\nspec: {containers: [{name: c, image: i}]}\n",
        query="?name=Two%20things",
    )
    assert answer["name"] == "Two things"
    assert answer["counts"] == {"nodes": 1, "pods": 1, "bound": 0, "pending": 1, "other": 0}
    assert len(answer["revision"]) == 12
    assert api.get(f"clusters/{answer['id']}") == answer


def test_several_files_become_one_cluster_named_after_the_first(api: Api) -> None:
    answer = api.import_files(
        {"nodes.json": manifests(node("n1"), node("n2")).encode(), "pods.json": manifests(pod("p")).encode()}
    )
    assert answer["name"] == "nodes and 1 more"
    assert answer["counts"]["nodes"] == 2
    assert answer["counts"]["pods"] == 1


def test_a_file_that_begins_with_a_question_is_shown_as_it(api: Api) -> None:
    text = (ROOT / "tests/inputs/faults/pages/lesson.yaml").read_bytes()
    made = api.import_files({"lesson.yaml": text})
    cluster = Cluster.objects.get(id=made["id"])
    assert cluster.question == "My own lesson question?"
    assert cluster.description.startswith("Six replicas are to differ by one at most between three zones.")
    page = api.client.get(f"/clusters/{cluster.id}/").content.decode()
    assert "My own lesson question?" in page
    two = api.import_files({"lesson.yaml": text, "more.yaml": small_cluster(1, 0).encode()})
    assert Cluster.objects.get(id=two["id"]).question == ""


def test_the_same_content_has_the_same_revision_and_other_content_another(api: Api) -> None:
    first, again = api.import_text(small_cluster()), api.import_text(small_cluster())
    other = api.import_text(small_cluster(num_pods=6))
    assert first["id"] != again["id"]
    assert first["revision"] == again["revision"] != other["revision"]


def test_bound_pods_fill_their_nodes_and_finished_ones_do_not(api: Api) -> None:
    done = pod("done", "2", nodeName="n1")
    done["status"]["phase"] = "Succeeded"
    cluster = api.import_text(manifests(node("n1"), pod("a", "1500m", nodeName="n1"), done, pod("b")))
    assert cluster["counts"] == {"nodes": 1, "pods": 3, "bound": 1, "pending": 1, "other": 0}
    (item,) = api.get(f"clusters/{cluster['id']}/nodes")["results"]
    assert item["allocatable"] == {"cpu": 4000, "memory": 8 << 30, "pods": 110}
    assert item["requested"] == {"cpu": 1500, "memory": 256 << 20, "pods": 1}
    assert item["num_pods"] == 1


def test_a_real_dump_of_seven_nodes_is_read(api: Api) -> None:
    path = outside("dumps/seven-nodes.json")
    answer = api.import_files({path.name: path.read_bytes()})
    assert answer["name"] == "seven-nodes"
    assert answer["counts"] == {"nodes": 7, "pods": 0, "bound": 0, "pending": 0, "other": 0}


def test_real_pending_pods_are_read(api: Api) -> None:
    path = outside("dumps/pending-pods.json")
    answer = api.import_files({path.name: path.read_bytes()})
    assert answer["counts"]["pending"] == 2


def test_what_nobody_should_keep_is_not_stored(api: Api) -> None:
    secret = "hunter2-and-more"
    held = pod("p")
    held["spec"]["containers"][0]["env"] = [{"name": "PASSWORD", "value": secret}]
    held["metadata"]["annotations"] = {
        "kubectl.kubernetes.io/last-applied-configuration": json.dumps({"x": secret})
    }
    held["metadata"]["managedFields"] = [{"manager": secret}]
    things = [
        node("n1"),
        held,
        {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}, "stringData": {"a": secret}},
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": {"a": secret}},
    ]
    cluster = api.import_text(manifests(*things))
    kept = [row for model in (Node, Pod, Resource) for row in model.objects.values_list("object", flat=True)]
    assert len(kept) >= 2
    assert not any(secret in text for text in kept)
    assert {each["kind"] for each in cluster["skipped"]} >= {"Secret", "ConfigMap"}
    full = api.get(f"clusters/{cluster['id']}/pods", full="1")["results"][0]["object"]
    assert full["metadata"]["name"] == "p"
    assert secret not in json.dumps(full)


@pytest.mark.parametrize(
    ("text", "type_", "says"),
    [
        (b"just some words", "", ""),
        (b"", "", ""),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\xff\xfe\x00", "", ""),
        (b"kind: Node\n\tmetadata: {}\n", "Syntax", ""),
        (b"apiVersion: v1\nkind: Node\nmetadata: {labels: {a: b}}\n", "Required value", "name"),
        (b"apiVersion: v1\nkind: Node\nkind: Node\nmetadata: {name: n}\n", "", "kind"),
        (b'{"apiVersion":"v1","kind":"Node","metadata":{"name":"n","name":"m"}}', "", "name"),
        (b'{"apiVersion":"v1","kind":"Node",', "", ""),
        (b"[" * 100_000, "", ""),
        (b"{" * 100_000, "", ""),
    ],
    ids=["words", "empty", "binary", "tab", "no-name", "twice", "twice-json", "cut", "deep-list", "deep-map"],
)
def test_bad_input_is_refused_with_its_place_and_nothing_is_stored(
    api: Api, text: bytes, type_: str, says: str
) -> None:
    answer = api.import_files({"cluster.yaml": text}, status=422)
    assert answer["status"] == 422
    assert answer["errors"]
    error = answer["errors"][0]
    assert error["file"] == "cluster.yaml"
    assert type_ in error["type"]
    assert says in error["sentence"]
    assert nothing_is_stored()


def test_an_alias_bomb_is_refused(api: Api) -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 10)]
    answer = api.import_text("\n".join(lines), status=422)
    assert answer["errors"][0]["type"] == "Limit"
    assert nothing_is_stored()


def test_all_errors_come_at_once_with_document_and_line(api: Api) -> None:
    text = (
        "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n---\n"
        "apiVersion: v1\nkind: Node\nmetadata: {}\n---\n"
        "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n"
        "  - {name: c, image: i, resources: {requests: {cpu: 6GiB}}}\n"
    )
    errors = api.import_files({"all.yaml": text.encode()}, status=422)["errors"]
    assert [(error["document"], error["field"]) for error in errors] == [
        (2, "metadata.name"),
        (3, "spec.containers[0].resources.requests[cpu]"),
    ]
    assert errors[1]["line"] == 14
    assert errors[1]["value"] == "6GiB"
    assert nothing_is_stored()


def test_with_skip_invalid_the_rest_is_taken_and_the_errors_are_listed(api: Api) -> None:
    text = manifests(node("n1"), {"apiVersion": "v1", "kind": "Node", "metadata": {}}, pod("p"))
    answer = api.import_text(text, query="?skip_invalid=true")
    assert answer["counts"]["nodes"] == 1
    assert answer["counts"]["pods"] == 1
    assert [error["field"] for error in answer["errors"]] == ["metadata.name"]


def test_an_empty_list_is_an_empty_cluster_and_the_report_says_so(api: Api) -> None:
    cluster = api.import_text(manifests())
    assert cluster["counts"] == {"nodes": 0, "pods": 0, "bound": 0, "pending": 0, "other": 0}
    assert cluster["report"]["notes"] == ["nothing was in it: the list is empty"]


def test_a_cluster_without_nodes_and_pods_is_a_cluster(api: Api) -> None:
    answer = api.import_text(
        manifests({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}})
    )
    assert answer["counts"] == {"nodes": 0, "pods": 0, "bound": 0, "pending": 0, "other": 1}
    assert answer["kinds"] == {"Namespace": 1}
    path = f"clusters/{answer['id']}"
    assert api.get(f"{path}/nodes") == {"count": 0, "next": None, "previous": None, "results": []}
    (resource,) = api.get(f"{path}/resources", full="true")["results"]
    assert resource["object"]["metadata"] == {"name": "shop"}


def test_workloads_that_make_no_pods_are_said(api: Api) -> None:
    labels = {"app": "web"}
    template = {"metadata": {"labels": labels}, "spec": pod("x")["spec"]}
    web = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}}
    web["spec"] = {"replicas": 3, "selector": {"matchLabels": labels}, "template": template}
    answer = api.import_text(manifests(node("n1"), web))
    assert (
        answer["warnings"][0] == "a run's controllers look after 1 Deployment: pods that are missing are made"
    )


def test_an_empty_body_holds_nothing(api: Api) -> None:
    for content_type in ("application/yaml", "application/json", ""):
        (error,) = api.import_text(b"", status=422, content_type=content_type)["errors"]
        assert "no Kubernetes object found" in error["sentence"]


def test_a_form_without_a_file_is_a_bad_request(api: Api) -> None:
    answer = api.client.post("/api/v1/clusters/import", {"name": "x"})
    assert answer.status_code == 400
    assert "file" in answer.json()["detail"]


def test_a_body_that_does_not_say_what_it_is_is_read(api: Api) -> None:
    assert api.import_text(small_cluster(), content_type="")["counts"]["nodes"] == 3
    assert (
        api.import_text(small_cluster(), content_type="application/x-www-form-urlencoded")["name"] == "input"
    )


def test_a_picture_is_an_unsupported_media_type(api: Api) -> None:
    answer = api.import_text(b"\x89PNG", status=415, content_type="image/png")
    assert answer["status"] == 415


def test_names_that_no_cluster_would_take_are_refused_with_their_places(api: Api) -> None:
    space = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "Shop"}}
    errors = api.import_text(manifests(node("n\0"), pod("p" * 300), space), status=422)["errors"]
    assert [(error["field"], error["line"]) for error in errors] == [("metadata.name", 1)] * 3
    assert "must be no more than 253 characters" in errors[1]["message"]
    assert "a lowercase RFC 1123 label must consist of" in errors[2]["message"]
    assert nothing_is_stored()


def test_odd_texts_elsewhere_are_kept_and_listed(api: Api) -> None:
    odd = pod("p", nodeName="n\0")
    odd["status"]["phase"] = "x\0" * 50
    cluster = api.import_text(manifests(node("n"), odd))
    (item,) = api.get(f"clusters/{cluster['id']}/pods")["results"]
    assert item["node"] == "n\0"
    assert item["phase"] == "x\0" * 50


def test_an_amount_that_is_none_comes_with_what_to_write(api: Api) -> None:
    (error,) = api.import_text(manifests(pod("p", memory="6GiB")), status=422)["errors"]
    assert error["hint"] == "write 6Gi"
    assert error["sentence"].endswith("(write 6Gi)")


def test_a_name_with_odd_letters_is_made_printable(api: Api) -> None:
    answer = api.import_text(small_cluster(), query="?name=a%0Ab%C2%85c" + "d" * 300)
    assert answer["name"].startswith("a b cd")
    assert len(answer["name"]) == 200


def test_an_import_that_is_sent_again_with_its_key_makes_one_cluster(api: Api) -> None:
    def send(name: str = "c.json") -> Any:
        upload = SimpleUploadedFile(name, small_cluster().encode())
        return api.client.post(
            "/api/v1/clusters/import", {"file": upload}, headers={"idempotency-key": "import-1"}
        )

    first, again = send(), send()
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    assert again["Idempotency-Replayed"] == "true"
    assert send("other.json").status_code == 422
    assert len(api.get("clusters")["results"]) == 1
