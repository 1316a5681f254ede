"""Questions of capacity on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from engine.cli import main
from tests.engine.test_planning import node, pod

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    objects = [node("big", "4"), node("small", "1"), pod("web", "1500m"), pod("huge", "5")]
    Path("cluster.yaml").write_text(yaml.safe_dump_all(objects))


def ask(*arguments: str, code: int = 0) -> None:
    assert main(["capacity", "--cluster", "cluster.yaml", *arguments]) == code


def test_how_many_more_of_a_pod_fit(capsys: Capture) -> None:
    ask("--like", "default/web")
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith(
        "1 more of web fits. The next one stays pending: 0/2 nodes are available: 2 Insufficient cpu."
    )
    assert told[1:] == ["", "  big  1"]


def test_workloads_are_placed_in_the_ratio_of_their_replicas(capsys: Capture) -> None:
    def deployment(name: str, replicas: int, cpu: str) -> dict[str, Any]:
        template = {"metadata": {"labels": {"app": name}}, "spec": pod(name, cpu)["spec"]}
        template["spec"]["containers"][0]["image"] = "i"
        selector = {"matchLabels": {"app": name}}
        return {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": {"name": name},
            "spec": {"replicas": replicas, "selector": selector, "template": template},
        }

    Path("app.yaml").write_text(
        yaml.safe_dump_all([deployment("api", 2, "500m"), deployment("job", 4, "250m")])
    )
    ask("-f", "app.yaml", "--format", "json")
    found = json.loads(capsys.readouterr().out)
    assert found["text"].startswith("3 more times 1 api + 2 job fit. The next one stays pending:")
    assert found["rounds"] == 3


def test_what_is_missing_what_could_go_and_what_would_help(capsys: Capture) -> None:
    ask("--needed", "big")
    assert capsys.readouterr().out.startswith(
        "No number of nodes like big helps: default/huge: 0/2 nodes are"
    )
    ask("--spare")
    assert capsys.readouterr().out.splitlines()[:2] == [
        "small could go: nothing would be pending.",
        "  small",
    ]
    ask("--repair", "default/huge")
    assert capsys.readouterr().out.startswith(
        "1. Lower c's cpu request to 2.5 (2.5 less): default/huge goes to big; nothing else changes.\n"
    )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--like", "nobody"], "there is no pod 'nobody'"),
        (["--needed", "none"], "there is no node 'none'"),
        (["--repair", "default/x"], "there is no pod 'default/x'"),
        (["-f", "missing.yaml"], "missing.yaml"),
    ],
)
def test_what_is_not_there_is_told(arguments: list[str], sentence: str, capsys: Capture) -> None:
    ask(*arguments, code=2)
    captured = capsys.readouterr()
    assert sentence in captured.err
    assert captured.out == ""


@pytest.mark.parametrize("arguments", [[], ["--spare", "-f", "x.yaml"]])
def test_one_question_at_a_time(arguments: list[str], capsys: Capture) -> None:
    with pytest.raises(SystemExit) as ended:
        ask(*arguments)
    assert ended.value.code == 2
    assert "argument" in capsys.readouterr().err
