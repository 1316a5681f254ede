"""What travels between the scheduler and an extender: version 1 of its JSON types.

Names of fields are Go's own, and an answer's names are read whatever their case, as Go reads them.

Source: staging/src/k8s.io/kube-scheduler/extender/v1/types.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from scheduler_core.api.decode import encode_hook
from scheduler_core.extender.errors import ExtenderError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scheduler_core.api.node import Node
    from scheduler_core.api.pod import Pod
    from scheduler_core.snapshot.pod_info import PodInfo

MAX_EXTENDER_PRIORITY: Final = 10
"""The highest score that an extender may give."""

_ENCODER: Final = msgspec.json.Encoder(enc_hook=encode_hook)
_MAX_INT64: Final = 2**63 - 1


class Victims(NamedTuple):
    """Pods to delete, the most important first, and how many of them a disruption budget would protect."""

    pods: tuple[PodInfo, ...]
    num_pdb_violations: int


class MetaVictims(NamedTuple):
    """Victims by uid."""

    uids: tuple[str, ...]
    num_pdb_violations: int


class FilterAnswer(NamedTuple):
    """Names of the nodes that pass (None: not said), and why others do not."""

    node_names: tuple[str, ...] | None
    nodes: tuple[str, ...] | None
    failed: dict[str, str]
    failed_and_unresolvable: dict[str, str]
    error: str


def encode_args(pod: Pod, *, nodes: Sequence[Node] | None, names: Sequence[str] | None) -> bytes:
    """The question of filter and prioritize: a pod, and the nodes whole or by name."""
    return _ENCODER.encode(
        {"Pod": pod, "Nodes": None if nodes is None else {"metadata": {}, "items": nodes}, "NodeNames": names}
    )


def encode_preemption_args(pod: Pod, victims: Mapping[str, Victims], *, by_uid: bool) -> bytes:
    """The question of preempt: a pod, and the victims by node, whole or by uid."""
    whole: dict[str, Any] = {}
    meta: dict[str, Any] = {}
    for name, on_node in victims.items():
        pods: list[Any] = [one.pod for one in on_node.pods]
        if by_uid:
            pods = [{"UID": one.metadata.uid} for one in pods]
        entry = {"Pods": pods, "NumPDBViolations": on_node.num_pdb_violations}
        (meta if by_uid else whole)[name] = entry
    return _ENCODER.encode(
        {
            "Pod": pod,
            "NodeNameToVictims": None if by_uid else whole,
            "NodeNameToMetaVictims": meta if by_uid else None,
        }
    )


def encode_binding_args(pod: Pod, node_name: str) -> bytes:
    """The question of bind: the pod's identity and its node."""
    metadata = pod.metadata
    return _ENCODER.encode(
        {
            "PodName": metadata.name,
            "PodNamespace": metadata.namespace,
            "PodUID": metadata.uid,
            "Node": node_name,
        }
    )


def decode_filter_result(payload: bytes) -> FilterAnswer:
    """Reads the answer of filter.

    Raises:
        ExtenderError: it is not one.
    """
    fields = _object(_json(payload), "ExtenderFilterResult")
    names, nodes = fields.get("nodenames"), fields.get("nodes")
    return FilterAnswer(
        node_names=None if names is None else tuple(_text(name, "NodeNames") for name in _list(names)),
        nodes=None if nodes is None else tuple(_node_names(nodes)),
        failed=_texts(fields.get("failednodes"), "FailedNodes"),
        failed_and_unresolvable=_texts(
            fields.get("failedandunresolvablenodes"), "FailedAndUnresolvableNodes"
        ),
        error=_text(fields.get("error") or "", "Error"),
    )


def decode_priorities(payload: bytes) -> list[tuple[str, int]]:
    """Reads the answer of prioritize: node name and score, in the order given.

    Raises:
        ExtenderError: it is not one.
    """
    found = []
    for item in _list(_json(payload)):
        fields = _object(item, "HostPriority")
        found.append((_text(fields.get("host") or "", "Host"), _int(fields.get("score"), "Score")))
    return found


def decode_preemption_result(payload: bytes) -> dict[str, MetaVictims]:
    """Reads the answer of preempt: node name → victims by uid.

    Raises:
        ExtenderError: it is not one.
    """
    fields = _object(_json(payload), "ExtenderPreemptionResult")
    by_node = fields.get("nodenametometavictims")
    if by_node is None:
        return {}
    if not isinstance(by_node, dict):
        raise _unexpected("NodeNameToMetaVictims")
    found = {}
    for name, value in by_node.items():
        victims = _object(value if value is not None else {}, "MetaVictims")
        uids = tuple(
            _text(_object(pod, "MetaPod").get("uid") or "", "UID") for pod in _list(victims.get("pods"))
        )
        found[name] = MetaVictims(uids, _int(victims.get("numpdbviolations"), "NumPDBViolations"))
    return found


def decode_binding_result(payload: bytes) -> str:
    """Reads the answer of bind: the error, or "".

    Raises:
        ExtenderError: it is not one.
    """
    return _text(_object(_json(payload), "ExtenderBindingResult").get("error") or "", "Error")


def _json(payload: bytes) -> Any:
    try:
        return msgspec.json.decode(payload)
    except msgspec.DecodeError as problem:
        raise ExtenderError(f"the extender's answer is no JSON: {problem}") from None


def _object(value: Any, name: str) -> dict[str, Any]:
    """A JSON object with its names in lower case; null is an empty one."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise _unexpected(name)
    return {key.lower(): found for key, found in value.items()}


def _list(value: Any) -> list[Any]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise _unexpected("a list")
    return value


def _text(value: Any, name: str) -> str:
    if not isinstance(value, str):
        raise _unexpected(name)
    return value


def _int(value: Any, name: str) -> int:
    if value is None:
        return 0
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > _MAX_INT64:
        raise _unexpected(name)
    return value


def _texts(value: Any, name: str) -> dict[str, str]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise _unexpected(name)
    return {key: _text(found if found is not None else "", name) for key, found in value.items()}


def _node_names(nodes: Any) -> list[str]:
    return [
        _text(_object(_object(item, "Node").get("metadata"), "ObjectMeta").get("name") or "", "Name")
        for item in _list(_object(nodes, "NodeList").get("items"))
    ]


def _unexpected(name: str) -> ExtenderError:
    return ExtenderError(f"the extender's answer is of another form than expected: {name}")
