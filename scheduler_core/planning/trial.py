"""One run of a changed cluster, beside that of the cluster as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from scheduler_core.api.pod import Pod
from scheduler_core.simulator import PendingPod, Simulator
from scheduler_core.simulator.questions import MIRROR, unbound

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scheduler_core.api.kinds import KubeObject
    from scheduler_core.config import SchedulerConfiguration
    from scheduler_core.simulator import SimulatorOptions

_replace = msgspec.structs.replace


class Trial(msgspec.Struct, frozen=True):
    """Where a run ended: pod → node, the pods that stay pending, and those that were evicted."""

    placements: dict[str, str]
    pending: dict[str, PendingPod]
    evicted: tuple[str, ...]


class Difference(msgspec.Struct, frozen=True):
    """What one trial has that another had not.

    Args:
        newly_pending: pods that had a node and now stay pending
        rescued: pods that stayed pending and now have a node
        moved: pods on another node
        evicted: pods that are evicted now and were not
    """

    newly_pending: tuple[PendingPod, ...]
    rescued: tuple[str, ...]
    moved: tuple[str, ...]
    evicted: tuple[str, ...]

    @property
    def num_changes(self) -> int:
        """How many pods are worse off or elsewhere."""
        return len(self.newly_pending) + len(self.moved) + len(self.evicted)


def trial(
    objects: Sequence[KubeObject],
    config: SchedulerConfiguration,
    options: SimulatorOptions,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> Trial:
    """Runs a cluster to its end."""
    simulator = Simulator(config, pods_alone(options))
    simulator.load(objects)
    result = simulator.run(is_cancelled=is_cancelled)
    pending = {pod.pod: pod for pod in result.pending}
    before = (key_of(object_) for object_ in objects if isinstance(object_, Pod))
    evicted = tuple(key for key in before if key not in pending and key not in result.placements)
    return Trial(result.placements, pending, evicted)


def pods_alone(options: SimulatorOptions) -> SimulatorOptions:
    """The options of a planning run: no controller answers, so that pods are only placed, not made or ended."""
    return _replace(options, controllers="off")


def difference(before: Trial, after: Trial) -> Difference:
    """What changed from one trial to the other; pods that only one of them has count by where they are there."""
    return Difference(
        newly_pending=tuple(pod for key, pod in after.pending.items() if key not in before.pending),
        rescued=tuple(key for key in before.pending if key in after.placements),
        moved=tuple(
            key
            for key, node in after.placements.items()
            if key in before.placements and before.placements[key] != node
        ),
        evicted=tuple(key for key in after.evicted if key not in before.evicted),
    )


def key_of(object_: KubeObject) -> str:
    """The object's namespace/name."""
    metadata = object_.metadata
    return f"{metadata.namespace or 'default'}/{metadata.name}"


def without_nodes(objects: Sequence[KubeObject], gone: frozenset[str]) -> list[KubeObject]:
    """The cluster without some nodes: their pods are pending anew, but for those that live and die with a node."""
    left: list[KubeObject] = []
    for object_ in objects:
        if object_.kind == "Node" and object_.metadata.name in gone:
            continue
        if isinstance(object_, Pod) and object_.spec.node_name in gone:
            if not is_of_its_node(object_):
                left.append(unbound(object_))
            continue
        left.append(object_)
    return left


def is_of_its_node(pod: Pod) -> bool:
    """Whether no other node will do: a DaemonSet's pod, or the mirror of a static one."""
    owners = pod.metadata.owner_references
    return MIRROR in pod.metadata.annotations or any(
        owner.controller and owner.kind == "DaemonSet" for owner in owners
    )
