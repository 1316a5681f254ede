"""Questions about a cluster, as the engine's process answers them."""

from __future__ import annotations

import json
import subprocess
import sys
from io import BytesIO
from typing import Any

import msgspec
import pytest

from engine import frames, telling
from engine.planning import PlanningJob, answer, run_planning
from scheduler_core.api import ManifestError
from scheduler_core.planning import Repairs


def node(name: str, cpu: str) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name},
        "status": {"allocatable": {"cpu": cpu, "memory": "8Gi", "pods": "110"}},
    }


def pod(name: str, cpu: str) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name},
        "spec": {"containers": [{"name": "c", "resources": {"requests": {"cpu": cpu}}}]},
    }


def pod_with_image(name: str, cpu: str) -> dict[str, Any]:
    made = pod(name, cpu)
    made["spec"]["containers"][0]["image"] = "app:1"
    return made


def ask(**job: Any) -> dict[str, Any]:
    out = BytesIO()
    assert run_planning(msgspec.json.encode(job), out, lambda: False) == 0
    out.seek(0)
    frame = frames.read_frame(out)
    while frame is not None and frame.kind == frames.PROGRESS:
        frame = frames.read_frame(out)
    assert frame is not None
    assert frame.kind == frames.RESULT
    found: dict[str, Any] = json.loads(frame.payload)
    return found


def test_capacity_of_a_pod_that_is_written() -> None:
    found = ask(question="capacity", objects=[node("n", "4")], templates=[{"pod": pod("web", "1500m")}])
    assert found["status"] == "finished"
    assert found["answer"]["pods"] == 2
    assert found["answer"]["text"].startswith("2 more of web fit. The next one stays pending: 0/1 nodes")


def test_capacity_of_a_pod_of_the_cluster() -> None:
    objects = [node("n", "4"), pod("web", "1")]
    assert (
        ask(question="capacity", objects=objects, templates=[{"like": "default/web"}])["answer"]["pods"] == 3
    )


def test_growth_and_removals() -> None:
    objects = [node("n", "4"), node("spare", "1"), *(pod(f"p{k}", "2") for k in range(5))]
    grown = ask(question="growth", objects=objects, model="n")["answer"]
    assert grown["nodes"] == 2
    gone = ask(question="removals", objects=objects)["answer"]
    assert gone["together"] == ["spare"]


def test_repairs() -> None:
    found = ask(question="repairs", objects=[node("n", "1"), pod("web", "1500m")], pod="default/web")[
        "answer"
    ]
    assert found["repairs"][0]["text"] == (
        "Lower c's cpu request to 1 (500m less): default/web goes to n; nothing else changes."
    )
    assert found["repairs"][0]["changes"][0]["object"] == "Pod/default/web"


def test_a_what_if_gives_the_changes_and_what_to_draw() -> None:
    objects = [node("n", "1"), pod("web", "1500m")]
    edits = [{"kind": "mergePatch", "object": "Node/n", "patch": {"status": {"allocatable": {"cpu": "2"}}}}]
    found = ask(question="what-if", objects=objects, edits=edits)["answer"]
    assert found["changes"]["text"] == "1 rescued"
    assert found["sentences"] == ["Patch Node/n"]
    assert found["changes"]["rescued"] == [{"pod": "default/web", "node": "n"}]
    assert [(item["name"], item["allocatable"]["cpu"]) for item in found["nodes"]] == [("n", 2000)]
    assert "requested" not in found["nodes"][0]
    assert [(item["name"], item["node"]) for item in found["pods"]] == [("web", "n")]


def test_two_configurations_are_compared() -> None:
    objects = [node("a", "8"), node("b", "4"), pod("web", "1")]
    packing = (
        "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n"
        "- plugins: {multiPoint: {enabled: [{name: NodeResourcesFit, weight: 10}]}}\n  pluginConfig:\n"
        "  - name: NodeResourcesFit\n    args: {scoringStrategy: {type: MostAllocated}}\n"
    )
    found = ask(question="what-if", objects=objects, otherConfig=packing)["answer"]
    assert found["changes"]["moved"] == [{"pod": "default/web", "before": "a", "after": "b", "instead": ""}]


def job(**changes: Any) -> PlanningJob:
    asked = {"question": "capacity", "objects": [node("n", "4"), pod("web", "1")], **changes}
    return msgspec.convert(asked, PlanningJob)


@pytest.mark.parametrize(
    ("wrong", "field", "message"),
    [
        ({}, "templates", "which pod is to be placed"),
        (
            {"templates": [{"like": "default/nobody"}]},
            "templates[0].like",
            "there is no pod 'default/nobody'",
        ),
        (
            {"templates": [{"pod": node("m", "1")}]},
            "templates[0].pod",
            "expected a Pod or a workload, got a Node",
        ),
        (
            {"templates": [{"like": "default/web", "count": 0}]},
            "templates[0].count",
            "must be from 1 to 100000",
        ),
        ({"templates": [{"like": "default/web"}], "limit": 0}, "limit", "must be from 1 to 100000"),
        ({"question": "repairs", "pod": "default/x"}, "pod", "there is no pod 'default/x'"),
        (
            {"question": "what-if", "edits": [{"kind": "fly"}]},
            "edits[0].kind",
            'supported values: "addNodes"',
        ),
        ({"question": "growth", "model": "nobody"}, "model", "there is no node 'nobody'"),
    ],
)
def test_a_question_about_what_is_not_there_is_refused(
    wrong: dict[str, Any], field: str, message: str
) -> None:
    with pytest.raises(ManifestError) as refused:
        answer(job(**wrong), lambda done, total, unit: None, lambda: False)
    (error,) = refused.value.errors
    assert error.field == field
    assert message in error.message


def test_the_engine_s_process_takes_such_questions() -> None:
    asked = {"question": "removals", "objects": [node("n", "1")]}
    end = run_process(frames.PLAN, asked)
    assert end["status"] == "finished"
    assert end["answer"]["together"] == ["n"]
    refused = run_process(frames.PLAN, {"question": "growth", "objects": [], "model": "x"})
    assert refused["errors"][0]["field"] == "model"
    assert (
        "Invalid enum value 'weather'"
        in run_process(frames.PLAN, {"question": "weather", "objects": []})["message"]
    )


def run_process(kind: bytes, payload: dict[str, Any]) -> dict[str, Any]:
    """Has a process of its own answer one frame, and gives the last frame's content."""
    command = [sys.executable, "-m", "engine.process"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        frames.write_frame(process.stdin, kind, msgspec.json.encode(payload))
        last = None
        while (frame := frames.read_frame(process.stdout)) is not None:
            last = frame
    assert last is not None
    content: dict[str, Any] = json.loads(last.payload)
    return content


def test_questions_are_asked_of_the_cluster_as_the_edits_leave_it() -> None:
    objects = [node("n1", "4"), node("n2", "4"), pod("web", "3")]
    edits = [{"kind": "cordon", "nodes": ["n2"]}]
    like = [{"like": "default/web"}]
    assert ask(question="capacity", objects=objects, templates=like)["answer"]["placements"] == {"n2": 1}
    assert ask(question="capacity", objects=objects, templates=like, edits=edits)["answer"]["pods"] == 0
    more = [*edits, {"kind": "addNodes", "like": "n1", "count": 2}]
    found = ask(question="capacity", objects=objects, templates=like, edits=more)["answer"]
    assert (found["pods"], "n2" in found["placements"]) == (2, False)
    assert ask(question="removals", objects=objects, edits=edits)["answer"]["together"] == ["n2"]
    grown = [*edits, {"kind": "apply", "objects": [pod_with_image("late", "2")]}]
    assert ask(question="growth", objects=objects, model="n1", edits=grown)["answer"]["nodes"] == 1
    replanned = ask(
        question="capacity",
        objects=[node("n1", "4"), {**pod("web", "3"), "spec": {**pod("web", "3")["spec"], "nodeName": "n1"}}],
        templates=like,
        ask={"ask": "replan"},
    )
    assert replanned["answer"]["pods"] == 0  # the pod itself is placed first


def test_repairs_come_after_the_edits_and_are_known_as_they_come() -> None:
    objects = [node("n1", "1"), node("n2", "4"), pod("web", "1500m")]
    told = []
    answer(
        job(
            question="repairs",
            objects=objects,
            pod="default/web",
            edits=[{"kind": "cordon", "nodes": ["n2"]}],
        ),
        lambda done, total, unit: None,
        lambda: False,
        so_far=told.append,
    )
    assert isinstance(told[0], Repairs)
    assert told[-1].repairs[0].text == ("Uncordon n2: default/web goes to n2; nothing else changes.")
    assert {repair.node for repair in told[-1].repairs} == {"n1", "n2", "n3"}


def test_a_workload_that_is_written_stands_for_one_of_its_pods() -> None:
    template = {"metadata": {"labels": {"app": "web"}}, "spec": pod("web", "1500m")["spec"]}
    deployment = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web"},
        "spec": {"replicas": 7, "selector": {"matchLabels": {"app": "web"}}, "template": template},
    }
    found = ask(question="capacity", objects=[node("n", "4")], templates=[{"pod": deployment}])
    assert found["answer"]["text"].startswith("2 more of web fit.")


@pytest.mark.parametrize(
    ("job", "text"),
    [
        ({"question": "explain", "pod": "default/web"}, "Asking where the pod goes"),
        (
            {"question": "diff", "manifests": [{"name": "a.yaml", "text": json.dumps(pod("more", "1"))}]},
            "Trying the change",
        ),
        ({"question": "capacity", "templates": [{"pod": pod("more", "1")}]}, "Placing pods"),
    ],
)
def test_the_child_goes_on_telling_while_it_looks_for_an_answer(
    job: dict[str, Any], text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(telling, "TELL_SECONDS", 0.0)
    out = BytesIO()
    objects = [node("n1", "4"), pod("web", "1"), pod("other", "1")]
    assert run_planning(msgspec.json.encode({"objects": objects, **job}), out, lambda: False) == 0
    out.seek(0)
    told = []
    while (frame := frames.read_frame(out)) is not None and frame.kind == frames.PROGRESS:
        told.append(json.loads(frame.payload)["text"])
    assert set(told) == {text}
    assert len(told) > 2


def test_a_cancelled_explanation_has_no_answer() -> None:
    out = BytesIO()
    job = {"question": "explain", "pod": "web", "objects": [node("n1", "4"), pod("web", "1")]}
    run_planning(msgspec.json.encode(job), out, lambda: True)
    assert out.getvalue().endswith(b'{"status":"cancelled","question":"explain","answer":null}')


def refused_template(template: dict[str, Any]) -> list[tuple[str, str, str]]:
    job = {"question": "capacity", "objects": [node("n1", "4")], "templates": [{"pod": template}]}
    with pytest.raises(ManifestError) as refused:
        run_planning(msgspec.json.encode(job), BytesIO(), lambda: False)
    return [(error.field, error.type, error.message) for error in refused.value.errors]


CRON_JOB = {
    "apiVersion": "batch/v1",
    "kind": "CronJob",
    "metadata": {"name": "c"},
    "spec": {"schedule": "@daily"},
}


@pytest.mark.parametrize(
    ("template", "errors"),
    [
        ({}, [("templates[0].pod.kind", "Required value", "Object 'Kind' is missing")]),
        (
            {"kind": "Pod"},
            [("templates[0].pod.apiVersion", "Required value", "Object 'apiVersion' is missing")],
        ),
        (
            {"apiVersion": "v1", "kind": "Pod"},
            [("templates[0].pod.metadata.name", "Required value", "name or generateName is required")],
        ),
        (
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}},
            [("templates[0].pod", "Required value", "the Pod has no containers")],
        ),
        (
            CRON_JOB,
            [("templates[0].pod", "Required value", "the CronJob has no containers")],
        ),
        (
            {
                "apiVersion": "apps/v1",
                "kind": "DaemonSet",
                "metadata": {"name": "agent"},
                "spec": {
                    "selector": {"matchLabels": {"app": "agent"}},
                    "template": {"metadata": {"labels": {"app": "agent"}}, "spec": pod("a", "1")["spec"]},
                },
            },
            [
                (
                    "templates[0].pod",
                    "Invalid value",
                    "a DaemonSet puts one pod on each node: apply it as a change to see which nodes take it",
                )
            ],
        ),
        (
            {"apiVersion": "v1", "kind": "List", "items": []},
            [("templates[0].pod", "Invalid value", "expected one object, got 0")],
        ),
    ],
)
def test_a_template_is_judged_as_a_manifest(
    template: dict[str, Any], errors: list[tuple[str, str, str]]
) -> None:
    assert refused_template(template) == errors


def test_a_difference_by_deleting_what_does_not_exist_is_refused() -> None:
    job = {"question": "diff", "objects": [node("n1", "4"), pod("web", "1")]}
    deletions = ["Pod/web", "Pod/none", "Node/n9"]
    with pytest.raises(ManifestError) as refused:
        run_planning(msgspec.json.encode({**job, "deletions": deletions}), BytesIO(), lambda: False)
    assert [(error.field, error.type, error.message) for error in refused.value.errors] == [
        ("deletions[1]", "Not found", 'pods "none" not found'),
        ("deletions[2]", "Not found", 'nodes "n9" not found'),
    ]
    found = ask(**job, deletions=deletions[:1])["answer"]
    assert [each["pod"] for each in found["pods"]] == ["default/web"]
