"""Nodes more, like one that is there, as edits; and what DaemonSets take of each."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, Final

import msgspec

from scheduler_core.api.decode import encode_object
from scheduler_core.api.meta import ObjectMeta
from scheduler_core.api.pod import PodStatus
from scheduler_core.api.pod_resources import pod_requests
from scheduler_core.planning.trial import is_of_its_node
from scheduler_core.simulator.scenario.applying.nodes import names_like
from scheduler_core.trace.words import format_amount, names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scheduler_core.api.pod import Pod
    from scheduler_core.planning.what_if import End

_DAEMON_SETS: Final = "daemonset-controller"
_replace = msgspec.structs.replace


def new_node_edits(end: End, model: str, count: int, at: str) -> tuple[dict[str, Any], ...]:
    """Edits that add nodes like one.

    The run's DaemonSets make their pods there. Pods of a DaemonSet that the cluster does not have, and mirror pods,
    come as copies of the model's.

    Args:
        end: of the run that goes on with these edits
        model: a node's name
        count: how many
        at: when, since the start of the run; at once where it is empty
    """
    when = {"at": at} if at else {}
    edits = [{"kind": "addNodes", "like": model, "count": count, **when}]
    copied = list(_copied(end, model))
    if copied:
        new = names_like(model, count, [node.metadata.name for node in end.nodes])
        objects = [_copy(pod, name) for name in new for pod in copied]
        edits.append({"kind": "apply", "objects": objects, **when})
    return tuple(edits)


def share_of_daemons(end: End, node: str) -> str:
    """What pods that every such node runs take of one: "agent takes 100m cpu and 200Mi memory"; or nothing."""
    taken: dict[str, Counter[str]] = defaultdict(Counter)
    for pod in end.pods.values():
        if pod.spec.node_name == node and is_of_its_node(pod):
            owner = pod.metadata.controller()
            taken[pod.metadata.name if owner is None else owner.name].update(pod_requests(pod))
    if not taken:
        return ""
    together: Counter[str] = Counter()
    for amounts in taken.values():
        together.update(amounts)
    told = names([f"{format_amount(name, each)} {name}" for name, each in sorted(together.items()) if each])
    return f"{names(sorted(taken))} {'takes' if len(taken) == 1 else 'take'} {told or 'nothing'}"


def added_nodes(before: End, after: End) -> list[str]:
    """Nodes that one run has and another had not."""
    known = {node.metadata.name for node in before.nodes}
    return [node.metadata.name for node in after.nodes if node.metadata.name not in known]


def _copied(end: End, model: str) -> Iterator[Pod]:
    has_controller = end.simulator.controllers.has(_DAEMON_SETS)
    for pod in end.pods.values():
        if pod.spec.node_name != model or not is_of_its_node(pod):
            continue
        owner = pod.metadata.controller()
        is_made = (
            has_controller
            and owner is not None
            and end.simulator.store.get(owner.kind, pod.metadata.namespace, owner.name) is not None
        )
        if not is_made:
            yield pod


def _copy(pod: Pod, node: str) -> dict[str, Any]:
    metadata = pod.metadata
    new = ObjectMeta(
        name=f"{metadata.name}-{node}",
        namespace=metadata.namespace,
        labels=metadata.labels,
        annotations=metadata.annotations,
        owner_references=metadata.owner_references,
    )
    spec = _replace(pod.spec, node_name=node)
    raw = encode_object(_replace(pod, metadata=new, spec=spec, status=PodStatus()))
    for container in raw["spec"].get("containers", ()):
        container.setdefault("image", "none")  # a dump may lack it, and no API server takes a pod without
    return raw
