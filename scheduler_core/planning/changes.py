"""Small changes to a cluster that may make a pending pod fit, read off the numbers behind its refusals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from scheduler_core.api.copies import csi_node_like, node_like
from scheduler_core.api.decode import decode_object, encode_object
from scheduler_core.api.defaulting import default_object
from scheduler_core.api.node import Node
from scheduler_core.api.pod import Pod
from scheduler_core.api.pod_resources import pod_requests
from scheduler_core.api.storage import CSINode
from scheduler_core.planning.trial import is_of_its_node, key_of
from scheduler_core.simulator.api_server.merge_patch import merge_patch
from scheduler_core.trace.words import format_amount, names, taint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from scheduler_core.api.kinds import KubeObject
    from scheduler_core.trace.detail import Record

MAX_EVICTED: Final = 5
_HOSTNAME: Final = "kubernetes.io/hostname"


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """One change, in one of three forms.

    Args:
        text: what is to be done, as an imperative
        object: what is patched, as ``Kind/namespace/name`` or ``Kind/name``
        patch: a JSON merge patch of that object
        evict: pods that go, as namespace/name
        add_like: the node that a new one is like
        cost: how much is asked for, to rank what helps equally: shares of the requests, priorities of the evicted
    """

    text: str
    object: str = ""
    patch: dict[str, Any] = {}
    evict: tuple[str, ...] = ()
    add_like: str = ""
    cost: float = 0.0


class Situation:
    """The pending pod and the cluster around it, looked up often."""

    def __init__(self, objects: Sequence[KubeObject], pod: Pod) -> None:
        self.pod = pod
        self.pod_object = f"Pod/{key_of(pod)}"
        self.nodes = {object_.metadata.name: object_ for object_ in objects if isinstance(object_, Node)}
        self._pods: dict[str, list[Pod]] = {}
        self._by_key: dict[str, Pod] = {}
        for object_ in objects:
            if isinstance(object_, Pod) and object_.spec.node_name:
                self._pods.setdefault(object_.spec.node_name, []).append(object_)
                self._by_key[key_of(object_)] = object_

    def movable(self, node: str) -> list[Pod]:
        """The pods of a node that may go, the least important first."""
        pods = [pod for pod in self._pods.get(node, ()) if not is_of_its_node(pod)]
        return sorted(pods, key=lambda pod: (pod.spec.priority or 0, key_of(pod)))

    def priority(self, key: str) -> int:
        """A pod's priority."""
        pod = self._by_key.get(key)
        return 0 if pod is None else pod.spec.priority or 0


def apply_change(objects: Sequence[KubeObject], change: Change) -> list[KubeObject]:
    """The cluster with a change made."""
    if change.add_like:
        name = f"{change.add_like}-new-1"
        made = [
            node_like(object_, name) if isinstance(object_, Node) else csi_node_like(object_, name)
            for object_ in objects
            if isinstance(object_, (Node, CSINode)) and object_.metadata.name == change.add_like
        ]
        return [*objects, *made]
    gone = set(change.evict)
    result: list[KubeObject] = []
    for object_ in objects:
        if isinstance(object_, Pod) and key_of(object_) in gone:
            continue
        if change.object and change.object == _object_key(object_):
            patched = merge_patch(encode_object(default_object(object_)), change.patch)
            object_ = decode_object(patched)
        result.append(object_)
    return result


def changes_for(plugin: str, records: Sequence[Record], node: str, around: Situation) -> list[Change]:
    """Ways to content a plugin that refuses a node, the gentlest first; none where no small change is known."""
    ways = _WAYS.get(plugin)
    return [] if ways is None or node not in around.nodes else list(ways(records, node, around))


def _object_key(object_: KubeObject) -> str:
    if isinstance(object_, Pod):
        return f"Pod/{key_of(object_)}"
    return f"{object_.kind}/{object_.metadata.name}"


def _resources(records: Sequence[Record], node: str, around: Situation) -> Iterator[Change]:
    lowered = _lower_requests(records, around)
    if lowered is not None:
        yield lowered
    wanted = {record["resource"]: record["short"] for record in records}
    evicted: list[Pod] = []
    for pod in around.movable(node):
        requests = {**pod_requests(pod), "pods": 1}
        if any(requests.get(name, 0) > 0 for name, short in wanted.items() if short > 0):
            evicted.append(pod)
            wanted = {name: short - requests.get(name, 0) for name, short in wanted.items()}
        if all(short <= 0 for short in wanted.values()):
            yield _evict(_only_needed(evicted, records), node, around)
            return


def _only_needed(pods: list[Pod], records: Sequence[Record]) -> list[str]:
    """Without those that turn out not to be needed, the most important first to stay."""
    kept = list(pods)
    for pod in reversed(pods):
        rest = [other for other in kept if other is not pod]
        freed = [{**pod_requests(other), "pods": 1} for other in rest]
        if all(sum(own.get(record["resource"], 0) for own in freed) >= record["short"] for record in records):
            kept = rest
    return [key_of(pod) for pod in kept]


def _lower_requests(records: Sequence[Record], around: Situation) -> Change | None:
    """Takes what is short off the container that asks for most of it."""
    pod = around.pod
    containers = encode_object(pod)["spec"]["containers"]
    told, share = [], 0.0
    for record in records:
        resource, short = record["resource"], record["short"]
        asked = [container.resources.requests.get(resource) for container in pod.spec.containers]
        amounts = [
            0 if quantity is None else quantity.milli_value() if resource == "cpu" else quantity.value()
            for quantity in asked
        ]
        largest = max(range(len(amounts)), key=lambda index: amounts[index])
        left = amounts[largest] - short
        if left <= 0:
            return None
        requests = containers[largest]["resources"]["requests"]
        requests[resource] = f"{left}m" if resource == "cpu" else str(left)
        limits = containers[largest]["resources"].get("limits", {})
        if (
            resource in limits and "." in resource.split("/")[0]
        ):  # extended resources: the limit is the request
            limits[resource] = requests[resource]
        told.append(
            f"lower {containers[largest]['name']}'s {resource} request to {format_amount(resource, left)} "
            f"({format_amount(resource, short)} less)"
        )
        share = max(share, short / amounts[largest])
    text = _sentence(" and ".join(told))
    return Change(text=text, object=around.pod_object, patch={"spec": {"containers": containers}}, cost=share)


def _tolerate(records: Sequence[Record], node: str, around: Situation) -> Iterator[Change]:
    existing = encode_object(around.pod)["spec"].get("tolerations", [])
    added = [
        {"key": record["key"], "operator": "Equal", "value": record["value"], "effect": record["effect"]}
        if record["value"]
        else {"key": record["key"], "operator": "Exists", "effect": record["effect"]}
        for record in records
    ]
    told = names([taint(record) for record in records])
    patch = {"spec": {"tolerations": [*existing, *added]}}
    yield Change(text=f"Tolerate {told}", object=around.pod_object, patch=patch, cost=0.1 * len(records))


def _label(records: Sequence[Record], node: str, around: Situation) -> Iterator[Change]:
    demands = [record for record in records if "term" not in record]
    terms: dict[tuple[str, int], list[Record]] = {}
    for record in records:
        if "term" in record:
            terms.setdefault((record["kind"], record["term"]), []).append(record)
    if terms:
        shortest: list[Record] = min(terms.values(), key=len)
        demands += shortest
    labels = _labels_for(demands)
    if labels is not None and _HOSTNAME not in labels:
        told = names(
            [f"{key}={value}" if value else key for key, value in labels.items() if value is not None]
        )
        gone = names([key for key, value in labels.items() if value is None])
        parts = [
            f"label {node} with {told}" if told else "",
            f"take the label {gone} off {node}" if gone else "",
        ]
        text = _sentence(" and ".join(part for part in parts if part))
        yield Change(
            text=text, object=f"Node/{node}", patch={"metadata": {"labels": labels}}, cost=0.2 * len(labels)
        )
    keys = {record["key"] for record in demands if record["kind"] == "nodeSelector"}
    if keys and len(keys) == len(demands):
        patch = {"spec": {"nodeSelector": dict.fromkeys(sorted(keys))}}
        text = f"Take {names(sorted(keys))} out of the pod's nodeSelector"
        yield Change(text=text, object=around.pod_object, patch=patch, cost=0.3 * len(keys))


def _labels_for(demands: Sequence[Record]) -> dict[str, str | None] | None:
    labels: dict[str, str | None] = {}
    for record in demands:
        operator = record["operator"]
        if operator == "In":
            labels[record["key"]] = record["values"][0]
        elif operator == "Exists":
            labels[record["key"]] = ""
        elif operator in ("NotIn", "DoesNotExist"):
            labels[record["key"]] = None
        else:
            return None
    return labels


def _uncordon(records: Sequence[Record], node: str, around: Situation) -> Iterator[Change]:
    patch = {"spec": {"unschedulable": None}}
    yield Change(text=f"Uncordon {node}", object=f"Node/{node}", patch=patch, cost=0.1)


def _spread(records: Sequence[Record], node: str, around: Situation) -> Iterator[Change]:
    if any(record.get("missing") for record in records):
        return
    allowed = {record["topology_key"]: record["skew"] for record in records}
    constraints = encode_object(around.pod)["spec"].get("topologySpreadConstraints", [])
    if not constraints:  # the defaults of the profile
        return
    for constraint in constraints:
        if constraint["topologyKey"] in allowed and constraint.get("whenUnsatisfiable") == "DoNotSchedule":
            constraint["maxSkew"] = max(constraint["maxSkew"], allowed[constraint["topologyKey"]])
    told = names([f"a skew of {skew} over {key}" for key, skew in allowed.items()])
    patch = {"spec": {"topologySpreadConstraints": constraints}}
    yield Change(text=f"Allow {told}", object=around.pod_object, patch=patch, cost=0.2)


def _pod_affinity(records: Sequence[Record], node: str, around: Situation) -> Iterator[Change]:
    if all(record["kind"] != "affinity" and 0 < record["num_pods"] <= MAX_EVICTED for record in records):
        yield _evict(sorted({pod for record in records for pod in record["pods"]}), node, around)


def _ports(records: Sequence[Record], node: str, around: Situation) -> Iterator[Change]:
    holders = sorted({holder for record in records for holder in record["held_by"]})
    if holders and len(holders) <= MAX_EVICTED:
        yield _evict(holders, node, around)


def _evict(pods: list[str], node: str, around: Situation) -> Change:
    cost = 1.0 + len(pods) + max(around.priority(pod) for pod in pods) / 1_000_000
    return Change(text=f"Evict {names(pods)}", evict=tuple(pods), cost=cost)


def _sentence(words: str) -> str:
    return words[0].upper() + words[1:]


_WAYS: Final[dict[str, Callable[[Sequence[Record], str, Situation], Iterator[Change]]]] = {
    "InterPodAffinity": _pod_affinity,
    "NodeAffinity": _label,
    "NodePorts": _ports,
    "NodeResourcesFit": _resources,
    "NodeUnschedulable": _uncordon,
    "PodTopologySpread": _spread,
    "TaintToleration": _tolerate,
}
