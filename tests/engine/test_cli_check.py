"""``playground check`` as a pipeline calls it: reports, exit codes, nothing but data on stdout."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from engine.cli import main
from tests.core.checks.asking import expectations, node, pod

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Works in a folder with a cluster, manifests that fit, and some that do not."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    Path("cluster.yaml").write_text(yaml.safe_dump_all([node("node-a"), node("node-b")]))
    Path("app").mkdir()
    Path("app/web.yaml").write_text(yaml.safe_dump(pod("web")))
    Path("huge.yaml").write_text(yaml.safe_dump(pod("huge", "9")))


def check(*arguments: str) -> int:
    return main(["check", "--cluster", "cluster.yaml", *arguments])


def test_0_all_expectations_hold(capsys: Capture) -> None:
    assert check("-f", "app") == 0
    told = capsys.readouterr()
    assert told.out.startswith("PASS  Scheduler check: the expectation holds\n")
    assert told.err == ""


def test_1_some_expectations_do_not_hold(capsys: Capture) -> None:
    assert check("-f", "app", "-f", "huge.yaml") == 1
    assert "at huge.yaml:14:14 spec.containers[0].resources.requests[cpu]" in capsys.readouterr().out


def test_3_the_snapshot_is_too_old_or_of_unknown_age(capsys: Capture) -> None:
    assert check("-f", "app", "--max-snapshot-age", "24h") == 3
    assert "the age of the snapshot is unknown" in capsys.readouterr().out
    assert check("-f", "app", "--max-snapshot-age", "24h", "--captured-at", "2020-01-01T00:00:00Z") == 3
    assert check("-f", "app", "--max-snapshot-age", "999999h", "--captured-at", "2020-01-01T00:00:00Z") == 0


def test_4_an_internal_error_is_a_sentence_and_with_debug_a_traceback(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.cli.check.render", lambda *given, **named: 1 // 0)
    assert check("-f", "app") == 4
    told = capsys.readouterr().err
    assert told.startswith("playground: internal error: ZeroDivisionError: ")
    assert "Traceback" not in told
    assert check("-f", "app", "--debug") == 4
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["-f", "gone.yaml"], "gone.yaml: Not found: there is no such file"),
        (["-f", "app", "--cluster", "gone.json"], "gone.json: Not found: there is no such file"),
        (["-f", "app", "--expect", "gone"], "gone: Not found: there is no such file"),
        (["-f", "app", "--config", "gone"], "gone: Not found: there is no such file"),
        (["-f", "app", "-o", "no/such/folder"], "no/such/folder: Syntax: cannot be written"),
        (["-f", "broken.yaml"], "broken.yaml:2:1: Syntax: did not find expected node content"),
        (["-f", "binary.yaml"], "binary.yaml:1:1: Syntax: the file is not UTF-8 text; is it a binary?"),
        (["-f", "app", "--expect", "app/web.yaml"], "expected apiVersion playground/v1, kind Expectations"),
        (["-f", "app", "--orders", "0"], "orders: Invalid value: 0"),
        (["-f", "app", "--max-snapshot-age", "7d"], 'time: invalid duration "7d"'),
        (["--delete", "web"], 'deletions[0]: Invalid value: "web"'),
        ([], "nothing to check: name manifests with -f, or objects with --delete"),
        (["-f", "app", "--format", "pdf"], "argument --format: invalid choice: 'pdf'"),
        (
            ["-f", "app", "--report", "pdf=a"],
            "argument --report: expected FORMAT=FILE with a format of json, ",
        ),
        (["-f", "app", "--colour"], "unrecognized arguments: --colour"),
        (["-f", "app", "--server", "here"], 'Invalid value: "here": expected an address such as https://'),
    ],
)
def test_2_bad_input_and_usage_are_told_in_a_sentence(
    arguments: list[str], sentence: str, capsys: Capture
) -> None:
    Path("broken.yaml").write_text("kind: [")
    Path("binary.yaml").write_bytes(b"\x89\xff\x00")
    try:
        code = check(*arguments)
    except SystemExit as end:
        code = int(end.code or 0)
    told = capsys.readouterr()
    assert code == 2
    assert sentence in told.err
    assert told.out == ""
    assert "Traceback" not in told.err


def test_expectations_and_options_reach_the_check(capsys: Capture) -> None:
    Path("expect.yaml").write_text(expectations({"headroom": {"resources": {"cpu": "4"}}}))
    assert check("-f", "app", "--expect", "expect.yaml", "--format", "json", "--name", "release 7") == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["name"], told["results"][0]["type"]) == ("release 7", "headroom")
    assert check("-f", "app", "--expect", "expect.yaml", "--orders", "9", "--format", "json") == 1
    assert json.loads(capsys.readouterr().out)["results"][0]["orders"] == {
        "held": 0,
        "tried": 2,
        "always": False,
    }


def test_several_reports_are_written_at_once(capsys: Capture) -> None:
    Path("out").mkdir()
    reports = [
        "--report",
        "junit=out/junit.xml",
        "--report",
        "sarif=out/check.sarif",
        "--report",
        "markdown=out/comment.md",
    ]
    assert check("-f", "app", "--output", "out/check.json", "--format", "json", *reports) == 0
    assert sorted(path.name for path in Path("out").iterdir()) == [
        "check.json",
        "check.sarif",
        "comment.md",
        "junit.xml",
    ]
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", "the expectation holds\n")


def test_manifests_come_from_stdin_too() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "engine.cli", "check", "-f", "-", "--cluster", "cluster.yaml", "--format", "json"],
        input=Path("huge.yaml").read_bytes(), capture_output=True, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 1
    assert json.loads(done.stdout)["results"][0]["findings"][0]["location"]["file"] == "stdin"
    assert done.stderr == b""


def test_the_exit_code_survives_a_reader_that_has_enough() -> None:
    Path("many.yaml").write_text(yaml.safe_dump_all([pod(f"pod-{number}", "9") for number in range(900)]))
    command = (
        f"{sys.executable} -m engine.cli check -f many.yaml --cluster cluster.yaml --format json | head -c 1"
    )
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (1, b"{", b"")


def test_a_deletion_alone_is_a_check(capsys: Capture) -> None:
    Path("cluster.yaml").write_text(yaml.safe_dump_all([node("node-a"), pod("old", on="node-a")]))
    assert check("--delete", "Pod/old", "--format", "json") == 0
    assert json.loads(capsys.readouterr().out)["counts"]["deletions"] == 1


def test_without_a_cluster_there_are_no_nodes_and_that_is_said(capsys: Capture) -> None:
    assert main(["check", "-f", "app"]) == 1
    assert "note: no --cluster is named: there are no nodes" in capsys.readouterr().err


def at_a_terminal(**environment: str) -> bytes:
    """Runs a check with stdout at a terminal and returns what is shown there."""
    ours, theirs = pty.openpty()
    kept = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    done = subprocess.Popen(
        [sys.executable, "-m", "engine.cli", "check", "-f", "app", "--cluster", "cluster.yaml"],
        stdout=theirs, env={**kept, "PYTHONPATH": str(ROOT), "TERM": "xterm", **environment},
    )  # fmt: skip
    os.close(theirs)
    shown = b""
    try:
        while piece := os.read(ours, 4096):
            shown += piece
    except OSError:  # the terminal is closed
        pass
    os.close(ours)
    assert done.wait() == 0
    return shown


def test_colours_are_for_terminals_alone_and_can_be_switched_off() -> None:
    assert b"\x1b[32m\x1b[1mPASS" in at_a_terminal()
    assert b"\x1b" not in at_a_terminal(NO_COLOR="1")
    assert b"\x1b" not in at_a_terminal(TERM="dumb")


ROOT = Path(__file__).parents[2]
