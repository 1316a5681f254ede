"""Reusing answers never changes one byte: the same events with and without."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.api import decode_object
from scheduler_core.config import load_config
from scheduler_core.simulator import CONFORMANCE, DEFAULT, Simulator, SimulatorOptions, Step
from scheduler_core.trace.sink import MemorySink
from tests.bench import churn
from tests.conformance.compare import read_cases, scheduling_files, steps_of
from tests.properties import clusters

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.bench.make_workload import Raw
    from tests.conformance.compare import Case


def events(
    objects: Iterable[Raw], steps: Iterable[Step], options: SimulatorOptions, config: str = ""
) -> list[bytes]:
    sink = MemorySink()
    simulator = Simulator(load_config(config), options, sink)
    simulator.load(decode_object(raw) for raw in objects)
    simulator.run(tuple(steps))
    return sink.lines


def assert_reuse_changes_nothing(
    objects: list[Raw], steps: list[Step], options: SimulatorOptions, config: str = ""
) -> None:
    plain = msgspec.structs.replace(options, reuse=False)
    assert events(objects, steps, options, config) == events(objects, steps, plain, config)


def tripled(objects: list[Raw]) -> list[Raw]:
    """Every pending pod three times, so that pods are alike."""
    more: list[Raw] = []
    for copy in range(3):
        for raw in objects:
            if raw["kind"] == "Pod" and not raw.get("spec", {}).get("nodeName"):
                metadata: dict[str, Any] = {**raw["metadata"], "name": f"{raw['metadata']['name']}-{copy}"}
                metadata.pop("uid", None)
                more.append({**raw, "metadata": metadata})
    return [raw for raw in objects if raw["kind"] != "Pod" or raw.get("spec", {}).get("nodeName")] + more


@settings(max_examples=25)
@given(clusters.cases(), st.sampled_from((CONFORMANCE, DEFAULT)))
def test_a_cluster_whose_pods_are_alike_has_the_same_events(case: Case, options: SimulatorOptions) -> None:
    assert_reuse_changes_nothing(tripled(case["objects"]), steps_of(case), options)


@pytest.mark.parametrize("path", scheduling_files(), ids=lambda path: path.name)
def test_recorded_cases_with_their_pods_tripled_have_the_same_events(path: Any) -> None:
    for case in [case for case in read_cases(path) if _is_run(case)][::40]:
        objects = tripled(case["objects"])
        assert_reuse_changes_nothing(objects, steps_of(case), CONFORMANCE, case.get("config") or "")


@pytest.mark.parametrize("seed", range(3))
def test_a_churning_cluster_has_the_same_events(seed: int) -> None:
    objects, steps = churn.workload(seed, num_nodes=60, num_pods=300, num_templates=12)
    assert_reuse_changes_nothing(objects, steps, msgspec.structs.replace(DEFAULT, seed=seed))


def _is_run(case: Case) -> bool:
    """Whether a case runs without anybody outside: some are about a configuration that is refused."""
    if "configError" in case["expected"]:
        return False
    return not load_config(case.get("config") or "").extenders
