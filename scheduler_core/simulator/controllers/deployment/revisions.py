"""The replica set of a deployment's template: found, numbered, or made.

Source: pkg/controller/deployment/sync.go, getNewReplicaSet; pkg/controller/deployment/util/deployment_util.go,
SetNewReplicaSetAnnotations, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from scheduler_core.api.meta import ObjectMeta
from scheduler_core.api.selectors import LabelSelector
from scheduler_core.api.workloads import ReplicaSet, ReplicaSetSpec
from scheduler_core.simulator.controllers.controller_ref_manager import controller_ref
from scheduler_core.simulator.controllers.deployment.replica_sets import (
    DESIRED_REPLICAS,
    HASH_LABEL,
    MAX_REPLICAS,
    REVISION,
    REVISION_HISTORY,
    num_replicas,
    replicas_annotations,
    revision_of,
)
from scheduler_core.simulator.controllers.deployment.rolling import new_size
from scheduler_core.simulator.controllers.hashing import template_hash

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scheduler_core.api.workloads import Deployment

MAX_HISTORY_CHARS: Final = 2000
_NOT_COPIED: Final = frozenset(
    {
        "kubectl.kubernetes.io/last-applied-configuration",
        "deprecated.deployment.rollback.to",
        REVISION,
        REVISION_HISTORY,
        DESIRED_REPLICAS,
        MAX_REPLICAS,
    }
)


def new_replica_set(deployment: Deployment, old: Sequence[ReplicaSet]) -> ReplicaSet:
    """Returns the replica set for the deployment's template, not yet stored."""
    spec = deployment.spec
    digest = template_hash(spec.template, deployment.status.collision_count)
    metadata = spec.template.metadata
    template = replace(
        spec.template, metadata=replace(metadata, labels={**metadata.labels, HASH_LABEL: digest})
    )
    selector = spec.selector or LabelSelector()
    made = ReplicaSet(
        metadata=ObjectMeta(
            namespace=deployment.metadata.namespace,
            name=f"{deployment.metadata.name}-{digest}",
            labels=template.metadata.labels,
            owner_references=(controller_ref(deployment),),
        ),
        spec=ReplicaSetSpec(
            replicas=new_size(deployment, 0, num_replicas(old)),
            min_ready_seconds=spec.min_ready_seconds,
            selector=replace(selector, match_labels={**selector.match_labels, HASH_LABEL: digest}),
            template=template,
        ),
    )
    return annotated(made, deployment, next_revision(old))


def next_revision(old: Sequence[ReplicaSet]) -> int:
    """Returns the number after the highest of the old replica sets."""
    return max((revision_of(own) for own in old), default=0) + 1


def annotated(replica_set: ReplicaSet, deployment: Deployment, revision: int) -> ReplicaSet:
    """Returns the replica set with the deployment's annotations, size and number; an earlier number is history."""
    before = replica_set.metadata.annotations
    is_new = not replica_set.metadata.uid
    annotations: dict[str, Any] = dict(before)
    copied = {
        name: value for name, value in deployment.metadata.annotations.items() if name not in _NOT_COPIED
    }
    annotations |= copied
    known = revision_of(replica_set)
    if known < revision:
        annotations[REVISION] = str(revision)
        if known:
            annotations[REVISION_HISTORY] = _history(before.get(REVISION_HISTORY, ""), known)
    if is_new:
        annotations |= replicas_annotations(deployment)
    return replace(replica_set, metadata=replace(replica_set.metadata, annotations=annotations))


def _history(before: str, revision: int) -> str:
    numbers = [*(before.split(",") if before else ()), str(revision)]
    while len(",".join(numbers)) > MAX_HISTORY_CHARS:
        numbers.pop(0)
    return ",".join(numbers)
