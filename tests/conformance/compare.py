"""The recorded cases: reading them, running them through the core, and telling ours from theirs."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any, NamedTuple

from scheduler_core.api import ManifestError
from scheduler_core.api.decode import decode_object, encode_object
from scheduler_core.clock import MICROSECONDS
from scheduler_core.config import load_config
from scheduler_core.simulator import CONFORMANCE, RunResult, Simulator, Step
from scheduler_core.trace.detail import FEASIBLE, NOT_LOOKED_AT, CycleDetail
from scheduler_core.trace.sink import MemorySink
from tests.conformance.extender_server import RuleServer

CASES = Path(__file__).parent / "cases"
Case = dict[str, Any]
_FIELDS = frozenset({"about", "config", "expected", "kind", "name", "objects", "steps"})
_RECORDED = frozenset({"configError", "cycles", "pending", "placements", "skips"})


class CaseError(Exception):
    """A case that says nothing about us: its form is not known, or nothing in it could be compared."""


class QueueSink(MemorySink):
    """Keeps who waits where after each cycle, and what binding came to: neither is in the details."""

    def __init__(self) -> None:
        super().__init__(details=True)
        self.queues: dict[int, dict[str, str]] = {}
        self.failures: dict[int, dict[str, Any]] = {}
        self._where: dict[str, str] = {}

    def write(self, seq: int, data: bytes) -> None:
        event = json.loads(data)
        if event["type"] == "PodEnqueued":
            self._where[event["pod"]] = event["queue"]
        elif event["type"] in ("CycleStarted", "PodDequeued"):
            self._where.pop(event["pod"], None)
        elif event["type"] == "PodUnschedulable":
            self.failures[event["cycle"]] = event
        super().write(seq, data)

    def write_detail(self, cycle: int, detail: CycleDetail) -> None:
        self.queues[cycle] = dict(self._where)
        super().write_detail(cycle, detail)


class Difference(NamedTuple):
    """One field in which our cycle is not the recorded one; ``cycle`` is 0 for the run's end."""

    cycle: int
    pod: str
    field: str
    ours: Any
    theirs: Any


def read_cases(path: Path) -> list[Case]:
    """The cases of one file, in order."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def scheduling_files() -> list[Path]:
    """The files of scheduling cases (not those of validation)."""
    return sorted(CASES.glob("*/*.jsonl.gz"))


def is_scheduling(case: Case) -> bool:
    """Whether a case is one of scheduling, with no field that is not known here."""
    recorded = case.get("expected")
    return (
        case.keys() <= _FIELDS
        and isinstance(case.get("objects"), list)
        and isinstance(recorded, dict)
        and recorded.keys() <= _RECORDED
    )


def compare(case: Case, ignore: frozenset[str] = frozenset()) -> list[Difference]:
    """Runs a case and lists every recorded field in which ours differs.

    Raises:
        CaseError: the form is not known, or nothing was compared.
    """
    if not is_scheduling(case):
        raise CaseError("the form of the case is not known")
    if "configError" in case["expected"]:
        return _compare_config_error(case)
    sink, result = run_case(case)
    expected = case["expected"]
    theirs = expected.get("cycles") or []
    ours = recorded_cycles(sink)
    differences = []
    for number, (our_cycle, their_cycle) in enumerate(zip(ours, theirs, strict=False), start=1):
        for field in sorted(our_cycle.keys() | their_cycle.keys()):
            mine, yours = _value(our_cycle.get(field) or None), _value(their_cycle.get(field) or None)
            if field not in ignore and mine != yours:
                differences.append(Difference(number, their_cycle["pod"], field, mine, yours))
    if len(ours) != len(theirs) and "cycles" not in ignore:
        differences.append(Difference(0, "", "cycles", len(ours), len(theirs)))
    pending = sorted(pod.pod for pod in result.pending)
    for field, mine in (("placements", dict(result.placements)), ("pending", pending)):
        yours = expected.get(field)
        if field not in ignore and _value(mine or None) != _value(yours or None):
            differences.append(Difference(0, "", field, mine, yours))
    compared = {"cycles", "pending", "placements"}.intersection(expected).union(*theirs[: len(ours)])
    if not compared - ignore:
        raise CaseError("nothing was compared")
    return differences


def recorded_cycles(sink: QueueSink) -> list[dict[str, Any]]:
    """Our cycles in the form of recorded ones, in their order."""
    return [
        recorded_form(detail, sink.queues[cycle]) | _failed_to_bind(detail, sink.failures.get(cycle))
        for cycle, detail in sorted(sink.details.items())
    ]


def _compare_config_error(case: Case) -> list[Difference]:
    """What the scheduler says of a configuration with which it does not start."""
    theirs = case["expected"]["configError"]
    ours = ""
    try:
        load_config(case.get("config") or "")
    except ManifestError as refusal:
        words = [error.words() for error in refusal.errors]
        ours = f"invalid: {words[0]}" if len(words) == 1 else f"invalid: [{', '.join(words)}]"
    return [] if ours == theirs else [Difference(0, "", "configError", ours, theirs)]


def run_case(case: Case) -> tuple[QueueSink, RunResult]:
    """Runs a case under the preset CONFORMANCE, with every cycle's detail."""
    sink = QueueSink()
    config = load_config(case.get("config") or "")
    if not config.extenders:
        return sink, _run(Simulator(config, CONFORMANCE, sink), case)
    with RuleServer() as server:
        simulator = Simulator(config, CONFORMANCE, sink, extender_transport=server.transport)
        server.find_node = lambda name: encode_object(simulator.store.get("Node", "", name))
        return sink, _run(simulator, case)


def steps_of(case: Case) -> list[Step]:
    """The steps of a case, as a run takes them."""
    return [
        Step(
            advance_us=round(step.get("advanceSeconds", 0) * MICROSECONDS),
            apply=tuple(decode_object(raw) for raw in step.get("apply") or ()),
            delete=tuple(step.get("delete") or ()),
        )
        for step in case.get("steps") or ()
    ]


def _run(simulator: Simulator, case: Case) -> RunResult:
    simulator.load([decode_object(raw) for raw in case["objects"]])
    return simulator.run(steps_of(case))


def recorded_form(detail: CycleDetail, where: dict[str, str]) -> dict[str, Any]:
    """Our detail in the form of a recorded cycle; ``where`` each waiting pod stands after it."""
    queues: dict[str, list[str]] = {}
    for pod, queue in sorted(where.items()):
        queues.setdefault("unschedulable" if queue == "gated" else queue, []).append(pod)
    scheduled = detail.result == "scheduled"
    form: dict[str, Any] = {
        "pod": detail.pod,
        "attempt": detail.attempt,
        "step": detail.step,
        "result": detail.result,
        "node": detail.node,
        "nodes": detail.num_nodes,
        "evaluated": detail.num_evaluated if scheduled else 0,
        "message": detail.message,
        "nominatedNode": detail.nominated_node,
        "victims": sorted(detail.victims),
        "unschedulablePlugins": sorted(detail.unschedulable_plugins),
        "pendingPlugins": sorted(detail.pending_plugins),
        "activeQ": queues.get("active", []),
        "backoffQ": queues.get("backoff", []),
        "unschedulablePods": queues.get("unschedulable", []),
        "nextStartNodeIndex": detail.next_start_node_index,
    }
    form.update(_verdicts(detail))
    form.update(_scores(detail))
    return form


def _failed_to_bind(detail: CycleDetail, failure: dict[str, Any] | None) -> dict[str, Any]:
    """What a cycle is told as where the binding of the pod that it placed failed."""
    if failure is None or detail.result != "scheduled":
        return {}
    return {
        "result": "error" if failure.get("error") else "unschedulable",
        "node": "",
        "evaluated": 0,
        "message": failure["message"],
        "unschedulablePlugins": sorted(failure.get("plugins", ())),
    }


def _verdicts(detail: CycleDetail) -> dict[str, Any]:
    rejected: dict[str, Any] = {}
    feasible = []
    for row, index in enumerate(detail.outcome):
        name = detail.nodes[row]
        if index == FEASIBLE:
            feasible.append(name)
        elif index not in (NOT_LOOKED_AT, detail.absent):
            rejected[name] = _status(detail, index)
    all_filters: dict[str, Any] = {}
    for plugin, indexes in detail.filters.items():
        for row, index in enumerate(indexes):
            if index != FEASIBLE:
                status = _status(detail, index)
                status.pop("plugin", None)
                all_filters.setdefault(detail.nodes[row], {})[plugin] = status
    return {
        "rejected": rejected,
        "absentNodes": None if detail.absent is None else _status(detail, detail.absent),
        "feasible": sorted(feasible),
        "allFilters": all_filters,
    }


def _status(detail: CycleDetail, index: int) -> dict[str, Any]:
    status = detail.statuses[index]
    form: dict[str, Any] = {"code": status.code, "reasons": sorted(status.reasons)}
    if status.plugin:
        form["plugin"] = status.plugin
    return form


def _scores(detail: CycleDetail) -> dict[str, Any]:
    names = [detail.nodes[row] for row in detail.scored]

    def by_node(scores: dict[str, list[int]]) -> dict[str, dict[str, int]]:
        return {plugin: dict(zip(names, values, strict=True)) for plugin, values in scores.items()}

    return {
        "rawScores": by_node(detail.raw),
        "weightedScores": by_node(detail.weighted),
        "totalScores": dict(zip(names, detail.total, strict=True)),
        "ties": sorted(detail.nodes[row] for row in detail.ties),
    }


def _value(value: Any) -> Any:
    """A recorded value as it is compared: absent, null and empty are the same, reasons are multisets.

    A score of 0 is a score: a plugin that gave it took part.
    """
    if isinstance(value, dict):
        cleaned = {key: _value(inner) for key, inner in value.items()}
        if isinstance(cleaned.get("reasons"), list):
            cleaned["reasons"] = sorted(cleaned["reasons"])
        return {key: inner for key, inner in cleaned.items() if inner is not None} or None
    if isinstance(value, (list, tuple)):
        return [_value(inner) for inner in value] or None
    return None if value == "" else value
