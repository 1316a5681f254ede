"""How the winner of a cycle changes with the weight of one score plugin."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scheduler_core.trace.detail import CycleDetail

MAX_WEIGHT: Final = 100
"""The highest weight that is looked at; the field's own limit lies far above what anybody sets."""
MAX_NODES_NAMED: Final = 20
_NAMES_IN_A_SENTENCE: Final = 3


class Win(msgspec.Struct, frozen=True):
    """Between two weights the same nodes lead: ``nodes``, the first of ``num_nodes``, in the order of the cycle.

    At a flip point itself both sides lead together.
    """

    from_weight: float
    to_weight: float
    nodes: tuple[str, ...]
    num_nodes: int


class Sensitivity(msgspec.Struct, frozen=True):
    """All winners over the weights 0 to MAX_WEIGHT of one plugin, the others' weights as they are."""

    plugin: str
    weight: int
    wins: tuple[Win, ...]
    text: str


def sensitivity(detail: CycleDetail, plugin: str, weights: Mapping[str, int] | None = None) -> Sensitivity:
    """Who would have won this cycle, had ``plugin`` had another weight.

    Args:
        detail: the cycle.
        plugin: whose weight is varied.
        weights: other plugins' weights where they too are not as they were; that of ``plugin`` is where it stands.

    A node's total is a straight line over the weight, so the winners are the upper envelope of lines; nodes whose
    lines are the same win together. Filters and the sample of nodes do not depend on weights.

    Raises:
        KeyError: the plugin gave no scores in this cycle

    Numerics: exact fractions; the bounds given are the nearest floats
    """
    slopes = detail.normalized[plugin]
    others = {name: weight for name, weight in (weights or {}).items() if name in detail.normalized}
    weight = others.get(plugin, detail.weights[plugin])
    members: dict[tuple[int, int], list[str]] = {}
    for at, (row, slope) in enumerate(zip(detail.scored, slopes, strict=True)):
        total = detail.total[at] + sum(
            (other - detail.weights[name]) * detail.normalized[name][at] for name, other in others.items()
        )
        members.setdefault((slope, total - weight * slope), []).append(detail.nodes[row])
    bounds = _envelope(members)
    wins = tuple(
        Win(float(start), float(end), tuple(members[line][:MAX_NODES_NAMED]), len(members[line]))
        for (start, line), (end, _) in zip(bounds, [*bounds[1:], (Fraction(MAX_WEIGHT), None)], strict=True)
    )
    return Sensitivity(plugin, weight, wins, _sentence(plugin, weight, wins))


def _envelope(lines: Iterable[tuple[int, int]]) -> list[tuple[Fraction, tuple[int, int]]]:
    """The lines (slope, base) that are highest somewhere between 0 and MAX_WEIGHT, with where each begins to be."""
    best: dict[int, int] = {}
    for slope, base in lines:
        best[slope] = max(base, best.get(slope, base))
    current = max(best.items(), key=lambda line: (line[1], line[0]))  # at 0 and just above
    found = [(Fraction(0), current)]
    while True:
        crossings = [
            (Fraction(current[1] - base, slope - current[0]), (slope, base))
            for slope, base in best.items()
            if slope > current[0]
        ]
        if not crossings:
            return found
        at, _ = min(crossings, key=lambda crossing: crossing[0])
        if at >= MAX_WEIGHT:
            return found
        current = max((line for where, line in crossings if where == at), key=lambda line: line[0])
        found.append((at, current))


def _sentence(plugin: str, weight: int, wins: tuple[Win, ...]) -> str:
    if len(wins) == 1:
        return f"{_names(wins[0])} {_verb(wins[0])} at any weight of {plugin}."
    parts = [f"{_names(win)} {_verb(win)} from weight {_number(win.from_weight)}" for win in wins[1:]]
    return f"{plugin} has weight {weight}: {_names(wins[0])} {_verb(wins[0])} below, {', '.join(parts)}."


def _names(win: Win) -> str:
    if win.num_nodes <= _NAMES_IN_A_SENTENCE:
        return " and ".join(win.nodes)
    return f"{win.num_nodes} nodes"


def _verb(win: Win) -> str:
    return "wins" if win.num_nodes == 1 else "tie"


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
