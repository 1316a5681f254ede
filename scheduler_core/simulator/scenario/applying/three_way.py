"""What ``kubectl apply`` makes of an object: written fields are set, fields no longer written go, others stay.

Source: apimachinery/pkg/util/strategicpatch/patch.go, CreateThreeWayMergePatch, v1.34.1; the merge keys are those of
api/core/v1/types.go
"""

from __future__ import annotations

from typing import Any, Final

_MERGE_KEYS: Final = {
    "containers": "name",
    "initContainers": "name",
    "ephemeralContainers": "name",
    "volumes": "name",
    "env": "name",
    "volumeMounts": "mountPath",
    "ports": "containerPort",
    "topologySpreadConstraints": "topologyKey",
    "imagePullSecrets": "name",
    "hostAliases": "ip",
    "ownerReferences": "uid",
    "resourceClaims": "name",
    "schedulingGates": "name",
    "conditions": "type",
}


def three_way(last: Any, current: Any, written: Any, name: str = "") -> Any:
    """Returns the value that is to be.

    Args:
        last: what was written the time before, or None.
        current: what is there, or None.
        written: what is written now.
        name: of the field.
    """
    if isinstance(written, dict):
        return _objects(_as_dict(last), _as_dict(current), written)
    key = _MERGE_KEYS.get(name)
    if key is None or not isinstance(written, list) or not isinstance(current, list):
        return written
    if not all(isinstance(item, dict) and key in item for item in (*written, *current)):
        return written
    return _lists(last if isinstance(last, list) else [], current, written, key)


def _objects(last: dict[str, Any], current: dict[str, Any], written: dict[str, Any]) -> dict[str, Any]:
    result = {name: item for name, item in current.items() if name in written or name not in last}
    for name, item in written.items():
        result[name] = three_way(last.get(name), current.get(name), item, name)
    return result


def _lists(last: list[Any], current: list[Any], written: list[Any], key: str) -> list[Any]:
    before = {item[key]: item for item in last if isinstance(item, dict) and key in item}
    there = {item[key]: item for item in current}
    now = {item[key]: item for item in written}
    kept = [item for name, item in there.items() if name not in now and name not in before]
    return [three_way(before.get(name), there.get(name), item) for name, item in now.items()] + kept


def _as_dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
