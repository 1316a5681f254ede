"""Scenarios, questions and forks by REST: what happens differently, and what stays the same."""

from __future__ import annotations

import json
from typing import Any

import pytest

from playground.api import run_compare
from playground.models import Run, Scenario
from tests.web.conftest import Api, manifests, node, pod, small_cluster

pytestmark = pytest.mark.usefixtures("worker")

CORDON = {"kind": "cordon", "nodes": ["n1"]}
NEGATIVE = {"kind": "scale", "object": "Deployment/a/b", "replicas": -1}
ABSENT = "0123456789abcdef"
SCENARIO = """\
apiVersion: playground/v1
kind: Scenario
metadata:
  name: zone-down
horizon: 10m
edits:
- kind: cordon
  nodes: [n1]
- kind: apply
  at: 5s
  objects:
  - apiVersion: v1
    kind: Pod
    metadata: {name: late}
    spec: {containers: [{name: c, image: i}]}
"""


def send(
    api: Api, method: str, path: str, body: Any = None, content_type: str = "application/json", **headers: str
) -> Any:
    text = body if isinstance(body, str) else json.dumps(body)
    return api.client.generic(method, f"/api/v1/{path}", text, content_type, headers=headers)


def finished(api: Api, body: dict[str, Any], path: str = "runs") -> dict[str, Any]:
    answer = send(api, "POST", path, body, prefer="wait=60")
    assert answer.status_code == 201, answer.content
    run: dict[str, Any] = answer.json()
    assert run["status"] == "finished", (run["message"], run["errors"])
    return run


@pytest.fixture
def cluster(api: Api) -> str:
    return str(api.import_text(manifests(node("n1"), node("n2"), pod("a"), pod("b")))["id"])


def test_a_run_waits_for_who_prefers_it(api: Api, cluster: str) -> None:
    answer = send(api, "POST", "runs", {"cluster": cluster, "name": "first"}, prefer="wait=60")
    assert answer["Preference-Applied"] == "wait=60"
    assert (answer.json()["status"], answer.json()["name"]) == ("finished", "first")
    assert send(api, "PATCH", f"runs/{answer.json()['id']}", {"name": "renamed"}).json()["name"] == "renamed"
    key = {"idempotency-key": "r1"}
    twice = [send(api, "POST", "runs", {"cluster": cluster}, **key).json()["id"] for _ in range(2)]
    assert twice[0] == twice[1]


def test_edits_change_what_happens(api: Api, cluster: str) -> None:
    run = finished(api, {"cluster": cluster, "edits": [CORDON]})
    outcome = api.get(f"runs/{run['id']}/placements")
    assert outcome["placements"] == {"default/a": "n2", "default/b": "n2"}
    assert api.get(f"runs/{run['id']}")["edits"] == [CORDON]
    types = [event["type"] for event in api.get(f"runs/{run['id']}/events")["events"]]
    assert "EditApplied" in types


def test_edits_are_stored_without_values_of_variables(api: Api, cluster: str) -> None:
    container = {"name": "c", "image": "app:1", "env": [{"name": "TOKEN", "value": "hunter2"}]}
    template = {"metadata": {"labels": {"app": "a"}}, "spec": {"containers": [container]}}
    spec = {"replicas": 1, "selector": {"matchLabels": {"app": "a"}}, "template": template}
    made = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "a"}, "spec": spec}
    patched = {"kind": "mergePatch", "at": "9s", "object": "Deployment/a"}
    edits = [
        {"kind": "apply", "at": "1s", "objects": [made]},
        {**patched, "patch": {"spec": {"template": {"spec": {"containers": [container]}}}}},
    ]
    kept = send(api, "POST", "scenarios", {"name": "secret", "edits": edits})
    assert kept.status_code == 201, kept.content
    run = finished(api, {"cluster": cluster, "edits": edits})
    stored = [Scenario.objects.get(id=kept.json()["id"]).edits, Run.objects.get(id=run["id"]).edits]
    assert "hunter2" not in json.dumps(stored)
    assert json.dumps(stored).count("TOKEN") == 4


def test_a_scenario_is_kept_copied_and_may_be_yaml(api: Api, cluster: str) -> None:
    answer = send(api, "POST", "scenarios", SCENARIO, "application/yaml")
    assert answer.status_code == 201, answer.content
    kept = answer.json()
    assert (kept["name"], kept["options"], len(kept["edits"])) == (
        "zone-down",
        {"horizon_us": 600_000_000},
        2,
    )
    run = finished(
        api,
        {
            "cluster": cluster,
            "scenario": kept["id"],
            "edits": [{"kind": "uncordon", "nodes": ["n1"], "at": "8s"}],
        },
    )
    assert set(api.get(f"runs/{run['id']}/placements")["placements"]) == {
        "default/a",
        "default/b",
        "default/late",
    }
    assert run["options"] == {"horizon_us": 600_000_000}
    assert len(api.get(f"runs/{run['id']}")["edits"]) == 3
    assert send(api, "PATCH", f"scenarios/{kept['id']}", {"edits": []}).json()["edits"] == []
    assert len(api.get(f"runs/{run['id']}")["edits"]) == 3
    assert send(api, "DELETE", f"scenarios/{kept['id']}").status_code == 204
    assert api.get(f"runs/{run['id']}")["scenario"] is None


@pytest.mark.parametrize(
    ("body", "content_type", "status", "field"),
    [
        ({"name": "x", "edits": [NEGATIVE]}, "application/json", 422, "edits[0].replicas"),
        ({"name": "x", "edits": [CORDON, {"kind": "explode"}]}, "application/json", 422, "edits[1].kind"),
        ({"name": "x", "question": {"ask": "why"}}, "application/json", 422, "question.ask"),
        ({"name": "x", "options": {"horizon": 3}}, "application/json", 422, "options"),
        ({"name": "x", "edits": 3}, "application/json", 400, "edits"),
        ({"edits": []}, "application/json", 400, "name"),
        (SCENARIO.replace("cordon", "explode"), "application/yaml", 422, "edits[0].kind"),
        ("kind: [", "application/yaml", 422, ""),
    ],
)  # fmt: skip
def test_a_scenario_that_cannot_be_run_is_not_kept(
    api: Api, body: Any, content_type: str, status: int, field: str
) -> None:
    answer = send(api, "POST", "scenarios", body, content_type)
    assert answer.status_code == status, answer.content
    assert field in [error["field"] for error in answer.json()["errors"]]
    assert not Scenario.objects.exists()


def test_a_question_decides_which_pods_are_placed_anew(api: Api) -> None:
    cluster = api.import_text(
        manifests(node("n1"), node("n2"), pod("a", nodeName="n1"), pod("b", nodeName="n1"))
    )["id"]
    assert finished(api, {"cluster": cluster})["num_cycles"] == 0
    some = {"ask": "reschedule", "pods": ["default/a"]}
    run = finished(api, {"cluster": cluster, "question": some, "edits": [CORDON]})
    ending = api.get(f"runs/{run['id']}/placements")["ending"]
    assert ending["moves"] == [{"pod": "default/a", "before": "n1", "after": "n2"}]
    assert finished(api, {"cluster": cluster, "question": {"ask": "replan"}})["num_cycles"] == 2
    refused = send(api, "POST", "runs", {"cluster": cluster, "question": {"ask": "everything"}})
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "question.ask")


def test_an_edit_of_what_is_not_there_fails_the_run_with_its_place(api: Api, cluster: str) -> None:
    wrong = {"kind": "cordon", "nodes": ["nobody"]}
    run = send(api, "POST", "runs", {"cluster": cluster, "edits": [CORDON, wrong]}, prefer="wait=60").json()
    assert run["status"] == "failed"
    assert [error["field"] for error in run["errors"]] == ["edits[1].nodes[0]"]


def test_a_fork_without_an_edit_gives_the_same_bytes(api: Api) -> None:
    cluster = api.import_text(small_cluster(3, 20))["id"]
    parent = finished(api, {"cluster": cluster})
    fork = finished(api, {"cycle": 7}, f"runs/{parent['id']}/fork")
    assert fork["digest"] == parent["digest"]
    assert (fork["parent"], fork["fork"]["num_cycles"]) == (parent["id"], 6)
    assert fork["fork"]["num_events"] < parent["last_seq"]


def test_a_fork_shares_the_beginning_and_goes_its_own_way(api: Api) -> None:
    cluster = api.import_text(small_cluster(3, 20))["id"]
    parent = finished(api, {"cluster": cluster})
    edit = {"kind": "cordon", "nodes": ["node-0", "node-1"]}
    fork = finished(api, {"cycle": 7, "edits": [edit], "name": "two cordoned"}, f"runs/{parent['id']}/fork")
    shared = fork["fork"]["num_events"]
    old, new = (api.get(f"runs/{run['id']}/events")["events"] for run in (parent, fork))
    assert old[:shared] == new[:shared]
    cycles = api.get(f"runs/{fork['id']}/cycles", after=6)["cycles"]
    assert {line["node"] for line in cycles if line["result"] == "scheduled"} == {"node-2"}
    assert api.get(f"runs/{fork['id']}")["edits"] == [{**edit, "cycle": 7}]
    assert (fork["told"], parent["told"]) == (["Cordon node-0, node-1"], [])
    again = finished(
        api,
        {"t_us": fork["fork"]["t_us"] + 5000, "edits": [{"kind": "uncordon", "nodes": ["node-0"]}]},
        f"runs/{fork['id']}/fork",
    )
    assert (again["parent"], again["fork"]["num_edits"]) == (fork["id"], 1)
    detail = api.client.get(f"/api/v1/runs/{fork['id']}/cycles/8")
    assert detail.status_code == 200


def test_a_run_that_others_were_forked_from_stays_until_they_are_gone(api: Api, cluster: str) -> None:
    parent = finished(api, {"cluster": cluster})["id"]
    fork = finished(api, {"cycle": 1}, f"runs/{parent}/fork")["id"]
    refused = send(api, "DELETE", f"runs/{parent}")
    assert refused.status_code == 409
    assert refused.json()["detail"] == f"Other runs were forked from this one: {fork}. Delete them first."
    assert send(api, "DELETE", f"runs/{fork}").status_code == 204
    assert send(api, "DELETE", f"runs/{parent}").status_code == 204
    parent = finished(api, {"cluster": cluster})["id"]
    finished(api, {"cycle": 1}, f"runs/{parent}/fork")
    assert send(api, "DELETE", f"clusters/{cluster}").status_code == 204
    assert not Run.objects.exists()


@pytest.mark.parametrize(
    ("body", "status", "says"),
    [
        ({}, 422, "give one of them"),
        ({"cycle": 1, "t_us": 1}, 422, "give one of them"),
        ({"cycle": 0}, 400, "cycle"),
        ({"cycle": 10**30}, 400, "cycle"),
        ({"cycle": 99}, 404, "no cycle 99"),
        ({"t_us": -1}, 400, "t_us"),
        ({"cycle": 1, "edits": [{"kind": "explode"}]}, 422, "edits[0].kind"),
        ({"cycle": 1, "edit": []}, 400, "edit"),
    ],
)
def test_a_fork_that_cannot_be_says_why(
    api: Api, cluster: str, body: dict[str, Any], status: int, says: str
) -> None:
    parent = finished(api, {"cluster": cluster})["id"]
    answer = send(api, "POST", f"runs/{parent}/fork", body)
    assert answer.status_code == status, answer.content
    assert says in json.dumps(answer.json())
    assert Run.objects.count() == 1


def test_a_run_has_a_name_a_note_and_is_kept(api: Api, cluster: str) -> None:
    run = finished(api, {"cluster": cluster})["id"]
    changed = {"name": "before the upgrade", "note": "two nodes\nwere full", "kept": True}
    answer = send(api, "PATCH", f"runs/{run}", changed).json()
    assert {field: answer[field] for field in changed} == changed
    refused = send(api, "DELETE", f"runs/{run}")
    assert (refused.status_code, refused.json()["detail"]) == (
        409,
        "This run is kept. Let it go first, then delete it.",
    )
    assert send(api, "PATCH", f"runs/{run}", {"kept": False}).json()["name"] == "before the upgrade"
    assert send(api, "PATCH", f"runs/{run}", {}).status_code == 400
    assert send(api, "PATCH", f"runs/{run}", {"note": "x" * 2001}).status_code == 400
    fork = finished(api, {"cycle": 1, "name": "the other way"}, f"runs/{run}/fork")["id"]
    refused = send(api, "DELETE", f"runs/{run}")
    assert f"forked from this one: the other way ({fork}). Delete them" in refused.json()["detail"]
    assert send(api, "DELETE", f"runs/{fork}").status_code == 204


def test_edits_are_told_as_sentences_or_refused_with_their_places(api: Api) -> None:
    told = send(api, "POST", "edits", {"edits": [CORDON, {"kind": "lose", "zone": "z1"}]})
    assert (told.status_code, told.json()) == (200, {"sentences": ["Cordon n1", "Lose zone z1"]})
    wrong = send(api, "POST", "edits", {"edits": [CORDON, NEGATIVE]})
    assert (wrong.status_code, wrong.json()["errors"][0]["field"]) == (422, "edits[1].replicas")


def test_an_edit_in_the_shared_part_fails_the_fork(api: Api, cluster: str) -> None:
    parent = finished(api, {"cluster": cluster})["id"]
    answer = send(
        api, "POST", f"runs/{parent}/fork", {"cycle": 2, "edits": [{**CORDON, "cycle": 1}]}, prefer="wait=60"
    )
    assert answer.json()["status"] == "failed"
    assert answer.json()["errors"][0]["field"] == "edits[0].cycle"


def test_two_runs_are_compared(api: Api) -> None:
    cluster = api.import_text(small_cluster(3, 20))["id"]
    parent = finished(api, {"cluster": cluster})["id"]
    same = finished(api, {"cycle": 3}, f"runs/{parent}/fork")["id"]
    comparison = api.get(f"runs/{parent}/compare", **{"with": same})
    assert (comparison["same"], comparison["placements"], comparison["first_difference"]) == (True, [], None)
    edit = {"kind": "cordon", "nodes": ["node-0", "node-1"]}
    other = finished(api, {"cycle": 7, "edits": [edit]}, f"runs/{parent}/fork")
    comparison = api.get(f"runs/{parent}/compare", **{"with": other["id"]})
    assert not comparison["same"]
    assert comparison["first_difference"]["seq"] == other["fork"]["num_events"] + 1
    assert {change["after"] for change in comparison["placements"]} <= {"node-2", ""}
    assert comparison["num_placements"] == len(comparison["placements"]) > 0
    assert comparison["first_diverging_cycle"]["cycle_before"] >= 7
    assert comparison["sentences"]
    assert comparison["notes"] == []
    assert comparison["text"] == "8 newly pending, 4 moved"
    cycle = comparison["first_diverging_cycle"]
    assert cycle["refused"][0]["plugin"] == "NodeUnschedulable"
    itself = api.get(f"runs/{parent}/compare", **{"with": parent})
    assert (itself["same"], itself["text"]) == (True, "Nothing changes")
    assert itself["notes"] == ["A run beside itself is always the same: choose another one."]


def test_runs_that_did_not_end_are_compared_as_far_as_both_came(api: Api) -> None:
    cluster = api.import_text(small_cluster(3, 20))["id"]
    parent = finished(api, {"cluster": cluster})["id"]
    edit = {"kind": "cordon", "nodes": ["node-0"]}
    other = finished(api, {"cycle": 3, "edits": [edit]}, f"runs/{parent}/fork")["id"]
    whole = api.get(f"runs/{parent}/compare", **{"with": other})
    Run.objects.filter(id=other).update(status="cancelled")
    found = api.get(f"runs/{parent}/compare", **{"with": other})
    assert found["notes"][-1].startswith("The second run was cancelled: what both did before 0.")
    assert 0 < found["until_us"] < 1_000_000
    assert found["first_difference"]["seq"] == whole["first_difference"]["seq"]
    Run.objects.filter(id=other).update(status="running")
    assert api.get(f"runs/{parent}/compare", status=409, **{"with": other})
    found = api.get(f"runs/{parent}/compare", **{"with": other, "so_far": "true"})
    assert found["notes"][-1].startswith("The second run is still going: what both did before ")
    Run.objects.filter(id=other).update(status="finished")


def test_runs_of_other_clusters_and_without_a_cycle_are_compared(api: Api, cluster: str) -> None:
    run = finished(api, {"cluster": cluster})["id"]
    bare = api.import_text(manifests(node("n1")))["id"]
    empty = finished(api, {"cluster": bare})["id"]
    found = api.get(f"runs/{run}/compare", **{"with": empty})
    assert found["notes"] == [
        "The runs are of different clusters: pods and nodes are matched by their names."
    ]
    assert (found["text"], found["num_cycles_after"]) == ("2 gone", 0)
    assert found["first_diverging_cycle"]["tipped_by"] == ["There is no further attempt in the second run."]


def test_long_runs_are_compared_by_a_job(api: Api, cluster: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_compare, "MAX_EVENTS_HERE", 3)
    first, second = (finished(api, {"cluster": cluster})["id"] for _ in range(2))
    answer = send(api, "GET", f"runs/{first}/compare?with={second}", "", prefer="wait=60")
    assert (answer.status_code, answer.json()["same"]) == (200, True)
    assert send(api, "GET", f"runs/{first}/compare?with={second}", "").status_code == 202


def test_what_cannot_be_compared_says_why(api: Api, cluster: str) -> None:
    run = finished(api, {"cluster": cluster})["id"]
    assert "must name" in api.get(f"runs/{run}/compare", status=400)["detail"]
    assert "no run" in api.get(f"runs/{run}/compare", status=404, **{"with": ABSENT})["detail"]
    Run.objects.filter(id=run).update(status="running")
    assert "is running" in api.get(f"runs/{run}/compare", status=409, **{"with": run})["detail"]
    Run.objects.filter(id=run).update(status="finished")
