"""Claims for the volumes that live as long as their pod.

Source: pkg/controller/volume/ephemeral/controller.go, handleVolume, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scheduler_core.api.meta import ObjectMeta
from scheduler_core.api.storage import PersistentVolumeClaim
from scheduler_core.plugins.helper.volumes import not_owner_message
from scheduler_core.simulator.controllers.base import ControllerBase, key_of
from scheduler_core.simulator.controllers.controller_ref_manager import controller_ref
from scheduler_core.simulator.controllers.event_recorder import EventRecorder
from scheduler_core.simulator.controllers.pod_util import is_finished

if TYPE_CHECKING:
    from scheduler_core.api.pod import Pod
    from scheduler_core.api.volumes import Volume
    from scheduler_core.simulator.controllers.interface import Cluster, WorkQueue


class EphemeralVolumeController(ControllerBase):
    """Makes the claims that pods bring templates for; a pod that came with a node had them there."""

    name = "ephemeral-volume-controller"
    kind = "Pod"
    kinds = frozenset({"Pod"})

    def __init__(self, cluster: Cluster, queue: WorkQueue) -> None:
        super().__init__(cluster, queue)
        self._events = EventRecorder(cluster, self.name)

    def on_event(self, kind: str, old: Any | None, new: Any | None) -> None:
        """Has a new pod looked at that has such volumes."""
        if old is None and new is not None and not new.spec.node_name and has_ephemeral_volumes(None, new):
            self._queue.enqueue(key_of(new))

    def sync(self, key: str) -> None:
        """Makes the claims that a pod has not yet."""
        pod: Pod | None = self._find(key)
        if pod is None or is_finished(pod) or pod.metadata.deletion_timestamp is not None:
            return
        for volume in pod.spec.volumes:
            if volume.ephemeral is not None and volume.ephemeral.volume_claim_template is not None:
                self._make(pod, volume)

    def _make(self, pod: Pod, volume: Volume) -> None:
        assert volume.ephemeral is not None
        template = volume.ephemeral.volume_claim_template
        assert template is not None
        namespace, name = pod.metadata.namespace, f"{pod.metadata.name}-{volume.name}"
        found = self._api.get("PersistentVolumeClaim", namespace, name)
        if found is not None:
            problem = not_owner_message(pod, found)
            if problem:
                self._events.warn(pod, "FailedBinding", f"ephemeral volume {volume.name}: {problem}")
            return
        claim = PersistentVolumeClaim(
            metadata=ObjectMeta(
                namespace=namespace,
                name=name,
                labels=template.metadata.labels,
                annotations=template.metadata.annotations,
                owner_references=(controller_ref(pod),),
            ),
            spec=template.spec,
        )
        self._api.create(claim, by=self.name)


def has_ephemeral_volumes(_old: Any | None, pod: Any) -> bool:
    """A pod with a volume that a claim is to be made for."""
    return any(volume.ephemeral is not None for volume in pod.spec.volumes)
