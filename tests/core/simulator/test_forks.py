from __future__ import annotations

from typing import Any

import msgspec
import pytest

from scheduler_core.config import load_config
from scheduler_core.errors import ManifestError
from scheduler_core.simulator import (
    DEFAULT,
    Fork,
    ReplayError,
    Simulator,
    begin_fork,
    checkpoint_before,
    read_edits,
    restore,
)
from scheduler_core.trace import MemorySink, Prefix, prefix_before_cycle, prefix_until
from tests.core.simulator.scenario.scenes import deployment
from tests.make import make, make_node, make_pod

POD = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "job"},
    "spec": {"containers": [{"name": "c", "image": "i"}]},
}
EDITS: list[dict[str, Any]] = [
    {"kind": "arrivals", "pod": POD, "rate": 3, "lasting": "20s"},
    {"kind": "addNodes", "at": "8s", "like": "n1", "count": 2},
    {"kind": "scale", "at": "12s", "object": "Deployment/web", "replicas": 12},
    {"kind": "drain", "at": "15s", "nodes": ["n2"], "force": True},
]
OBJECTS = [
    *(make_node(f"n{number}", cpu="4", pods="9") for number in range(1, 4)),
    make(deployment(replicas=5)),
    make_pod("big", requests={"cpu": "3"}),
]


def run(
    edits: list[dict[str, Any]], fork: Fork | None = None, lines: list[bytes] | None = None
) -> list[bytes]:
    sink = MemorySink()
    simulator = Simulator(load_config(""), DEFAULT, sink)
    planned = read_edits(edits, objects=OBJECTS)
    simulator.load(OBJECTS)
    if lines is not None and fork is not None:
        restore(simulator, checkpoint_before(fork.num_cycles + 1, lines))
    if fork is not None:
        begin_fork(simulator, fork, planned)
    simulator.run(edits=planned)
    return sink.lines


@pytest.fixture(scope="module")
def parent() -> list[bytes]:
    return run(EDITS)


def fork_of(prefix: Prefix | None) -> Fork:
    assert prefix is not None
    return Fork(**msgspec.structs.asdict(prefix), num_edits=len(EDITS))


@pytest.mark.parametrize("cycle", [1, 7, 30])
def test_a_fork_without_an_edit_gives_the_same_bytes(parent: list[bytes], cycle: int) -> None:
    fork = fork_of(prefix_before_cycle(cycle, parent))
    assert run(EDITS, fork) == parent
    assert run(EDITS, fork, parent) == parent


@pytest.mark.parametrize("cycle", [1, 7, 30])
def test_a_fork_before_a_cycle_shares_all_that_was_before_it(parent: list[bytes], cycle: int) -> None:
    fork = fork_of(prefix_before_cycle(cycle, parent))
    child = run([*EDITS, {"kind": "cordon", "cycle": cycle, "nodes": ["n1"]}], fork)
    shared = fork.num_events
    assert child[:shared] == parent[:shared]
    assert b'"type":"EditApplied"' in child[shared]
    assert b"Cordon n1" in child[shared]
    assert b'"type":"CycleStarted","cycle":%d,' % cycle in parent[shared]


@pytest.mark.parametrize("t_us", [0, 8_000_000, 9_500_000, 400_000_000])
def test_a_fork_at_a_time_shares_all_that_was_before_it(parent: list[bytes], t_us: int) -> None:
    fork = fork_of(prefix_until(t_us, parent))
    child = run([*EDITS, {"kind": "cordon", "at": f"{t_us}us", "nodes": ["n1"]}], fork)
    assert child[: fork.num_events] == parent[: fork.num_events]
    assert child != parent


def test_a_fork_of_a_fork_shares_both(parent: list[bytes]) -> None:
    first = [*EDITS, {"kind": "cordon", "cycle": 7, "nodes": ["n1"]}]
    child = run(first, fork_of(prefix_before_cycle(7, parent)))
    prefix = prefix_before_cycle(12, child)
    assert prefix is not None
    fork = Fork(**msgspec.structs.asdict(prefix), num_edits=len(first))
    grandchild = run([*first, {"kind": "uncordon", "cycle": 12, "nodes": ["n1"]}], fork)
    assert grandchild[: fork.num_events] == child[: fork.num_events]


def test_an_edit_in_the_part_that_is_shared_is_refused_by_its_field(parent: list[bytes]) -> None:
    fork = fork_of(prefix_before_cycle(7, parent))
    early = [{"kind": "cordon", "at": "0s", "nodes": ["n1"]}, {"kind": "cordon", "cycle": 6, "nodes": ["n1"]}]
    with pytest.raises(ManifestError) as refused:
        run([*EDITS, *early], fork)
    assert [(error.field, error.message) for error in refused.value.errors][1] == (
        "edits[5].cycle",
        "the fork begins after cycle 6",
    )
    assert refused.value.errors[0].field == "edits[4].at"


def test_a_fork_of_another_run_is_refused(parent: list[bytes]) -> None:
    fork = fork_of(prefix_before_cycle(7, parent))
    with pytest.raises(ReplayError):
        run(EDITS[:1], msgspec.structs.replace(fork, num_edits=1, digest="0" * 64))


def test_a_trace_has_no_prefix_before_a_cycle_that_never_was(parent: list[bytes]) -> None:
    assert prefix_before_cycle(10_000, parent) is None
