"""Which fields an update may not change.

Source: pkg/apis/{core,apps,batch}/validation/validation.go, Validate…Update, v1.34.1
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from scheduler_core.api.batch import Job
from scheduler_core.api.decode import to_plain
from scheduler_core.api.meta import KubeStruct
from scheduler_core.api.workloads import DaemonSet, Deployment, ReplicaSet, StatefulSet
from scheduler_core.errors import FORBIDDEN, INVALID, FieldError
from scheduler_core.simulator.api_server.errors import invalid

if TYPE_CHECKING:
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


def check_update(old: KubeObject, new: KubeObject) -> None:
    """Holds what the API server holds.

    Raises:
        ApiError: a field was changed that may not be.
    """
    errors: list[FieldError] = []
    if isinstance(old, Deployment | ReplicaSet | DaemonSet):
        errors += _changed(old, new, "selector")
    elif isinstance(old, Job):
        errors += _changed(old, new, "selector")
        errors += _changed(old, new, "completions")
        errors += _changed(old, new, "template")
    elif isinstance(old, StatefulSet):
        errors += _stateful_set(old, new)
    if errors:
        raise invalid(new, errors)


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
