"""RuntimeClass admission: a runtime's overhead, node selector and tolerations become the pod's.

Source: plugin/pkg/admission/runtimeclass/admission.go;
pkg/util/tolerations/tolerations.go, MergeTolerations, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from scheduler_core.simulator.api_server.interface import Refusal

if TYPE_CHECKING:
    from scheduler_core.api.pod import Pod
    from scheduler_core.api.policy import RuntimeClass, RuntimeClassScheduling
    from scheduler_core.api.taints import Toleration
    from scheduler_core.simulator.object_store import ObjectStore

_DIFFERS = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead"
_UNFOUNDED = "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead"


def admit_runtime_class(pod: Pod, store: ObjectStore, fields: dict[str, str], *, strict: bool) -> Pod:
    """Returns the pod with what its runtime takes and needs.

    Raises:
        Refusal: the class is not there, or says otherwise than the pod.
    """
    name = pod.spec.runtime_class_name
    found: RuntimeClass | None = store.get("RuntimeClass", "", name) if name else None
    if name and found is None:
        if strict:
            raise Refusal(f'pod rejected: RuntimeClass "{name}" not found')
        return pod
    spec = pod.spec
    changes: dict[str, Any] = {}
    if found is None or found.overhead is None:
        if spec.overhead:
            raise Refusal(_UNFOUNDED)
    elif spec.overhead and spec.overhead != found.overhead.pod_fixed:
        raise Refusal(_DIFFERS)
    elif not spec.overhead and found.overhead.pod_fixed:
        changes["overhead"] = found.overhead.pod_fixed
        fields["spec.overhead"] = ",".join(
            f"{resource}={amount}" for resource, amount in sorted(found.overhead.pod_fixed.items())
        )
    if found is not None and found.scheduling is not None:
        changes |= _scheduling(pod, found.scheduling, fields)
    return msgspec.structs.replace(pod, spec=msgspec.structs.replace(spec, **changes)) if changes else pod


def _scheduling(pod: Pod, scheduling: RuntimeClassScheduling, fields: dict[str, str]) -> dict[str, Any]:
    own = pod.spec.node_selector
    changes: dict[str, Any] = {}
    for key, value in sorted(scheduling.node_selector.items()):
        if own.get(key, value) != value:
            raise Refusal(
                f"conflict: runtimeClass.scheduling.nodeSelector[{key}] = {value}; "
                f"pod.spec.nodeSelector[{key}] = {own[key]}"
            )
    if not scheduling.node_selector.items() <= own.items():
        changes["node_selector"] = {**own, **scheduling.node_selector}
        fields["spec.nodeSelector"] = ",".join(
            f"{key}={value}" for key, value in sorted(scheduling.node_selector.items())
        )
    merged = _merge_tolerations((*pod.spec.tolerations, *scheduling.tolerations))
    if merged != pod.spec.tolerations:
        changes["tolerations"] = merged
        added = ", ".join(_text(item) for item in scheduling.tolerations)
        fields["spec.tolerations"] = ", ".join(filter(None, (fields.get("spec.tolerations"), added)))
    return changes


def _merge_tolerations(tolerations: tuple[Toleration, ...]) -> tuple[Toleration, ...]:
    """Drops those that another one covers; of equal ones the first stays."""
    merged: list[Toleration] = []
    for index, toleration in enumerate(tolerations):
        if any(_covers(kept, toleration) for kept in merged):
            continue
        if any(other != toleration and _covers(other, toleration) for other in tolerations[index + 1 :]):
            continue
        merged.append(toleration)
    return tuple(merged)


def _covers(wide: Toleration, narrow: Toleration) -> bool:
    """Whether ``wide`` tolerates, for as long, all that ``narrow`` does."""
    if wide == narrow:
        return True
    if wide.key not in ("", narrow.key) or wide.effect not in ("", narrow.effect):
        return False
    longer = wide.toleration_seconds
    if longer is not None and (narrow.toleration_seconds is None or longer < narrow.toleration_seconds):
        return False
    if wide.operator == "Exists":
        return True
    return bool(wide.key) and narrow.operator in ("", "Equal") and wide.value == narrow.value


def _text(toleration: Toleration) -> str:
    value = f"={toleration.value}" if toleration.value else ""
    effect = f":{toleration.effect}" if toleration.effect else ""
    return f"{toleration.key or '*'}{value}{effect}"
