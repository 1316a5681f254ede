"""Asks one plugin, and makes of an error that it raises what the framework makes of an error status.

A fault of the plugin itself is such an error, too: it costs the pod its attempt and never the run. Points that write
to the API server are asked without that, lest what goes wrong behind the writing be taken for the plugin's.

Source: pkg/scheduler/framework/runtime/framework.go, runFilterPlugin, runScorePlugin and their siblings, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.framework.status import PluginError, error
from scheduler_core.framework.types import FilterResult

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import ParamSpec

    from scheduler_core.framework.cycle_state import CycleState
    from scheduler_core.framework.interface import (
        FilterPlugin,
        NormalizeScorePlugin,
        PreBindPlugin,
        PreFilterPlugin,
        ScorePlugin,
    )
    from scheduler_core.framework.status import Status
    from scheduler_core.framework.types import PreFilterResult
    from scheduler_core.snapshot.node_infos import Int64Array, NodeInfos, RowIndex
    from scheduler_core.snapshot.pod_info import PodInfo

    P = ParamSpec("P")


def ask_filter(
    plugin: FilterPlugin, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex
) -> FilterResult | None:
    """The plugin's verdict; an error is one on every row."""
    try:
        return plugin.filter(state, pod, nodes, rows)
    except Exception as wrong:
        return FilterResult.everywhere(rows, error(_words(wrong)))


def ask_score(
    plugin: ScorePlugin, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex
) -> Int64Array:
    """The plugin's raw scores.

    Raises:
        PluginError: it met an error; the text names the plugin.
    """
    try:
        return plugin.score(state, pod, nodes, rows)
    except Exception as wrong:
        words = f'running Score plugins: plugin "{plugin.name}" failed with: {_words(wrong)}'
        raise PluginError(words) from wrong


def ask_normalize(
    plugin: NormalizeScorePlugin,
    state: CycleState,
    pod: PodInfo,
    nodes: NodeInfos,
    rows: RowIndex,
    scores: Int64Array,
) -> Int64Array:
    """The plugin's scores as they count.

    Raises:
        PluginError: it met an error; the text names the plugin.
    """
    try:
        return plugin.normalize_score(state, pod, nodes, rows, scores)
    except Exception as wrong:
        words = f'running Normalize on Score plugins: plugin "{plugin.name}" failed with: {_words(wrong)}'
        raise PluginError(words) from wrong


def ask_status(ask: Callable[P, Status | None], *args: P.args, **kwargs: P.kwargs) -> Status | None:
    """What a method of a plugin says, which answers with a status."""
    try:
        return ask(*args, **kwargs)
    except Exception as wrong:
        return error(_words(wrong))


def ask_pre_filter(
    plugin: PreFilterPlugin, state: CycleState, pod: PodInfo, nodes: NodeInfos
) -> tuple[PreFilterResult | None, Status | None]:
    """What the plugin says of the pod before any node."""
    try:
        return plugin.pre_filter(state, pod, nodes)
    except Exception as wrong:
        return None, error(_words(wrong))


def ask_pre_bind(plugin: PreBindPlugin, state: CycleState, pod: PodInfo, node_name: str) -> Status | None:
    """What the plugin says after it did what must be done before the binding."""
    try:
        return plugin.pre_bind(state, pod, node_name)
    except PluginError as wrong:
        return error(str(wrong))


def _words(wrong: Exception) -> str:
    return (
        str(wrong) if isinstance(wrong, PluginError) else f"internal error: {type(wrong).__name__}: {wrong}"
    )
