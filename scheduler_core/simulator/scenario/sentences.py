"""Each edit as a sentence, made once for browser, API and command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from scheduler_core.api.kinds import object_key
from scheduler_core.simulator.scenario import edits
from scheduler_core.simulator.scenario.references import describe_choice, listed, parse_reference

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def sentence(edit: edits.AnyEdit) -> str:
    """Returns what an edit does, without its time."""
    tell: Callable[[Any], str] = _SENTENCES[type(edit)]
    return tell(edit)


def _named(text: str) -> str:
    try:
        return str(parse_reference(text))
    except ValueError:
        return text


def _apply(edit: edits.Apply) -> str:
    return f"Apply {listed(_key(raw) for raw in edit.objects)}"


def _key(raw: Mapping[str, Any]) -> str:
    metadata = raw.get("metadata") or {}
    name = metadata.get("name") or f"{metadata.get('generateName', '')}…"
    return object_key(str(raw.get("kind", "")), str(metadata.get("namespace") or ""), str(name))


def _delete(edit: edits.Delete) -> str:
    grace = "" if edit.grace_seconds is None else f" with {edit.grace_seconds} s of grace"
    how = {"Foreground": ", dependents first", "Orphan": ", dependents stay"}.get(edit.propagation, "")
    return f"Delete {_named(edit.object)}{grace}{how}"


def _set_image(edit: edits.SetImage) -> str:
    where = f"container {edit.container}" if edit.container else "all containers"
    return f"Set the image of {where} of {_named(edit.object)} to {edit.image}"


def _set_requests(edit: edits.SetRequests) -> str:
    where = f"container {edit.container}" if edit.container else "all containers"
    parts = []
    for name, amounts in (("requests", edit.requests), ("limits", edit.limits)):
        if amounts:
            parts.append(f"{name} {', '.join(f'{key}={it}' for key, it in sorted(amounts.items()))}")
    return f"Set {' and '.join(parts)} of {where} of {_named(edit.object)}"


def _label(edit: edits.Label) -> str:
    parts = []
    if edit.labels:
        parts.append(
            f"Label {_named(edit.object)} {', '.join(f'{k}={v}' for k, v in sorted(edit.labels.items()))}"
        )
    if edit.remove:
        parts.append(f"{'take' if parts else 'Take'} {', '.join(edit.remove)} off {_named(edit.object)}")
    return ", ".join(parts)


def _drain(edit: edits.Drain) -> str:
    how = []
    if edit.grace_seconds is not None:
        how.append(f"{edit.grace_seconds} s of grace")
    if edit.timeout:
        how.append(f"at most {edit.timeout}")
    if edit.disable_eviction:
        how.append("without asking disruption budgets")
    if edit.force:
        how.append("pods without a controller too")
    told = f" ({', '.join(how)})" if how else ""
    return f"Drain {describe_choice(edit)}{told}"


def _add_nodes(edit: edits.AddNodes) -> str:
    nodes = "1 node" if edit.count == 1 else f"{edit.count} nodes"
    return f"Add {nodes} like {edit.like}"


def _arrivals(edit: edits.Arrivals) -> str:
    number = "Pods" if edit.count is None else "1 pod" if edit.count == 1 else f"{edit.count} pods"
    rhythm = "evenly" if edit.distribution == "fixed" else "at random times"
    lasting = f" for {edit.lasting}" if edit.lasting is not None else ""
    return f"{number} {'arrives' if edit.count == 1 else 'arrive'} {rhythm}, {edit.rate:g} a second{lasting}"


def _observe(edit: edits.Observe) -> str:
    what = {"ADDED": "came", "MODIFIED": "changed", "DELETED": "went"}.get(edit.type, edit.type)
    return f"{_key(edit.object)} {what}"


_SENTENCES: Final[dict[type, Callable[[Any], str]]] = {
    edits.Apply: _apply,
    edits.MergePatch: lambda edit: f"Patch {_named(edit.object)}",
    edits.Delete: _delete,
    edits.Scale: lambda edit: f"Scale {_named(edit.object)} to {edit.replicas}",
    edits.SetImage: _set_image,
    edits.SetRequests: _set_requests,
    edits.SetTarget: lambda edit: f"Load for {edit.replicas} replicas of {_named(edit.object)}",
    edits.Label: _label,
    edits.Cordon: lambda edit: f"Cordon {describe_choice(edit)}",
    edits.Uncordon: lambda edit: f"Uncordon {describe_choice(edit)}",
    edits.Drain: _drain,
    edits.Taint: lambda edit: f"Taint {describe_choice(edit)} with {edit.taint}",
    edits.Untaint: lambda edit: f"Take taint {edit.taint} off {describe_choice(edit)}",
    edits.AddNodes: _add_nodes,
    edits.RemoveNodes: lambda edit: f"Remove {describe_choice(edit)}",
    edits.Lose: lambda edit: f"Lose {describe_choice(edit)}",
    edits.Restore: lambda edit: f"Restore {describe_choice(edit)}",
    edits.Wait: lambda edit: f"Wait until {edit.at}",
    edits.Arrivals: _arrivals,
    edits.Observe: _observe,
}
