"""``daemonSetGrowth``: the pods of DaemonSets ask for more, and still run on each of their nodes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from scheduler_core.api.pod_resources import to_ints
from scheduler_core.api.workloads import DaemonSet
from scheduler_core.checks.case import Case, Clue, Judgement, full_key, several, some
from scheduler_core.checks.change import FieldRef
from scheduler_core.checks.cluster_state import pod_key
from scheduler_core.checks.expectations import Selection
from scheduler_core.checks.unplaced import amount_short
from scheduler_core.checks.verdict import Finding
from scheduler_core.plugins.names import NODE_RESOURCES_FIT
from scheduler_core.simulator.scenario.edits import SetRequests
from scheduler_core.trace.words import format_amount

if TYPE_CHECKING:
    from scheduler_core.api.quantity import Quantity
    from scheduler_core.checks.expectations import DaemonSetGrowth


def judge_daemon_set_growth(expectation: DaemonSetGrowth, case: Case) -> Judgement:
    """Has one DaemonSet after the other ask for more, and looks for the nodes that lose its pod."""
    keys = list(map(full_key, expectation.workloads)) or [
        item.key for item in case.change.apply if isinstance(item.object, DaemonSet)
    ]
    clues: list[Clue] = []
    grown = 0
    for key in keys:
        workload = case.state.by_key.get(key)
        if workload is None:
            if expectation.workloads and case.is_changed:
                clues.append(Clue(Finding(message=f"{key} is not there"), key, 1.0))
            continue
        grown += 1
        clues += _grow(key, workload, expectation.requests, case)
    if clues:
        return Judgement(clues[0].finding.message, tuple(clues))
    if not grown:
        return Judgement("there is no DaemonSet that could grow")
    amounts = ", ".join(f"{amount} {name}" for name, amount in expectation.requests.items())
    return Judgement(f"{several(grown, 'DaemonSet')} may ask for {amounts} more on every node")


def _grow(key: str, workload: Any, more: Mapping[str, Quantity], case: Case) -> list[Clue]:
    world = case.fork()
    world.move([_growth(key, workload, more)])
    selection = Selection(workloads=(key,))
    before = {pod.spec.node_name: pod for pod in case.selected(selection) if pod.spec.node_name}
    after = {pod.spec.node_name: pod for pod in case.selected(selection, world.state()) if pod.spec.node_name}
    wanted = to_ints(more)
    lost = sorted(
        name
        for name, pod in before.items()
        if name not in after or after[name].metadata.uid == pod.metadata.uid
    )
    clues = []
    for resource, amount in wanted.items():
        short = [name for name in lost if case.state.rooms[name].free(resource) < amount]
        if not short:
            continue
        least = max(short, key=lambda name: (case.state.rooms[name].free(resource), name))
        free = case.state.rooms[least].free(resource)
        lacking = amount_short(resource, amount, free, amount - free, least)
        nodes, number = some(short)
        message = (
            f"{key} with {format_amount(resource, amount)} more {resource} has no room on "
            f"{several(number, 'node')}: {lacking.text}"
        )
        finding = Finding(
            message=message, plugin=NODE_RESOURCES_FIT, nodes=nodes, num_nodes=number, shortfalls=(lacking,),
            pods=some(pod_key(before[name]) for name in short)[0], num_pods=number,
        )  # fmt: skip
        clues.append(Clue(finding, f"{key}/{resource}", number, FieldRef(key, ("spec", "template", "spec"))))
    if lost and not clues:
        nodes, number = some(lost)
        message = f"{key} that asks for more does not come back on {several(number, 'node')}"
        finding = Finding(message=message, nodes=nodes, num_nodes=number)
        clues.append(Clue(finding, key, number, FieldRef(key, ("spec",))))
    return clues


def _growth(key: str, workload: Any, more: Mapping[str, Quantity]) -> SetRequests:
    """Returns the edit with which the DaemonSet's first container asks for more."""
    first = workload.spec.template.spec.containers[0]
    requests, limits = dict(first.resources.requests), dict(first.resources.limits)
    for name, amount in more.items():
        start = requests.get(name, limits.get(name))
        requests[name] = start + amount if start is not None else amount
        if name in limits:
            limits[name] = limits[name] + amount
    return SetRequests(object=key, requests=requests, limits=limits, container=first.name)
