"""The numbers behind verdicts and scores, asked of the plugins that can tell them; for details only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

import msgspec
import numpy as np

from scheduler_core.framework.types import PASSES
from scheduler_core.trace.words import numbers_words

if TYPE_CHECKING:
    from scheduler_core.framework.cycle_state import CycleState
    from scheduler_core.framework.results import Verdicts
    from scheduler_core.framework.runtime import Framework
    from scheduler_core.snapshot.node_infos import NodeInfos, RowIndex
    from scheduler_core.snapshot.pod_info import PodInfo

    Record = dict[str, Any]


@runtime_checkable
class RefusalNumbers(Protocol):
    """A filter that can tell the numbers behind its refusal of a row."""

    def refusal_numbers(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos, row: int
    ) -> list[dict[str, Any]]: ...


@runtime_checkable
class PodNumbers(Protocol):
    """A filter that can tell what it counted for the pod over the whole cluster."""

    def pod_numbers(self, state: CycleState, pod: PodInfo, nodes: NodeInfos) -> list[dict[str, Any]]: ...


@runtime_checkable
class ScoreNumbers(Protocol):
    """A score that can tell what it counted for the pod over the nodes that are scored."""

    def score_numbers(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex
    ) -> list[dict[str, Any]]: ...


class Numbers(NamedTuple):
    """``by_plugin``: plugin → position in the snapshot's order (as text) → index into ``records`` and ``texts``."""

    by_plugin: dict[str, dict[str, int]]
    records: list[list[Record]]
    texts: list[str]
    of_pod: dict[str, list[Record]]


def collect_numbers(
    framework: Framework,
    state: CycleState,
    pod: PodInfo,
    nodes: NodeInfos,
    each_filter: dict[str, Verdicts],
) -> Numbers:
    """Asks every filter that ran; what several nodes have in common is kept once."""
    numbers = Numbers({}, [], [], {})
    index_of: dict[tuple[str, bytes], int] = {}
    for plugin in framework.filter_plugins:
        verdicts = each_filter.get(plugin.name)
        if verdicts is None or not all(status.is_rejected for status in verdicts.statuses):
            continue  # a plugin that met an error has no numbers to tell
        if isinstance(plugin, PodNumbers) and (found := plugin.pod_numbers(state, pod, nodes)):
            numbers.of_pod[plugin.name] = found
        if not isinstance(plugin, RefusalNumbers):
            continue
        by_position: dict[str, int] = {}
        for position in np.flatnonzero(verdicts.index != PASSES).tolist():
            records = plugin.refusal_numbers(state, pod, nodes, int(verdicts.rows[position]))
            if records:
                key = plugin.name, msgspec.json.encode(records)
                index = index_of.setdefault(key, len(numbers.records))
                if index == len(numbers.records):
                    numbers.records.append(records)
                    numbers.texts.append(numbers_words(plugin.name, records))
                by_position[str(position)] = index
        if by_position:
            numbers.by_plugin[plugin.name] = by_position
    return numbers


def collect_score_numbers(
    framework: Framework, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex
) -> dict[str, list[Record]]:
    """Asks every score that ran."""
    return {
        plugin.name: records
        for plugin in framework.score_plugins
        if isinstance(plugin, ScoreNumbers)
        and plugin.name not in state.skip_score_plugins
        and (records := plugin.score_numbers(state, pod, nodes, rows))
    }
