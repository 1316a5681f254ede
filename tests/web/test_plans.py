"""Questions of capacity by REST: answered at once or as a job, refused with the field."""

from __future__ import annotations

import json
from typing import Any

import pytest

from playground.models import Job
from playground.runs.kept import keeper
from tests.web.conftest import Api, eventually, manifests, node, pod

pytestmark = [pytest.mark.django_db(transaction=True)]


@pytest.fixture
def cluster(api: Api) -> str:
    text = manifests(node("big", cpu="4"), node("small", cpu="1"), pod("web", "1500m"), pod("huge", "5"))
    return str(api.import_text(text)["id"])


def ask(api: Api, body: dict[str, Any], *, prefer: str = "wait=30") -> Any:
    return api.client.post(
        "/api/v1/plans",
        json.dumps(body),
        content_type="application/json",
        headers={"Prefer": prefer} if prefer else {},
    )


def kept_last() -> int:
    """Returns which engine waits for a further question."""
    return keeper._kept[-1][1].pid


@pytest.mark.usefixtures("worker")
def test_how_many_more_fit(api: Api, cluster: str) -> None:
    answer = ask(api, {"cluster": cluster, "question": "capacity", "templates": [{"like": "default/web"}]})
    assert answer.status_code == 200
    assert answer.json()["question"] == "capacity"
    assert answer.json()["answer"]["pods"] == 1
    assert answer.json()["answer"]["placements"] == {"big": 1}


@pytest.mark.usefixtures("worker")
def test_what_would_help_as_a_job(api: Api, cluster: str) -> None:
    asked = ask(api, {"cluster": cluster, "question": "repairs", "pod": "default/huge"}, prefer="")
    assert asked.status_code == 202
    address = f"/api/v1/jobs/{asked.json()['id']}"
    job = eventually(lambda: (told := api.client.get(address).json())["status"] == "finished" and told)
    first = job["result"]["answer"]["repairs"][0]
    assert (
        first["text"]
        == "Lower main's cpu request to 2.5 (2.5 less): default/huge goes to big; nothing else changes."
    )


@pytest.mark.usefixtures("worker")
def test_the_profile_counts(api: Api, cluster: str) -> None:
    config = (
        "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n"
        "- plugins: {filter: {disabled: [{name: NodeResourcesFit}]}}\n"
    )
    profile = api.post("profiles", {"name": "no fit", "config": config})["id"]
    body = {"cluster": cluster, "question": "capacity", "templates": [{"like": "default/web"}], "limit": 100}
    assert ask(api, {**body, "profile": profile}).json()["answer"]["pods"] == 100


@pytest.mark.usefixtures("worker")
def test_what_edits_change(api: Api, cluster: str) -> None:
    grown = {"kind": "mergePatch", "object": "Node/big", "patch": {"status": {"allocatable": {"cpu": "8"}}}}
    answer = ask(api, {"cluster": cluster, "question": "what-if", "edits": [grown]}).json()["answer"]
    assert answer["changes"]["text"] == "1 rescued"
    assert answer["changes"]["rescued"] == [{"pod": "default/huge", "node": "big"}]
    assert [(item["name"], item["allocatable"]["cpu"]) for item in answer["nodes"]] == [("big", 8000)]
    assert [(item["name"], item["node"]) for item in answer["pods"]] == [("huge", "big"), ("web", "big")]
    wrong = ask(
        api, {"cluster": cluster, "question": "what-if", "edits": [{"kind": "cordon", "nodes": ["x"]}]}
    )
    assert wrong.status_code == 422
    assert wrong.json()["errors"][0]["field"] == "edits[0].nodes[0]"


@pytest.mark.usefixtures("worker")
def test_why_a_pod_has_no_node_and_what_manifests_move(api: Api, cluster: str) -> None:
    story = ask(api, {"cluster": cluster, "question": "explain", "pod": "huge"}).json()["answer"]
    assert (story["pod"], story["outcome"]) == ("default/huge", "pending")
    new = {"name": "new.json", "text": json.dumps(pod("new", "1"))}
    story = ask(
        api, {"cluster": cluster, "question": "explain", "pod": "new", "node": "small", "manifests": [new]}
    ).json()["answer"]
    assert (story["outcome"], story["answer"]["node"]) == ("placed", "small")
    body = {"cluster": cluster, "question": "diff", "manifests": [new], "deletions": ["Pod/web"]}
    moved = ask(api, body).json()["answer"]["pods"]
    assert [(each["pod"], each["before"]) for each in moved] == [
        ("default/new", None),
        ("default/web", "big"),
    ]
    refused = ask(api, {**body, "manifests": [{"name": "new.yaml", "text": "kind: Pod"}]})
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["file"] == "new.yaml"


@pytest.mark.usefixtures("worker")
def test_what_ifs_of_one_cluster_are_answered_by_the_process_that_has_it(api: Api, cluster: str) -> None:
    body = {"cluster": cluster, "question": "what-if"}
    assert ask(api, body).json()["answer"]["changes"]["text"] == "Nothing changes"
    kept = kept_last()
    cordon = {"kind": "cordon", "nodes": ["big"]}
    answer = ask(api, {**body, "edits": [cordon]}).json()["answer"]
    assert answer["changes"]["text"] == "1 newly pending"
    assert [item["name"] for item in answer["nodes"]] == ["big"]
    assert kept_last() == kept
    assert api.client.delete(f"/api/v1/clusters/{cluster}/objects/Pod/default/web").status_code == 204
    assert ask(api, body).json()["answer"]["changes"]["text"] == "Nothing changes"
    assert kept_last() != kept


@pytest.mark.usefixtures("worker")
def test_a_question_takes_the_place_of_the_one_of_its_series(api: Api, cluster: str) -> None:
    body = {"cluster": cluster, "question": "what-if", "series": "desk-1"}
    spec = {"containers": [{"name": "c", "image": "i"}]}
    many = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "many"}, "spec": spec}
    long = {"kind": "arrivals", "rate": 1000, "count": 50_000, "pod": many}
    first = ask(api, {**body, "edits": [long]}, prefer="").json()["id"]
    other = ask(api, {**body, "series": "desk-2", "edits": [{**long, "count": 3}]}, prefer="").json()["id"]
    assert ask(api, body).json()["answer"]["changes"]["text"] == "Nothing changes"
    assert eventually(lambda: Job.objects.get(id=first).status == "cancelled")
    assert eventually(lambda: Job.objects.get(id=other).status == "finished")


@pytest.mark.usefixtures("worker")
def test_the_same_cluster_under_another_profile(api: Api, cluster: str) -> None:
    config = (
        "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n"
        "- plugins: {filter: {disabled: [{name: NodeResourcesFit}]}}\n"
    )
    body = {"cluster": cluster, "question": "what-if"}
    assert (
        ask(api, {**body, "other_config": config}).json()["answer"]["changes"]["text"].startswith("1 rescued")
    )
    profile = api.post("profiles", {"name": "no fit", "config": config})["id"]
    assert (
        ask(api, {**body, "other_profile": profile})
        .json()["answer"]["changes"]["text"]
        .startswith("1 rescued")
    )
    refused = ask(api, {**body, "other_config": "kind: Pod"})
    assert refused.status_code == 422
    assert not Job.objects.filter(status="pending").exists()


@pytest.mark.parametrize(
    ("wrong", "field", "words"),
    [
        ({"question": "capacity"}, "templates", "is needed for the question 'capacity'"),
        ({"question": "growth"}, "model", "is needed"),
        ({"question": "explain"}, "pod", "is needed"),
        ({"question": "diff"}, "manifests", "or `deletions` are needed"),
        ({"question": "weather"}, "question", "not a valid choice"),
        ({"question": "capacity", "templates": [{"like": "a/b", "pod": {}}]}, "templates", "one of them"),
        ({"question": "removals", "colour": 1}, "colour", "There is no such field"),
        ({"question": "removals", "options": {"seed": "x"}}, "options", "Expected `int`"),
    ],
)
def test_a_wrong_question_is_refused_before_anything_runs(
    api: Api, cluster: str, wrong: dict[str, Any], field: str, words: str
) -> None:
    answer = ask(api, {"cluster": cluster, **wrong})
    assert answer.status_code in (400, 422)
    (error,) = [error for error in answer.json()["errors"] if error["field"].startswith(field)]
    assert words in error["message"]
    assert not Job.objects.exists()


@pytest.mark.usefixtures("worker")
def test_a_question_about_what_is_not_there_is_refused_by_its_field(api: Api, cluster: str) -> None:
    answer = ask(api, {"cluster": cluster, "question": "growth", "model": "nobody"})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == "model"
    assert ask(api, {"cluster": "abcdefghijklmnop", "question": "removals"}).status_code == 404


@pytest.mark.usefixtures("worker")
def test_what_would_help_is_asked_after_edits_and_can_be_one_of_them(api: Api, cluster: str) -> None:
    edits = [{"kind": "cordon", "nodes": ["big"]}]
    body = {"cluster": cluster, "pod": "default/huge", "edits": edits}
    found = ask(api, {**body, "question": "repairs"}).json()["answer"]
    best = found["repairs"][0]
    after = ask(api, {"cluster": cluster, "question": "what-if", "edits": [*edits, *best["edits"]]}).json()
    assert {"pod": "default/huge", "node": best["node"]} in after["answer"]["changes"]["rescued"]
    wrong = ask(api, {**body, "question": "removals", "edits": [{"kind": "cordon", "nodes": ["x"]}]})
    assert wrong.status_code == 422
    assert wrong.json()["errors"][0]["field"] == "edits[0].nodes[0]"
