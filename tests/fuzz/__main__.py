"""`make fuzz`: writes fresh clusters in the recorded form, with what we decide on them as what is expected.

``python -m tests.fuzz compare FILE`` compares such a file, recorded by a real scheduler, with what we decide.
"""

from __future__ import annotations

import argparse
import gzip
import json
import subprocess
import sys
from pathlib import Path

from tests.fuzz.generate import AREAS, generate, recorded


def write(number: int, seed: int, areas: tuple[str, ...], out: Path) -> int:
    """Writes the clusters of ``number`` seeds of each area, and returns how many of them failed to run."""
    failed = 0
    out.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(out, "wt", encoding="utf-8") as file:
        for area in areas:
            for one in range(seed, seed + number):
                case = generate(area, one)
                try:
                    file.write(json.dumps(recorded(case)) + "\n")
                except Exception as error:
                    failed += 1
                    print(f"{case['name']}: {error!r}")
    print(f"{number * len(areas) - failed} clusters in {out}, {failed} failed")
    return failed


def main() -> int:
    """Writes or compares, as the command line says."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    writing = commands.add_parser("write", help="write clusters")
    writing.add_argument("--number", type=int, default=10, help="seeds of each area")
    writing.add_argument("--seed", type=int, default=1, help="the first of them")
    writing.add_argument("--area", choices=[*AREAS, ""], default="", help="default: all")
    writing.add_argument("--out", type=Path, default=Path("var/fuzz.jsonl.gz"))
    comparing = commands.add_parser("compare", help="compare a recorded file with ours")
    comparing.add_argument("file", type=Path)
    arguments = parser.parse_args()
    if arguments.command == "compare":
        command = [sys.executable, "-m", "tests.conformance", "--files", str(arguments.file)]
        return subprocess.run(command, check=False).returncode
    areas = (arguments.area,) if arguments.area else AREAS
    return 1 if write(arguments.number, arguments.seed, areas, arguments.out) else 0


if __name__ == "__main__":
    sys.exit(main())
