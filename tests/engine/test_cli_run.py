from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

MANIFESTS = """\
apiVersion: v1
kind: Node
metadata: {name: node-a}
status: {allocatable: {cpu: "2", memory: 4Gi, pods: "10"}}
---
apiVersion: v1
kind: Pod
metadata: {name: fits, namespace: shop}
spec: {containers: [{name: main, resources: {requests: {cpu: "1"}}}]}
---
apiVersion: v1
kind: Pod
metadata: {name: too-big, namespace: shop}
spec: {containers: [{name: main, resources: {requests: {cpu: "3"}}}]}
"""


def playground(*arguments: str, stdin: str | bytes = b"") -> subprocess.CompletedProcess[str]:
    data = stdin.encode() if isinstance(stdin, str) else stdin
    done = subprocess.run(
        [sys.executable, "-m", "engine.cli", *arguments], input=data, capture_output=True, check=False
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def test_placements_and_reasons_are_told() -> None:
    done = playground("run", "-f", "-", stdin=MANIFESTS)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "1 of 2 pods stays pending",
        "1 placed, 1 pending, 2 cycles",
        "",
        "POD         NODE",
        "shop/fits   node-a",
        "",
        "PENDING        REASON",
        (
            "shop/too-big   0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, "
            "preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling."
        ),
    ]


def test_json_alone_goes_to_stdout_and_the_seed_gives_the_same_bytes() -> None:
    first, second = (playground("run", "-f", "-", "--format", "json", stdin=MANIFESTS) for _ in range(2))
    assert first.stdout == second.stdout
    document = json.loads(first.stdout)
    assert document["placements"] == {"shop/fits": "node-a"}
    assert document["pending"][0]["plugins"] == ["NodeResourcesFit"]


def test_files_and_folders_are_read_together(tmp_path: Path) -> None:
    node, pods = MANIFESTS.split("---\n", 1)
    (tmp_path / "node.yaml").write_text(node)
    folder = tmp_path / "pods"
    folder.mkdir()
    (folder / "pods.yml").write_text(pods)
    (folder / "notes.txt").write_text("not a manifest")
    done = playground("run", "-f", str(tmp_path / "node.yaml"), "-f", str(folder))
    assert done.stdout.splitlines()[1].startswith("1 placed, 1 pending")


def test_the_trace_is_written_one_event_a_line(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    assert playground("run", "-f", "-", "--trace", str(path), stdin=MANIFESTS).returncode == 0
    types = [json.loads(line)["type"] for line in path.read_text().splitlines()]
    assert types[0] == "RunStarted"
    assert types[-1] == "RunFinished"
    assert "PodBound" in types


@pytest.mark.parametrize(
    ("stdin", "sentence"),
    [
        (b"", "stdin:1:1: Required value: no Kubernetes object found"),
        (b"\x7fELF\x00\x01", "stdin"),
        (b"kind: [", "stdin:"),
        (b"a:\n\tb: 1\n", "stdin:2"),
        (b"apiVersion: v1\nkind: Node\nmetadata: {}\n", "metadata.name: Required value"),
    ],
)
def test_bad_input_is_told_with_its_place_and_ends_with_2(stdin: bytes, sentence: str) -> None:
    done = playground("run", "-f", "-", stdin=stdin)
    assert done.returncode == 2
    assert done.stdout == ""
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


def test_every_file_that_cannot_be_read_is_told() -> None:
    done = playground("run", "-f", "missing-1.yaml", "-f", "missing-2.yaml")
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "missing-1.yaml: Not found: there is no such file",
        "missing-2.yaml: Not found: there is no such file",
    ]


def test_with_skip_invalid_the_rest_is_taken_and_what_was_left_out_is_told() -> None:
    wrong = MANIFESTS.replace('cpu: "3"', "cpu: 3 cores")
    assert playground("run", "-f", "-", stdin=wrong).returncode == 2
    done = playground("run", "-f", "-", "--skip-invalid", stdin=wrong)
    assert (done.returncode, done.stdout.splitlines()[:2]) == (
        0,
        ["The pod is placed", "1 placed, 0 pending, 1 cycles"],
    )
    assert "left out: stdin:" in done.stderr
    assert "too-big" in done.stderr


def test_workloads_without_pods_get_their_pods_unless_controllers_are_off() -> None:
    done = playground("run", "-f", "tests/inputs/workloads-without-pods.yaml")
    assert "10 placed, 0 pending, 10 cycles" in done.stdout.splitlines()
    off = playground("run", "-f", "tests/inputs/workloads-without-pods.yaml", "--controllers", "off")
    assert off.stdout == "Nothing was pending\n0 placed, 0 pending, 0 cycles\n"


SCENARIO = """\
kind: Scenario
horizon: 5m
edits:
- {kind: addNodes, at: 10s, like: node-a}
- kind: apply
  at: 20s
  objects:
  - apiVersion: v1
    kind: Pod
    metadata: {name: late, namespace: shop}
    spec: {containers: [{name: main, image: app, resources: {requests: {cpu: "2"}}}]}
- {kind: drain, at: 30s, nodes: [node-a]}
"""


def test_a_scenario_s_edits_are_made_and_what_they_did_is_told(tmp_path: Path) -> None:
    path = tmp_path / "s.yaml"
    path.write_text(SCENARIO)
    done = playground("run", "-f", "-", "--scenario", str(path), stdin=MANIFESTS)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert "2 placed, 1 pending, 3 cycles" in lines
    assert "shop/late   node-a-1" in lines
    assert lines[-2:] == [
        "EDIT REFUSED      REASON",
        "3. Drain node-a   cannot delete Pods that declare no controller (use --force to override): shop/fits",
    ]


def test_pods_that_a_question_moves_are_told(tmp_path: Path) -> None:
    bound = MANIFESTS.replace(
        "name: fits, namespace: shop}\nspec: {", "name: fits, namespace: shop}\nspec: {nodeName: node-a, "
    )
    better = "kind: Scenario\nquestion: {ask: replan}\nedits: [{kind: cordon, nodes: [node-a]}]\n"
    path = tmp_path / "s.yaml"
    path.write_text(better)
    done = playground("run", "-f", "-", "--scenario", str(path), stdin=bound)
    assert "0 placed, 1 of 1 moved, 2 pending, 2 cycles" in done.stdout.splitlines()
    assert "shop/fits   node-a → pending" in done.stdout


def test_a_scenario_with_faults_runs_nothing_and_names_the_lines(tmp_path: Path) -> None:
    path = tmp_path / "s.yaml"
    path.write_text(SCENARIO.replace("nodes: [node-a]", "nodes: [node-z]").replace("at: 10s", "at: soon"))
    done = playground("run", "-f", "-", "--scenario", str(path), stdin=MANIFESTS)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f'{path}:4:24: edits[0].at: Decode: "soon": time: invalid duration "soon"\n'
    named = SCENARIO.replace("like: node-a}", "like: node-a, name: node-b}")
    path.write_text(named.replace("nodes: [node-a]", "nodes: [node-z]"))
    done = playground("run", "-f", "-", "--scenario", str(path), stdin=MANIFESTS)
    assert done.stderr.startswith(f"{path}:12:34: edits[2].nodes[0]: Not found")
    assert "no node of that name" in done.stderr


def test_wrong_usage_ends_with_2() -> None:
    assert playground("run").returncode == 2
    assert playground("walk").returncode == 2


def test_django_is_not_loaded() -> None:
    code = "import sys, engine.cli; sys.exit(any(name.split('.')[0] == 'django' for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_unknown_plugins_are_refused_or_left_out_and_fields_without_effect_are_told(tmp_path: Path) -> None:
    config = tmp_path / "scheduler.yaml"
    config.write_text(
        "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nparallelism: 4\n"
        "profiles: [{plugins: {score: {enabled: [{name: Own}]}}}]\n"
    )
    refused = playground("run", "-f", "-", "--config", str(config), stdin=MANIFESTS)
    assert refused.returncode == 2
    assert 'ScorePlugin "Own" does not exist' in refused.stderr
    done = playground("run", "-f", "-", "--config", str(config), "--skip-unknown-plugins", stdin=MANIFESTS)
    assert (done.returncode, done.stdout.splitlines()[1]) == (0, "1 placed, 1 pending, 2 cycles")
    assert done.stderr.splitlines() == [
        "note: parallelism: decisions are made one after the other",
        'note: profiles[0].plugins.score: "Own" is not known here and was left out',
    ]


def test_more_options_come_as_json_and_wrong_ones_are_named() -> None:
    short = playground("run", "-f", "-", "--options", '{"horizon_us": 1}', stdin=MANIFESTS)
    assert "0 placed, 2 pending, 1 cycles" in short.stdout.splitlines()
    for wrong, says in (('{"nope": 1}', "unknown field `nope`"), ("[]", "expected a JSON object")):
        done = playground("run", "-f", "-", "--options", wrong, stdin=MANIFESTS)
        assert done.returncode == 2
        assert done.stderr.startswith("--options: Invalid value")
        assert says in done.stderr
