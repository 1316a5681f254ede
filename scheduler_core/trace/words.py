"""The records behind a refusal → words about one node, a function a plugin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scheduler_core.trace.detail import Record, StatusDetail

_BINARY_UNITS: Final = (("Ti", 1 << 40), ("Gi", 1 << 30), ("Mi", 1 << 20), ("Ki", 1 << 10))
_BYTES: Final = ("memory", "ephemeral-storage")
_CORE: Final = 1000
_MANY: Final = 3
_OPERATORS: Final = {"In": "in", "NotIn": "not in", "Gt": ">", "Lt": "<"}


def refusal_words(status: StatusDetail, records: Sequence[Record]) -> str:
    """What is against one node, with numbers where the plugin gave them, else upstream's reasons."""
    return numbers_words(status.plugin, records) or ", ".join(status.reasons)


def numbers_words(plugin: str, records: Sequence[Record]) -> str:
    """The records of a plugin in words; "" where there are none, or none for this plugin."""
    words = _WORDS.get(plugin)
    return words(records) if words and records else ""


def format_amount(resource: str, amount: int) -> str:
    """An amount as people write it: cpu from milli-cores ("250m", "1.5"), bytes in binary units ("1.5Gi")."""
    if resource == "cpu":
        in_milli = amount % 100 or 0 < abs(amount) < _CORE
        return f"{amount}m" if in_milli else f"{amount / _CORE:g}"
    if resource in _BYTES or resource.startswith("hugepages-"):
        for unit, size in _BINARY_UNITS:
            if abs(amount) >= size:
                return f"{amount / size:.4g}{unit}"
    return str(amount)


def names(found: Sequence[str], total: int | None = None) -> str:
    """The first names, and how many more: "a, b and 7 more"."""
    shown = list(found[:_MANY])
    rest = (len(found) if total is None else total) - len(shown)
    if rest > 0:
        return f"{', '.join(shown)} and {rest} more"
    return ", ".join([*shown[:-2], " and ".join(shown[-2:])])


def verdict_words(newly_pending: int, rescued: int, moved: int, new: int, gone: int) -> str:
    """What became of pods in two futures: "2 newly pending, 1 rescued, 14 moved"."""
    parts = [
        f"{newly_pending} newly pending" if newly_pending else "",
        f"{rescued} rescued" if rescued else "",
        f"{moved} moved" if moved else "",
        f"{new} new" if new else "",
        f"{gone} gone" if gone else "",
    ]
    told = ", ".join(part for part in parts if part)
    return told or "Nothing changes"


def nodes(number: int) -> str:
    """How many nodes."""
    return "1 node" if number == 1 else f"{number} nodes"


def condition(record: Record) -> str:
    """A condition of a selector: ``key=value``, ``key in (a, b)``, ``key exists``."""
    key, operator, values = record["key"], record["operator"], record["values"]
    if operator == "Exists":
        return f"{key} exists"
    if operator == "DoesNotExist":
        return f"no {key}"
    if operator == "In" and len(values) == 1:
        return f"{key}={values[0]}"
    if operator in ("Gt", "Lt"):
        return f"{key} {_OPERATORS[operator]} {', '.join(values)}"
    return f"{key} {_OPERATORS.get(operator, operator)} ({', '.join(values)})"


def selector(conditions: Sequence[Record]) -> str:
    """A label selector as kubectl writes it."""
    return ",".join(condition(record) for record in conditions) or "any labels"


def taint(record: Record) -> str:
    """A taint as kubectl writes it: ``key=value:Effect``."""
    value = f"={record['value']}" if record["value"] else ""
    return f"{record['key']}{value}:{record['effect']}"


def domain(record: Record) -> str:
    """A topology domain: ``zone=a`` with the key in full; "its own domain" where the node has none."""
    return f"{record['topology_key']}={record['domain']}" if record.get("domain") else record["topology_key"]


def shortage(record: Record) -> str:
    """Such as: cpu: needs 500m, free 380m of 4, short by 120m."""
    resource = record["resource"]
    if resource == "pods":
        return f"no room for another pod ({record['used']} of {record['allocatable']})"
    free = max(record["allocatable"] - record["used"], 0)
    needs, has, of, short = (
        format_amount(resource, amount)
        for amount in (record["requested"], free, record["allocatable"], record["short"])
    )
    return f"{resource}: needs {needs}, free {has} of {of}, short by {short}"


def _resources(records: Sequence[Record]) -> str:
    return "; ".join(map(shortage, records))


def _ports(records: Sequence[Record]) -> str:
    return "; ".join(
        f"port {record['port']}/{record['protocol']} is held by {names(record['held_by']) or 'another pod'}"
        for record in records
    )


def _taints(records: Sequence[Record]) -> str:
    found = [taint(record) for record in records]
    return f"taint{'s' if len(found) > 1 else ''} {names(found)} not tolerated"


def _node_affinity(records: Sequence[Record]) -> str:
    plain = [_demand(record) for record in records if "term" not in record]
    terms: dict[tuple[str, int], list[str]] = {}
    for record in records:
        if "term" in record:
            terms.setdefault((record["kind"], record["term"]), []).append(_demand(record))
    ways = [" and ".join(demands) for demands in terms.values()]
    return "; ".join([*plain, *([" or ".join(ways)] if ways else [])])


def _demand(record: Record) -> str:
    value = record.get("node_value")
    has = f"the node has {value}" if value is not None else "the node lacks the label"
    if record["operator"] in ("DoesNotExist", "NotIn"):
        has = f"the node has {value}"
    return f"{record['kind']} wants {condition(record)}, {has}"


def _spread(records: Sequence[Record]) -> str:
    return "; ".join(
        f"the node lacks the label {record['topology_key']}"
        if record.get("missing")
        else f"{domain(record)} has {record['pods']} matching pods, the emptiest domain {record['minimum']}: "
        f"skew {record['skew']}, allowed {record['max_skew']}"
        for record in records
    )


def _pod_affinity(records: Sequence[Record]) -> str:
    return "; ".join(map(_term, records))


def _term(record: Record) -> str:
    wanted, place = selector(record["selector"]), domain(record)
    if not record.get("domain"):
        return f"the node lacks the label {record['topology_key']}"
    who = names(record["pods"], record["num_pods"])
    if record["kind"] == "affinity":
        return f"no pod with {wanted} in {place}"
    if record["kind"] == "anti_affinity":
        note = f" ({record['note']})" if "note" in record else ""
        return f"{who} with {wanted} in {place}{note}"
    return f"{who} in {place} does not want pods with {wanted}"


def _volume_binding(records: Sequence[Record]) -> str:
    return "; ".join(map(_claim, records))


def _claim(record: Record) -> str:
    claim, volume = f"claim {record['claim']}", record["volume"]
    problems: dict[str, str] = {
        "volume_not_reached": f"{claim}: its volume {volume} cannot be reached from the node",
        "volume_missing": f"{claim}: its volume {volume} does not exist",
        "other_node_selected": f"{claim} is being provisioned for another node",
        "not_provisioned": f"{claim}: no volume suits and {record['storage_class'] or 'no class'} makes none",
        "topology_not_allowed": f"{claim}: {record['storage_class']} makes no volume here (allowedTopologies)",
        "not_enough_space": f"{claim}: no room for {format_amount('memory', record['requested_bytes'])} here",
    }
    return problems.get(record["problem"], claim)


def _volume_zone(records: Sequence[Record]) -> str:
    return "; ".join(
        f"volume {record['volume']} is in {record['key']}={'|'.join(record['values'])}, the node "
        + (f"in {record['node_value']}" if record["node_value"] else "has no such label")
        for record in records
    )


def _volumes_in_use(records: Sequence[Record]) -> str:
    return "; ".join(
        f"{'volume ' + record['volume'] if 'volume' in record else 'claim ' + record['claim']}"
        f" is in use by {names(record['pods'])}"
        for record in records
    )


def _volume_limits(records: Sequence[Record]) -> str:
    return "; ".join(
        f"{record['driver']}: {record['used']} volumes attached, {record['added']} more, at most {record['limit']}"
        for record in records
    )


_WORDS: Final[dict[str, Callable[[Sequence[dict[str, Any]]], str]]] = {
    "NodeResourcesFit": _resources,
    "NodePorts": _ports,
    "TaintToleration": _taints,
    "NodeAffinity": _node_affinity,
    "PodTopologySpread": _spread,
    "InterPodAffinity": _pod_affinity,
    "VolumeBinding": _volume_binding,
    "VolumeZone": _volume_zone,
    "VolumeRestrictions": _volumes_in_use,
    "NodeVolumeLimits": _volume_limits,
}
