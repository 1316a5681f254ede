"""Answers that serve again: what plugins said of the rows for an earlier pod that asks for the same.

Most plugins judge a row by the pod's spec and by that row alone. They sign pods: where two signatures are equal,
so are the answers. What they said is kept as columns, one set a signature, and only the rows touched since are
judged anew. It never changes a decision; a run without reuse gives the same bytes.

Source: the idea of KEP-5598 (opportunistic batching) and its SignPlugin
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

from scheduler_core.framework.asking import ask_filter, ask_score
from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.results import KnownScores, Verdicts, check_range
from scheduler_core.framework.status import PluginError
from scheduler_core.framework.types import PASSES
from scheduler_core.snapshot.pod_info import UNSIGNED
from scheduler_core.snapshot.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scheduler_core.framework.interface import FilterPlugin
    from scheduler_core.framework.runtime import Framework
    from scheduler_core.framework.status import Status
    from scheduler_core.snapshot.arrays import BoolArray, Int32Array, Int64Array, RowIndex
    from scheduler_core.snapshot.node_infos import NodeInfos
    from scheduler_core.snapshot.pod_info import PodInfo
    from scheduler_core.snapshot.snapshot import Snapshot

T = TypeVar("T")

MAX_SIGNATURES: Final = 64


class NotReusableError(Exception):
    """A signing plugin met something that only the usual way can tell."""


class Answers:
    """What the signing plugins of a profile say of all rows for one signature.

    ``state`` holds what their PreFilter and PreScore wrote, and who of them asked to be left out. ``constant`` is
    the part of the total that all rows have in common.

    Shapes:
        index: int32[capacity], PASSES or k for ``statuses.values[k - 1]``: first refusal by the leading filters
        fixed: int64[capacity], weighted sum of the scores that are not normalised, where ``index`` passes
        raw: plugin → int64[capacity], scores to be normalised over the rows that are in question
    """

    __slots__ = (
        "_filters",
        "_is_open",
        "_scorers",
        "constant",
        "fixed",
        "index",
        "position",
        "raw",
        "state",
        "statuses",
    )

    def __init__(self, framework: Framework, pod: PodInfo, nodes: NodeInfos) -> None:
        self.state = CycleState()
        self.statuses: Vocabulary[Status] = Vocabulary()
        self.index: Int32Array = np.zeros(nodes.capacity, np.int32)
        self.fixed: Int64Array = np.zeros(nodes.capacity, np.int64)
        self.raw: dict[str, Int64Array] = {}
        self.constant = 0
        self.position = 0
        pre_filter = framework.run_pre_filter(self.state, pod, nodes, framework.signing.pre_filters)
        if pre_filter.status is not None or pre_filter.result.node_names is not None:
            raise NotReusableError
        skipped = self.state.skip_filter_plugins
        lasting = [plugin for plugin in framework.signing.lasting_filters if plugin.name not in skipped]
        rows = self._judge(pod, nodes, nodes.order, lasting)
        self._is_open: BoolArray = self.index == PASSES
        self._filters = [plugin for plugin in framework.signing.filters if plugin.name not in skipped]
        rows = self._judge(pod, nodes, rows, self._filters)
        if framework.run_pre_score(self.state, pod, nodes, rows, framework.signing.pre_scores) is not None:
            raise NotReusableError
        self._scorers = [
            (plugin, framework.weights[plugin.name])
            for plugin in framework.signing.scores
            if plugin.name not in self.state.skip_score_plugins
        ]
        self._score(pod, nodes, rows, check=True)
        for plugin in framework.signing.normalized_scores:
            if plugin.name not in self.state.skip_score_plugins:
                column = np.zeros(nodes.capacity, np.int64)
                column[nodes.order] = ask_score(plugin, self.state, pod, nodes, nodes.order)
                self._keep_raw(framework, plugin.name, column, pod, nodes)

    def verdicts(self, rows: RowIndex) -> Verdicts:
        """The first refusals of rows, to be completed by the filters that do not sign."""
        return Verdicts(rows, self.index.take(rows), list(self.statuses.values))

    def scores(self, rows: RowIndex) -> KnownScores:
        """The scores of rows, to be completed by the plugins that do not sign."""
        total = self.fixed.take(rows)
        total += self.constant
        return KnownScores(total, {name: column.take(rows) for name, column in self.raw.items()})

    def update(self, pod: PodInfo, nodes: NodeInfos, touched: RowIndex) -> None:
        """Judges rows again whose pods have changed; what the nodes themselves refuse lasts."""
        is_open = self._is_open[touched]
        rows = touched if np.count_nonzero(is_open) == len(touched) else touched[is_open]
        rows = self._judge(pod, nodes, rows, self._filters)
        if len(rows):
            self._score(pod, nodes, rows)

    def _judge(
        self, pod: PodInfo, nodes: NodeInfos, rows: RowIndex, filters: Sequence[FilterPlugin]
    ) -> RowIndex:
        """Records the first refusal of each row; the rows that pass."""
        self.index[rows] = PASSES
        for plugin in filters:
            result = ask_filter(plugin, self.state, pod, nodes, rows)
            if result is None:
                continue
            if not all(status.is_rejected for status in result.statuses):
                raise NotReusableError
            ids = [self.statuses.id(status.with_plugin(plugin.name)) + 1 for status in result.statuses]
            self.index[rows] = np.array([PASSES, *ids], np.int32).take(result.index)
            rows = rows[result.index == PASSES]
        return rows

    def _score(self, pod: PodInfo, nodes: NodeInfos, rows: RowIndex, *, check: bool = False) -> None:
        """Records the weighted sum of the scores that are not normalised; ``check``: holds them to their range.

        Raises:
            ValueError: a score is not within 0…100.
        """
        total: Int64Array | None = None
        for plugin, weight in self._scorers:
            scores = ask_score(plugin, self.state, pod, nodes, rows)
            if check:
                check_range(plugin.name, scores)
            weighted = scores if weight == 1 else scores * weight
            total = weighted if total is None else total + weighted
        self.fixed[rows] = 0 if total is None else total

    def _keep_raw(
        self, framework: Framework, name: str, column: Int64Array, pod: PodInfo, nodes: NodeInfos
    ) -> None:
        """Keeps a column of raw scores; one of zeros comes to the same for whatever rows are in question."""
        if column.any():
            self.raw[name] = column
            return
        row = nodes.order[:1]
        normalized = framework.normalize(name, self.state, pod, nodes, row, np.zeros(len(row), np.int64))
        self.constant += int(normalized.sum()) * framework.weights[name]


class Memory:
    """The answers of a profile by signature, the last MAX_SIGNATURES of them.

    They are forgotten when a node changes. A signature is worth its columns from the second pod on.
    """

    def __init__(self, framework: Framework, snapshot: Snapshot) -> None:
        self._framework = framework
        self._snapshot = snapshot
        self._answers: dict[int, Answers | None] = {}
        self._seen: dict[int, None] = {}
        self._version = 0

    def recall(self, pod: PodInfo) -> Answers | None:
        """The answers for a pod like this one, up to date; None if there are none yet."""
        nodes = self._snapshot.node_infos
        if nodes.version != self._version:
            self._version = nodes.version
            self._answers.clear()
            self._seen.clear()
        signature = self._framework.sign(pod) if pod.signature is None else pod.signature
        if signature == UNSIGNED:
            return None
        if signature not in self._answers:
            return self._learn(signature, pod)
        answers = self._answers.pop(signature)
        self._answers[signature] = answers
        return None if answers is None else self._brought_up_to_date(signature, answers, pod)

    def _learn(self, signature: int, pod: PodInfo) -> Answers | None:
        if signature not in self._seen:
            _remember(self._seen, signature, None)
            return None
        answers: Answers | None = None
        try:
            answers = Answers(self._framework, pod, self._snapshot.node_infos)
            answers.position = self._snapshot.touched.end
        except (NotReusableError, ValueError):
            pass
        _remember(self._answers, signature, answers)
        return answers

    def _brought_up_to_date(self, signature: int, answers: Answers, pod: PodInfo) -> Answers | None:
        log = self._snapshot.touched
        if answers.position == log.end:
            return answers
        touched = log.since(answers.position)
        if touched is None:
            del self._answers[signature]
            return self._learn(signature, pod)
        answers.position = log.end
        try:
            answers.update(pod, self._snapshot.node_infos, touched)
        except (NotReusableError, PluginError):
            self._answers[signature] = None
            return None
        return answers


def _remember(kept: dict[int, T], signature: int, value: T) -> None:
    kept[signature] = value
    if len(kept) > MAX_SIGNATURES:
        del kept[next(iter(kept))]
