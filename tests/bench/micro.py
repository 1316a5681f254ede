"""`python -m tests.bench.micro`: the hot functions by themselves, each as a share of the calibration loop.

A threshold is in thousand steps of that loop, measured in the same process: a slow machine is slow at both. They leave
room for half as much again; a change that passes one has made the function slower, or the threshold wants a reason.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import numpy as np

from scheduler_core.api import decode_object
from scheduler_core.config import load_config
from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.reuse import Answers
from scheduler_core.scheduler.attempt import best_nodes
from scheduler_core.scheduler.prioritize import prioritize_nodes, tied_rows
from scheduler_core.simulator import CONFORMANCE, Simulator
from scheduler_core.trace.codec import encode
from scheduler_core.trace.events import PodBound
from tests.bench.make_workload import case
from tests.bench.measure import calibrate
from tests.bench.sinks import SummarySink

if TYPE_CHECKING:
    from collections.abc import Callable

THRESHOLDS = {
    "update a snapshot's row": 0.06,
    "sign a pod": 0.06,
    "bring answers up to date": 0.8,
    "find nodes": 0.45,
    "score nodes": 0.15,
    "rank the best five": 0.1,
    "encode an event": 0.01,
    "find nodes without reuse": 2.0,
}
"""Thousand steps of the calibration loop."""
_CALLS, _REPEATS = 300, 7


def subjects() -> dict[str, Callable[[], object]]:
    """The functions, on 1,000 nodes half-way through plain:1000:2000."""
    simulator = Simulator(load_config(""), CONFORMANCE, SummarySink())
    simulator.load(decode_object(raw) for raw in case(1000, 2000, "plain")["objects"])
    simulator.run(until_cycle=1000)
    scheduler = simulator.scheduler
    scheduler.cache.update_snapshot(scheduler.snapshot)
    snapshot, finder = scheduler.snapshot, scheduler.finder
    nodes = snapshot.node_infos
    (framework,) = scheduler.frameworks.values()
    pod = next(iter(scheduler.queue.active.heap)).pod_info
    answers = Answers(framework, pod, nodes)
    some = np.arange(1, 800, 50)
    info = nodes.info(0)
    state = CycleState()
    finder.find(framework, CycleState(), pod)
    found = finder.find(framework, state, pod)
    scores = prioritize_nodes(framework, [], state, pod, nodes, found.rows, found.answers)
    tied = tied_rows(scores)
    event = PodBound(cycle=1, pod=pod.key, node=info.name)
    return {
        "update a snapshot's row": lambda: snapshot.write(info),
        "sign a pod": lambda: framework.sign(pod),
        "bring answers up to date": lambda: answers.update(pod, nodes, some),
        "find nodes": lambda: finder.find(framework, CycleState(), pod),
        "score nodes": lambda: prioritize_nodes(framework, [], state, pod, nodes, found.rows, found.answers),
        "rank the best five": lambda: best_nodes(scores, tied, nodes, 5),
        "encode an event": lambda: encode(event, 1, 1),
        "find nodes without reuse": lambda: finder.find(framework, CycleState(), pod, reuse=False),
    }


def seconds(call: Callable[[], object]) -> float:
    """CPU seconds of one call, the best of several series."""
    best = float("inf")
    for _ in range(_REPEATS):
        started = time.process_time()
        for _ in range(_CALLS):
            call()
        best = min(best, time.process_time() - started)
    return best / _CALLS


def main() -> int:
    """Prints each function next to its threshold; 1 if one is passed."""
    slow = 0
    speed = calibrate()
    for name, call in subjects().items():
        took = seconds(call)
        steps = took * speed * 1e3
        is_slow = steps > THRESHOLDS[name]
        slow += is_slow
        mark = "  too slow" if is_slow else ""
        print(f"{name:28} {took * 1e6:8.2f} µs {steps:8.3f} thousand steps, at most {THRESHOLDS[name]}{mark}")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
