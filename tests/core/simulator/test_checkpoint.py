from __future__ import annotations

import msgspec
import pytest

from scheduler_core.api import decode_object
from scheduler_core.config import load_config
from scheduler_core.simulator import (
    DEFAULT,
    Checkpoint,
    Simulator,
    SimulatorOptions,
    checkpoint_before,
    restore,
)
from scheduler_core.trace.detail import CycleDetail
from scheduler_core.trace.sink import MemorySink, ReplayError
from tests.bench.churn import workload

OBJECTS, STEPS = workload(seed=4, num_nodes=40, num_pods=200, num_templates=20)


class SomeDetails(MemorySink):
    def __init__(self, *cycles: int) -> None:
        super().__init__()
        self._cycles = cycles

    def wants_detail(self, cycle: int, num_nodes: int) -> bool:
        return cycle in self._cycles


def simulator(sink: MemorySink, options: SimulatorOptions = DEFAULT) -> Simulator:
    made = Simulator(load_config(""), options, sink)
    made.load(decode_object(raw) for raw in OBJECTS)
    return made


@pytest.fixture(scope="module")
def lines() -> list[bytes]:
    sink = MemorySink()
    simulator(sink).run(STEPS)
    return sink.lines


def details_of(cycles: tuple[int, ...], checkpoint: Checkpoint | None) -> dict[int, CycleDetail]:
    sink = SomeDetails(*cycles)
    run = simulator(sink)
    if checkpoint is not None:
        restore(run, checkpoint)
    run.run(STEPS, until_cycle=cycles[-1])
    return sink.details


def detail_of(cycle: int, checkpoint: Checkpoint | None) -> CycleDetail:
    return details_of((cycle,), checkpoint)[cycle]


@pytest.mark.parametrize("cycle", [1, 2, 37, 120, 200])
def test_a_cycle_s_detail_is_the_same_from_a_checkpoint(lines: list[bytes], cycle: int) -> None:
    checkpoint = Checkpoint.decode(checkpoint_before(cycle, lines).encode())
    assert detail_of(cycle, checkpoint) == detail_of(cycle, None)


def test_some_cycles_on_the_way_can_be_decided_again_for_their_details(lines: list[bytes]) -> None:
    cycles = (37, 38, 120, 200)
    found = details_of(cycles, checkpoint_before(200, lines).without(cycles))
    assert tuple(found) == cycles
    assert found == details_of(cycles, None)


@pytest.mark.parametrize("cycle", [1, 80, 10_000])
def test_a_fork_without_an_edit_gives_the_same_bytes(lines: list[bytes], cycle: int) -> None:
    sink = MemorySink()
    fork = simulator(sink)
    restore(fork, checkpoint_before(cycle, lines))
    fork.run(STEPS)
    assert sink.lines == lines


def test_a_replay_of_another_run_is_refused(lines: list[bytes]) -> None:
    other = simulator(MemorySink(), msgspec.structs.replace(DEFAULT, attempt_us=2000))
    restore(other, checkpoint_before(50, lines))
    with pytest.raises(ReplayError):
        other.run(STEPS)


def test_a_prefix_that_differs_is_refused(lines: list[bytes]) -> None:
    checkpoint = msgspec.structs.replace(checkpoint_before(50, lines), digest="0" * 64)
    run = simulator(MemorySink())
    restore(run, checkpoint)
    with pytest.raises(ReplayError, match="not the recorded ones"):
        run.run(STEPS)
