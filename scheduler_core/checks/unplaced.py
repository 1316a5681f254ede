"""Why pods have no node: one clue for each group of like pods and each plugin that refuses, with the numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

from scheduler_core.api.resources import PODS
from scheduler_core.checks.blocking import blocking_path
from scheduler_core.checks.case import Clue, several, some
from scheduler_core.checks.change import FieldRef
from scheduler_core.checks.cluster_state import pod_key
from scheduler_core.checks.recorder import Refused
from scheduler_core.checks.verdict import Finding, Shortfall
from scheduler_core.plugins.names import NODE_RESOURCES_FIT, SCHEDULING_GATES
from scheduler_core.trace.remedies import explain_fit
from scheduler_core.trace.words import format_amount

if TYPE_CHECKING:
    from scheduler_core.api.pod import Pod
    from scheduler_core.checks.change import Change
    from scheduler_core.checks.cluster_state import ClusterState
    from scheduler_core.checks.world import World
    from scheduler_core.trace.detail import CycleDetail, Explanation

MAX_GROUPS: Final = 20
MAX_REMEDIES: Final = 3
_UNITS: Final = {"cpu": "m", "memory": "bytes", "ephemeral-storage": "bytes"}
_NOT_TRIED: Final = Refused(0, "", ())


def unplaced_clues(
    pods: Iterable[Pod], state: ClusterState, world: World, change: Change, *, subject: str = ""
) -> list[Clue]:
    """Returns why some pods of a state have no node.

    Args:
        pods: those without a node.
        state: the world's.
        world: where the attempts were made.
        change: whose fields are pointed at.
        subject: put before each message, such as "without node-1".
    """
    groups: dict[tuple[str, tuple[str, ...]], list[Pod]] = {}
    for pod in pods:
        refused = state.facts.refused.get(pod_key(pod), _NOT_TRIED)
        groups.setdefault((state.workload(pod), refused.plugins), []).append(pod)
    firsts = [state.facts.refused.get(pod_key(members[0]), _NOT_TRIED).cycle for members in groups.values()][
        :MAX_GROUPS
    ]
    details = world.details(cycle for cycle in firsts if cycle)
    clues: list[Clue] = []
    for (workload, _), members in groups.items():
        refused = state.facts.refused.get(pod_key(members[0]), _NOT_TRIED)
        group = _Group(workload, members, refused, change, subject)
        clues.extend(group.clues(details.get(refused.cycle)))
    return clues


class _Group:
    """Pods of one workload that the same plugins refuse."""

    def __init__(
        self, workload: str, pods: list[Pod], refused: Refused, change: Change, subject: str
    ) -> None:
        self.workload = workload
        self.pods = pods
        self.refused = refused
        self.subject = f"{subject}: " if subject else ""
        found = change.find(workload)
        self.raw: dict[str, Any] = found.raw if found is not None else {}

    def clues(self, detail: CycleDetail | None) -> Iterator[Clue]:
        """Yields one clue for each plugin that refuses."""
        explanations = detail.explanation if detail is not None else []
        if detail is None or not explanations:
            yield self._clue(self._without_detail(), next(iter(self._plugins()), ""))
            return
        help_ = tuple(remedy.text for remedy in explain_fit(detail)[:MAX_REMEDIES])
        for explanation in explanations:
            plugin = explanation.plugin or next(iter(self._plugins()), "")
            shortfalls = tuple(_shortfalls(detail, explanation)) if plugin == NODE_RESOURCES_FIT else ()
            yield self._clue(explanation.text, plugin, explanation, shortfalls, help_)
            help_ = ()  # what would help is said once

    def _plugins(self) -> tuple[str, ...]:
        if self.refused.plugins:
            return self.refused.plugins
        return (SCHEDULING_GATES,) if self.pods[0].spec.scheduling_gates else ()

    def _without_detail(self) -> str:
        if self.refused.message:
            return self.refused.message
        if self.pods[0].spec.scheduling_gates:
            gates = ", ".join(gate.name for gate in self.pods[0].spec.scheduling_gates)
            return f"held back by its scheduling gates: {gates}"
        return f'not tried: no profile has its schedulerName "{self.pods[0].spec.scheduler_name}"'

    def _clue(
        self,
        text: str,
        plugin: str,
        explanation: Explanation | None = None,
        shortfalls: tuple[Shortfall, ...] = (),
        remedies: tuple[str, ...] = (),
    ) -> Clue:
        pods, num_pods = some(map(pod_key, self.pods))
        name = pods[0] if num_pods == 1 else f"{several(num_pods, 'pod')} of {self.workload}"
        finding = Finding(
            message=f"{self.subject}{name}: {text}",
            plugin=plugin,
            pods=pods,
            num_pods=num_pods,
            nodes=explanation.nodes if explanation is not None else (),
            num_nodes=explanation.num_nodes if explanation is not None else 0,
            shortfalls=shortfalls,
            remedies=remedies,
        )
        resource = shortfalls[0].resource if shortfalls else ""
        ref = FieldRef(self.workload, blocking_path(self.raw, plugin, resource)) if self.raw else None
        key = f"{self.subject}{self.workload}/{plugin}"
        return Clue(
            finding, key, num_pods + max((each.short for each in shortfalls), default=0.0) / 2**80, ref
        )


def _shortfalls(detail: CycleDetail, explanation: Explanation) -> Iterator[Shortfall]:
    """Yields for each resource how much the node that is least short of it lacks."""
    rows = [
        row for row, index in enumerate(detail.outcome) if index >= 0 and _is_of(detail, index, explanation)
    ]
    least: dict[str, tuple[int, str, dict[str, Any]]] = {}
    for row in rows:
        for record in detail.records_of(NODE_RESOURCES_FIT, row):
            entry = (record["short"], detail.nodes[row], record)
            known = least.get(record["resource"])
            if known is None or entry[:2] < known[:2]:
                least[record["resource"]] = entry
    for resource, (short, node, record) in sorted(least.items()):
        free = max(record["allocatable"] - record["used"], 0)
        yield amount_short(resource, record["requested"], free, short, node)


def _is_of(detail: CycleDetail, index: int, explanation: Explanation) -> bool:
    status = detail.statuses[index]
    return status.plugin == explanation.plugin and status.reasons == explanation.reasons


def amount_short(resource: str, wanted: int, free: int, short: int, node: str = "") -> Shortfall:
    """Returns how much of a resource is missing, in numbers and in words."""
    where = f" on {node}" if node else ""
    if resource == PODS:
        text = f"no room for another pod{where}"
    else:
        asked, left, lacking = (format_amount(resource, amount) for amount in (wanted, free, short))
        text = f"{resource}: {asked} wanted, {left} free{where}, {lacking} short"
    return Shortfall(
        resource=resource,
        node=node,
        wanted=wanted,
        available=free,
        short=short,
        unit=unit_of(resource),
        text=text,
    )


def unit_of(resource: str) -> str:
    """Returns the unit in which amounts of a resource are counted."""
    return "bytes" if resource.startswith("hugepages-") else _UNITS.get(resource, "")
