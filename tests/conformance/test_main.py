"""What `make conformance` prints and how it ends."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.conformance.__main__ import find, main
from tests.conformance.compare import read_cases, scheduling_files
from tests.conformance.validation import FILE

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conformance.compare import Case


def run(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *arguments: str
) -> tuple[int, list[str]]:
    monkeypatch.setattr("sys.argv", ["conformance", *arguments])
    code = main()
    return code, capsys.readouterr().out.splitlines()


def write(path: Path, cases: list[Case]) -> Path:
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, cases)).encode()))
    return path


@pytest.fixture
def cases() -> list[Case]:
    """Two cases of scheduling and one of validation."""
    ports = read_cases(next(path for path in scheduling_files() if path.name.startswith("ports")))
    return [*ports[:2], next(case for case in read_cases(FILE) if "config" in case)]


def test_agreeing_cases_of_any_file_give_a_table_by_kind_and_0(
    cases: list[Case], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "some.jsonl.gz", cases)
    code, lines = run(capsys, monkeypatch, "--files", f"{path}")
    assert code == 0
    assert [line.split() for line in lines[1:]] == [
        ["kind", "passed", "failed"],
        ["ports", "2", "0"],
        ["validation-config", "1", "0"],
        ["3", "passed,", "0", "failed"],
    ]


def test_a_failing_case_is_shown_by_case_cycle_field_ours_and_theirs_and_gives_1(
    cases: list[Case], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cycle = cases[1]["expected"]["cycles"][0]
    ours, cycle["node"] = cycle["node"], "elsewhere"
    path = write(tmp_path / "some.jsonl.gz", cases)
    code, lines = run(capsys, monkeypatch, "--files", f"{path}")
    assert code == 1
    assert lines[:4] == [
        f"ports {cases[1]['name']}: 1 difference",
        f"    cycle 1 {cycle['pod']} node",
        f'      ours   "{ours}"',
        '      theirs "elsewhere"',
    ]
    assert lines[-1] == "2 passed, 1 failed"
    assert run(capsys, monkeypatch, "--files", f"{path}", "--ignore", "node")[0] == 0


def test_an_exception_of_ours_fails_the_case(
    cases: list[Case], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cases[0]["objects"][0]["kind"] = 1
    path = write(tmp_path / "some.jsonl.gz", cases)
    code, lines = run(capsys, monkeypatch, "--files", f"{path}")
    assert (code, lines[0], lines[-1]) == (1, f"ports {cases[0]['name']}", "2 passed, 1 failed")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"expected": {"timeline": [], "final": {}}}, "the form of the case is not known"),
        ({"edits": []}, "the form of the case is not known"),
        ({"expected": None}, "the form of the case is not known"),
        ({"expected": {}, "objects": []}, "nothing was compared"),
    ],
)
def test_a_case_of_another_form_or_without_anything_to_compare_never_passes(
    change: dict[str, Any],
    said: str,
    cases: list[Case],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = write(tmp_path / "some.jsonl.gz", [cases[0] | change, cases[1]])
    code, lines = run(capsys, monkeypatch, "--files", f"{path}")
    assert code == 1
    assert lines[:2] == [f"ports {cases[0]['name']}", f"    {said}"]
    assert lines[-1] == "1 passed, 1 failed"


def test_a_case_that_records_that_nothing_happened_is_compared(
    cases: list[Case], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing = {"objects": [], "expected": {"cycles": None, "pending": [], "placements": {}}}
    path = write(
        tmp_path / "some.jsonl.gz", [cases[0] | nothing, cases[1] | {"expected": nothing["expected"]}]
    )
    code, lines = run(capsys, monkeypatch, "--files", f"{path}")
    assert (code, lines[-1]) == (1, "1 passed, 1 failed")


def test_a_configuration_that_upstream_refuses_must_be_refused_in_its_words(
    cases: list[Case], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    head = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"
    refused = {
        "config": f"{head}podMaxBackoffSeconds: 0",
        "expected": {
            "configError": "invalid: podMaxBackoffSeconds: Invalid value: 0: must be greater than or equal to "
            "PodInitialBackoffSeconds"
        },
    }
    path = write(tmp_path / "some.jsonl.gz", [cases[0] | refused, cases[1] | refused | {"config": head}])
    code, lines = run(capsys, monkeypatch, "--files", f"{path}")
    assert (code, lines[-1]) == (1, "1 passed, 1 failed")


def test_a_case_of_which_every_field_is_ignored_never_passes(
    cases: list[Case], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = cases[0]["expected"]
    fields = {*expected, *(field for cycle in expected["cycles"] for field in cycle)}
    path = write(tmp_path / "some.jsonl.gz", cases[:1])
    code, lines = run(capsys, monkeypatch, "--files", f"{path}", "--ignore", " ".join(fields))
    assert (code, lines[1], lines[-1]) == (1, "    nothing was compared", "0 passed, 1 failed")


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"", "no cases"), (b"a case\n", "cannot be read as cases: Expecting value: line 1 column 1 (char 0)")],
)
def test_a_file_without_cases_never_passes(
    content: bytes,
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = tmp_path / "some.jsonl.gz"
    path.write_bytes(gzip.compress(content))
    code, lines = run(capsys, monkeypatch, "--files", f"{path}")
    assert (code, lines[1], lines[-1]) == (1, f"    {said}", "0 passed, 1 failed")


def test_a_file_that_is_not_there_is_said() -> None:
    with pytest.raises(SystemExit, match="no such file of cases: nothing"):
        find("nothing")
