"""Which fields an update may not change.

Source: pkg/apis/{core,apps,batch}/validation/validation.go, Validate…Update, v1.34.1
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import msgspec

from scheduler_core.api.batch import Job
from scheduler_core.api.decode import to_plain
from scheduler_core.api.meta import KubeStruct
from scheduler_core.api.pod import Pod
from scheduler_core.api.workloads import DaemonSet, Deployment, ReplicaSet, StatefulSet
from scheduler_core.errors import FORBIDDEN, INVALID, FieldError
from scheduler_core.simulator.api_server.errors import invalid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scheduler_core.api.containers import Container
    from scheduler_core.api.kinds import KubeObject

_IMMUTABLE: Final = "field is immutable"
_STATEFUL_SET_MUTABLE: Final = frozenset(
    {
        "replicas", "ordinals", "template", "update_strategy", "revision_history_limit",
        "persistent_volume_claim_retention_policy", "min_ready_seconds",
    }
)  # fmt: skip
_STATEFUL_SET: Final = (
    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', "
    "'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden"
)

_POD: Final = (
    "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,"
    "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),"
    "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)"
)
_POD_RESIZE: Final = "only cpu and memory resources are mutable"
_replace = msgspec.structs.replace


def check_update(
    old: KubeObject, new: KubeObject, known: Sequence[FieldError] = (), *, resize: bool = False
) -> None:
    """Holds what the API server holds; ``resize``: a pod's containers may ask for something else.

    ``known`` is what is wrong with the new object in itself.

    Raises:
        ApiError: a field was changed that may not be.
    """
    errors = list(known)
    if isinstance(old, Deployment | ReplicaSet | DaemonSet):
        errors += _changed(old, new, "selector")
    elif isinstance(old, Job):
        errors += _changed(old, new, "selector")
        errors += _changed(old, new, "completions")
        errors += _changed(old, new, "template")
    elif isinstance(old, Pod):
        errors += _pod(old, new, resize=resize)
    elif isinstance(old, StatefulSet):
        errors += _stateful_set(old, new)
    if errors:
        raise invalid(new, errors)


def _pod(old: Pod, new: Any, *, resize: bool) -> list[FieldError]:
    """Source: pkg/apis/core/validation/validation.go, ValidatePodUpdate, ValidatePodResize."""
    before, after = old.spec, new.spec
    if before == after:
        return []
    added = after.tolerations[: len(before.tolerations)] == before.tolerations
    gates_go = set(after.scheduling_gates) <= set(before.scheduling_gates)
    changes: dict[str, Any] = {
        "containers": _comparable(before.containers, after.containers, resize=resize),
        "init_containers": _comparable(before.init_containers, after.init_containers, resize=resize),
        "active_deadline_seconds": before.active_deadline_seconds,
    }
    if added:
        changes["tolerations"] = before.tolerations
    if gates_go:
        changes["scheduling_gates"] = before.scheduling_gates
    if before.scheduling_gates:  # a gated pod's nodes may be narrowed
        changes["node_selector"] = before.node_selector
        changes["affinity"] = before.affinity
    if _replace(after, **changes) == before:
        return []
    return [FieldError(field="spec", type=FORBIDDEN, message=_POD_RESIZE if resize else _POD)]


def _comparable(
    before: tuple[Container, ...], after: tuple[Container, ...], *, resize: bool
) -> tuple[Container, ...]:
    """Returns the new containers with what may change as it was."""
    if len(before) != len(after):
        return after
    return tuple(
        _replace(new, resources=old.resources) if resize else _replace(new, image=old.image)
        for old, new in zip(before, after, strict=True)
    )


def _changed(old: Any, new: Any, name: str) -> list[FieldError]:
    before, after = getattr(old.spec, name), getattr(new.spec, name)
    if before == after:
        return []
    value = to_plain(after) if isinstance(after, KubeStruct) else after
    text = json.dumps(value, separators=(",", ":"))
    return [FieldError(field=f"spec.{name}", type=INVALID, value=text, message=_IMMUTABLE, quoted=False)]


def _stateful_set(old: StatefulSet, new: Any) -> list[FieldError]:
    fixed = (name for name in old.spec.__struct_fields__ if name not in _STATEFUL_SET_MUTABLE)
    if all(getattr(old.spec, name) == getattr(new.spec, name) for name in fixed):
        return []
    return [FieldError(field="spec", type=FORBIDDEN, message=_STATEFUL_SET)]
