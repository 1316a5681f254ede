"""The script that records a watch, with a kubectl that prints what the real one prints."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from scheduler_core.simulator import read_watch_log

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "examples" / "record_watch.py"
KUBECTL = """\
#!{python}
import json, sys
assert sys.argv[1] == "get" and "--watch" in sys.argv and "--output-watch-events" in sys.argv, sys.argv
objects = {{"nodes": ["n1", "n2"], "pods": ["p"]}}.get(sys.argv[2], [])
kind = {{"nodes": "Node", "pods": "Pod"}}.get(sys.argv[2])
for name in objects:
    metadata = {{"name": name, "managedFields": [{{}}], "labels": {{"ä": "ö"}}}}
    metadata["creationTimestamp"] = "2020-01-01T00:00:00Z"
    spec = {{"containers": [{{"name": "c"}}]}} if kind == "Pod" else {{}}
    object_ = {{"apiVersion": "v1", "kind": kind, "metadata": metadata, "spec": spec}}
    print(json.dumps({{"type": "ADDED", "object": object_}}, indent=4))
"""


def test_events_of_all_kinds_are_recorded_one_a_line_with_their_time(tmp_path: Path) -> None:
    kubectl = tmp_path / "kubectl"
    kubectl.write_text(KUBECTL.format(python=sys.executable))
    kubectl.chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [sys.executable, str(SCRIPT)], capture_output=True, check=True, env={**os.environ, "PATH": path}
    )
    lines = done.stdout.splitlines()
    events = [json.loads(line) for line in lines]
    assert {event["object"]["metadata"]["name"] for event in events} == {"n1", "n2", "p"}
    assert all("managedFields" not in event["object"]["metadata"] for event in events)
    log = read_watch_log(lines)
    assert sorted(object_.metadata.name for object_ in log.objects) == ["n1", "n2", "p"]


def test_a_recording_is_replayed_from_the_command_line(tmp_path: Path) -> None:
    node = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": "n1", "creationTimestamp": "2026-01-01T00:00:00Z"},
    }
    node["status"] = {"allocatable": {"cpu": "1", "pods": "9"}}  # type: ignore[assignment]
    metadata = {"name": "p", "namespace": "shop", "creationTimestamp": "2026-01-01T08:00:05Z", "uid": "u"}
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": metadata,
        "spec": {"containers": [{"name": "c", "image": "i"}]},
    }
    path = tmp_path / "watch.jsonl"
    times = ("2026-01-01T08:00:00Z", "2026-01-01T08:00:05.5Z")
    lines = [
        {"receivedAt": time, "type": "ADDED", "object": object_}
        for time, object_ in zip(times, (node, pod), strict=True)
    ]
    path.write_text("\n".join(map(json.dumps, lines)) + "\n")
    trace = tmp_path / "trace.jsonl"
    arguments = [sys.executable, "-m", "engine.cli", "run", "--scenario", str(path), "--trace", str(trace)]
    done = subprocess.run(arguments, capture_output=True, check=True, cwd=ROOT)
    assert done.stdout.decode().splitlines()[1] == "1 placed, 0 pending, 1 cycles"
    (created,) = [
        event for event in map(json.loads, trace.read_text().splitlines()) if event["type"] == "PodCreated"
    ]
    assert (created["pod"], created["by"], created["t_us"]) == ("shop/p", "watch", 5_500_000)
    nothing = subprocess.run(arguments[:4], capture_output=True, check=False, cwd=ROOT)
    assert (nothing.returncode, nothing.stderr.decode()) == (
        2,
        "Required value: -f is missing: expected a cluster to run\n",
    )
