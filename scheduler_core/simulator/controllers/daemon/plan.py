"""What a daemon set does next: nodes that need a pod, pods that have to go.

Source: pkg/controller/daemon/{daemon_controller,update}.go, podsShouldBeOnNode, rollingUpdate, v1.34.1
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scheduler_core.api.pod import FAILED, SUCCEEDED
from scheduler_core.simulator.controllers.int_or_percent import scaled
from scheduler_core.simulator.controllers.pod_util import created_at, is_available, is_ready

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from scheduler_core.api.pod import Pod
    from scheduler_core.api.workloads import DaemonSet
    from scheduler_core.simulator.controllers.daemon.fitting import Verdict


@dataclass
class Plan:
    """Names of nodes that are to get a pod, and pods to delete."""

    create: list[str] = field(default_factory=list)
    delete: list[Pod] = field(default_factory=list)


@dataclass(frozen=True)
class Daemons:
    """A daemon set and its pods by node, as they are now."""

    daemon_set: DaemonSet
    verdicts: Mapping[str, Verdict]
    pods: Mapping[str, Sequence[Pod]]
    is_updated: Callable[[Pod], bool]
    wall_us: int

    def is_available(self, pod: Pod) -> bool:
        """Whether a pod has been ready for long enough."""
        return is_available(pod, self.daemon_set.spec.min_ready_seconds, self.wall_us)

    def limits(self) -> tuple[int, int]:
        """How many pods may be too many, and how many missing, during an update; both are rounded up."""
        desired = sum(own.should_run for own in self.verdicts.values())
        rolling = self.daemon_set.spec.update_strategy.rolling_update
        surge = scaled(rolling.max_surge if rolling else 0, desired, round_up=True)
        unavailable = scaled(rolling.max_unavailable if rolling else 1, desired, round_up=True)
        return (surge, 1) if surge == 0 and unavailable == 0 else (surge, unavailable)

    def allows_surge(self) -> bool:
        """Whether a new pod may be beside an old one."""
        rolling = self.daemon_set.spec.update_strategy.rolling_update
        return rolling is not None and scaled(rolling.max_surge, 100, round_up=True) > 0


def age_order(pods: Iterable[Pod]) -> list[Pod]:
    """Returns pods, those with a node first, then the older ones."""
    pods = list(pods)
    if len(pods) < 2:
        return pods
    return sorted(pods, key=lambda pod: (not pod.spec.node_name, created_at(pod), pod.metadata.name))


def manage(daemons: Daemons) -> Plan:
    """Returns what it takes that every fitting node has a pod and no other has one."""
    plan = Plan()
    for node, verdict in daemons.verdicts.items():
        pods = daemons.pods.get(node, ())
        if verdict.should_run and not pods:
            plan.create.append(node)
        elif verdict.should_continue:
            plan.delete += _surplus(daemons, pods)
        else:
            plan.delete += [pod for pod in pods if pod.metadata.deletion_timestamp is None]
    for node, pods in daemons.pods.items():
        if node not in daemons.verdicts:
            plan.delete += [
                pod for pod in pods if not pod.spec.node_name and pod.metadata.deletion_timestamp is None
            ]
    return plan


def _surplus(daemons: Daemons, pods: Sequence[Pod]) -> list[Pod]:
    """Pods that have ended, and those of a node that has more than one."""
    if len(pods) == 1 and pods[0].status.phase not in (FAILED, SUCCEEDED):
        return []
    alive = [pod for pod in pods if pod.metadata.deletion_timestamp is None]
    ended = [pod for pod in alive if pod.status.phase in (FAILED, SUCCEEDED)]
    running = age_order(pod for pod in alive if pod.status.phase not in (FAILED, SUCCEEDED))
    if not daemons.allows_surge():
        return [*ended, *running[1:]]
    new = [pod for pod in running if daemons.is_updated(pod)]
    old = [pod for pod in running if not daemons.is_updated(pod)]
    gone = [*ended, *new[1:], *old[1:]]
    if new and old and (not is_ready(old[0]) or daemons.is_available(new[0])):
        gone.append(old[0])
    return gone


def rolling_update(daemons: Daemons) -> Plan:
    """Returns the next step of an update."""
    surge, unavailable = daemons.limits()
    return _with_surge(daemons, surge) if surge else _without_surge(daemons, unavailable)


def _without_surge(daemons: Daemons, max_unavailable: int) -> Plan:
    num_unavailable = 0
    broken: list[Pod] = []
    candidates: list[Pod] = []
    for node in daemons.verdicts:
        pods = daemons.pods.get(node)
        if not pods:
            continue
        new, old, is_clear = _updated_and_old(daemons, pods)
        if not is_clear or (new is None) == (old is None):
            num_unavailable += 1
        elif new is not None:
            num_unavailable += not daemons.is_available(new)
        elif old is not None and not daemons.is_available(old):
            broken.append(old)
        elif old is not None and num_unavailable < max_unavailable:
            candidates.append(old)
    return Plan(delete=[*broken, *candidates[: max(max_unavailable - num_unavailable, 0)]])


def _with_surge(daemons: Daemons, max_surge: int) -> Plan:
    num_surging = 0
    replaceable: list[str] = []
    candidates: list[str] = []
    finished: list[Pod] = []
    for node in daemons.verdicts:
        pods = daemons.pods.get(node)
        if not pods:
            continue
        new, old, is_clear = _updated_and_old(daemons, pods)
        if not is_clear:
            num_surging += 1
        elif old is None:
            continue
        elif new is None and not daemons.is_available(old):
            replaceable.append(node)
        elif new is None and num_surging < max_surge:
            candidates.append(node)
        elif new is not None and not daemons.is_available(new):
            num_surging += 1
        elif new is not None:
            finished.append(old)
    return Plan(create=[*replaceable, *candidates[: max(max_surge - num_surging, 0)]], delete=finished)


def _updated_and_old(daemons: Daemons, pods: Sequence[Pod]) -> tuple[Pod | None, Pod | None, bool]:
    """The node's new pod and its old one; False where there are two of a kind."""
    new: Pod | None = None
    old: Pod | None = None
    for pod in pods:
        if pod.metadata.deletion_timestamp is not None:
            continue
        if daemons.is_updated(pod):
            if new is not None:
                return None, None, False
            new = pod
        else:
            if old is not None:
                return None, None, False
            old = pod
    return new, old, True
