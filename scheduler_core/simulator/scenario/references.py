"""Names of objects and choices of nodes, as edits write them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from scheduler_core.api.kinds import KINDS, object_key
from scheduler_core.simulator.api_server.errors import ApiError, not_found, plural

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scheduler_core.simulator.scenario.edits import NodeEdit

ZONE: Final = "topology.kubernetes.io/zone"
EXPECTED: Final = 'expected Kind/namespace/name, such as "Deployment/default/web" or "Node/worker-1"'
_SHORT: Final = {
    "po": "Pod", "no": "Node", "ns": "Namespace", "deploy": "Deployment", "rs": "ReplicaSet",
    "sts": "StatefulSet", "ds": "DaemonSet", "cj": "CronJob", "rc": "ReplicationController",
    "hpa": "HorizontalPodAutoscaler", "pdb": "PodDisruptionBudget", "pvc": "PersistentVolumeClaim",
    "pv": "PersistentVolume", "sc": "StorageClass", "pc": "PriorityClass", "svc": "Service",
    "quota": "ResourceQuota", "limits": "LimitRange",
}  # fmt: skip
_KINDS: Final = {
    word: info for info in KINDS for word in (info.kind, info.kind.lower(), plural(info.kind))
} | {short: info for short, kind in _SHORT.items() for info in KINDS if info.kind == kind}


class Reference(NamedTuple):
    """Which object is meant."""

    kind: str
    namespace: str
    name: str

    def __str__(self) -> str:
        return object_key(*self)


def parse_reference(text: str) -> Reference:
    """Reads a reference; kinds may be written as kubectl takes them.

    Raises:
        ValueError: it is none; the message says what was expected.
    """
    kind, _, rest = text.partition("/")
    info = _KINDS.get(kind) or _KINDS.get(kind.lower())
    parts = rest.split("/")
    if info is None or not all(parts) or len(parts) > 2:
        raise ValueError(EXPECTED if rest else f"{EXPECTED}, the name is missing")
    if not info.namespaced:
        if len(parts) == 2:
            raise ValueError(f"a {info.kind} lives in no namespace: expected {info.kind}/{parts[1]}")
        return Reference(info.kind, "", parts[0])
    namespace, name = parts if len(parts) == 2 else ("default", parts[0])
    return Reference(info.kind, namespace, name)


def chosen_nodes(edit: NodeEdit, nodes: Iterable[Any]) -> list[Any]:
    """Returns the nodes that an edit is about, in order of their names.

    Raises:
        ApiError: a node that is named is not there, or none is chosen.
    """
    by_name = {node.metadata.name: node for node in nodes}
    if edit.nodes:
        missing = [name for name in edit.nodes if name not in by_name]
        if missing:
            raise not_found("Node", missing[0])
        chosen = [by_name[name] for name in sorted(set(edit.nodes))]
    else:
        chosen = [by_name[name] for name in sorted(by_name)]
    wanted = {**edit.selector, **({ZONE: edit.zone} if edit.zone else {})}
    chosen = [node for node in chosen if wanted.items() <= node.metadata.labels.items()]
    if not chosen:
        raise ApiError("NotFound", 404, f"no node is chosen by {describe_choice(edit)}")
    return chosen


def describe_choice(edit: NodeEdit) -> str:
    """Returns which nodes an edit is about, in words."""
    parts = []
    if edit.nodes:
        parts.append(listed(edit.nodes))
    if edit.zone:
        parts.append(f"zone {edit.zone}")
    if edit.selector:
        parts.append(f"label {', '.join(f'{key}={value}' for key, value in sorted(edit.selector.items()))}")
    return " and ".join(parts)


def listed(names: Iterable[str], most: int = 5) -> str:
    """Returns names in a row, the first few of many."""
    every = list(names)
    if len(every) <= most:
        return ", ".join(every)
    return f"{', '.join(every[:most])} and {len(every) - most} more"
