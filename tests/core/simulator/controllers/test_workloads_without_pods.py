"""Nodes and workloads, and no pods: what people paste, and where the pods go (tests/inputs/README.md)."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace

from scheduler_core.api import Source, load_manifests
from scheduler_core.clock import MICROSECONDS
from scheduler_core.config import load_config
from scheduler_core.errors import ManifestError
from scheduler_core.simulator import DEFAULT, RunResult, Simulator, SimulatorOptions
from tests.architecture.tree import ROOT

INPUT = ROOT / "tests" / "inputs" / "workloads-without-pods.yaml"


def run(options: SimulatorOptions) -> RunResult:
    loaded = load_manifests([Source(INPUT.name, INPUT.read_bytes())])
    simulator = Simulator(load_config(""), replace(options, horizon_us=60 * MICROSECONDS))
    simulator.load(item.object for item in loaded.objects)
    return simulator.run()


def nodes_of(result: RunResult, prefix: str) -> list[str]:
    return sorted(node for pod, node in result.placements.items() if pod.startswith(f"default/{prefix}-"))


def test_the_controllers_make_the_pods_that_are_meant() -> None:
    result = run(DEFAULT)
    assert result.pending == ()
    assert sorted(Counter(nodes_of(result, "portal")).values()) == [1, 1, 2]
    assert nodes_of(result, "log-agent") == ["g1", "g2", "g3"]
    assert len(nodes_of(result, "kv")) == 1
    assert len(nodes_of(result, "load")) == 2
    assert nodes_of(result, "nightly") == []
    assert result.num_bound == 10


def test_without_controllers_there_is_nothing_to_place() -> None:
    result = run(replace(DEFAULT, controllers="off"))
    assert (result.num_cycles, result.num_bound, result.num_pending) == (0, 0, 0)


def test_a_controller_that_nobody_knows_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(ManifestError) as caught:
        run(replace(DEFAULT, controllers=("kubelet", "deploymentcontroller")))
    (error,) = caught.value.errors
    assert (error.file, error.field, error.value) == ("options", "controllers[1]", "deploymentcontroller")
    assert error.type == "Unsupported value"
    assert error.message.startswith("supported values: all, off, or some of cronjob-controller, daemonset-")


def test_a_run_may_have_some_of_them_only() -> None:
    """A deployment alone makes a replica set; who makes pods of it is not there."""
    result = run(replace(DEFAULT, controllers=("deployment-controller", "daemonset-controller")))
    assert nodes_of(result, "portal") == []
    assert nodes_of(result, "log-agent") == ["g1", "g2", "g3"]
    assert result.num_bound == 3
