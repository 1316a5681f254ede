"""Pods from templates: making one, many at once, and deleting many.

Source: pkg/controller/controller_utils.go, GetPodFromTemplate, RealPodControl;
pkg/controller/replicaset/replica_set.go, slowStartBatch, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scheduler_core.api.meta import ObjectMeta
from scheduler_core.api.pod import Pod
from scheduler_core.api.unread import UNREAD
from scheduler_core.simulator.api_server.errors import ApiError
from scheduler_core.simulator.controllers.controller_ref_manager import controller_ref

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from scheduler_core.api.pod import PodTemplateSpec
    from scheduler_core.simulator.api_server.server import ApiServer

SLOW_START_BATCH = 1


def pod_from_template(template: PodTemplateSpec, owner: Any, *, generate_name: str = "") -> Pod:
    """Returns the pod that a template means, not yet stored; its name is the owner's with a suffix."""
    metadata = template.metadata
    return Pod(
        metadata=ObjectMeta(
            namespace=owner.metadata.namespace,
            generate_name=generate_name or f"{owner.metadata.name}-",
            labels=metadata.labels,
            annotations={name: item for name, item in metadata.annotations.items() if name != UNREAD},
            finalizers=metadata.finalizers,
            owner_references=(controller_ref(owner),),
        ),
        spec=template.spec,
    )


def slow_start(count: int, create: Callable[[], object]) -> int:
    """Creates in batches of 1, 2, 4, …; the first batch in which one fails is the last.

    Returns: how many were created

    Raises:
        ApiError: the first refusal.
    """
    made, batch = 0, min(count, SLOW_START_BATCH)
    while batch > 0:
        refusal = None
        for _ in range(batch):
            try:
                create()
                made += 1
            except ApiError as error:
                refusal = refusal or error
        if refusal is not None:
            raise refusal
        batch = min(2 * batch, count - made)
    return made


def delete_pods(api: ApiServer, pods: Iterable[Pod], *, by: str) -> None:
    """Deletes pods; one that is gone already is no fault."""
    for pod in pods:
        try:
            api.delete("Pod", pod.metadata.namespace, pod.metadata.name, by=by, uid=pod.metadata.uid)
        except ApiError as error:
            if error.reason not in ("NotFound", "Conflict"):
                raise
