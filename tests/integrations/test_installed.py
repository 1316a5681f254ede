"""The command line from a wheel, without the web parts, and as a plugin of kubectl."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from engine.live import KINDS
from tests.core.checks.asking import node
from tests.integrations.conftest import Run
from tests.needs import ROOT


def test_it_checks_without_the_web_parts(run: Run, installed: Path) -> None:
    assert run([installed / "python", "-c", "import django"]).returncode == 1
    done = run(["playground", "check", "-f", "deploy", "--cluster", "cluster.yaml"])
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("PASS  Scheduler check: the expectation holds\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "-f", "cluster.yaml", "-f", "deploy"],
        ["explain", "web", "-f", "cluster.yaml", "-f", "deploy"],
        ["validate", "deploy"],
        ["redact", "-f", "cluster.yaml"],
        ["completion", "bash"],
        ["check", "deploy", "--cluster", "cluster.yaml", "--orders", "3", "--format", "sarif"],
    ],
)
def test_every_command_works_there(arguments: list[str], run: Run) -> None:
    done = run(["playground", *arguments])
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


def test_the_version_is_told(run: Run) -> None:
    assert run(["playground", "--version"]).stdout == "scheduler-playground 0.1.0 (kube-scheduler v1.34.1)\n"


def test_serve_says_what_it_lacks(run: Run) -> None:
    done = run(["playground", "serve"])
    assert done.returncode == 2
    assert 'pip install "scheduler-playground[web]"' in done.stderr


def test_the_extra_has_what_the_application_needs_and_the_rest_what_the_engine_needs() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lines = (ROOT / "requirements" / "runtime.in").read_text().splitlines()
    needed = [line for line in lines if line and not line.startswith("#")]
    assert sorted([*project["dependencies"], *project["optional-dependencies"]["web"]]) == sorted(needed)
    assert project["dependencies"] == ["msgspec", "numpy", "PyYAML"]


def kubectl(folder: Path, body: str) -> dict[str, str]:
    """Puts a kubectl on the PATH that prints what a script says; returns the environment for it."""
    tools = folder / "tools"
    tools.mkdir()
    (tools / "kubectl").write_text(f"#!/bin/sh\n{body}\n")
    (tools / "kubectl").chmod(0o755)
    return {"TOOLS": str(tools)}


@pytest.fixture
def plugin(run: Run, folder: Path, installed: Path) -> Run:
    """Runs the plugin with the folder's kubectl on the PATH."""

    def run_it(*arguments: str) -> object:
        path = f"{folder / 'tools'}{os.pathsep}{installed}{os.pathsep}{os.environ['PATH']}"
        return run(["kubectl-playground", *arguments], PATH=path)

    return run_it  # type: ignore[return-value]


def test_the_plugin_reads_the_live_cluster(plugin: Run, folder: Path) -> None:
    (folder / "live.json").write_text(
        json.dumps({"apiVersion": "v1", "kind": "List", "items": [node("node-x")]})
    )
    kubectl(folder, 'echo "$@" >asked; cat live.json')
    done = plugin(
        "check", "-f", "deploy", "--context", "prod", "--format", "json", "--max-snapshot-age", "1h"
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["placements"][0]["node"] == "node-x"
    assert (folder / "asked").read_text() == f"--context prod get {KINDS} --all-namespaces --output=json\n"


def test_the_plugin_takes_a_file_where_one_is_named(plugin: Run, folder: Path) -> None:
    kubectl(folder, "exit 9")
    assert plugin("check", "-f", "deploy", "--cluster", "cluster.yaml").returncode == 0
    assert plugin("--help").stdout.startswith("usage: kubectl playground ")


def test_what_kubectl_says_is_told(plugin: Run, folder: Path) -> None:
    kubectl(folder, 'echo "error: context \\"prod\\" does not exist" >&2; exit 1')
    done = plugin("check", "-f", "deploy")
    assert done.returncode == 2
    assert done.stderr == '--live: Syntax: kubectl: error: context "prod" does not exist\n'


def test_kubectl_completes_the_plugin(run: Run) -> None:
    script = ROOT / "integrations" / "kubectl" / "kubectl_complete-playground"
    assert run([script, "check", "--format", "js"]).stdout == "json\n:4\n"
    assert run([script, "check", "-f", ""]).stdout == ":0\n"


def test_the_script_that_exports_a_snapshot_asks_for_the_same_kinds() -> None:
    script = (ROOT / "examples" / "export-snapshot.sh").read_text()
    listed = [
        part for line in script.splitlines() if line.startswith("kinds=") for part in line[6:].split(",")
    ]
    assert ",".join(part for part in listed if part != "$kinds") == KINDS
