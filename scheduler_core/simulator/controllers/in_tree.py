"""All controllers by upstream's names; the only module that imports them all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from scheduler_core.simulator.controllers.daemon.daemon_controller import DaemonSetController
from scheduler_core.simulator.controllers.deployment.deployment_controller import DeploymentController
from scheduler_core.simulator.controllers.interface import Cluster, Controller, WorkQueue
from scheduler_core.simulator.controllers.kubelet.kubelet import Kubelet
from scheduler_core.simulator.controllers.replica_set import ReplicaSetController
from scheduler_core.simulator.controllers.replication_controller import ReplicationControllerController
from scheduler_core.simulator.controllers.resource_quota import ResourceQuotaController
from scheduler_core.simulator.controllers.stateful_set.stateful_set_controller import StatefulSetController


class Entry(NamedTuple):
    """How to make a controller, and when.

    Args:
        factory: makes it.
        wakes_on: kind → whether a change (old or None, new) of such an object needs the controller.
        works_with: the controllers without which its work comes to nothing; they come on with it.
    """

    factory: Callable[[Cluster, WorkQueue], Controller]
    wakes_on: Mapping[str, Callable[[Any | None, Any], bool]]
    works_with: tuple[str, ...] = ()


def always(_old: Any | None, _new: Any) -> bool:
    """Any object of the kind needs the controller."""
    return True


IN_TREE: Final[dict[str, Entry]] = {
    Kubelet.name: Entry(Kubelet, {"Node": always}),
    DeploymentController.name: Entry(
        DeploymentController, {"Deployment": always}, (ReplicaSetController.name,)
    ),
    ReplicaSetController.name: Entry(ReplicaSetController, {"ReplicaSet": always}),
    StatefulSetController.name: Entry(StatefulSetController, {"StatefulSet": always}),
    DaemonSetController.name: Entry(DaemonSetController, {"DaemonSet": always}),
    ReplicationControllerController.name: Entry(
        ReplicationControllerController, {"ReplicationController": always}
    ),
    "resourcequota-controller": Entry(ResourceQuotaController, {"ResourceQuota": always}),
}
"""Name → entry, in the order in which they are told of an event."""
