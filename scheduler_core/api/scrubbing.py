"""What is never kept: values that scheduling does not read and nobody should find in a database."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import Any

from scheduler_core.api.unread import CONTAINER_LISTS, note_patched, note_unread

LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


def scrub(raw: dict[str, Any]) -> None:
    """Takes managedFields, the last applied configuration and environment values out, in place.

    A template notes before that what it says beside the fields that are read, so that another one is known as another.
    """
    for template in _pod_templates(raw):
        if template is not raw:
            note_unread(template)
    _drop(raw)


def _drop(raw: dict[str, Any]) -> None:
    _scrub_metadata(raw.get("metadata"))
    for template in _pod_templates(raw):
        _scrub_metadata(template.get("metadata"))
        spec = template.get("spec")
        if isinstance(spec, dict):
            _scrub_pod_spec(spec)


def noted_patch(raw: dict[str, Any], patch: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns a merge patch in which a template notes what becomes of the fields that are not read.

    Args:
        raw: the object that is patched, plain.
        patch: what is to be merged into it.
    """
    if raw["kind"] == "Pod" or "spec" not in patch:
        return patch
    result = copy.deepcopy(dict(patch))
    for before, template in zip(
        _pod_templates(raw), _pod_templates(result | {"kind": raw["kind"]}), strict=False
    ):
        note_patched(template, before)
    return result


def scrubbed_edit(edit: dict[str, Any]) -> dict[str, Any]:
    """Returns an edit of a scenario, as it is written, without what is never kept of the objects in it."""
    result = copy.deepcopy(edit)
    objects = result.get("objects")
    for raw in (*(objects if isinstance(objects, list) else ()), result.get("pod"), result.get("object")):
        if isinstance(raw, dict):
            scrub(raw)
    patch = result.get("patch")
    if isinstance(patch, dict):
        named = patch | {"kind": str(result.get("object", "")).partition("/")[0]}
        for template in _pod_templates(named):
            if template is not named:
                note_patched(template, None)
        _drop(named)
    return result


def _pod_templates(raw: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yields whatever holds a pod's spec: a pod itself, a workload's template, that of a cron job's job.

    A revision of a workload holds the template below ``data``.
    """
    if raw.get("kind") == "Pod":
        yield raw
        return
    holder: Any = raw.get("data") if raw.get("kind") == "ControllerRevision" else raw
    for name in ("spec", "jobTemplate", "spec"):
        holder = holder.get(name) if isinstance(holder, dict) else None
        template = holder.get("template") if isinstance(holder, dict) else None
        if isinstance(template, dict):
            yield template


def _scrub_metadata(metadata: Any) -> None:
    if not isinstance(metadata, dict):
        return
    metadata.pop("managedFields", None)
    annotations = metadata.get("annotations")
    if isinstance(annotations, dict):
        annotations.pop(LAST_APPLIED, None)


def _scrub_pod_spec(spec: dict[str, Any]) -> None:
    for name in CONTAINER_LISTS:
        containers = spec.get(name)
        if not isinstance(containers, list):
            continue
        for container in containers:
            variables = container.get("env") if isinstance(container, dict) else None
            if isinstance(variables, list):
                for variable in variables:
                    if isinstance(variable, dict):
                        variable.pop("value", None)
