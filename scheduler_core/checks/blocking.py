"""Which field of a manifest blocks: from the plugin that refuses to the part of the spec that it read."""

from __future__ import annotations

from typing import Any, Final

from scheduler_core.api.field_path import FieldPath, MapKey
from scheduler_core.api.quantity import QuantityError, parse_quantity
from scheduler_core.plugins import names

_POD_SPECS: Final[dict[str, FieldPath]] = {
    "Pod": ("spec",),
    "CronJob": ("spec", "jobTemplate", "spec", "template", "spec"),
}
_TEMPLATE: Final[FieldPath] = ("spec", "template", "spec")

# Fields that a plugin reads, in the order in which they are looked for; the first that is there is pointed at.
_FIELDS: Final[dict[str, tuple[FieldPath, ...]]] = {
    names.TAINT_TOLERATION: (("tolerations",),),
    names.NODE_UNSCHEDULABLE: (("tolerations",),),
    names.NODE_AFFINITY: (
        ("affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution"),
        ("nodeSelector",),
    ),
    names.NODE_NAME: (("nodeName",),),
    names.POD_TOPOLOGY_SPREAD: (("topologySpreadConstraints",),),
    names.INTER_POD_AFFINITY: (
        ("affinity", "podAntiAffinity", "requiredDuringSchedulingIgnoredDuringExecution"),
        ("affinity", "podAffinity", "requiredDuringSchedulingIgnoredDuringExecution"),
    ),
    names.SCHEDULING_GATES: (("schedulingGates",),),
    names.VOLUME_BINDING: (("volumes",),),
    names.VOLUME_RESTRICTIONS: (("volumes",),),
    names.VOLUME_ZONE: (("volumes",),),
    names.NODE_VOLUME_LIMITS: (("volumes",),),
    names.DYNAMIC_RESOURCES: (("resourceClaims",),),
}


def pod_spec_path(kind: str) -> FieldPath:
    """Returns where an object of a kind holds the spec of its pods."""
    return _POD_SPECS.get(kind, _TEMPLATE)


def blocking_path(raw: dict[str, Any], plugin: str, resource: str = "") -> FieldPath:
    """Returns the field that a plugin's refusal is about.

    Args:
        raw: the object of the manifests.
        plugin: the plugin's name.
        resource: what is short, if it is that.
    """
    base = pod_spec_path(str(raw.get("kind", "")))
    spec = value_at(raw, base)
    if not isinstance(spec, dict):
        return ()
    if plugin == names.NODE_RESOURCES_FIT:
        return (*base, *_request_path(spec, resource))
    if plugin == names.NODE_PORTS:
        return (*base, *_port_path(spec))
    for path in _FIELDS.get(plugin, ()):
        if value_at(spec, path) is not None:
            return (*base, *path)
    return base


def value_at(value: Any, path: FieldPath) -> Any:
    """Returns what stands at a path, or None."""
    for part in path:
        if isinstance(value, dict):
            value = value.get(part)
        elif isinstance(value, list) and isinstance(part, int) and part < len(value):
            value = value[part]
        else:
            return None
    return value


def _request_path(spec: dict[str, Any], resource: str) -> FieldPath:
    """Returns the request of the container that asks for most, or its limit where that stands for the request."""
    best: tuple[int, FieldPath] = (-1, ("containers",))
    for index, container in enumerate(spec.get("containers") or ()):
        resources = container.get("resources") or {}
        for field in ("requests", "limits"):
            amounts = resources.get(field) or {}
            if resource in amounts:
                path = ("containers", index, "resources", field, MapKey(resource))
                best = max(best, (_amount(amounts[resource]), path), key=lambda entry: entry[0])
                break
    return best[1]


def _port_path(spec: dict[str, Any]) -> FieldPath:
    for index, container in enumerate(spec.get("containers") or ()):
        for number, port in enumerate(container.get("ports") or ()):
            if port.get("hostPort"):
                return ("containers", index, "ports", number, "hostPort")
    return ("containers",)


def _amount(value: Any) -> int:
    try:
        return parse_quantity(value).nanos
    except (QuantityError, TypeError):
        return 0
