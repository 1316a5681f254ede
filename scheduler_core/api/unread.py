"""What a pod template says beyond the fields that are read, as a digest: so that another template is known as another.

Controllers compare whole templates, and a template that differs in a variable's value, a command or a probe alone is
a new one. These fields are not kept. What is kept is an annotation of the template, `UNREAD`, with two digests of
them: the first over all of them, values of variables included, taken before the values are dropped; the second over
what is left without the values, which tells when a template is read again whether somebody has changed it since.

A digest is the first 32 bits of a SHA-256, as much as the hash of the same template in a real ReplicaSet's name
(``pod-template-hash``) says: enough to tell the few templates of a workload apart, too little to find a value by.
What the API server would fill in counts as not written, so that a manifest and its stored form have one digest.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec
from msgspec import inspect

from scheduler_core.api.canonical import canonical
from scheduler_core.api.pod import PodTemplateSpec

UNREAD: Final = "scheduler-playground/unread-fields"
_DIGITS: Final = 8
_NOT_FIELDS: Final = frozenset({"managedFields", "selfLink", "$patch", "$retainKeys"})
_ZERO: Final[dict[str, Any]] = dict.fromkeys(
    ("hostPID", "hostIPC", "stdin", "stdinOnce", "tty", "readOnly", "optional"), False
)
_PROBE: Final = {
    "initialDelaySeconds": 0, "timeoutSeconds": 1, "periodSeconds": 10, "successThreshold": 1, "failureThreshold": 3,
}  # fmt: skip
_MODE: Final = {"defaultMode": 0o644}
_DEFAULTS: Final[dict[str, dict[str, Any]]] = {
    "containers": {"terminationMessagePath": "/dev/termination-log", "terminationMessagePolicy": "File"},
    "spec": {"dnsPolicy": "ClusterFirst", "securityContext": {}},
    "livenessProbe": _PROBE,
    "readinessProbe": _PROBE,
    "startupProbe": _PROBE,
    "httpGet": {"path": "/", "scheme": "HTTP"},
    "fieldRef": {"apiVersion": "v1"},
    "configMap": _MODE,
    "secret": _MODE,
    "projected": _MODE,
    "downwardAPI": _MODE,
    "serviceAccountToken": {"expirationSeconds": 3600},
}
"""Field → what stands in it where nothing is written.

Source: pkg/apis/core/v1/defaults.go, v1.34.1
"""
CONTAINER_LISTS: Final = ("containers", "initContainers", "ephemeralContainers")
_ENCODER: Final = msgspec.json.Encoder(order="sorted")


def note_unread(template: dict[str, Any]) -> None:
    """Writes the digests of the fields of a template that are not read into its annotations, in place.

    An annotation that is there already stays, unless somebody has changed these fields since.

    Args:
        template: plain, with the values of its variables.
    """
    said = _said(template)
    rest = unread_fields(template)
    if not rest or said is None:
        return
    bare = _digest(_without_values(rest))
    if not said or bare != said.partition("-")[2] or _has_values(rest):
        _say(template, f"{_digest([said, rest] if said else rest)}-{bare}")


def is_noted(template: Mapping[str, Any]) -> bool:
    """Returns whether a template has the fields that its annotation tells of, or none of them."""
    rest = unread_fields(template)
    return not rest or _digest(_without_values(rest)) == (_said(template) or "").partition("-")[2]


def note_patched(patch: dict[str, Any], before: Mapping[str, Any] | None) -> None:
    """Does the same in a merge patch of a template, for what comes of it, in place.

    A patch replaces lists whole, so what it says of its containers is all there is to say of them; other fields of the
    former template count as gone then. Without containers, its fields are added to what was there before.

    Args:
        patch: plain, with nulls.
        before: the template that is patched, plain; None where nobody knows it yet: a patch without
            containers is left for later then, for it has no values.
    """
    spec = patch.get("spec")
    if _said(patch) != "" or not isinstance(spec, dict):
        return
    known, rest = _said(before or {}), unread_fields(patch)
    is_whole = any(isinstance(spec.get(name), list) for name in CONTAINER_LISTS)
    if before is None and not is_whole:
        return
    if rest:
        whole: Any = [known, rest] if known and not is_whole else rest
        _say(patch, f"{_digest(whole)}-{_digest(_without_values(rest))}")
    elif is_whole:
        _say(patch, None)


def unread_fields(template: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the part of a plain template that its type does not hold; fields at their default are not in it."""
    found = _rest(template, _info(), "")
    return found if isinstance(found, dict) else {}


@functools.cache
def _info() -> inspect.Type:
    return inspect.type_info(PodTemplateSpec)


def _rest(value: Any, info: inspect.Type, name: str) -> Any:
    """Returns what a type leaves out of a value; empty for nothing."""
    if isinstance(info, inspect.UnionType):
        inner = (each for each in info.types if isinstance(each, inspect.StructType | inspect.VarTupleType))
        found = next(inner, None)
        return None if found is None else _rest(value, found, name)
    if isinstance(info, inspect.VarTupleType) and isinstance(value, list):
        items = [_rest(item, info.item_type, name) for item in value]
        return items if any(items) else None
    if not isinstance(info, inspect.StructType) or not isinstance(value, dict):
        return None
    fields = {field.encode_name: field.type for field in info.fields}
    unread = {key: item for key, item in value.items() if key not in fields and key not in _NOT_FIELDS}
    result = _written(unread, name)
    if name in CONTAINER_LISTS and result.get("imagePullPolicy") == _pull_policy(value.get("image")):
        del result["imagePullPolicy"]
    for key in value.keys() & fields.keys():
        if below := _rest(value[key], fields[key], key):
            result[key] = below
    return result


def _written(fields: dict[str, Any], name: str) -> dict[str, Any]:
    """Returns fields without those that say what the API server would fill in."""
    defaults = _ZERO | _DEFAULTS.get("containers" if name in CONTAINER_LISTS else name, {})
    result: dict[str, Any] = {}
    for key, item in fields.items():
        if isinstance(item, dict):
            item = _written(item, key)
        elif isinstance(item, list):
            item = [_written(each, key) if isinstance(each, dict) else each for each in item]
        if item is not None and item != "" and item != [] and (key not in defaults or item != defaults[key]):
            result[key] = item
    if "serviceAccount" in result:  # the deprecated name of the other
        result.setdefault("serviceAccountName", result.pop("serviceAccount"))
    return result


def _pull_policy(image: Any) -> str:
    """Returns the policy of an image where none is written.

    Source: pkg/apis/core/v1/defaults.go, SetDefaults_Container, v1.34.1
    """
    text = str(image or "").rpartition("/")[2]
    if "@" in text:
        return "IfNotPresent"
    return "Always" if text.partition(":")[2] in ("", "latest") else "IfNotPresent"


def _variables(rest: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yields the variables of all containers."""
    spec = rest.get("spec") or {}
    for name in CONTAINER_LISTS:
        for container in spec.get(name) or ():
            variables = container.get("env") if isinstance(container, dict) else None
            if isinstance(variables, list):
                yield from (variable for variable in variables if isinstance(variable, dict))


def _has_values(rest: Mapping[str, Any]) -> bool:
    return any("value" in variable for variable in _variables(rest))


def _without_values(rest: Mapping[str, Any]) -> dict[str, Any]:
    result: dict[str, Any] = msgspec.json.decode(canonical(rest))
    for variable in _variables(result):
        variable.pop("value", None)
    return result


def _said(template: Mapping[str, Any]) -> str | None:
    """Returns what the annotation says, empty for nothing; None where a template has another shape."""
    metadata = {} if template.get("metadata") is None else template["metadata"]
    annotations = metadata.get("annotations") if isinstance(metadata, dict) else metadata
    said = (
        "" if annotations is None else annotations.get(UNREAD, "") if isinstance(annotations, dict) else None
    )
    return said if isinstance(said, str) else None


def _say(template: dict[str, Any], mark: str | None) -> None:
    metadata = template.get("metadata") or {}
    annotations = metadata.get("annotations") or {}
    template["metadata"] = {**metadata, "annotations": {**annotations, UNREAD: mark}}


def _digest(value: Any) -> str:
    return hashlib.sha256(_ENCODER.encode(value)).hexdigest()[:_DIGITS]
