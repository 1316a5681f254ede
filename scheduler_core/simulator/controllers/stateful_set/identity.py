"""Numbers, names and claims of a stateful set's pods.

Source: pkg/controller/statefulset/stateful_set_utils.go, v1.34.1
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from scheduler_core.api.meta import ObjectMeta
from scheduler_core.api.storage import PersistentVolumeClaim
from scheduler_core.api.volumes import PersistentVolumeClaimVolumeSource, Volume
from scheduler_core.api.workloads import DELETE
from scheduler_core.simulator.controllers.controller_ref_manager import controller_ref
from scheduler_core.simulator.controllers.history import REVISION_LABEL
from scheduler_core.simulator.controllers.pod_control import pod_from_template

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scheduler_core.api.meta import OwnerReference
    from scheduler_core.api.pod import Pod, PodTemplateSpec
    from scheduler_core.api.volumes import PersistentVolumeClaimTemplate
    from scheduler_core.api.workloads import StatefulSet

POD_NAME_LABEL: Final = "statefulset.kubernetes.io/pod-name"
POD_INDEX_LABEL: Final = "apps.kubernetes.io/pod-index"
_NUMBERED: Final = re.compile(r"(.*)-([0-9]+)", re.ASCII | re.DOTALL)


def ordinal_of(stateful_set: StatefulSet, pod: Pod) -> int | None:
    """Returns the pod's number, or None for a pod with another name than a set's pod has."""
    match = _NUMBERED.fullmatch(pod.metadata.name)
    if match is None or match[1] != stateful_set.metadata.name or len(match[2]) > 9:
        return None
    return int(match[2])


def first_ordinal(stateful_set: StatefulSet) -> int:
    """Returns the number of the first pod."""
    ordinals = stateful_set.spec.ordinals
    return ordinals.start if ordinals is not None else 0


def numbered_pod(stateful_set: StatefulSet, template: PodTemplateSpec, revision: str, ordinal: int) -> Pod:
    """Returns the pod of a number, not yet stored."""
    name = f"{stateful_set.metadata.name}-{ordinal}"
    pod = pod_from_template(template, stateful_set)
    labels = {
        **pod.metadata.labels,
        POD_NAME_LABEL: name,
        POD_INDEX_LABEL: str(ordinal),
        REVISION_LABEL: revision,
    }
    templates = stateful_set.spec.volume_claim_templates
    claimed = {own.metadata.name for own in templates}
    volumes = tuple(
        Volume(
            name=own.metadata.name,
            persistent_volume_claim=PersistentVolumeClaimVolumeSource(
                claim_name=claim_name(stateful_set, own, ordinal)
            ),
        )
        for own in templates
    )
    others = tuple(volume for volume in pod.spec.volumes if volume.name not in claimed)
    return replace(
        pod,
        metadata=replace(pod.metadata, name=name, generate_name="", labels=labels),
        spec=replace(pod.spec, volumes=(*volumes, *others)),
    )


def claim_name(stateful_set: StatefulSet, template: PersistentVolumeClaimTemplate, ordinal: int) -> str:
    """Returns the name of a pod's claim."""
    return f"{template.metadata.name}-{stateful_set.metadata.name}-{ordinal}"


def claims(stateful_set: StatefulSet, ordinal: int) -> Iterator[PersistentVolumeClaim]:
    """Yields the claims of the pod of a number, not yet stored."""
    selector = stateful_set.spec.selector
    for template in stateful_set.spec.volume_claim_templates:
        labels = {**template.metadata.labels, **(selector.match_labels if selector else {})}
        yield PersistentVolumeClaim(
            metadata=ObjectMeta(
                namespace=stateful_set.metadata.namespace,
                name=claim_name(stateful_set, template, ordinal),
                labels=labels,
                annotations=template.metadata.annotations,
            ),
            spec=template.spec,
        )


def claim_owners(
    stateful_set: StatefulSet, claim: PersistentVolumeClaim, pod: Pod | None
) -> tuple[OwnerReference, ...]:
    """Returns who is to own a claim, so that it goes when the policy says.

    Args:
        stateful_set: the set
        claim: as it is stored
        pod: the claim's pod if that is one too many, else None
    """
    uid = stateful_set.metadata.uid
    kept = tuple(own for own in claim.metadata.owner_references if own.uid != uid and own.kind != "Pod")
    policy = stateful_set.spec.persistent_volume_claim_retention_policy
    if policy is None:
        return kept
    if policy.when_scaled == DELETE and pod is not None:
        reference = replace(controller_ref(pod), controller=None, block_owner_deletion=None)
        return (*kept, reference)
    if policy.when_deleted == DELETE:
        reference = replace(controller_ref(stateful_set), controller=None, block_owner_deletion=None)
        return (*kept, reference)
    return kept
