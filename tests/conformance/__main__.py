"""`make conformance`: runs the recorded cases and compares every recorded field.

Prints the first differences of each failing case, a table per kind, and last a line ``N passed, M failed``.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import traceback
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from tests.conformance.compare import (
    CASES,
    CaseError,
    Difference,
    compare,
    read_cases,
    scheduling_files,
)
from tests.conformance.validation import FILE, compare_validation, is_validation, kind_of

SHOWN_PER_CASE = 3
SHOWN_CHARACTERS = 400


class Outcome(NamedTuple):
    """How one case went."""

    kind: str
    name: str
    differences: list[Difference]
    error: str


def judge(path: Path, number: int, ignore: frozenset[str]) -> Outcome:
    """Runs one case of a file; an exception of ours, and a case that says nothing of us, are failures of the case."""
    case = read_cases(path)[number]
    validation = is_validation(case)
    kind = kind_of(case) if validation else case.get("kind") or path.name.removesuffix(".jsonl.gz")
    name = case.get("name") or f"{path.name}:{number + 1}"
    try:
        differences = compare_validation(case) if validation else compare(case, ignore)
        return Outcome(kind, name, differences, "")
    except CaseError as wrong:
        return Outcome(kind, name, [], f"{wrong}\n")
    except Exception:
        return Outcome(kind, name, [], traceback.format_exc(limit=-3))


def judge_file(path: Path, ignore: frozenset[str]) -> list[Outcome]:
    """Runs all cases of a file; one that cannot be read, or has none, is a failure itself."""
    try:
        number_of_cases = len(read_cases(path))
    except (OSError, ValueError) as wrong:
        return [Outcome(path.name, "", [], f"cannot be read as cases: {wrong}\n")]
    if not number_of_cases:
        return [Outcome(path.name, "", [], "no cases\n")]
    return [judge(path, number, ignore) for number in range(number_of_cases)]


def find(name: str) -> Path:
    """A file by path, or by its name among our cases."""
    for path in (Path(name), *sorted(CASES.rglob("*.jsonl.gz"))):
        if path.is_file() and name in (str(path), path.name, path.name.removesuffix(".jsonl.gz")):
            return path
    raise SystemExit(f"no such file of cases: {name}")


def show(outcome: Outcome) -> None:
    """Prints the first differences of a failing case."""
    count = len(outcome.differences)
    number = f": {count} difference{'s' * (count != 1)}" if not outcome.error else ""
    print(f"{outcome.kind} {outcome.name}{number}")
    if outcome.error:
        print(f"    {outcome.error}")
    for difference in outcome.differences[:SHOWN_PER_CASE]:
        print(f"    cycle {difference.cycle} {difference.pod} {difference.field}")
        for side, value in (("ours", difference.ours), ("theirs", difference.theirs)):
            print(f"      {side:7}{json.dumps(value, sort_keys=True)[:SHOWN_CHARACTERS]}")


def main() -> int:
    """Runs what the command line names."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance", description=__doc__)
    parser.add_argument(
        "--files",
        default=os.environ.get("FILES", ""),
        help="files of cases, separated by blanks; default: all",
    )
    parser.add_argument(
        "--ignore",
        default=os.environ.get("IGNORE", ""),
        help="fields not compared, separated by blanks or commas",
    )
    parser.add_argument("--case", default="", help="only the case of this name")
    arguments = parser.parse_args()
    ignore = frozenset(arguments.ignore.replace(",", " ").split())
    paths = [find(name) for name in arguments.files.split()] or [*scheduling_files(), FILE]
    passed: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    with ProcessPoolExecutor() as pool:
        for outcomes in pool.map(judge_file, paths, [ignore] * len(paths)):
            for outcome in outcomes:
                if arguments.case and outcome.name != arguments.case:
                    continue
                if outcome.differences or outcome.error:
                    failed[outcome.kind] += 1
                    show(outcome)
                else:
                    passed[outcome.kind] += 1
    print(f"\n{'kind':18} {'passed':>6} {'failed':>6}")
    for kind in sorted(passed.keys() | failed.keys()):
        print(f"{kind:18} {passed[kind]:6} {failed[kind]:6}")
    print(f"{passed.total()} passed, {failed.total()} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
