"""How cost grows: pods a second against nodes and against pods, as a table and as docs/images/growth.svg.

`python -m tests.bench.growth [--svg PATH]`; rates are by CPU time, scaled to a machine of THEIR_MILLION_STEPS.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

from engine.collector import collect_rarely, set_aside
from scheduler_core.api import decode_object
from scheduler_core.config import load_config
from scheduler_core.simulator import CONFORMANCE, Simulator
from tests.bench.make_workload import case
from tests.bench.measure import measure, peak_mib
from tests.bench.sinks import SummarySink

THEIR_MILLION_STEPS = 7.1
NODES = (100, 1000, 5000, 15000)
PODS = (500, 2000, 8000)
KINDS = ("plain", "mixed")
_COLOURS = {"plain": "#3465a4", "mixed": "#c17d11"}
_WIDTH, _HEIGHT, _MARGIN = 560, 320, 56


def run(kind: str, nodes: int, pods: int) -> dict[str, Any]:
    """One run: pods a second at the reference speed, peak memory."""
    simulator = Simulator(load_config(""), CONFORMANCE, SummarySink())
    simulator.load(decode_object(raw) for raw in case(nodes, pods, kind)["objects"])
    set_aside()
    took = measure(simulator.run)
    rate = pods / took.seconds * THEIR_MILLION_STEPS / took.speed
    return {
        "kind": kind,
        "nodes": nodes,
        "pods": pods,
        "pods_per_s": round(rate),
        "peak_mib": round(peak_mib()),
    }


def in_own_process(kind: str, nodes: int, pods: int) -> dict[str, Any]:
    """The same in a process of its own."""
    command = [sys.executable, "-m", "tests.bench.growth", "--once", f"{kind}:{nodes}:{pods}"]
    found: dict[str, Any] = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return found


def told(found: dict[str, Any]) -> dict[str, Any]:
    """Prints what was found."""
    line = "{kind:6} {nodes:6} nodes {pods:6} pods {pods_per_s:6} pods/s {peak_mib:5} MiB"
    print(line.format(**found), flush=True)
    return found


def svg(points: list[dict[str, Any]]) -> str:
    """Pods a second against nodes, both on logarithmic axes."""
    left, right = math.log10(NODES[0]), math.log10(NODES[-1])
    low, high = 2.0, 4.0

    def place(nodes: float, rate: float) -> tuple[float, float]:
        x = _MARGIN + (math.log10(nodes) - left) / (right - left) * (_WIDTH - 2 * _MARGIN)
        y = _HEIGHT - _MARGIN - (math.log10(rate) - low) / (high - low) * (_HEIGHT - 2 * _MARGIN)
        return round(x, 1), round(y, 1)

    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
            f'font-family="sans-serif" font-size="12" aria-label="Pods a second against nodes">'
        ),
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>',
    ]
    for rate in (100, 300, 1000, 3000, 10_000):
        x, y = place(NODES[0], rate)
        parts.append(f'<path d="M{x} {y}H{_WIDTH - _MARGIN}" stroke="#ddd"/>')
        parts.append(f'<text x="{x - 6}" y="{y + 4}" text-anchor="end">{rate}</text>')
    for nodes in NODES:
        x, y = place(nodes, 100)
        parts.append(f'<text x="{x}" y="{y + 18}" text-anchor="middle">{nodes}</text>')
    parts.append(f'<text x="{_WIDTH / 2}" y="{_HEIGHT - 12}" text-anchor="middle">nodes</text>')
    parts.append('<text x="12" y="24">pods a second</text>')
    for kind in KINDS:
        line = [place(p["nodes"], p["pods_per_s"]) for p in points if p["kind"] == kind]
        path = " ".join(f"{x},{y}" for x, y in line)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{_COLOURS[kind]}" stroke-width="2"/>')
        parts += [f'<circle cx="{x}" cy="{y}" r="3" fill="{_COLOURS[kind]}"/>' for x, y in line]
        x, y = line[-1]
        parts.append(f'<text x="{x + 6}" y="{y + 4}" fill="{_COLOURS[kind]}">{kind}</text>')
    return "\n".join([*parts, "</svg>\n"])


def main() -> int:
    """Prints the table and writes the picture."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.growth", description=__doc__)
    parser.add_argument("--svg", type=Path)
    parser.add_argument("--once", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.once:
        collect_rarely()  # as the engine's process does
        kind, nodes, pods = options.once.split(":")
        print(json.dumps(run(kind, int(nodes), int(pods))))
        return 0
    by_nodes = [told(in_own_process(kind, nodes, 1000)) for kind in KINDS for nodes in NODES]
    for kind in KINDS:
        for pods in PODS:
            told(in_own_process(kind, 1000, pods))
    if options.svg:
        options.svg.write_text(svg(by_nodes))
    return 0


if __name__ == "__main__":
    sys.exit(main())
