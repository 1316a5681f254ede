"""DefaultTolerationSeconds: how long a pod stays on a node that is not ready or cannot be reached.

Source: plugin/pkg/admission/defaulttolerationseconds/admission.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from scheduler_core.api.taints import NO_EXECUTE, Toleration

if TYPE_CHECKING:
    from scheduler_core.api.pod import Pod

NOT_READY: Final = "node.kubernetes.io/not-ready"
UNREACHABLE: Final = "node.kubernetes.io/unreachable"
SECONDS: Final = 300
FIELD: Final = "spec.tolerations"

_DEFAULTS: Final = tuple(
    Toleration(key=key, operator="Exists", effect=NO_EXECUTE, toleration_seconds=SECONDS)
    for key in (NOT_READY, UNREACHABLE)
)
USUAL: Final = ", ".join(f"{item.key}:{NO_EXECUTE} for {SECONDS}s" for item in _DEFAULTS)
"""What nearly every pod gets."""


def admit_tolerations(pod: Pod, fields: dict[str, str]) -> Pod:
    """Returns the pod with the tolerations that it lacks."""
    own = pod.spec.tolerations
    missing = tuple(
        item for item in _DEFAULTS if not any(_covers(toleration, item.key) for toleration in own)
    )
    if not missing:
        return pod
    fields[FIELD] = USUAL if len(missing) == 2 else f"{missing[0].key}:{NO_EXECUTE} for {SECONDS}s"
    spec = msgspec.structs.replace(pod.spec, tolerations=(*own, *missing) if own else missing)
    return msgspec.structs.replace(pod, spec=spec)


def _covers(toleration: Toleration, key: str) -> bool:
    return toleration.key in ("", key) and toleration.effect in ("", NO_EXECUTE)
