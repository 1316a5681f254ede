"""Edits of nodes: cordon, taint, add, remove, lose, restore."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import msgspec

from scheduler_core.api.copies import csi_node_like, node_like
from scheduler_core.api.decode import encode_object
from scheduler_core.api.meta import Time
from scheduler_core.api.taints import NO_EXECUTE
from scheduler_core.simulator.api_server.errors import invalid
from scheduler_core.simulator.api_server.validity import judged
from scheduler_core.simulator.scenario.applying.objects import EDIT
from scheduler_core.simulator.scenario.references import chosen_nodes
from scheduler_core.simulator.scenario.taints import parse_taint, parse_untaint

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scheduler_core.api.node import Node
    from scheduler_core.simulator.api_server.server import ApiServer
    from scheduler_core.simulator.scenario import edits

KUBELET: Final = "scheduler-playground/kubelet"
"""Annotation of a node: "stopped" where nothing is heard of it."""
_NUMBER: Final = re.compile(r"[0-9]+")
_replace = msgspec.structs.replace


def cordon(api: ApiServer, edit: edits.NodeEdit) -> None:
    """Marks nodes as unschedulable."""
    for node in chosen_nodes(edit, api.list("Node")):
        _set_unschedulable(api, node, True)


def uncordon(api: ApiServer, edit: edits.NodeEdit) -> None:
    """Marks nodes as schedulable."""
    for node in chosen_nodes(edit, api.list("Node")):
        _set_unschedulable(api, node, False)


def _set_unschedulable(api: ApiServer, node: Node, value: bool) -> None:
    if bool(node.spec.unschedulable) != value:
        api.update(_replace(node, spec=_replace(node.spec, unschedulable=value)), by=EDIT)


def taint(api: ApiServer, edit: edits.Taint) -> None:
    """Adds a taint, in place of one with the same key and effect."""
    wanted = parse_taint(edit.taint)
    if wanted.effect == NO_EXECUTE:
        wanted = _replace(wanted, time_added=Time(api.clock.wall_us()))
    for node in chosen_nodes(edit, api.list("Node")):
        others = tuple(
            own for own in node.spec.taints if (own.key, own.effect) != (wanted.key, wanted.effect)
        )
        api.update(_replace(node, spec=_replace(node.spec, taints=(*others, wanted))), by=EDIT)


def untaint(api: ApiServer, edit: edits.Untaint) -> None:
    """Takes a taint off; nothing happens on a node that has it not."""
    key, effect = parse_untaint(edit.taint)
    for node in chosen_nodes(edit, api.list("Node")):
        others = tuple(own for own in node.spec.taints if own.key != key or effect not in ("", own.effect))
        api.update(_replace(node, spec=_replace(node.spec, taints=others)), by=EDIT)


def add_nodes(api: ApiServer, edit: edits.AddNodes) -> None:
    """Adds nodes like one that is there, with its CSI drivers."""
    model: Node = api.require("Node", "", edit.like)
    drivers = api.get("CSINode", "", edit.like)
    taken = {node.metadata.name for node in api.list("Node")}
    for name in names_like(edit.like, edit.count, taken, edit.name):
        node = node_like(model, name)
        labels = {**node.metadata.labels, **edit.labels}
        node = _replace(node, metadata=_replace(node.metadata, labels=labels))
        _, wrong = judged(encode_object(node), model)
        if wrong:
            raise invalid(node, wrong)
        api.create(node, by=EDIT)
        if drivers is not None:
            api.create(csi_node_like(drivers, name), by=EDIT)


def names_like(model: str, count: int, taken: Iterable[str], pattern: str = "") -> list[str]:
    """Returns the names of nodes that are added like one, by a pattern or by the model's own name."""
    return new_names(pattern or _pattern_of(model), count, taken)


def new_names(pattern: str, count: int, taken: Iterable[str]) -> list[str]:
    """Returns names of a pattern; the numbers for ``{n}`` begin after the highest one that is taken.

    Numbers are as wide as those that are there: after ``node-007`` comes ``node-008``.
    """
    if "{n}" not in pattern:
        return [pattern]
    head, _, tail = pattern.partition("{n}")
    numbers = [
        name[len(head) : len(name) - len(tail)]
        for name in taken
        if name.startswith(head) and name.endswith(tail) and len(name) > len(head) + len(tail)
    ]
    numbers = [number for number in numbers if _NUMBER.fullmatch(number)]
    first = max((int(number) for number in numbers), default=0) + 1
    width = max((len(number) for number in numbers if number.startswith("0")), default=0)
    return [f"{head}{number:0{width}d}{tail}" for number in range(first, first + count)]


def _pattern_of(name: str) -> str:
    """Returns the pattern of a name: its last number is what counts, else one is added."""
    numbers = list(_NUMBER.finditer(name))
    if not numbers:
        return f"{name}-{{n}}"
    last = numbers[-1]
    return f"{name[: last.start()]}{{n}}{name[last.end() :]}"


def remove_nodes(api: ApiServer, edit: edits.NodeEdit) -> None:
    """Deletes nodes."""
    for node in chosen_nodes(edit, api.list("Node")):
        name = node.metadata.name
        api.delete("Node", "", name, by=EDIT)
        if api.get("CSINode", "", name) is not None:
            api.delete("CSINode", "", name, by=EDIT)


def lose(api: ApiServer, edit: edits.NodeEdit) -> None:
    """Has nothing heard of nodes any more."""
    _annotate(api, edit, "stopped")


def restore(api: ApiServer, edit: edits.NodeEdit) -> None:
    """Has nodes heard of again."""
    _annotate(api, edit, None)


def _annotate(api: ApiServer, edit: edits.NodeEdit, value: str | None) -> None:
    patch: dict[str, Any] = {"metadata": {"annotations": {KUBELET: value}}}
    for node in chosen_nodes(edit, api.list("Node")):
        api.patch("Node", "", node.metadata.name, patch, by=EDIT)
