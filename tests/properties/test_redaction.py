"""A cluster that was redacted is decided the same under its new names, and holds nothing of the old ones."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from scheduler_core.api import canonical, decode_object
from scheduler_core.api.redaction import Redaction
from scheduler_core.api.redaction.tokens import new_texts
from tests.conformance.compare import Case, read_cases, recorded_form, run_case, scheduling_files

FILES = [path for path in scheduling_files() if path.name != "extender.jsonl.gz"]
ALL = "ALL_EXAMPLES" in os.environ
COMPARED = ("result", "nodes", "evaluated", "nextStartNodeIndex", "unschedulablePlugins", "pendingPlugins")
BY_NODE = ("totalScores", "weightedScores", "rawScores")


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)


def redacted(case: Case) -> tuple[Case, Redaction]:
    steps = case.get("steps") or []
    everything = [*case["objects"], *(raw for step in steps for raw in step.get("apply") or ())]
    deleted = [{"kind": "Pod", "apiVersion": "v1", "metadata": {"name": name}} for name in _deleted(steps)]
    config = yaml.safe_load(case.get("config") or "{}")
    redaction = Redaction([decode_object(raw) for raw in [*everything, *deleted]], keep=strings(config))

    def renamed(raws: list[Any]) -> list[Any]:
        return [redaction.redacted(decode_object(raw)) for raw in raws]

    new_steps = [
        {
            **step,
            "apply": renamed(step.get("apply") or []),
            "delete": [redaction.key(key) for key in step.get("delete") or ()],
        }
        for step in steps
    ]
    return {**case, "objects": renamed(case["objects"]), "steps": new_steps}, redaction


def _deleted(steps: list[Any]) -> Iterator[str]:
    for step in steps:
        for key in step.get("delete") or ():
            yield from key.split("/")[1:]


def cycles(case: Case, redaction: Redaction | None) -> list[Any]:
    """The cycles of a run as far as names can be told, under the new ones."""
    sink, result = run_case(case)
    names = redaction.names if redaction else {}

    def new(name: str) -> str:
        return "/".join(names.get(part, part) for part in name.split("/")) if name else name

    told = []
    for number, detail in sorted(sink.details.items()):
        form = recorded_form(detail, sink.queues[number])
        cycle = {field: form[field] for field in COMPARED}
        cycle["pod"], cycle["node"] = new(form["pod"]), new(form["node"] or "")
        cycle["nominated"] = new(form["nominatedNode"] or "")
        for field in ("victims", "activeQ", "backoffQ", "unschedulablePods", "feasible", "ties"):
            cycle[field] = sorted(new(name) for name in form[field])
        cycle["rejected"] = {
            new(node): (status.get("plugin"), status["code"], len(status["reasons"]))
            for node, status in form["rejected"].items()
        }
        for field in BY_NODE:
            scores = form[field]
            cycle[field] = {
                new(key): {new(node): score for node, score in value.items()}
                if isinstance(value, dict)
                else value
                for key, value in scores.items()
            }
        told.append(cycle)
    told.append({new(pod): new(node) for pod, node in result.placements.items()})
    return told


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name.split(".")[0])
def test_every_recorded_case_is_decided_the_same_under_other_names(path: Any) -> None:
    for case in read_cases(path)[:: 1 if ALL else 60]:
        other, redaction = redacted(case)
        assert cycles(other, None) == cycles(case, redaction), case["name"]


def test_the_new_texts_hold_nothing_of_the_old_ones() -> None:
    labels = {"acme.example/Team": "Secret-Project", "kubernetes.io/hostname": "ip-10-1-2-3.acme.example"}
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": "acme-web-0",
            "namespace": "acme",
            "uid": "4711-acme",
            "labels": labels,
            "annotations": {"acme.example/owner": "jane@acme.example"},
            "ownerReferences": [
                {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "acme-web", "uid": "a-acme"}
            ],
        },
        "spec": {
            "serviceAccountName": "acme-sa",
            "nodeName": "ip-10-1-2-3.acme.example",
            "hostname": "acme",
            "nodeSelector": labels,
            "tolerations": [{"key": "acme.example/dedicated", "value": "acme", "operator": "Equal"}],
            "schedulingGates": [{"name": "acme.example/quota"}],
            "volumes": [
                {"name": "acme", "hostPath": {"path": "/srv/acme"}},
                {"name": "v", "csi": {"driver": "csi.example", "volumeAttributes": {"share": "acme"}}},
            ],
            "containers": [
                {
                    "name": "acme",
                    "image": "registry.acme.example/web:1",
                    "command": ["acme"],
                    "ports": [{"name": "acme", "containerPort": 80}],
                }
            ],
        },
        "status": {"message": "acme", "conditions": [{"type": "Ready", "status": "True", "message": "acme"}]},
    }
    node = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": "ip-10-1-2-3.acme.example", "labels": labels},
        "spec": {"providerID": "aws:///acme", "podCIDR": "10.1.0.0/24"},
        "status": {
            "addresses": [{"type": "Hostname", "address": "acme"}],
            "images": [{"names": ["registry.acme.example/web:1"], "sizeBytes": 5}],
        },
    }
    objects = [decode_object(raw) for raw in (pod, node)]
    redaction = Redaction(objects)
    new_pod, new_node = (redaction.redacted(obj) for obj in objects)
    assert new_pod is not None
    assert new_node is not None
    assert not re.search(rb"acme|jane|Secret|10-1-2", canonical(new_pod) + canonical(new_node))
    assert new_pod["spec"]["nodeName"] == new_node["metadata"]["name"]
    assert new_pod["spec"]["nodeSelector"] == new_node["metadata"]["labels"]
    assert "kubernetes.io/hostname" in new_node["metadata"]["labels"]
    assert [new_pod["spec"]["containers"][0]["image"]] == new_node["status"]["images"][0]["names"]
    assert json.dumps(new_pod) == json.dumps(redaction.redacted(objects[0]))


def test_texts_keep_their_order_around_what_is_kept() -> None:
    texts = [
        "0-a",
        "1",
        "1-a",
        "10",
        "Zoo",
        "a",
        "b",
        "default",
        "default-x",
        "true",
        "true-b",
        "z",
        "node.x",
        "node-x",
    ]
    new = new_texts(texts, frozenset({"node.x"}))
    assert [new[text] for text in sorted(texts)] == sorted(new.values())[1:]
    assert {text for text in texts if new[text] == text} == {"1", "10", "default", "true", "node.x"}
