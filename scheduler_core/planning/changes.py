"""Small changes to a cluster that may make a pending pod fit, read off the numbers behind its refusals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from scheduler_core.api.decode import encode_object
from scheduler_core.api.node_marks import may_label, may_tolerate
from scheduler_core.planning.trial import key_of
from scheduler_core.planning.victims import fewest
from scheduler_core.trace.words import format_amount, names, taint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from scheduler_core.planning.situation import Situation
    from scheduler_core.trace.detail import Record

MAX_EVICTED: Final = 5
KINDS: Final = (
    "requests",
    "tolerations",
    "labels",
    "selector",
    "uncordon",
    "spread",
    "gates",
    "evict",
    "node",
)
_CORE: Final = 1000


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """One change, in one of three forms.

    Args:
        kind: what sort of change: one of ``KINDS``
        text: what is to be done, as an imperative
        object: what is patched, as ``Kind/namespace/name`` or ``Kind/name``
        patch: a JSON merge patch of that object
        evict: pods that go, as namespace/name
        add_like: the node that a new one is like
        cost: how much is asked for, to rank what helps equally: shares of the requests, priorities of the evicted
    """

    kind: str
    text: str
    object: str = ""
    patch: dict[str, Any] = {}
    evict: tuple[str, ...] = ()
    add_like: str = ""
    cost: float = 0.0


def changes_for(plugin: str, records: Sequence[Record], node: str, around: Situation) -> list[Change]:
    """Ways to content a plugin that refuses a node, the gentlest first; none where no small change is known."""
    ways = _WAYS.get(plugin)
    return list(ways(records, node, around)) if ways is not None and around.is_live(node) else []


def has_ways(plugin: str) -> bool:
    """Whether any small change is known that contents a plugin."""
    return plugin in _WAYS


def ungated(around: Situation) -> Change | None:
    """The pod without its scheduling gates; None where it has none."""
    gates = [gate.name for gate in around.pod.spec.scheduling_gates]
    if not gates:
        return None
    told = f"the scheduling gate{'s' if len(gates) > 1 else ''} {names(gates)}"
    patch = {"spec": {"schedulingGates": None}}
    return Change(
        kind="gates", text=f"Take {told} off the pod", object=around.pod_object, patch=patch, cost=0.1
    )


def new_node(model: str, cost: float) -> Change:
    """A node more, like one that is there."""
    return Change(kind="node", text=f"Add a node like {model}", add_like=model, cost=cost)


def _resources(records: Sequence[Record], node: str, around: Situation) -> Iterator[Change]:
    lowered = _lower_requests(records, around)
    if lowered is not None:
        yield lowered
    if victims := fewest(around.movable(node), records, around):
        yield evict([key_of(pod) for pod in victims], around)


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
        left, unit = amounts[largest] - short, _CORE if resource == "cpu" else 1
        if left <= 0:
            return None
        requests = containers[largest]["resources"]["requests"]
        requests[resource] = f"{left}m" if resource == "cpu" and left % _CORE else str(left // unit)
        limits = containers[largest]["resources"].get("limits", {})
        if pod.spec.containers[largest].resources.limits.get(resource) == asked[largest]:
            limits[resource] = requests[resource]  # so that its QoS class stays
        told.append(
            f"lower {containers[largest]['name']}'s {resource} request to {format_amount(resource, left)} "
            f"({format_amount(resource, short)} less)"
        )
        share += short / left  # a quarter less costs a third, nine tenths less cost nine
    text = _sentence(" and ".join(told))
    patch = {"spec": {"containers": containers}}
    return Change(kind="requests", text=text, object=around.pod_object, patch=patch, cost=share)


def _tolerate(records: Sequence[Record], node: str, around: Situation) -> Iterator[Change]:
    if not all(may_tolerate(record["key"]) for record in records):
        return
    existing = encode_object(around.pod)["spec"].get("tolerations", [])
    added = [
        {"key": record["key"], "operator": "Equal", "value": record["value"], "effect": record["effect"]}
        if record["value"]
        else {"key": record["key"], "operator": "Exists", "effect": record["effect"]}
        for record in records
    ]
    told = names([taint(record) for record in records])
    patch = {"spec": {"tolerations": [*existing, *added]}}
    text, cost = f"Tolerate {told}", 0.1 * len(records)
    yield Change(kind="tolerations", text=text, object=around.pod_object, patch=patch, cost=cost)


def _label(records: Sequence[Record], node: str, around: Situation) -> Iterator[Change]:
    demands = [record for record in records if "term" not in record]
    terms: dict[tuple[str, int], list[Record]] = {}
    for record in records:
        if "term" in record:
            terms.setdefault((record["kind"], record["term"]), []).append(record)
    for term in sorted(terms.values(), key=len) or [[]]:
        labels = _labels_for([*demands, *term])
        if labels is None or not all(map(may_label, labels)):
            continue
        told = names(
            [f"{key}={value}" if value else key for key, value in labels.items() if value is not None]
        )
        gone = names([key for key, value in labels.items() if value is None])
        parts = [
            f"label {node} with {told}" if told else "",
            f"take the label {gone} off {node}" if gone else "",
        ]
        text = _sentence(" and ".join(part for part in parts if part))
        patch: dict[str, Any] = {"metadata": {"labels": labels}}
        yield Change(kind="labels", text=text, object=f"Node/{node}", patch=patch, cost=0.2 * len(labels))
    keys = {record["key"] for record in demands if record["kind"] == "nodeSelector"}
    if keys and len(keys) == len(demands):
        patch = {"spec": {"nodeSelector": dict.fromkeys(sorted(keys))}}
        text = f"Take {names(sorted(keys))} out of the pod's nodeSelector"
        yield Change(kind="selector", text=text, object=around.pod_object, patch=patch, cost=0.3 * len(keys))


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
    yield Change(kind="uncordon", text=f"Uncordon {node}", object=f"Node/{node}", patch=patch, cost=0.1)


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
    yield Change(kind="spread", text=f"Allow {told}", object=around.pod_object, patch=patch, cost=0.2)


def _pod_affinity(records: Sequence[Record], node: str, around: Situation) -> Iterator[Change]:
    if all(record["kind"] != "affinity" and 0 < record["num_pods"] <= MAX_EVICTED for record in records):
        yield from _evict_all({pod for record in records for pod in record["pods"]}, around)


def _ports(records: Sequence[Record], node: str, around: Situation) -> Iterator[Change]:
    yield from _evict_all({holder for record in records for holder in record["held_by"]}, around)


def _evict_all(pods: set[str], around: Situation) -> Iterator[Change]:
    if 0 < len(pods) <= MAX_EVICTED and around.may_all_go(pods):
        yield evict(sorted(pods), around)


def evict(pods: list[str], around: Situation) -> Change:
    """Pods that go; what they lose, their priority and the budgets that this is against are its cost."""
    known = [pod for key in pods if (pod := around.bound(key)) is not None]
    against = around.budgets_against(pods)
    cost = 1.0 + len(pods) + sum(around.share_of_node(pod) for pod in known) + 5 * len(against)
    cost += max((pod.spec.priority or 0 for pod in known), default=0) / 1_000_000
    told = f" against the budget {names(against)}" if against else ""
    return Change(kind="evict", text=f"Evict {names(pods)}{told}", evict=tuple(pods), cost=cost)


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
