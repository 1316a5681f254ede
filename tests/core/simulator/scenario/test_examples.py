"""The scenarios of examples/, and workloads that come without pods: what becomes of them, in numbers and names."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from scheduler_core.api import Source, load_manifests
from scheduler_core.config import load_config
from scheduler_core.simulator import DEFAULT, Simulator, read_scenario
from scheduler_core.trace import MemorySink

ROOT = Path(__file__).resolve().parents[4]
SCENARIOS = ROOT / "examples" / "scenarios"


class Example:
    def __init__(self, cluster: Path, scenario: str = "kind: Scenario", **options: Any) -> None:
        loaded = load_manifests([Source(cluster.name, cluster.read_bytes())])
        objects = [item.object for item in loaded.objects]
        read = read_scenario(scenario, objects=objects)
        if read.horizon_us is not None:
            options["horizon_us"] = read.horizon_us
        self.sink = MemorySink()
        self.simulator = Simulator(load_config(""), msgspec.structs.replace(DEFAULT, **options), self.sink)
        self.simulator.load(objects, read.question)
        self.result = self.simulator.run(edits=read.edits)

    def of_type(self, *types: str) -> list[dict[str, Any]]:
        return [event for event in map(json.loads, self.sink.lines) if event["type"] in types]

    def placed(self, prefix: str) -> Counter[str]:
        """How many pods of a name each node has."""
        return Counter(node for pod, node in self.result.placements.items() if pod.startswith(prefix))


def shop(name: str, **options: Any) -> Example:
    return Example(SCENARIOS / "shop.yaml", (SCENARIOS / f"{name}.yaml").read_text(), **options)


def test_workloads_without_pods_get_their_pods_from_controllers() -> None:
    run = Example(ROOT / "tests" / "inputs" / "workloads-without-pods.yaml")
    assert sorted(run.placed("default/portal-").values()) == [1, 1, 2]
    assert run.placed("default/log-agent-") == {"g1": 1, "g2": 1, "g3": 1}
    assert sum(run.placed("default/load-").values()) == 2
    assert sum(run.placed("default/kv-0").values()) == 1
    assert [job.metadata.name for job in run.simulator.api.list("Job")] == ["load"]
    assert run.result.pending == ()


def test_workloads_without_pods_stay_without_where_controllers_are_off() -> None:
    run = Example(ROOT / "tests" / "inputs" / "workloads-without-pods.yaml", controllers="off")
    assert (run.result.placements, run.result.pending, run.result.num_cycles) == ({}, (), 0)


def test_every_scenario_of_the_examples_is_tested_here() -> None:
    told = set(Path(__file__).read_text().split('"'))
    assert {path.stem for path in SCENARIOS.glob("*.yaml")} - {"shop"} <= told


def test_a_lost_zone_is_emptied_after_its_tolerations_and_filled_where_the_quota_lets() -> None:
    run = shop("lose-a-zone")
    assert [event["text"] for event in run.of_type("EditApplied")] == [
        "Scale Deployment/shop/web to 9", "Lose zone b", "Restore zone b"
    ]  # fmt: skip
    evicted = [event for event in run.of_type("PodTerminating") if event["pod"].startswith("shop/web")]
    assert {event["node"] for event in evicted} == {"b-1", "b-2"}
    # 2 min, then 55 s until the silence is noticed, then 300 s that a pod stays; the next node 10 s later.
    assert [event["t_us"] for event in evicted] == [475_003_000, 485_004_000, 485_004_000]
    assert sum(run.placed("shop/web-").values()) == 9
    assert run.result.refused_edits == ()


def test_a_drained_zone_is_renewed_at_the_pace_of_its_budget() -> None:
    run = shop("renew-the-nodes")
    assert [event["node"] for event in run.of_type("NodeAdded")] == ["a-3", "a-4"]
    assert [event["node"] for event in run.of_type("NodeDrained")] == ["a-1", "a-2"]
    evicted = [event for event in run.of_type("PodTerminating") if event["reason"] == "evicted"]
    assert len(evicted) == 2
    assert evicted[1]["t_us"] > evicted[0]["t_us"]
    assert sum(run.placed("shop/web-").values()) == 6
    assert run.placed("shop/logs-") == dict.fromkeys(("a-3", "a-4", "b-1", "b-2", "c-1", "c-2"), 1)
    assert run.result.refused_edits == ()


@pytest.mark.parametrize("seed", [0, 1])
def test_a_rush_and_a_rollout_go_on_beside_each_other(seed: int) -> None:
    run = shop("a-rush", seed=seed)
    created = [event for event in run.of_type("PodCreated") if event["by"] == "edit"]
    assert 40 <= len(created) <= 80
    assert {event["t_us"] // 60_000_000 for event in created} == {1, 2}
    assert len(
        [event for event in run.of_type("PodFinished") if event["pod"].startswith("default/order")]
    ) == len(created)
    web = list(run.simulator.api.list("Pod", "shop", labels={"app": "web"}))
    assert [pod.spec.containers[0].image for pod in web] == ["registry.example.com/web:2"] * 6
