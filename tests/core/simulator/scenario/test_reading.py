from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from scheduler_core.api.export import to_yaml
from scheduler_core.errors import ManifestError
from scheduler_core.simulator import Question, read_edits, read_question, read_scenario, sentence
from scheduler_core.simulator.scenario.edits import EDITS, Label, MergePatch
from tests.core.simulator.scenario.scenes import deployment
from tests.make import make, make_node

TEXT = """\
apiVersion: playground/v1
kind: Scenario
metadata: {name: friday-peak}
horizon: 30m
question: {ask: reschedule, nodes: [n1]}
edits:
- {kind: scale, at: 1m30s, object: Deployment/default/web, replicas: 9}
- kind: lose
  at: 2m
  zone: a
"""
ZONE = "topology.kubernetes.io/zone"
CLUSTER = [make_node("n1", labels={ZONE: "a"}), make(deployment())]


def errors_of(text: str, **options: Any) -> list[tuple[int | None, str, str]]:
    with pytest.raises(ManifestError) as refused:
        read_scenario(text, "s.yaml", **options)
    return [(error.line, error.field, error.message or error.type) for error in refused.value.errors]


def test_a_scenario_is_read_from_yaml() -> None:
    scenario = read_scenario(TEXT, objects=CLUSTER)
    assert (scenario.name, scenario.horizon_us, scenario.controllers) == ("friday-peak", 1_800_000_000, None)
    assert scenario.question == Question(ask="reschedule", nodes=("n1",))
    assert [(edit.kind, edit.at_us) for edit in scenario.edits] == [
        ("scale", 90_000_000),
        ("lose", 120_000_000),
    ]


def test_everything_wrong_is_listed_with_its_line() -> None:
    text = """\
kind: Scenario
horizon: soon
edits:
- {kind: scael, object: Deployment/web}
- {kind: scale, object: Deployment/web, replicas: -2}
- {kind: scale, object: web, replicas: two}
- {kind: scale, object: Job/web, replicas: 2}
- {kind: cordon, at: 10, nodes: [n1], force: true}
- {kind: drain, nodes: [n1], timeout: -5s}
"""
    assert [(line, field) for line, field, _ in errors_of(text.replace("soon", "30m"))] == [
        (4, "edits[0].kind"),
        (5, "edits[1].replicas"),
        (6, "edits[2].replicas"),
        (7, "edits[3].object"),
        (8, "edits[4].at"),
        (8, "edits[4].force"),
        (9, "edits[5].timeout"),
    ]
    found = {field: message for _, field, message in errors_of(text.replace("soon", "30m"))}
    assert found["edits[1].replicas"] == "must be greater than or equal to 0"
    assert found["edits[2].replicas"] == "expected an integer (int32), got a string"
    assert found["edits[3].object"] == (
        "supported kinds: Deployment, ReplicaSet, StatefulSet, ReplicationController"
    )
    assert found["edits[4].force"] == 'strict decoding error: unknown field "edits[4].force"'
    assert found["edits[4].at"] == "expected a duration as text, for example 10s"
    assert found["edits[0].kind"].startswith('supported values: "addNodes", "apply", "arrivals"')
    assert errors_of(text) == [(2, "horizon", 'time: invalid duration "soon"')]


def test_what_an_edit_names_has_to_be_there_or_to_come_before_it() -> None:
    text = """\
kind: Scenario
edits:
- {kind: scale, at: 5s, object: Deployment/api, replicas: 1}
- {kind: cordon, at: 1s, nodes: [n2]}
- {kind: cordon, at: 9s, nodes: [n2]}
- {kind: addNodes, at: 8s, like: n1, name: "n{n}"}
- {kind: delete, object: Pod/made-by-a-controller}
"""
    assert errors_of(text, objects=CLUSTER) == [
        (
            3,
            "edits[0].object",
            "no Deployment of that name: neither in the cluster nor made by an edit before",
        ),
        (4, "edits[1].nodes[0]", "no node of that name: neither in the cluster nor made by an edit before"),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a Scenario, got nothing"),
        ("[1, 2]", "expected a Scenario, got a list"),
        ("kind: Pod", 'supported values: "Scenario"'),
        ("kind: Scenario\n---\nkind: Scenario", "expected one document, here is another"),
        ("kind: Scenario\nedits: {}", "expected a list, got an object"),
        ("kind: Scenario\ncontrollers: some", 'supported values: "all", "off", or a list of names'),
        ("kind: Scenario\nhorizon: 0s", "must be greater than zero"),
        ("kind: Scenario\nquestion: {ask: why}", 'supported values: "continue", "reschedule", "replan"'),
    ],
)
def test_what_is_no_scenario_is_said(text: str, message: str) -> None:
    assert errors_of(text)[0][2] == message


POD = {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{"name": "c", "image": "i"}]}}


@pytest.mark.parametrize(
    ("edit", "field", "message"),
    [
        ({"kind": "scale", "replicas": 1}, "object", ""),
        ({"kind": "cordon", "nodes": ["n1"], "at": "-1s"}, "at", "must be greater than or equal to 0"),
        (
            {"kind": "cordon", "nodes": ["n1"], "at": "1s", "cycle": 4},
            "at",
            "an edit takes place at a time or before a cycle, not both",
        ),
        ({"kind": "taint", "nodes": ["n1"], "taint": "gpu"}, "taint", "expected key=value:effect, the effect one of"),
        ({"kind": "delete", "object": "Node/a/b"}, "object", "a Node lives in no namespace: expected Node/b"),
        ({"kind": "delete", "object": "Pod"}, "object", "expected Kind/namespace/name"),
        ({"kind": "addNodes", "like": "n1", "count": 0}, "count", "must be greater than zero"),
        ({"kind": "addNodes", "like": "n1", "count": 2, "name": "x"}, "name", "expected {n} where the number goes"),
        (
            {"kind": "addNodes", "like": "n1", "name": "<script>{n}"},
            "name",
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters",
        ),
        ({"kind": "addNodes", "like": "n1", "name": "\u00fcn\u00ef-{n}"}, "name", "a lowercase RFC 1123 subdomain"),
        (
            {"kind": "addNodes", "like": "n1", "name": "x" * 253 + "{n}"},
            "name",
            "must be no more than 253 characters",
        ),
        ({"kind": "apply", "objects": []}, "objects", ""),
        ({"kind": "apply", "objects": [{"kind": "Pod"}]}, "objects[0].apiVersion", ""),
        ({"kind": "arrivals", "pod": POD, "rate": 0, "count": 1}, "rate", "must be greater than zero"),
        ({"kind": "arrivals", "pod": POD, "rate": 1}, "count", "expected how many pods arrive, or for how long"),
        (
            {"kind": "arrivals", "pod": POD, "rate": 1, "count": 10_000_000},
            "count",
            "about 10000000 pods would arrive, at most 100000 may",
        ),
        (
            {"kind": "arrivals", "pod": POD, "rate": 1000, "lasting": "1h"},
            "lasting",
            "about 3600000 pods would arrive, at most 100000 may",
        ),
        ({"kind": "arrivals", "pod": {**POD, "spec": {}}, "rate": 1, "count": 1}, "pod.spec.containers", ""),
        ({"kind": "setRequests", "object": "Pod/x"}, "requests", "expected requests or limits"),
    ],
)  # fmt: skip
def test_an_edit_that_cannot_be_is_refused_by_its_field(edit: Any, field: str, message: str) -> None:
    with pytest.raises(ManifestError) as refused:
        read_edits([edit])
    (error,) = refused.value.errors
    assert error.field == f"edits[0].{field}"
    assert error.message.startswith(message)


def test_names_of_new_nodes_are_judged_with_their_numbers() -> None:
    edit = {"kind": "addNodes", "like": "n1", "name": "x" * 252 + "{n}"}
    assert len(read_edits([{**edit, "count": 9}])) == 1
    with pytest.raises(ManifestError) as refused:
        read_edits([{**edit, "count": 10}])
    assert [(error.field, error.message) for error in refused.value.errors] == [
        ("edits[0].name", "must be no more than 253 characters")
    ]


def test_a_question_is_read_and_refused_by_its_field() -> None:
    assert read_question(None) == Question()
    assert read_question({"ask": "replan"}).ask == "replan"
    with pytest.raises(ManifestError) as refused:
        read_question({"ask": "reschedule", "node": ["n1"]})
    assert [error.field for error in refused.value.errors] == ["question.node"]


_EDITS_AND_TEXTS: list[tuple[dict[str, Any], str]] = [
    ({"kind": "apply", "objects": [deployment()]}, "Apply Deployment/default/web"),
    ({"kind": "mergePatch", "object": "deploy/web", "patch": {}}, "Patch Deployment/default/web"),
    ({"kind": "delete", "object": "Pod/a", "graceSeconds": 5}, "Delete Pod/default/a with 5 s of grace"),
    ({"kind": "scale", "object": "sts/kv", "replicas": 3}, "Scale StatefulSet/default/kv to 3"),
    (
        {"kind": "setImage", "object": "Deployment/web", "image": "web:2"},
        "Set the image of all containers of Deployment/default/web to web:2",
    ),
    (
        {"kind": "setRequests", "object": "Deployment/web", "container": "c", "requests": {"cpu": "2"}},
        "Set requests cpu=2 of container c of Deployment/default/web",
    ),
    (
        {"kind": "setTarget", "object": "hpa/web", "replicas": 9},
        "Load for 9 replicas of HorizontalPodAutoscaler/default/web",
    ),
    (
        {"kind": "label", "object": "Node/n", "labels": {"a": "b"}, "remove": ["c"]},
        "Label Node/n a=b, take c off Node/n",
    ),
    ({"kind": "cordon", "zone": "a"}, "Cordon zone a"),
    ({"kind": "uncordon", "nodes": ["a", "b"]}, "Uncordon a, b"),
    ({"kind": "drain", "nodes": ["a"], "timeout": "5m"}, "Drain a (at most 5m0s)"),
    ({"kind": "taint", "selector": {"x": "y"}, "taint": "k:NoExecute"}, "Taint label x=y with k:NoExecute"),
    ({"kind": "untaint", "nodes": ["a"], "taint": "k"}, "Take taint k off a"),
    ({"kind": "addNodes", "like": "n1", "count": 3, "name": "n{n}"}, "Add 3 nodes like n1"),
    ({"kind": "removeNodes", "nodes": ["a"]}, "Remove a"),
    ({"kind": "lose", "zone": "a"}, "Lose zone a"),
    ({"kind": "restore", "zone": "a"}, "Restore zone a"),
    ({"kind": "wait", "at": "1h"}, "Wait until 1h0m0s"),
    ({"kind": "arrivals", "pod": POD, "rate": 2, "count": 50}, "50 pods arrive at random times, 2 a second"),
    ({"kind": "observe", "type": "DELETED", "object": {**POD, "metadata": {"name": "p"}}}, "Pod/p went"),
]


@pytest.mark.parametrize(("edit", "text"), _EDITS_AND_TEXTS)
def test_each_edit_is_a_sentence(edit: Any, text: str) -> None:
    assert sentence(read_edits([edit])[0]) == text


def test_there_is_a_sentence_for_every_kind() -> None:
    kinds = {edit["kind"] for edit, _ in _EDITS_AND_TEXTS}
    assert kinds == set(EDITS)


@pytest.mark.parametrize("write", [to_yaml, json.dumps])
def test_null_is_kept_in_a_merge_patch_alone(write: Callable[[Any], str]) -> None:
    written = {
        "apiVersion": "playground/v1",
        "kind": "Scenario",
        "question": None,
        "edits": [
            {"kind": "mergePatch", "object": "Node/a", "patch": {"spec": {"unschedulable": None}}},
            {"kind": "label", "object": "Node/a", "labels": {"disk": None, "zone": "z"}},
        ],
    }
    patch, label = read_scenario(write(written)).edits
    assert isinstance(patch, MergePatch)
    assert isinstance(label, Label)
    assert (patch.patch, label.labels) == ({"spec": {"unschedulable": None}}, {"zone": "z"})
