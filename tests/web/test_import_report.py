"""What an import says about its input: in the API's answer, and on the cluster's page."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from playground.models import Node, Pod, Resource, Run
from tests.web.conftest import Api, manifests, node, pod

pytestmark = pytest.mark.django_db

SNAPSHOT = {"apiVersion": "playground/v1", "kind": "Snapshot", "capturedAt": "2026-11-30T12:00:00Z"}


def budget(name: str) -> dict[str, Any]:
    spec = {"selector": {"matchLabels": {"app": "nothing"}}, "minAvailable": 1}
    metadata = {"name": name, "namespace": "default"}
    return {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": metadata, "spec": spec}


def odd_cluster() -> str:
    young = pod("young")
    young["metadata"]["creationTimestamp"] = "2026-11-30T12:00:01Z"
    claim = {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": "data", "namespace": "default"},
        "spec": {},
    }
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}}
    objects = manifests(
        node("n1"), pod("lost", nodeName="gone"), young, claim, budget("b1"), budget("b2"), secret
    )
    return f"{json.dumps(SNAPSHOT)}\n{objects}"


def test_the_answer_tells_what_looks_odd_and_what_was_not_read(api: Api) -> None:
    cluster = api.import_text(odd_cluster())
    assert cluster["captured_at"] == "2026-11-30T12:00:00Z"
    report = cluster["report"]
    assert report["read"] == {"Node": 1, "PersistentVolumeClaim": 1, "Pod": 2, "PodDisruptionBudget": 2}
    assert report["skipped"] == {"Secret": 1}
    assert {finding["message"]: finding["count"] for finding in report["suspicious"]} == {
        "a pod is on a node that is not there": 1,
        "a pod is younger than the snapshot it is in": 1,
        "a disruption budget selects no pod": 2,
        "an unbound claim has no storage class, and there is no default one": 1,
    }
    assert report["suspicious"][2]["sentence"] == (
        "a disruption budget selects no pod: default/b1, default/b2"
    )
    assert report["defaulted"]["schedulerName: default-scheduler"] == 2


def test_the_page_tells_it_too(api: Api, client: Client) -> None:
    cluster = api.import_text(odd_cluster())
    page = client.get(f"/clusters/{cluster['id']}/").content.decode()
    for words in (
        "5 things look odd",
        "Captured <time",
        "30 Nov 2026, 12:00",
        "A disruption budget selects no pod",
        "default/b2",
        "Scheduling does not read 1 Secret",
        "Filled in as the API server does",
    ):
        assert words in page
    assert "Redacted" not in page


def test_a_usual_cluster_s_page_says_little(api: Api, client: Client) -> None:
    cluster = api.import_text(manifests(node("n1"), pod("p")))
    page = client.get(f"/clusters/{cluster['id']}/").content.decode()
    for words in ("look odd", "Captured", "does not read", "more notes", "Redacted"):
        assert words not in page


def test_a_page_of_many_notes_and_kinds_stays_short(api: Api, client: Client) -> None:
    things = [
        {"apiVersion": "example.com/v1", "kind": f"Widget{n}", "metadata": {"name": "w"}} for n in range(30)
    ]
    odd = [pod(f"p{n}", **{f"unknown{n}": 1}) for n in range(30)]
    cluster = api.import_text(manifests(node("n1"), *odd, *things))
    page = client.get(f"/clusters/{cluster['id']}/").content.decode()
    assert "25 more notes" in page
    assert "24 more kinds" in page


def test_a_time_that_is_none_is_shown_as_it_came(api: Api, client: Client) -> None:
    text = json.dumps({**SNAPSHOT, "capturedAt": "yesterday"}) + "\n" + manifests(node("n1"))
    cluster = api.import_text(text)
    assert cluster["captured_at"] == "yesterday"
    assert "Captured yesterday" in client.get(f"/clusters/{cluster['id']}/").content.decode()


class TestRedaction:
    SECRET = "acme-payments"

    def named(self) -> str:
        held = pod(f"{self.SECRET}-7", nodeName=f"{self.SECRET}.example.com")
        held["metadata"] |= {"namespace": self.SECRET, "labels": {"team": self.SECRET}}
        held["spec"]["containers"][0]["image"] = f"registry.example/{self.SECRET}:1"
        held["spec"]["unknown"] = 1
        return manifests(node(f"{self.SECRET}.example.com"), held, budget(self.SECRET))

    def test_nothing_that_is_stored_tells_whose_it_is(self, api: Api, client: Client) -> None:
        cluster = api.import_files({f"{self.SECRET}.json": self.named().encode()}, redact="true")
        assert cluster["redacted"] is True
        assert cluster["name"] == "Redacted cluster"
        assert cluster["counts"] == {"nodes": 1, "pods": 1, "bound": 1, "pending": 0, "other": 1}
        stored = [row.__dict__ for model in (Node, Pod, Resource) for row in model.objects.all()]
        assert self.SECRET not in f"{stored}{cluster}"
        page = client.get(f"/clusters/{cluster['id']}/").content.decode()
        assert self.SECRET not in page
        assert "Redacted:" in page

    def test_of_what_is_left_out_only_the_number_is_told(self, api: Api) -> None:
        wrong = pod(f"{self.SECRET}-8", "6GiB")
        text = manifests(node("n1"), wrong)
        cluster = api.import_text(text, query="?redact=1&skip_invalid=1")
        assert cluster["errors"] == []
        assert self.SECRET not in json.dumps(cluster)
        assert cluster["warnings"] == ["left out for they are wrong, and not listed for the names in them: 1"]


def test_what_a_configuration_sets_in_vain_stands_with_the_run(api: Api) -> None:
    cluster = api.import_text(manifests(node("n1")))
    run = api.run(cluster["id"])
    Run.objects.filter(id=run["id"]).update(notes=["leaderElection has no effect here"])
    assert api.get(f"runs/{run['id']}")["notes"] == ["leaderElection has no effect here"]


def test_files_keep_their_place_in_a_folder(api: Api) -> None:
    files = {"nodes.json": manifests(node("n1")), "pods.json": manifests(pod("p", "6GiB"))}
    client_files = {name: text.encode() for name, text in files.items()}
    (error,) = api.import_files(client_files, status=422, path=["team/a/nodes.json", "team/b/pods.json"])[
        "errors"
    ]
    assert error["file"] == "team/b/pods.json"
    good = {"nodes.json": client_files["nodes.json"], "pods.json": manifests(pod("p")).encode()}
    assert api.import_files(good, path=["team/a/nodes.json", "team/b/pods.json"])["name"] == "team"
