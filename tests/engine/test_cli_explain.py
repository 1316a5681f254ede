"""``playground explain`` and ``playground diff``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from engine.cli import main
from tests.core.checks.asking import node, pod

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    objects = [
        node("node-a"),
        node("node-b", cpu="2"),
        pod("old", "1500m", on="node-b"),
        pod("huge", "9"),
        pod("web", "1"),
    ]
    Path("cluster.yaml").write_text(yaml.safe_dump_all(objects))
    Path("new.yaml").write_text(yaml.safe_dump(pod("new", "1")))


def test_a_pending_pod_is_explained_with_numbers_and_remedies(capsys: Capture) -> None:
    assert main(["explain", "huge", "--cluster", "cluster.yaml"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("default/huge has no node: 0/2 nodes are available: 2 Insufficient cpu.")
    assert "NodeResourcesFit: 2 nodes lack cpu" in told
    assert "Add a node with at least 9 cpu" in told


def test_why_not_that_node(capsys: Capture) -> None:
    assert (
        main(["explain", "default/web", "--cluster", "cluster.yaml", "--node", "node-b", "--format", "json"])
        == 0
    )
    story = json.loads(capsys.readouterr().out)
    assert (story["outcome"], story["node"]) == ("placed", "node-a")
    assert story["answer"]["verdict"] == "refused"
    assert "NodeResourcesFit" in story["answer"]["text"]


def test_a_pod_that_has_a_node_is_asked_about_as_if_it_had_none(capsys: Capture) -> None:
    assert main(["explain", "old", "-f", "cluster.yaml"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "default/old runs on node-b. Asked about as if it had no node:"
    assert told[1].startswith("default/old goes to node-")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["hug"], 'POD: Not found: "hug": did you mean default/huge?'),
        (["web", "--node", "node-c"], '--node: Not found: "node-c": did you mean node-'),
    ],
)
def test_who_is_not_there_is_told_with_who_could_be_meant(
    arguments: list[str], sentence: str, capsys: Capture
) -> None:
    assert main(["explain", *arguments, "--cluster", "cluster.yaml"]) == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize("name", ["web", "shop/web", "Deployment/web", "Deployment/shop/web"])
def test_a_workload_stands_for_a_pod_of_it_that_has_no_node(name: str, capsys: Capture) -> None:
    container = {"name": "main", "image": "a", "resources": {"requests": {"cpu": "1500m"}}}
    labels = {"app": "web"}
    template = {"metadata": {"labels": labels}, "spec": {"containers": [container]}}
    spec = {"replicas": 2, "selector": {"matchLabels": labels}, "template": template}
    deployment = {
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web", "namespace": "shop"}, "spec": spec,
    }  # fmt: skip
    space = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}}
    Path("shop.yaml").write_text(yaml.safe_dump_all([node("node-a"), space, deployment]))
    assert main(["explain", name, "--cluster", "shop.yaml"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("shop/web-")
    assert "has no node: 0/1 nodes are available: 1 Insufficient cpu." in told


def test_a_name_that_several_pods_have_is_refused(capsys: Capture) -> None:
    twin = pod("web")
    twin["metadata"]["namespace"] = "other"
    Path("more.yaml").write_text(yaml.safe_dump(twin))
    assert main(["explain", "web", "--cluster", "cluster.yaml", "--cluster", "more.yaml"]) == 2
    assert "several pods have this name: default/web, other/web" in capsys.readouterr().err


def test_a_diff_tells_what_comes_what_goes_and_how_full_the_nodes_are(capsys: Capture) -> None:
    assert main(["diff", "-f", "new.yaml", "--delete", "Pod/old", "--cluster", "cluster.yaml"]) == 1
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("+ default/new node-")
    assert told[1] == "- default/old node-b"
    assert any("cpu 75 % → " in line for line in told)


def test_no_difference_is_0(capsys: Capture) -> None:
    Path("service.yaml").write_text("apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {}\n")
    assert main(["diff", "-f", "service.yaml", "--cluster", "cluster.yaml"]) == 0
    assert capsys.readouterr().out == ""


def test_a_pod_that_does_not_fit_is_new_and_pending_with_the_reason(capsys: Capture) -> None:
    Path("new.yaml").write_text(yaml.safe_dump(pod("new", "8")))
    assert main(["diff", "-f", "new.yaml", "--cluster", "cluster.yaml", "--format", "json"]) == 1
    (moved,) = json.loads(capsys.readouterr().out)["pods"]
    assert (moved["pod"], moved["before"], moved["after"]) == ("default/new", None, "")
    assert moved["why"].startswith("0/2 nodes are available: 2 Insufficient cpu.")


def test_what_would_make_it_fit_is_tried(capsys: Capture) -> None:
    assert main(["explain", "huge", "--cluster", "cluster.yaml", "--repair"]) == 0
    told = capsys.readouterr().out.partition("Proven by runs:\n")[2].splitlines()
    assert told[0].startswith("1. Lower main's cpu request to ")
    assert told[0].endswith("default/huge goes to node-a; nothing else changes.")
    assert main(["explain", "old", "--cluster", "cluster.yaml", "--repair", "--format", "json"]) == 0
    story = json.loads(capsys.readouterr().out)
    assert story["was_on"] == "node-b"
    assert story["repairs"]["text"] == "default/old has a node: nothing is to be repaired."


def test_where_nothing_helps_it_says_what_is_in_the_way(capsys: Capture) -> None:
    Path("alone.yaml").write_text(yaml.safe_dump(pod("web", "1")))
    assert main(["explain", "web", "--cluster", "alone.yaml", "--repair"]) == 0
    told = capsys.readouterr().out.partition("Proven by runs:\n")[2].splitlines()
    assert told[0] == "No small change is known that makes default/web fit."
    assert told[1:] == ["  The cluster has no node, and so none that a new one could be like."]
