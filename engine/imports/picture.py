"""The small picture of a cluster: its nodes by zone, what is on them and who waits, as paths ready to be drawn."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from engine.imports.items import is_terminal

WIDTH, HEIGHT = 480, 152
MAX_BOXES = 120
MAX_TILES = 600
MAX_ZONES = 24
HUES = 18

_MAX_SLICES = 360
_LEAST_SLICES = 3
_WAITING = 34
"""So many marks of waiting pods fit below the nodes."""
_MARK, _MARK_STEP, _MARK_ROW = 9, 14, 20
_NO_NODES = 24
"""So high are the words that stand where there are no nodes."""
_BETWEEN_ZONES, _AROUND = 12, 6
_BOX_ASPECT, _TILE_ASPECT = 2.2, 1.2
_MOST_WIDTH, _MOST_HEIGHT = 230, 64

_GOLDEN = 0.618033988749895
_LOWEST_FIRST = ("zone", "off", "free")

Item = Mapping[str, Any]
T = TypeVar("T")


class Cell(NamedTuple):
    """Where a node is drawn."""

    x: int
    y: int
    width: int
    height: int


def picture_of(
    nodes: Sequence[Item], pods: Iterable[Item], num_waiting: int, num_wanted: int = 0
) -> dict[str, str]:
    """Returns paths by the name of what they show: `zone`, `off`, `free`, `h0` … `h17`, `u0` … `u10`, `waits`, `wants`.

    Few nodes are boxes with a slice for each pod, in its namespace's hue; many are tiles, the fuller the darker.

    Args:
        nodes: items, with their pods added; more than are drawn as boxes come from `sampled`.
        pods: items; only where nodes are boxes.
        num_waiting: how many pods have no node.
        num_wanted: how many pods controllers are yet to make.
    """
    paths: dict[str, list[str]] = {}
    is_boxes = len(nodes) <= MAX_BOXES
    height = HEIGHT - _MARK_ROW
    cells = _lay_out(nodes, height, _BOX_ASPECT if is_boxes else _TILE_ASPECT, paths)
    if is_boxes:
        _draw_boxes(nodes, cells, pods, paths)
    else:
        for node, cell in zip(nodes, cells, strict=True):
            paths.setdefault(f"u{tenths_used(node)}", []).append(_rect(*cell))
    below = max((cell.y + cell.height for cell in cells), default=_NO_NODES) + _MARK_ROW - _MARK + _AROUND
    for number in range(min(num_waiting + num_wanted, _WAITING)):
        mark = _rect(number * _MARK_STEP, below, _MARK, _MARK)
        paths.setdefault("waits" if number < num_waiting else "wants", []).append(mark)
    return {name: "".join(paths[name]) for name in sorted(paths, key=_layer)}


def sampled(nodes: Sequence[T]) -> Sequence[T]:
    """Returns the nodes that are drawn: all, or where they are very many one of each so many.

    Which one of them differs from one to the next, so that zones in turn do not all fall out but one.

    Args:
        nodes: in their order.
    """
    if len(nodes) <= MAX_TILES:
        return nodes
    each = len(nodes) / MAX_TILES
    return [nodes[int((place + place * _GOLDEN % 1) * each)] for place in range(MAX_TILES)]


def hue_of(word: str) -> int:
    """Returns the number of a word's hue, the same as `hueOf` in frontend/src/base/hue.ts gives it.

    Args:
        word: a namespace.
    """
    digest = 2166136261
    for letter in word:
        digest = ((digest ^ ord(letter)) * 16777619) & 0xFFFFFFFF
    return digest % HUES


def tenths_used(node: Item) -> int:
    """Returns the utilisation of a node's busiest resource, 0 to 10.

    Args:
        node: an item.
    """
    return max((min(10, math.ceil(10 * share)) for _, share in _shares(node)), default=0)


def _shares(node: Item) -> Iterator[tuple[str, float]]:
    allocatable = node["allocatable"]
    for name, amount in node["requested"].items():
        if allocatable.get(name, 0) > 0:
            yield name, amount / allocatable[name]


def _layer(name: str) -> tuple[int, str]:
    return (_LOWEST_FIRST.index(name) if name in _LOWEST_FIRST else len(_LOWEST_FIRST)), name


def _lay_out(nodes: Sequence[Item], height: int, aspect: float, paths: dict[str, list[str]]) -> list[Cell]:
    """Places nodes in columns, zone beside zone, in the number of rows that makes the best shape of a cell."""
    zones: dict[str, list[int]] = {}
    for index, node in enumerate(nodes):
        zones.setdefault(node["zone"], []).append(index)
    if len(zones) > MAX_ZONES:
        zones = {"": list(range(len(nodes)))}
    if not nodes:
        return []
    inner = height - 2 * _AROUND
    room = WIDTH - _BETWEEN_ZONES * (len(zones) - 1) - 2 * _AROUND * len(zones)

    def columns_of(rows: int) -> int:
        return sum(-(-len(each) // rows) for each in zones.values())

    def strangeness(rows: int) -> float:
        return abs(math.log((room / columns_of(rows)) / (inner / rows) / aspect))

    rows = min(range(1, max(map(len, zones.values())) + 1), key=strangeness)
    width = min(room / columns_of(rows), _MOST_WIDTH)
    tall = min(inner / rows, _MOST_HEIGHT)
    gap = max(1, min(6, round(min(width, tall) / 7)))
    cells = [Cell(0, 0, 0, 0)] * len(nodes)
    left = 0.0
    for _, members in sorted(zones.items()):
        columns = -(-len(members) // rows)
        used_rows = min(rows, len(members))
        zone = (left, 0, columns * width - gap + 2 * _AROUND, used_rows * tall - gap + 2 * _AROUND)
        paths.setdefault("zone", []).append(_rect(*(round(part) for part in zone)))
        for number, index in enumerate(members):
            column, row = divmod(number, rows)
            x, y = left + _AROUND + column * width, _AROUND + row * tall
            ends = round(x + width - gap), round(y + tall - gap)
            cells[index] = Cell(round(x), round(y), max(1, ends[0] - round(x)), max(1, ends[1] - round(y)))
        left += zone[2] + _BETWEEN_ZONES
    return cells


def _draw_boxes(
    nodes: Sequence[Item], cells: Sequence[Cell], pods: Iterable[Item], paths: dict[str, list[str]]
) -> None:
    on_node: dict[str, list[Item]] = {node["name"]: [] for node in nodes}
    for pod in pods:
        if pod["node"] in on_node and not is_terminal(pod):
            on_node[pod["node"]].append(pod)
    most = max(_LEAST_SLICES, _MAX_SLICES // max(1, len(nodes)))
    for node, cell in zip(nodes, cells, strict=True):
        is_off = node["unschedulable"] or node["ready"] is False
        paths.setdefault("off" if is_off else "free", []).append(_rect(*cell))
        end = 0.0
        for name, share in _slices(node, on_node[node["name"]], most):
            start, end = end, min(1.0, end + share)
            x, right = cell.x + round(start * cell.width), cell.x + round(end * cell.width)
            hairline = 1 if right - x > 4 and end < 1 else 0
            if right > x:
                paths.setdefault(name, []).append(_rect(x, cell.y, right - x - hairline, cell.height))


def _slices(node: Item, pods: Sequence[Item], most: int) -> Iterator[tuple[str, float]]:
    """Yields what pods take of the node's busiest resource, each alone; by namespace where they are many."""
    resource, _ = max(_shares(node), key=lambda pair: pair[1], default=("", 0.0))
    if not resource:
        return
    parts = [
        (pod["namespace"], 1 if resource == "pods" else pod["requests"].get(resource, 0)) for pod in pods
    ]
    parts.sort(key=lambda part: (part[0], -part[1]))
    if len(parts) > most:
        sums: dict[str, int] = {}
        for namespace, amount in parts:
            sums[namespace] = sums.get(namespace, 0) + amount
        parts = sorted(sums.items(), key=lambda part: (-part[1], part[0]))
        if len(parts) > most:
            parts = [*parts[: most - 1], (parts[most - 1][0], sum(amount for _, amount in parts[most - 1 :]))]
    for namespace, amount in parts:
        yield f"h{hue_of(namespace)}", amount / node["allocatable"][resource]


def _rect(x: int, y: int, width: int, height: int) -> str:
    return f"M{x} {y}h{width}v{height}h-{width}z"
