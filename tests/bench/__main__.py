"""`make bench`: pods per second of the whole simulator against kube-scheduler's figures, with the same placements.

Every workload is generated, run through queue, cycle, assume and binding with its summary events encoded, and each
pod's node compared with the recorded one. Different placements fail; a slow machine does not. Rates are by the CPU time
of the process, and their figures are scaled by the speed that the machine had in the same process.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

from engine.collector import collect_rarely, set_aside
from scheduler_core.api import decode_object
from scheduler_core.config import load_config
from scheduler_core.simulator import CONFORMANCE, Simulator
from tests.bench.make_workload import case
from tests.bench.measure import measure, peak_mib
from tests.bench.others import OTHERS
from tests.bench.sinks import SummarySink

HERE = Path(__file__).parent
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
    started = time.process_time()
    simulator = Simulator(load_config(made.get("config", "")), CONFORMANCE, SummarySink())
    simulator.load(decode_object(raw) for raw in made["objects"])
    set_aside()
    loading = time.process_time() - started
    took = measure(simulator.run)
    result = simulator.result()
    pending = [
        f"default/{raw['metadata']['name']}"
        for raw in made["objects"]
        if raw["kind"] == "Pod" and "nodeName" not in raw["spec"]
    ]
    ours = [result.placements.get(pod) for pod in pending]
    differing = sum(a != b for a, b in zip(ours, expected_nodes(workload), strict=True))
    return {
        "load": loading,
        "pods_per_s": int(pods) / took.seconds,
        "theirs": THEIRS[workload] * took.speed / THEIR_MILLION_STEPS,
        "differing": differing,
        "peak_mib": peak_mib(),
    }


def in_own_process(workload: str) -> dict[str, Any]:
    """Runs a workload in a process of its own, so that its memory is its own."""
    command = [sys.executable, "-m", "tests.bench", "--once", workload]
    answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    measured: dict[str, Any] = json.loads(answer)
    return measured


def main() -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument(
        "--only", default=os.environ.get("ONLY", ""), help="KIND:NODES:PODS[:all] …, or a name"
    )
    parser.add_argument("--runs", type=int, default=3, help="the median of so many (default: 3)")
    parser.add_argument("--once", metavar="WORKLOAD", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.once:
        collect_rarely()  # as the engine's process does
        found = OTHERS[options.once]() if options.once in OTHERS else run_once(options.once)
        print(json.dumps(found))
        return 0
    wanted = options.only.split() or [*THEIRS, *OTHERS]
    differing = table([workload for workload in wanted if workload not in OTHERS], options.runs)
    for name in wanted:
        if name in OTHERS:
            found = in_own_process(name)
            print(f"{name:22}", *(f"{key} {value}" for key, value in found.items()), flush=True)
            differing += found.get("same") is False
    if differing:
        print(f"{differing} pods were placed elsewhere")
    return 1 if differing else 0


def table(workloads: list[str], runs: int) -> int:
    """Measures the workloads with a record; the number of pods that were placed elsewhere."""
    head = ("workload", "pods/s", "theirs", "ratio", "aim", "MiB", "load s", "differing")
    print("{:22} {:>8} {:>8} {:>7} {:>5} {:>6} {:>7} {:>9}".format(*head))
    wrong = 0
    for workload in workloads:
        measured = [in_own_process(workload) for _ in range(runs)]
        by_ratio = sorted(measured, key=lambda run: run["pods_per_s"] / run["theirs"])
        middle = by_ratio[len(by_ratio) // 2]
        differing = max(run["differing"] for run in measured)
        wrong += differing
        print(
            f"{workload:22} {middle['pods_per_s']:8.0f} {middle['theirs']:8.0f} "
            f"{middle['pods_per_s'] / middle['theirs']:7.1f} {AIMS[workload]:5} "
            f"{max(run['peak_mib'] for run in measured):6.0f} {median(run['load'] for run in measured):7.2f} "
            f"{differing:9}",
            flush=True,
        )
    return wrong


if __name__ == "__main__":
    sys.exit(main())
