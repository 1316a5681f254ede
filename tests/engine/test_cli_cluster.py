"""The commands that judge, redact and export a cluster."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.cli import main
from scheduler_core.api import Source, load_manifests
from tests.engine.test_cli_run import MANIFESTS

GOOD = MANIFESTS.replace("{name: main,", "{name: main, image: a,")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "cluster.yaml"
    path.write_text(GOOD)
    return path


def test_valid_manifests_end_with_0(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", "-f", str(file)]) == 0
    assert capsys.readouterr().out == "3 objects are valid\n"


def test_invalid_manifests_end_with_2_and_are_told_in_upstream_s_words(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(MANIFESTS.replace("name: fits", "name: Fits_"))
    assert main(["validate", "-f", str(file)]) == 2
    told = capsys.readouterr()
    name, image, other = told.out.splitlines()
    assert name.startswith(
        f"{file}:8:18 (document 2): Pod shop/Fits_: metadata.name: Invalid value: "
        '"Fits_": a lowercase RFC 1123 subdomain must consist of'
    )
    assert image == (f"{file}:9:21 (document 2): Pod shop/Fits_: spec.containers[0].image: Required value"), (
        image
    )
    assert other.endswith("spec.containers[0].image: Required value")
    assert told.err == "3 errors\n"
    assert main(["validate", "-f", str(file), "--format", "json"]) == 2
    assert [error["field"] for error in json.loads(capsys.readouterr().out)["errors"]] == [
        "metadata.name",
        *["spec.containers[0].image"] * 2,
    ]


@pytest.mark.parametrize("name", ["end.yaml", "end.json"])
def test_a_run_s_end_is_exported_and_read_back(
    name: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    end = file.with_name(name)
    assert main(["run", "-f", str(file), "--export", str(end)]) == 0
    capsys.readouterr()
    pods = {item.name: item.raw for item in load_manifests([Source("end", end.read_bytes())]).objects}
    assert pods["fits"]["spec"]["nodeName"] == "node-a"
    assert "nodeName" not in pods["too-big"]["spec"]
    assert main(["run", "-f", str(end)]) == 0
    assert capsys.readouterr().out.startswith("The pod stays pending\n0 placed, 1 pending")


def test_a_redacted_cluster_runs_the_same(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = file.with_name("redacted.json")
    assert main(["redact", "-f", str(file), "-o", str(other)]) == 0
    text = other.read_text()
    assert not any(word in text for word in ("shop", "fits", "too-big", "node-a"))
    assert main(["run", "-f", str(other)]) == 0
    assert capsys.readouterr().out.startswith("1 of 2 pods stays pending\n1 placed, 1 pending, 2 cycles")


def test_what_looks_wrong_is_told_on_stderr(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(
        GOOD + "---\n{apiVersion: v1, kind: Pod, metadata: {name: lost}, spec: {nodeName: gone}}\n"
    )
    assert main(["run", "-f", str(file)]) == 0
    assert "suspicious: a pod is on a node that is not there: default/lost\n" in capsys.readouterr().err


def test_the_configuration_of_a_foreign_export_is_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    export = {
        "nodes": [{"metadata": {"name": "n1"}, "status": {"allocatable": {"cpu": "1", "pods": "9"}}}],
        "pods": [
            {"metadata": {"name": "a"}, "spec": {"schedulerName": "other", "containers": [{"name": "a"}]}}
        ],
        "schedulerConfig": {
            "apiVersion": "kubescheduler.config.k8s.io/v1",
            "kind": "KubeSchedulerConfiguration",
            "profiles": [{"schedulerName": "other"}],
        },
    }
    path = tmp_path / "export.json"
    path.write_text(json.dumps(export))
    assert main(["run", "-f", str(path)]) == 0
    assert capsys.readouterr().out.startswith("The pod is placed\n1 placed")
