"""What a deployment reads off its replica sets: which is new, how many pods they have, in which order they count.

Source: pkg/controller/deployment/util/deployment_util.go; pkg/controller/controller_utils.go, ReplicaSetsBy…, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from scheduler_core.api.workloads import ROLLING_UPDATE, Deployment, ReplicaSet
from scheduler_core.simulator.controllers.int_or_percent import resolve_fenceposts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scheduler_core.api.pod import PodTemplateSpec

HASH_LABEL: Final = "pod-template-hash"
REVISION: Final = "deployment.kubernetes.io/revision"
REVISION_HISTORY: Final = "deployment.kubernetes.io/revision-history"
DESIRED_REPLICAS: Final = "deployment.kubernetes.io/desired-replicas"
MAX_REPLICAS: Final = "deployment.kubernetes.io/max-replicas"


def without_hash(template: PodTemplateSpec) -> PodTemplateSpec:
    """Returns a template without the label that tells replica sets apart."""
    labels = template.metadata.labels
    if HASH_LABEL not in labels:
        return template
    kept = {name: value for name, value in labels.items() if name != HASH_LABEL}
    return replace(template, metadata=replace(template.metadata, labels=kept))


def find_new(deployment: Deployment, replica_sets: Iterable[ReplicaSet]) -> ReplicaSet | None:
    """Returns the replica set with the deployment's template; of several the oldest.

    Before that counts the deployment's revision: at rest it is that of the one it has chosen, and it tells templates
    apart of which nobody noted the fields that are not read.
    """
    wanted, revision = without_hash(deployment.spec.template), revision_of(deployment)
    equal = [own for own in replica_sets if without_hash(own.spec.template) == wanted]
    return min(
        equal, key=lambda own: (not revision or revision_of(own) != revision, *age_key(own)), default=None
    )


def age_key(replica_set: ReplicaSet) -> tuple[int, str]:
    """Orders by age, the oldest first."""
    return replica_set.metadata.creation_timestamp or 0, replica_set.metadata.name


def num_replicas(replica_sets: Iterable[ReplicaSet]) -> int:
    """Returns how many pods are asked for."""
    return sum(own.spec.replicas or 0 for own in replica_sets)


def num_available(replica_sets: Iterable[ReplicaSet]) -> int:
    """Returns how many pods are available."""
    return sum(own.status.available_replicas for own in replica_sets)


def active(replica_sets: Iterable[ReplicaSet]) -> list[ReplicaSet]:
    """Returns those that ask for pods."""
    return [own for own in replica_sets if own.spec.replicas]


def is_rolling(deployment: Deployment) -> bool:
    """Returns whether old pods go little by little."""
    return deployment.spec.strategy.type == ROLLING_UPDATE


def fenceposts(deployment: Deployment) -> tuple[int, int]:
    """Returns how many pods may be too many, and how many missing, during a rollout."""
    replicas = deployment.spec.replicas or 0
    if not is_rolling(deployment):
        return 0, 0
    rolling = deployment.spec.strategy.rolling_update
    surge, unavailable = resolve_fenceposts(
        rolling.max_surge if rolling else None, rolling.max_unavailable if rolling else None, replicas
    )
    return surge, min(unavailable, replicas)


def revision_of(object_: Deployment | ReplicaSet) -> int:
    """Returns the revision that an object's annotation says; 0 for none."""
    text = object_.metadata.annotations.get(REVISION, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else 0


def annotated_count(replica_set: ReplicaSet, name: str) -> int | None:
    """Returns a number from an annotation."""
    text = replica_set.metadata.annotations.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def replicas_annotations(deployment: Deployment) -> dict[str, str]:
    """Returns what replica sets note of the deployment's size, to scale in proportion later."""
    replicas = deployment.spec.replicas or 0
    return {DESIRED_REPLICAS: str(replicas), MAX_REPLICAS: str(replicas + fenceposts(deployment)[0])}


def others(replica_sets: Sequence[ReplicaSet], new: ReplicaSet | None) -> list[ReplicaSet]:
    """Returns the old replica sets."""
    return [own for own in replica_sets if new is None or own.metadata.uid != new.metadata.uid]
