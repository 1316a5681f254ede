"""What must hold on any cluster, whatever the area; ``FUZZ_SEEDS`` asks for more of them."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from random import Random
from typing import TYPE_CHECKING

import msgspec
import pytest

from scheduler_core.api.decode import decode_object
from scheduler_core.config import load_config
from scheduler_core.simulator import (
    CONFORMANCE,
    DEFAULT,
    Fork,
    RunResult,
    Simulator,
    SimulatorOptions,
    begin_fork,
    checkpoint_before,
    read_edits,
    restore,
)
from scheduler_core.trace import MemorySink, prefix_before_cycle
from tests.conformance.compare import Difference, compare, read_cases, steps_of
from tests.core.cache.test_cache import columns, names
from tests.fuzz.__main__ import write
from tests.fuzz.generate import AREAS, generate, is_accepted, recorded
from tests.make import make_snapshot
from tests.properties.disguise import disguise
from tests.properties.test_details import OneCycle

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conformance.compare import Case

SEEDS = range(int(os.environ.get("FUZZ_SEEDS", "5")))
SHORT = msgspec.structs.replace(DEFAULT, horizon_us=30_000_000)


def loaded(case: Case, options: SimulatorOptions, sink: MemorySink) -> Simulator:
    simulator = Simulator(load_config(case.get("config") or ""), options, sink)
    simulator.load([decode_object(raw) for raw in case["objects"]])
    return simulator


def run(case: Case, options: SimulatorOptions, sink: MemorySink) -> RunResult:
    return run_to_the_end(case, options, sink)[0]


def run_to_the_end(case: Case, options: SimulatorOptions, sink: MemorySink) -> tuple[RunResult, Simulator]:
    simulator = loaded(case, options, sink)
    return simulator.run(steps_of(case)), simulator


def assert_snapshot_is_one_made_anew(simulator: Simulator) -> None:
    """The rows kept up to date through a whole run are those that the objects at its end give."""
    scheduler = simulator.scheduler
    scheduler.cache.update_snapshot(scheduler.snapshot)
    bound = [pod for pod in simulator.store.list("Pod") if pod.standing == "bound"]
    anew = make_snapshot(simulator.store.list("Node"), bound)
    assert set(names(scheduler.snapshot)) == set(names(anew))
    for name in names(anew):
        assert columns(scheduler.snapshot.node_infos, name) == columns(anew.node_infos, name)


def is_about_positions(one: Difference) -> bool:
    """Whether the same is said of a requirement that stands elsewhere in its list."""
    if one.field != "message" or not (one.ours and one.theirs):
        return False
    ours, theirs = (Counter(re.sub(r"\[\d+\]", "", text).split()) for text in (one.ours, one.theirs))
    return ours == theirs


def with_other_namespaces(case: Case) -> Case:
    """The case with its namespaces renamed, in the same order."""
    renamed: Case = json.loads(json.dumps(case).replace("blue", "cyan").replace("green", "teal"))
    return renamed


@pytest.mark.parametrize("area", AREAS)
def test_names_orders_and_labels_that_nothing_asks_for_decide_nothing(area: str) -> None:
    for seed in SEEDS:
        case = recorded(generate(area, seed))
        assert case["expected"]["cycles"] or area in ("gates", "config"), case["name"]
        differences = compare(disguise(case, Random(seed)))
        assert [one for one in differences if not is_about_positions(one)] == [], case["name"]
        assert compare(with_other_namespaces(case)) == [], case["name"]


@pytest.mark.parametrize("area", AREAS)
def test_reused_answers_and_replayed_details_are_those_of_the_run(area: str) -> None:
    for seed in SEEDS:
        case = generate(area, seed)
        options = (CONFORMANCE, SHORT)[seed % 2]
        kept, plain = MemorySink(details=True), MemorySink(details=False)
        result, left = run_to_the_end(case, options, kept)
        assert_snapshot_is_one_made_anew(left)
        assert run(case, msgspec.structs.replace(options, reuse=False), plain) == result, case["name"]
        assert plain.lines == kept.lines, case["name"]
        if kept.details:
            cycle = Random(seed).choice(sorted(kept.details))
            again = OneCycle(cycle)
            run(case, options, again)
            assert again.details == {cycle: kept.details[cycle]}, case["name"]
            assert again.lines == kept.lines, case["name"]


@pytest.mark.parametrize("area", AREAS)
def test_a_run_that_goes_on_from_a_checkpoint_has_the_same_events(area: str) -> None:
    for seed in SEEDS:
        case = generate(area, seed)
        whole = MemorySink()
        edits = read_edits([])
        num_cycles = loaded(case, SHORT, whole).run(edits=edits).num_cycles
        prefix = prefix_before_cycle(Random(seed).randint(1, max(num_cycles, 1)), whole.lines)
        if prefix is None:
            continue
        rest = MemorySink()
        simulator = loaded(case, SHORT, rest)
        fork = Fork(**msgspec.structs.asdict(prefix), num_edits=0)
        restore(simulator, checkpoint_before(fork.num_cycles + 1, whole.lines))
        begin_fork(simulator, fork, edits)
        simulator.run(edits=edits)
        assert rest.lines == whole.lines, case["name"]


@pytest.mark.parametrize("area", AREAS)
def test_a_seed_gives_the_same_cluster_again_and_one_that_is_accepted(area: str) -> None:
    assert generate(area, 3) == generate(area, 3)
    assert generate(area, 3)["objects"] != generate(area, 4)["objects"]
    assert all(is_accepted(raw) for seed in SEEDS for raw in generate(area, seed)["objects"])


def test_what_is_written_is_a_file_of_cases_that_agrees_with_ours(tmp_path: Path) -> None:
    out = tmp_path / "fresh.jsonl.gz"
    assert write(2, 7, ("ports", "queue"), out) == 0
    cases = read_cases(out)
    assert [case["name"] for case in cases] == ["ports-7", "ports-8", "queue-7", "queue-8"]
    assert [compare(case) for case in cases] == [[]] * 4
    cases[0]["expected"]["cycles"][0]["nodes"] += 1
    assert [difference.field for difference in compare(cases[0])] == ["nodes"]
