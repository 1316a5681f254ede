"""The runtime of one profile: calls its plugins at each extension point, in order.

Source: pkg/scheduler/framework/runtime/framework.go, frameworkImpl, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

import numpy as np

from scheduler_core.framework import interface
from scheduler_core.framework.asking import (
    ask_filter,
    ask_normalize,
    ask_pre_bind,
    ask_pre_filter,
    ask_score,
    ask_status,
)
from scheduler_core.framework.results import PreFilterOutcome, Scores, Verdicts, check_range
from scheduler_core.framework.signing import split_by_signing
from scheduler_core.framework.status import SKIP, Code, Status, error, unresolvable
from scheduler_core.framework.types import NominatingMode, PreFilterResult
from scheduler_core.snapshot.pod_info import UNSIGNED
from scheduler_core.snapshot.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

    from scheduler_core.framework.cycle_state import CycleState
    from scheduler_core.framework.diagnosis import NodeToStatus
    from scheduler_core.framework.interface import Plugin
    from scheduler_core.framework.results import KnownScores
    from scheduler_core.framework.types import PostFilterResult
    from scheduler_core.snapshot.node_info import NodeInfo
    from scheduler_core.snapshot.node_infos import Int64Array, NodeInfos, RowIndex
    from scheduler_core.snapshot.pod_info import PodInfo

_ALL_NODES = PreFilterResult()
_MAX_PERMIT_TIMEOUT_US: Final = 15 * 60 * 1_000_000


class Framework:
    """One profile: its plugins by extension point, each list in calling order."""

    def __init__(
        self,
        profile_name: str,
        points: Mapping[str, Sequence[Plugin]],
        weights: Mapping[str, int],
        *,
        percentage_of_nodes_to_score: int | None = None,
    ) -> None:
        self.profile_name = profile_name
        self.percentage_of_nodes_to_score = percentage_of_nodes_to_score
        self.weights = weights
        self.points = points
        self.pre_enqueue_plugins = cast("list[interface.PreEnqueuePlugin]", self._at("preEnqueue"))
        self.queue_sort_plugin = cast("list[interface.QueueSortPlugin]", self._at("queueSort"))[0]
        self.pre_filter_plugins = cast("list[interface.PreFilterPlugin]", self._at("preFilter"))
        self.filter_plugins = cast("list[interface.FilterPlugin]", self._at("filter"))
        self.post_filter_plugins = cast("list[interface.PostFilterPlugin]", self._at("postFilter"))
        self.pre_score_plugins = cast("list[interface.PreScorePlugin]", self._at("preScore"))
        self.score_plugins = cast("list[interface.ScorePlugin]", self._at("score"))
        self.reserve_plugins = cast("list[interface.ReservePlugin]", self._at("reserve"))
        self.permit_plugins = cast("list[interface.PermitPlugin]", self._at("permit"))
        self.pre_bind_plugins = cast("list[interface.PreBindPlugin]", self._at("preBind"))
        self.bind_plugins = cast("list[interface.BindPlugin]", self._at("bind"))
        self.post_bind_plugins = cast("list[interface.PostBindPlugin]", self._at("postBind"))
        self._normalizers = {
            plugin.name: plugin
            for plugin in self.score_plugins
            if isinstance(plugin, interface.NormalizeScorePlugin)
        }
        self.signing, self.unsigned = split_by_signing(self.points, self._normalizers)
        self._signatures: Vocabulary[Hashable] = Vocabulary()
        self._extensions = [
            plugin for plugin in self.pre_filter_plugins if isinstance(plugin, interface.PreFilterExtensions)
        ]

    def plugins(self) -> Iterator[Plugin]:
        """Every plugin of the profile once, in order of first appearance."""
        seen: dict[str, Plugin] = {}
        for plugins in self.points.values():
            for plugin in plugins:
                seen.setdefault(plugin.name, plugin)
        return iter(seen.values())

    def _at(self, point: str) -> list[Plugin]:
        return list(self.points.get(point, ()))

    def sign(self, pod: PodInfo) -> int:
        """The number of the pod's signature; kept with the pod."""
        signature = self.signing.sign(pod)
        pod.signature = UNSIGNED if signature is None else self._signatures.id(signature)
        return pod.signature

    # Before any node.

    def run_pre_filter(
        self,
        state: CycleState,
        pod: PodInfo,
        nodes: NodeInfos,
        plugins: Sequence[interface.PreFilterPlugin] | None = None,
    ) -> PreFilterOutcome:
        """PreFilter of plugins (None: of all); one that skips is left out of Filter too."""
        skip: set[str] = set()
        narrowing: set[str] = set()
        calls: list[tuple[str, PreFilterResult | None, Status | None]] = []
        names: frozenset[str] | None = None
        refusal: Status | None = None
        for plugin in self.pre_filter_plugins if plugins is None else plugins:
            result, status = ask_pre_filter(plugin, state, pod, nodes)
            calls.append((plugin.name, result, status))
            if status is not None and status.is_skip:
                skip.add(plugin.name)
                continue
            if status is not None and not status.is_success:
                status = status.with_plugin(plugin.name)
                if status.code == Code.UNSCHEDULABLE:
                    refusal = status
                    continue
                if status.code != Code.UNSCHEDULABLE_AND_UNRESOLVABLE:  # Pending is no answer here
                    status = error(f'running PreFilter plugin "{plugin.name}": {status.message}')
                refusal = status
                narrowing = set()
                break
            if result is not None and result.node_names is not None:
                narrowing.add(plugin.name)
                names = result.node_names if names is None else names & result.node_names
            if names is not None and not names:
                refusal = unresolvable(_narrowed_message(narrowing))
                break
        state.skip_filter_plugins |= skip
        result = _ALL_NODES if names is None else PreFilterResult(names)
        return PreFilterOutcome(result, refusal, frozenset(narrowing), tuple(calls))

    def has_pre_filter_extensions(self, state: CycleState) -> bool:
        """Whether a plugin that was not skipped follows pods that a dry run adds or removes."""
        return any(plugin.name not in state.skip_filter_plugins for plugin in self._extensions)

    def run_pre_filter_add_pod(
        self, state: CycleState, pod: PodInfo, added: PodInfo, node: NodeInfo
    ) -> Status | None:
        """Tells the PreFilter extensions that a dry run adds a pod to a node."""
        for plugin in self._extensions:
            if plugin.name not in state.skip_filter_plugins:
                status = ask_status(plugin.add_pod, state, pod, added, node)
                if status is not None and not status.is_success:
                    return error(f'running AddPod on PreFilter plugin "{plugin.name}": {status.message}')
        return None

    def run_pre_filter_remove_pod(
        self, state: CycleState, pod: PodInfo, removed: PodInfo, node: NodeInfo
    ) -> Status | None:
        """Tells the PreFilter extensions that a dry run takes a pod off a node."""
        for plugin in self._extensions:
            if plugin.name not in state.skip_filter_plugins:
                status = ask_status(plugin.remove_pod, state, pod, removed, node)
                if status is not None and not status.is_success:
                    return error(f'running RemovePod on PreFilter plugin "{plugin.name}": {status.message}')
        return None

    # Nodes.

    def run_filters(
        self,
        state: CycleState,
        pod: PodInfo,
        nodes: NodeInfos,
        rows: RowIndex,
        plugins: Sequence[interface.FilterPlugin] | None = None,
        verdicts: Verdicts | None = None,
    ) -> Verdicts:
        """Filters (None: all); a row that one refused, or ``verdicts`` before, is not shown to the next."""
        skip = state.skip_filter_plugins
        left_out = self.filter_plugins if plugins is None else plugins
        asked = [plugin for plugin in left_out if plugin.name not in skip]
        positions: RowIndex | None = None
        if verdicts is None:
            verdicts = Verdicts(rows)
        elif asked and verdicts.statuses:
            positions = verdicts.fitting()
        for plugin in asked:
            left = rows if positions is None else rows.take(positions)
            if not len(left):
                break
            result = ask_filter(plugin, state, pod, nodes, left)
            if result is not None:
                positions = verdicts.refuse(positions, plugin.name, result)
        return verdicts

    def run_each_filter(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex
    ) -> dict[str, Verdicts]:
        """Every filter by itself on every row; skipped plugins are absent."""
        by_plugin: dict[str, Verdicts] = {}
        for plugin in self.filter_plugins:
            if plugin.name not in state.skip_filter_plugins:
                by_plugin[plugin.name] = verdicts = Verdicts(rows)
                result = ask_filter(plugin, state, pod, nodes, rows)
                if result is not None:
                    verdicts.refuse(None, plugin.name, result)
        return by_plugin

    def run_post_filter(
        self, state: CycleState, pod: PodInfo, statuses: NodeToStatus
    ) -> tuple[PostFilterResult | None, Status]:
        """PostFilter plugins until one succeeds; else all their reasons, and the last result that nominates."""
        result: PostFilterResult | None = None
        reasons: list[str] = []
        rejector = ""
        for plugin in self.post_filter_plugins:
            answer, status = plugin.post_filter(state, pod, statuses)
            if status is None or status.is_success:
                return answer, status or Status(Code.SUCCESS)
            if status.code == Code.UNSCHEDULABLE_AND_UNRESOLVABLE:
                return answer, status.with_plugin(plugin.name)
            if not status.is_rejected:
                return None, status.with_plugin(plugin.name)
            if answer is not None and answer.nominating_info.mode != NominatingMode.NOOP:
                result = answer
            reasons.extend(status.reasons)
            rejector = rejector or plugin.name
        return result, Status(Code.UNSCHEDULABLE, tuple(reasons), rejector)

    # Scores.

    def run_pre_score(
        self,
        state: CycleState,
        pod: PodInfo,
        nodes: NodeInfos,
        rows: RowIndex,
        plugins: Sequence[interface.PreScorePlugin] | None = None,
    ) -> Status | None:
        """PreScore of plugins (None: of all); one that skips is left out of the scores."""
        skip: set[str] = set()
        for plugin in self.pre_score_plugins if plugins is None else plugins:
            status = ask_status(plugin.pre_score, state, pod, nodes, rows)
            if status is not None and status.is_skip:
                skip.add(plugin.name)
            elif status is not None and not status.is_success:
                return error(f'running PreScore plugin "{plugin.name}": {status.message}')
        state.skip_score_plugins |= skip
        return None

    def run_scores(
        self,
        state: CycleState,
        pod: PodInfo,
        nodes: NodeInfos,
        rows: RowIndex,
        plugins: Sequence[interface.ScorePlugin] | None = None,
        known: KnownScores | None = None,
    ) -> Scores:
        """Raw, normalised and weighted scores of plugins (None: of all), and their sum with the ``known`` ones.

        Raises:
            PluginError: a plugin met an error, or its normalised score is not within 0…100.
        """
        raw: dict[str, Int64Array] = {}
        normalized: dict[str, Int64Array] = {}
        weighted: dict[str, Int64Array] = {}
        if known is None:
            total = np.zeros(len(rows), np.int64)
        else:
            total = known.total
            raw.update(known.raw)
        for plugin in self.score_plugins if plugins is None else plugins:
            if plugin.name not in state.skip_score_plugins:
                raw[plugin.name] = ask_score(plugin, state, pod, nodes, rows)
        if not raw:
            return Scores(rows, raw, normalized, weighted, {}, total)
        for name, scores in raw.items():
            normalized[name] = self.normalize(name, state, pod, nodes, rows, scores)
            weighted[name] = normalized[name] * self.weights[name]
            total += weighted[name]
        return Scores(rows, raw, normalized, weighted, {name: self.weights[name] for name in raw}, total)

    def normalize(
        self, name: str, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex, scores: Int64Array
    ) -> Int64Array:
        """A plugin's scores as they count.

        Raises:
            ValueError: one is not within 0…100.
        """
        if name in self._normalizers:
            scores = ask_normalize(self._normalizers[name], state, pod, nodes, rows, scores)
        check_range(name, scores)
        return scores

    # One node was chosen.

    def run_reserve(self, state: CycleState, pod: PodInfo, node_name: str) -> Status | None:
        """Reserve of all plugins, up to the first that fails."""
        for plugin in self.reserve_plugins:
            status = ask_status(plugin.reserve, state, pod, node_name)
            if status is not None and not status.is_success:
                return _failed("Reserve", plugin.name, status)
        return None

    def run_unreserve(self, state: CycleState, pod: PodInfo, node_name: str) -> None:
        """Unreserve of all plugins, in reverse order."""
        for plugin in reversed(self.reserve_plugins):
            plugin.unreserve(state, pod, node_name)

    def run_permit(
        self, state: CycleState, pod: PodInfo, node_name: str
    ) -> tuple[Status | None, dict[str, int]]:
        """Permit of all plugins.

        Returns: WAIT with the timeouts of the plugins that wait (virtual microseconds), a refusal, or None
        """
        timeouts: dict[str, int] = {}
        for plugin in self.permit_plugins:
            status, timeout_us = plugin.permit(state, pod, node_name)
            if status is None or status.is_success:
                continue
            if not status.is_wait:
                return _failed("Permit", plugin.name, status), {}
            timeouts[plugin.name] = min(timeout_us, _MAX_PERMIT_TIMEOUT_US)
        return (Status(Code.WAIT), timeouts) if timeouts else (None, {})

    def run_pre_bind(self, state: CycleState, pod: PodInfo, node_name: str) -> Status | None:
        """PreBind of all plugins, up to the first that fails."""
        for plugin in self.pre_bind_plugins:
            if plugin.name in state.skip_pre_bind_plugins:
                continue
            status = ask_pre_bind(plugin, state, pod, node_name)
            if status is not None and not status.is_success:
                return _failed("PreBind", plugin.name, status)
        return None

    def run_bind(self, state: CycleState, pod: PodInfo, node_name: str) -> Status | None:
        """Bind plugins until one does not skip."""
        status: Status | None = SKIP
        for plugin in self.bind_plugins:
            status = plugin.bind(state, pod, node_name)
            if status is not None and status.is_skip:
                continue
            if status is not None and not status.is_success:
                return _failed("Bind", plugin.name, status)
            return None
        return status

    def run_post_bind(self, state: CycleState, pod: PodInfo, node_name: str) -> None:
        """PostBind of all plugins."""
        for plugin in self.post_bind_plugins:
            plugin.post_bind(state, pod, node_name)


def _failed(point: str, plugin: str, status: Status) -> Status:
    if status.is_rejected:
        return status.with_plugin(plugin)
    return Status(Code.ERROR, (f'running {point} plugin "{plugin}": {status.message}',), plugin)


def _narrowed_message(plugins: set[str]) -> str:
    names = " ".join(sorted(plugins))
    if len(plugins) == 1:
        return f"node(s) didn't satisfy plugin {names}"
    return f"node(s) didn't satisfy plugin(s) [{names}] simultaneously"
