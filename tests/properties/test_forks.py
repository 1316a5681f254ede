"""Whatever the scenario: a fork without an edit is its parent, one with an edit shares what was before it."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scheduler_core.api.kinds import KubeObject
from scheduler_core.config import load_config
from scheduler_core.simulator import (
    DEFAULT,
    Fork,
    Simulator,
    begin_fork,
    checkpoint_before,
    read_edits,
    restore,
)
from scheduler_core.trace import MemorySink, prefix_before_cycle, prefix_until
from tests.core.simulator.scenario.scenes import deployment
from tests.make import make, make_node, make_pod

NODES = st.sampled_from(["n0", "n1", "n2"])
CONTAINERS = [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "500m"}}}]
METADATA = {"name": "job", "annotations": {"scheduler-playground/run-time": "exponential(5s)"}}
POD = {"apiVersion": "v1", "kind": "Pod", "metadata": METADATA, "spec": {"containers": CONTAINERS}}


def edit(kind: str, **fields: Any) -> st.SearchStrategy[dict[str, Any]]:
    at = st.integers(0, 60).map(lambda second: f"{second}s")
    return st.fixed_dictionaries({"kind": st.just(kind), "at": at, **fields})


EDITS = st.lists(
    st.one_of(
        edit("scale", object=st.just("Deployment/web"), replicas=st.integers(0, 12)),
        edit("setImage", object=st.just("Deployment/web"), image=st.sampled_from(["web:1", "web:2", "web:3"])),
        edit("cordon", nodes=NODES.map(lambda name: [name])),
        edit("uncordon", nodes=NODES.map(lambda name: [name])),
        edit("drain", nodes=NODES.map(lambda name: [name]), force=st.booleans()),
        edit("taint", nodes=NODES.map(lambda name: [name]), taint=st.sampled_from(["a:NoSchedule", "b:NoExecute"])),
        edit("addNodes", like=NODES, count=st.integers(1, 3)),
        edit("lose", nodes=NODES.map(lambda name: [name])),
        edit("restore", nodes=NODES.map(lambda name: [name])),
        edit(
            "arrivals",
            pod=st.just(POD),
            rate=st.sampled_from([0.2, 1, 5]),
            count=st.integers(1, 12),
        ),
    ),
    max_size=6,
)  # fmt: skip


def cluster() -> list[KubeObject]:
    nodes = [make_node(f"n{number}", cpu="4", pods="12") for number in range(3)]
    return [*nodes, make(deployment(replicas=4)), make_pod("big", requests={"cpu": "3"})]


def run(
    edits: list[dict[str, Any]], seed: int, fork: Fork | None = None, parent: list[bytes] | None = None
) -> list[bytes]:
    sink = MemorySink()
    simulator = Simulator(load_config(""), msgspec.structs.replace(DEFAULT, seed=seed), sink)
    planned = read_edits(edits)
    simulator.load(cluster())
    if fork is not None and parent is not None:
        restore(simulator, checkpoint_before(fork.num_cycles + 1, parent))
    if fork is not None:
        begin_fork(simulator, fork, planned)
    simulator.run(edits=planned)
    return sink.lines


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(edits=EDITS, seed=st.integers(0, 3), data=st.data())
def test_forks_share_what_was_before_them(
    edits: list[dict[str, Any]], seed: int, data: st.DataObject
) -> None:
    parent = run(edits, seed)
    cycle = data.draw(st.integers(1, 5), label="cycle")
    prefix = prefix_before_cycle(cycle, parent)
    if prefix is not None:
        fork = Fork(**msgspec.structs.asdict(prefix), num_edits=len(edits))
        assert run(edits, seed, fork, parent) == parent
        child = run([*edits, {"kind": "cordon", "cycle": cycle, "nodes": ["n1"]}], seed, fork)
        assert child[: fork.num_events] == parent[: fork.num_events]
    t_us = data.draw(st.integers(0, 90_000_000), label="t_us")
    later = prefix_until(t_us, parent)
    fork = Fork(**msgspec.structs.asdict(later), num_edits=len(edits))
    child = run([*edits, {"kind": "cordon", "at": f"{t_us}us", "nodes": ["n1"]}], seed, fork)
    assert child[: fork.num_events] == parent[: fork.num_events]
