"""``rollingUpdate``: workloads are restarted as by ``kubectl rollout restart``, and all new pods find a node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from scheduler_core.api.workloads import DaemonSet, Deployment, StatefulSet
from scheduler_core.checks.case import Case, Clue, Judgement, full_key, several
from scheduler_core.checks.change import FieldRef
from scheduler_core.checks.expectations import Selection
from scheduler_core.checks.unplaced import unplaced_clues
from scheduler_core.checks.verdict import Finding, Shortfall
from scheduler_core.checks.workload_size import desired
from scheduler_core.simulator.scenario.edits import MergePatch

if TYPE_CHECKING:
    from scheduler_core.checks.expectations import RollingUpdate
    from scheduler_core.checks.world import World

MARK: Final = "kubectl.kubernetes.io/restartedAt"
_WHEN: Final = "check"
_ROLLED = (Deployment, StatefulSet, DaemonSet)


def judge_rolling_update(expectation: RollingUpdate, case: Case) -> Judgement:
    """Restarts one workload after the other and follows each rollout to its end.

    They share a world, each beginning where the one before came to its end; after one that stops, there is a new one.
    """
    keys = list(map(full_key, expectation.workloads)) or [
        item.key for item in case.change.apply if isinstance(item.object, _ROLLED)
    ]
    clues: list[Clue] = []
    rolled = 0
    world: World | None = None
    for key in keys:
        workload = case.state.by_key.get(key)
        if workload is None:
            if expectation.workloads and case.is_changed:
                clues.append(Clue(Finding(message=f"{key} is not there"), key, 1.0))
            continue
        rolled += 1
        world = world or case.fork()
        found = _roll(key, workload, world, case)
        if found:
            clues += found
            world = None
    if clues:
        return Judgement(clues[0].finding.message, tuple(clues))
    if not rolled:
        return Judgement("there is no workload to update")
    return Judgement(f"a rolling update of {several(rolled, 'workload')} comes to its end")


def _roll(key: str, workload: Any, world: World, case: Case) -> list[Clue]:
    annotations = {"metadata": {"annotations": {MARK: _WHEN}}}
    world.move([MergePatch(object=key, patch={"spec": {"template": annotations}})])
    state = world.state()
    pods = case.selected(Selection(workloads=(key,)), state)
    new = [pod for pod in pods if pod.metadata.annotations.get(MARK) == _WHEN]
    placed = [pod for pod in new if pod.spec.node_name]
    pending = [pod for pod in new if not pod.spec.node_name]
    subject = f"while {key} is updated"
    clues = unplaced_clues(pending, state, world, case.change, subject=subject)
    wanted = desired(workload) or len(case.selected(Selection(workloads=(key,))))
    if not clues and len(placed) < wanted:
        denied = state.facts.denied
        clues = [_stuck(key, len(placed), wanted, denied[-1].message if denied else "")]
    return [clue._replace(key=f"{key}|{clue.key}") for clue in clues]


def _stuck(key: str, placed: int, wanted: int, why: str) -> Clue:
    have = "has" if placed == 1 else "have"
    message = f"the update of {key} stops: {placed} of {several(wanted, 'new pod')} {have} a node"
    if why:
        message += f": {why}"
    short = Shortfall(
        resource="pods",
        wanted=wanted,
        available=placed,
        short=wanted - placed,
        text=f"{wanted - placed} pods short",
    )
    finding = Finding(message=message, shortfalls=(short,))
    return Clue(finding, "stuck", wanted - placed, FieldRef(key, ("spec",)))
