"""The line that makes a snapshot makes one that loads, with its time and every kind."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from engine.sources import read_sources
from scheduler_core.api import KINDS, import_report, load_manifests, parse_time
from tests.architecture.tree import ROOT

SCRIPT = ROOT / "examples" / "export-snapshot.sh"
KUBECTL = """#!/bin/sh
[ "$1 $3 $4 $5" = "get -A -o json" ] || exit 1
printf '%s' "$2" > asked
cat list.json
"""


def test_the_printed_line_makes_a_complete_snapshot(tmp_path: Path) -> None:
    line = subprocess.run(["sh", str(SCRIPT), "shot.json"], capture_output=True, text=True, check=True).stdout
    assert line.count("\n") == 1
    kubectl = tmp_path / "bin" / "kubectl"
    kubectl.parent.mkdir()
    kubectl.write_text(KUBECTL)
    kubectl.chmod(0o755)
    items = [
        {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1"}},
        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": "a", "creationTimestamp": "2999-01-01T00:00:00Z"},
        },
    ]
    printed = {"apiVersion": "v1", "items": items, "kind": "List", "metadata": {"resourceVersion": ""}}
    (tmp_path / "list.json").write_text(json.dumps(printed, indent=4))
    path = f"{kubectl.parent}{os.pathsep}{os.environ['PATH']}"
    subprocess.run(["sh", "-c", line], cwd=tmp_path, env={**os.environ, "PATH": path}, check=True)
    loaded = load_manifests(read_sources([str(tmp_path / "shot.json")]))
    assert [item.key for item in loaded.objects] == ["Node/n1", "Pod/default/a"]
    assert parse_time(loaded.captured_at) > parse_time("2026-01-01T00:00:00Z")
    (finding,) = import_report(loaded).suspicious
    assert finding.message == "a pod is younger than the snapshot it is in"
    asked = {_singular(name) for name in (tmp_path / "asked").read_text().split(",")}
    read = {info.kind.lower() for info in KINDS if "resource.k8s.io" not in info.groups}
    assert asked == read


def _singular(plural: str) -> str:
    for ending, single in (("classes", "class"), ("ies", "y"), ("s", "")):
        if plural.endswith(ending):
            return plural.removesuffix(ending) + single
    return plural
