"""What is recorded of a run changes nothing in it: neither the details with all filters, nor reuse, nor silence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import given, settings

from scheduler_core.api.decode import decode_object
from scheduler_core.config import load_config
from scheduler_core.simulator import CONFORMANCE, DEFAULT, RunResult, Simulator, SimulatorOptions, Step
from scheduler_core.trace.sink import MemorySink
from tests.conformance.compare import CASES, read_cases
from tests.properties import clusters

if TYPE_CHECKING:
    from tests.conformance.compare import Case

SHORT = msgspec.structs.replace(DEFAULT, horizon_us=30_000_000)
KINDS = ("mixed", "preemption", "podaffinity", "spread", "volumes", "queue", "sampling", "resources")


class OneCycle(MemorySink):
    """Asks for the details of one cycle only."""

    def __init__(self, cycle: int) -> None:
        super().__init__(details=True)
        self._cycle = cycle

    def wants_detail(self, cycle: int, num_nodes: int) -> bool:
        return cycle == self._cycle


def run(case: Case, options: SimulatorOptions, sink: MemorySink | None) -> RunResult:
    simulator = Simulator(load_config(case.get("config") or ""), options, sink)
    simulator.load([decode_object(raw) for raw in case["objects"]])
    steps = [
        Step(
            advance_us=round(step.get("advanceSeconds", 0) * 1_000_000),
            apply=tuple(decode_object(raw) for raw in step.get("apply") or ()),
            delete=tuple(step.get("delete") or ()),
        )
        for step in case.get("steps") or ()
    ]
    return simulator.run(steps)


def check(case: Case, options: SimulatorOptions) -> None:
    detailed = MemorySink(details=True)
    result = run(case, options, detailed)
    assert len(detailed.details) == result.num_cycles
    for other_options, sink in (
        (options, MemorySink(details=False)),
        (options, OneCycle(max(1, result.num_cycles // 2))),
        (msgspec.structs.replace(options, reuse=False), MemorySink(details=False)),
    ):
        assert run(case, other_options, sink) == result
        assert sink.lines == detailed.lines
    silent = run(case, options, None)
    assert (silent.placements, silent.pending) == (result.placements, result.pending)


def recorded_cases() -> list[Any]:
    chosen = []
    for kind in KINDS:
        cases = read_cases(CASES / "random" / f"{kind}.jsonl.gz")
        chosen += [pytest.param(case, id=case["name"]) for case in cases[3 :: max(1, len(cases) // 2)]]
    return chosen


@pytest.mark.parametrize("options", [CONFORMANCE, SHORT], ids=["conformance", "default"])
@pytest.mark.parametrize("case", recorded_cases())
def test_a_recorded_case_gives_the_same_events_with_and_without_details(
    case: Case, options: SimulatorOptions
) -> None:
    check(case, options)


@settings(max_examples=10)
@given(clusters.cases())
def test_a_cluster_gives_the_same_events_with_and_without_details(case: Case) -> None:
    check(case, CONFORMANCE)
    check(case, SHORT)
