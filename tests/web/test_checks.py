"""Checks by REST: the verdict, its reports, and what is refused before anything is stored."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import yaml
from django.core.files.uploadedfile import SimpleUploadedFile

from playground.models import Check, Job
from tests.web.conftest import Api, manifests, node, pod

pytestmark = pytest.mark.usefixtures("worker")

ABSENT = "0123456789abcdef"
HEAD = "apiVersion: playground/v1\nkind: Expectations\nspec:\n  expectations:\n"
EXPECTATIONS = f"{HEAD}  - noPreemption: {{}}\n"
NONSENSE = f"{HEAD}  - nonsense: {{}}\n"


@pytest.fixture
def cluster(api: Api) -> str:
    return str(api.import_text(manifests(node("n1", cpu="2"), pod("there", cpu="1", nodeName="n1")))["id"])


def web(cpu: str) -> list[dict[str, str]]:
    return [{"name": "web.yaml", "text": yaml.safe_dump(pod("web", cpu=cpu))}]


def ask(api: Api, body: dict[str, Any], query: str = "", **headers: str) -> Any:
    names = {"prefer": "wait=60", **{name.replace("_", "-"): value for name, value in headers.items()}}
    return api.client.post(
        f"/api/v1/checks{query}", json.dumps(body), content_type="application/json", headers=names
    )


def test_what_fits_passes_and_the_check_is_kept(api: Api, cluster: str) -> None:
    answer = ask(api, {"cluster": cluster, "manifests": web("500m"), "name": "merge 7"})
    assert answer.status_code == 201, answer.content
    assert (answer["Playground-Outcome"], answer["Preference-Applied"]) == ("pass", "wait=60")
    verdict = answer.json()
    assert (verdict["outcome"], verdict["name"]) == ("pass", "merge 7")
    assert [(each["pod"], each["node"]) for each in verdict["placements"]] == [("default/web", "n1")]
    check = api.client.get(answer["Location"]).json()
    assert check["verdict"] == verdict
    assert check["question"]["manifests"] == web("500m")
    assert "cluster" not in check["question"]
    (listed,) = api.get("checks", cluster=cluster, outcome="pass")["results"]
    assert {**listed, "question": 0, "verdict": 0} == {**check, "question": 0, "verdict": 0}
    assert api.get("checks", outcome="fail")["results"] == []


def test_what_does_not_fit_fails_and_every_report_says_so(api: Api, cluster: str) -> None:
    answer = ask(api, {"cluster": cluster, "manifests": web("1500m")})
    assert answer["Playground-Outcome"] == "fail"
    path = f"{answer['Location']}/report"
    junit = api.client.get(f"{path}?format=junit")
    assert junit["Content-Type"] == "application/xml"
    assert ET.fromstring(junit.content).find(".//failure") is not None
    sarif = api.client.get(path, headers={"accept": "application/sarif+json"})
    assert sarif["Content-Type"] == "application/sarif+json"
    assert json.loads(sarif.content)["runs"][0]["results"]
    for format_, start in (
        ("github", b"::error"),
        ("markdown", b"<!-- scheduler-playground -->"),
        ("text", b""),
    ):
        report = api.client.get(f"{path}?format={format_}")
        assert (report.status_code, report["Playground-Outcome"]) == (200, "fail")
        assert report.content.lstrip().startswith(start)
    assert json.loads(api.client.get(path).content)["outcome"] == "fail"
    assert api.client.get(f"{path}?format=pdf").status_code == 400
    assert api.client.get(path, headers={"accept": "image/png"}).status_code == 406


def test_the_answer_comes_as_the_report_that_was_asked_for(api: Api, cluster: str) -> None:
    body = {"cluster": cluster, "manifests": web("100m")}
    assert ask(api, body, "?format=junit")["Content-Type"] == "application/xml"
    assert ask(api, body, accept="text/markdown")["Content-Type"] == "text/markdown; charset=utf-8"


def test_who_does_not_wait_follows_a_job(api: Api, cluster: str) -> None:
    job = api.post("checks", {"cluster": cluster, "manifests": web("100m")}, status=202)
    assert job["kind"] == "check"
    assert job["status"] in ("pending", "running")  # a worker may be quick
    over = api.client.get(f"/api/v1/jobs/{job['id']}", headers={"prefer": "wait=60"}).json()
    assert over["result"]["outcome"] == "pass"
    assert over["progress"]["text"] in ("Trying the change", "Tried the order of the files")
    assert api.get(f"checks/{over['result']['check']}")["outcome"] == "pass"


def test_files_of_a_form_are_checked(api: Api, cluster: str) -> None:
    upload = SimpleUploadedFile("web.yaml", yaml.safe_dump(pod("web", cpu="9")).encode())
    expected = SimpleUploadedFile("expect.yaml", EXPECTATIONS.encode())
    body = {
        "cluster": cluster,
        "manifests": upload,
        "expectations": expected,
        "deletions": ["Pod/default/there"],
        "seed": "3",
    }
    answer = api.client.post("/api/v1/checks?format=json", body, headers={"prefer": "wait=60"})
    assert answer.status_code == 201, answer.content
    assert [each["type"] for each in answer.json()["results"]] == ["noPreemption"]
    assert answer.json()["seed"] == 3


def test_a_check_is_held_against_a_revision_and_a_profile(api: Api, cluster: str) -> None:
    old = api.get(f"clusters/{cluster}")["revision"]
    assert api.client.delete(f"/api/v1/clusters/{cluster}/objects/Pod/default/there").status_code == 204
    body = {"cluster": cluster, "manifests": web("1500m")}
    assert ask(api, body)["Playground-Outcome"] == "pass"
    assert ask(api, {**body, "revision": old})["Playground-Outcome"] == "fail"
    config = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"
    profile = api.post("profiles", {"name": "plain", "config": config})["id"]
    answer = ask(api, {**body, "profile": profile})
    assert answer["Playground-Outcome"] == "pass"
    assert api.client.get(answer["Location"]).json()["profile"] == profile


def test_sent_again_with_its_key_it_is_checked_once(api: Api, cluster: str) -> None:
    body = {"cluster": cluster, "manifests": web("100m")}
    first, again = (ask(api, body, idempotency_key="pipeline-7") for _ in range(2))
    assert first["Location"] == again["Location"]
    assert again["Idempotency-Replayed"] == "true"
    assert Check.objects.count() == 1


@pytest.mark.parametrize(
    ("body", "status", "says"),
    [
        ({}, 422, "nothing to check"),
        ({"manifests": [{"name": "a.yaml", "text": "kind: ["}]}, 422, "a.yaml"),
        ({"manifests": [{"name": "a.yaml", "text": ""}]}, 422, "a.yaml"),
        ({"manifests": web("1"), "expectations": [{"name": "e.yaml", "text": NONSENSE}]}, 422, "nonsense"),
        ({"deletions": ["web"]}, 422, "deletions[0]"),
        ({"manifests": web("1"), "max_snapshot_age": "soon"}, 422, "maxSnapshotAge"),
        ({"manifests": web("1"), "orders": 0}, 400, "orders"),
        ({"manifests": web("1"), "orders": 10**30}, 400, "orders"),
        ({"manifests": web("1"), "orderz": 3}, 400, "orderz"),
        ({"manifests": [{"name": "a", "txt": ""}]}, 400, "txt"),
        ({"manifests": web("1"), "cluster": ABSENT}, 404, "no cluster"),
        ({"manifests": web("1"), "profile": ABSENT}, 404, "no profile"),
        ({"manifests": web("1"), "revision": "ffff"}, 404, "no revision"),
    ],
)  # fmt: skip
def test_what_cannot_be_checked_is_refused_at_once_and_nothing_is_stored(
    api: Api, cluster: str, body: dict[str, Any], status: int, says: str
) -> None:
    answer = ask(api, {"cluster": cluster, **body})
    assert answer.status_code == status, answer.content
    assert answer["Content-Type"] == "application/problem+json"
    assert says in json.dumps(answer.json())
    assert not Check.objects.exists()
    assert not Job.objects.exists()


def test_an_unknown_age_is_too_old_where_the_age_matters(api: Api, cluster: str) -> None:
    body = {"cluster": cluster, "manifests": web("100m"), "max_snapshot_age": "24h"}
    assert ask(api, body)["Playground-Outcome"] == "too-old"
    assert ask(api, {**body, "captured_at": "2020-01-01T00:00:00Z"})["Playground-Outcome"] == "too-old"
    assert ask(api, {**body, "captured_at": "2999-01-01T00:00:00+02:00"})["Playground-Outcome"] == "pass"


def test_a_check_is_deleted(api: Api, cluster: str) -> None:
    location = ask(api, {"cluster": cluster, "manifests": web("100m")})["Location"]
    assert api.client.delete(location).status_code == 204
    assert api.client.get(location).status_code == 404


def test_the_run_that_shows_a_check_is_started_once(api: Api, cluster: str) -> None:
    config = (
        "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"
        "profiles: [{schedulerName: default-scheduler, percentageOfNodesToScore: 50}]\n"
    )
    profile = api.post("profiles", {"name": "half", "config": config})["id"]
    body = {"cluster": cluster, "manifests": web("1500m"), "profile": profile, "seed": 5, "name": "merge 7"}
    check = ask(api, body)["Location"].removeprefix("/api/v1/")
    assert api.get(check)["run"] is None
    refused = api.post(f"{check}/run", {"without": ["n1"]}, status=400)
    assert refused["detail"] == "without: There is no such field; there are none."
    assert api.get(check)["run"] is None
    run = api.post(f"{check}/run")
    assert (run["name"], run["options"]["seed"], run["profile"]) == ("Check merge 7", 5, profile)
    assert api.wait_for(run["id"])["status"] == "finished"
    (waiting,) = api.get(f"runs/{run['id']}/placements")["pending"]
    assert waiting["pod"] == "default/web"
    assert waiting["message"] == api.get(check)["verdict"]["pending"][0]["message"]
    assert api.post(f"{check}/run", status=200)["id"] == run["id"] == api.get(check)["run"]
    old = ask(api, {**body, "max_snapshot_age": "1s"})["Location"].removeprefix("/api/v1/")
    assert "nothing was tried" in api.post(f"{old}/run", status=409)["detail"]
