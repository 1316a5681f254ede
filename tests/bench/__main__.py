"""`make bench`: pods per second of the whole simulator against kube-scheduler's figures, with the same placements.

Every workload is generated, run through queue, cycle, assume and binding with its summary events encoded, and each
pod's node compared with the recorded one. Different placements fail; a slow machine does not.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

from scheduler_core.api import decode_object
from scheduler_core.config import load_config
from scheduler_core.simulator import CONFORMANCE, Simulator
from tests.bench.calibrate import loop
from tests.bench.make_workload import case

HERE = Path(__file__).parent
CALIBRATION_STEPS = 3_000_000
THEIR_MILLION_STEPS = 7.1
"""What calibrate.py gave on the machine of their figures."""
THEIRS = {
    "plain:100:2000": 1730,
    "plain:1000:2000": 498,
    "plain:5000:2000": 466,
    "plain:5000:1000:all": 54,
    "mixed:1000:2000": 201,
    "mixed:5000:1000": 132,
    "mixed:5000:300:all": 52,
    "spread:5000:500": 103,
    "anti:5000:500": 108,
}
"""kube-scheduler v1.34.1 in process, pods per second."""
AIMS = {
    "plain:100:2000": 3,
    "plain:1000:2000": 8,
    "plain:5000:2000": 10,
    "plain:5000:1000:all": 30,
    "mixed:1000:2000": 8,
    "mixed:5000:1000": 10,
    "mixed:5000:300:all": 20,
    "spread:5000:500": 10,
    "anti:5000:500": 10,
}


class SummarySink:
    """Takes the encoded events and keeps none."""

    def write(self, seq: int, data: bytes) -> None:
        """Takes one event."""

    def wants_detail(self, cycle: int, num_nodes: int) -> bool:
        """Never."""
        return False

    def write_detail(self, cycle: int, detail: object) -> None:
        """Not asked for."""


def calibrate() -> float:
    """Million steps a second of the calibration loop, best of five."""
    best = float("inf")
    for _ in range(5):
        started = time.perf_counter()
        loop(CALIBRATION_STEPS)
        best = min(best, time.perf_counter() - started)
    return CALIBRATION_STEPS / best / 1e6


def expected_nodes(workload: str) -> list[str | None]:
    """The recorded node of every pending pod, in order."""
    kind, nodes, pods, *rest = workload.split(":")
    name = f"{kind}-{nodes}x{pods}" + ("-all" if rest else "")
    with gzip.open(HERE / "expected.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            record: dict[str, Any] = json.loads(line)
            if record["name"] == name:
                return list(record["nodes"])
    raise SystemExit(f"no recorded placements for {workload}")


def run_once(workload: str) -> dict[str, Any]:
    """Runs a workload once: seconds to load, seconds to run, and how many pods went elsewhere."""
    kind, nodes, pods, *rest = workload.split(":")
    made = case(int(nodes), int(pods), kind, all_nodes=bool(rest))
    started = time.perf_counter()
    simulator = Simulator(load_config(made.get("config", "")), CONFORMANCE, SummarySink())
    simulator.load(decode_object(raw) for raw in made["objects"])
    loaded = time.perf_counter()
    result = simulator.run()
    seconds = time.perf_counter() - loaded
    pending = [
        f"default/{raw['metadata']['name']}"
        for raw in made["objects"]
        if raw["kind"] == "Pod" and "nodeName" not in raw["spec"]
    ]
    ours = [result.placements.get(pod) for pod in pending]
    differing = sum(a != b for a, b in zip(ours, expected_nodes(workload), strict=True))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"load": loaded - started, "run": seconds, "differing": differing, "peak_mib": peak}


def in_own_process(workload: str) -> dict[str, Any]:
    """Runs a workload in a process of its own, so that its memory is its own."""
    command = [sys.executable, "-m", "tests.bench", "--once", workload]
    answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    measured: dict[str, Any] = json.loads(answer)
    return measured


def main() -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--only", default=os.environ.get("ONLY", ""), help="KIND:NODES:PODS[:all]")
    parser.add_argument("--runs", type=int, default=3, help="the median of so many (default: 3)")
    parser.add_argument("--once", metavar="WORKLOAD", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.once:
        print(json.dumps(run_once(options.once)))
        return 0
    speed = calibrate()
    scale = speed / THEIR_MILLION_STEPS
    print(f"calibration: {speed:.2f} million steps/s; kube-scheduler's figures are scaled by {scale:.2f}")
    head = ("workload", "pods/s", "theirs", "ratio", "aim", "MiB", "load s", "differing")
    print("{:22} {:>8} {:>8} {:>7} {:>5} {:>6} {:>7} {:>9}".format(*head))
    wrong = 0
    for workload in options.only.split() or THEIRS:
        measured = [in_own_process(workload) for _ in range(options.runs)]
        num_pods = int(workload.split(":")[2])
        ours = num_pods / median(run["run"] for run in measured)
        theirs = THEIRS[workload] * scale
        differing = max(run["differing"] for run in measured)
        wrong += differing
        peak, load = max(run["peak_mib"] for run in measured), median(run["load"] for run in measured)
        print(
            f"{workload:22} {ours:8.0f} {theirs:8.0f} {ours / theirs:7.1f} {AIMS[workload]:5} "
            f"{peak:6.0f} {load:7.2f} {differing:9}",
            flush=True,
        )
    if wrong:
        print(f"{wrong} pods were placed elsewhere")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
