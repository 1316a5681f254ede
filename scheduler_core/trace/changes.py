"""What would content a plugin that refuses a node, in words: a function a plugin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from scheduler_core.api.node_marks import may_label, may_tolerate
from scheduler_core.trace.words import condition, domain, format_amount, names, selector, taint

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scheduler_core.trace.detail import Record, StatusDetail


class Change(NamedTuple):
    """What contents one plugin: its kind, and the words for it (an imperative without a full stop)."""

    kind: str
    text: str


def change_for(status: StatusDetail, records: Sequence[Record], node: str) -> Change:
    """What would content a plugin on ``node``; without one, in words that hold for every node refused alike."""
    change = _CHANGES.get(status.plugin)
    if change is not None and (records or status.plugin in _NO_RECORDS):
        return change(records, node)
    if status.plugin == "DynamicResources":
        return Change("limit", "Ask the scheduler itself: resource claims are not simulated here")
    who = status.plugin or "PreFilter or an extender"
    return Change("other", f"Change what {who} refuses: {', '.join(status.reasons)}")


def ask_less(record: Record) -> str:
    """Such as: Request at most 380m cpu (120m less)."""
    resource = record["resource"]
    most, less = record["requested"] - record["short"], record["short"]
    return f"Request at most {_amount(resource, most)} ({format_amount(resource, less)} less)"


def can_be_freed(record: Record) -> bool:
    """Whether the node would have enough if it were empty."""
    return bool(record["requested"] <= record["allocatable"])


def amounts(records: Sequence[Record]) -> str:
    """What is short: 120m cpu and 1Gi memory."""
    return " and ".join(
        "room for a pod" if record["resource"] == "pods" else _amount(record["resource"], record["short"])
        for record in records
    )


def _amount(resource: str, amount: int) -> str:
    return f"{format_amount(resource, amount)} {resource}"


def _resources(records: Sequence[Record], node: str) -> Change:
    too_small = [record for record in records if not can_be_freed(record)]
    short = f"{amounts(records)} on {node or 'a node'}"
    if all(record["resource"] != "pods" and record["requested"] > record["short"] for record in records):
        asked = " and ".join(map(ask_less, records))
        return Change("requests", asked if too_small else f"{asked}, or free {short}")
    if too_small:
        needed = " and ".join(_amount(record["resource"], record["requested"]) for record in too_small)
        kind = f"larger than {node}" if node and too_small[0]["allocatable"] else "that has any"
        return Change("add", f"Add a node {kind}: the pod needs {needed}")
    return Change("free", f"Free {short}")


def _tolerate(records: Sequence[Record], node: str) -> Change:
    of_state = [record for record in records if not may_tolerate(record["key"])]
    if of_state:  # not to be tolerated: such a node runs no pods well
        told = names([taint(record) for record in of_state])
        return Change("wait", f"Have {node or 'the nodes'} recover from {told}, or use another node")
    them = "it" if len(records) == 1 else "them"
    return Change("tolerate", f"Tolerate {names([taint(record) for record in records])}, or remove {them}")


def _label(records: Sequence[Record], node: str) -> Change:
    """The plain demands, and of an affinity's terms the one with the fewest open."""
    plain = [record for record in records if "term" not in record]
    terms: dict[tuple[str, int], list[Record]] = {}
    for record in records:
        if "term" in record:
            terms.setdefault((record["kind"], record["term"]), []).append(record)
    if terms:
        plain = [*plain, *min(terms.values(), key=len)]
    demands = names([condition(record) for record in plain])
    sources = names(sorted({record["kind"] for record in plain}))
    if not all(may_label(record["key"]) for record in plain):
        return Change("label", f"Use a node where {demands}, or take that out of the pod's {sources}")
    return Change(
        "label", f"Label {node or 'a node'} so that {demands}, or take that out of the pod's {sources}"
    )


def _spread(records: Sequence[Record], node: str) -> Change:
    missing = [record["topology_key"] for record in records if record.get("missing")]
    if missing:
        return Change("label", f"Give {node or 'a node'} the label {names(missing)}")
    allowed = " and ".join(
        f"a skew of {record['skew']} over {record['topology_key']} (maxSkew is {record['max_skew']})"
        for record in records
    )
    where = domain(records[0]) if node else "the fullest domains"
    return Change("spread", f"Allow {allowed}, or have matching pods leave {where}")


def _pod_affinity(records: Sequence[Record], node: str) -> Change:
    record = records[0]
    key = record["topology_key"]
    if not record.get("domain"):
        return Change("label", f"Give {node or 'a node'} the label {key}")
    wanted = selector(record["selector"])
    where = domain(record) if node else f"a {key}"
    if record["kind"] == "affinity":
        return Change("affinity", f"Have a pod with {wanted} run in {where} first")
    if record["kind"] == "anti_affinity":
        who = names(record["pods"], record["num_pods"]) if node else f"the pods with {wanted}"
        return Change("affinity", f"Move {who} out of {where}, or drop the pod's anti-affinity")
    who = names(record["pods"], record["num_pods"]) if node else f"the pods that keep {wanted} away"
    return Change("affinity", f"Move {who} out of {where}, or drop their anti-affinity")


def _ports(records: Sequence[Record], node: str) -> Change:
    ports = names([f"{record['port']}/{record['protocol']}" for record in records])
    holders = sorted({holder for record in records for holder in record["held_by"]}) if node else []
    where = "" if node else " on a node"
    return Change("ports", f"Free host port {ports}{where}{', held by ' + names(holders) if holders else ''}")


def _uncordon(records: Sequence[Record], node: str) -> Change:
    return Change("uncordon", f"Uncordon {node or 'a node'}")


def _volumes_in_use(records: Sequence[Record], node: str) -> Change:
    holders = sorted({pod for record in records for pod in record["pods"]}) if node else []
    return Change("volumes", f"Have {names(holders) or 'its other users'} give up the volume")


def _volume_limits(records: Sequence[Record], node: str) -> Change:
    over = [
        f"{record['used'] + record['added'] - record['limit']} of {record['driver']}" for record in records
    ]
    return Change("volumes", f"Detach volumes from {node or 'a node'}: {names(over)}")


def _volume_zone(records: Sequence[Record], node: str) -> Change:
    places = names([f"{record['key']}={'|'.join(record['values'])}" for record in records])
    return Change("volumes", f"Use a node in {places}, where the volume is")


_NO_RECORDS: Final = frozenset({"NodeUnschedulable"})
_CHANGES: Final[dict[str, Callable[[Sequence[Record], str], Change]]] = {
    "NodeResourcesFit": _resources,
    "TaintToleration": _tolerate,
    "NodeAffinity": _label,
    "PodTopologySpread": _spread,
    "InterPodAffinity": _pod_affinity,
    "NodePorts": _ports,
    "NodeUnschedulable": _uncordon,
    "VolumeRestrictions": _volumes_in_use,
    "NodeVolumeLimits": _volume_limits,
    "VolumeZone": _volume_zone,
}
