"""Counts of pods per row stay what a recount would give, whatever comes and goes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from scheduler_core.cache.cache import SchedulerCache
from scheduler_core.snapshot import pod_columns
from scheduler_core.snapshot.pod_info import PodInfo
from scheduler_core.snapshot.snapshot import Snapshot
from tests.make import make_node, make_pod


class HasLabel(NamedTuple):
    """Pods with a label; ``named``: it says so."""

    key: str
    value: str
    named: bool

    def matches(self, pod_info: PodInfo) -> bool:
        return pod_info.pod.metadata.labels.get(self.key) == self.value

    def anchors(self) -> tuple[tuple[str, frozenset[str]], ...]:
        return ((self.key, frozenset((self.value,))),) if self.named else ()


class Labels:
    """Every label of a pod is a term about pods with this label."""

    def terms(self, pod_info: PodInfo) -> list[tuple[str, str]]:
        return list(pod_info.pod.metadata.labels.items())

    def anchors(self, term: tuple[str, str]) -> tuple[tuple[str, frozenset[str]], ...]:
        return ((term[0], frozenset((term[1],))),) if term[0] == "app" else ()


MATCHERS = [
    HasLabel(key, value, named) for key in ("app", "tier") for value in "ab" for named in (True, False)
]
LABELS = Labels()
names = st.integers(0, 20).map("n{}".format)
pod_names = st.integers(0, 12).map("p{}".format)
labels = st.dictionaries(st.sampled_from(("app", "tier")), st.sampled_from(("a", "b")))


class PodColumnsMachine(RuleBasedStateMachine):
    """Nodes and pods come, change, move and go; columns are asked now and then."""

    def __init__(self) -> None:
        super().__init__()
        self.cache = SchedulerCache()
        self.snapshot = Snapshot(self.cache.axis)
        self.nodes: set[str] = set()
        self.pods: dict[str, PodInfo] = {}

    @rule(name=names)
    def add_node(self, name: str) -> None:
        if name not in self.nodes:
            labels = {"zone": name[-1]} if len(name) == 2 else {}
            self.cache.add_node(make_node(name, labels=labels))
            self.nodes.add(name)

    @rule(name=names)
    def remove_node(self, name: str) -> None:
        if name in self.nodes:
            self.cache.remove_node(name)
            self.nodes.discard(name)

    @rule(pod=pod_names, name=names, found=labels)
    def put_pod(self, pod: str, name: str, found: dict[str, str]) -> None:
        info = PodInfo(make_pod(pod, node=name, labels=found, affinity={}), self.cache.axis)
        if info.uid in self.pods:
            self.cache.update_pod(info, name)
        else:
            self.cache.add_pod(info, name)
        self.pods[info.uid] = info

    @rule(data=st.data())
    def remove_pod(self, data: st.DataObject) -> None:
        if self.pods:
            uid = data.draw(st.sampled_from(sorted(self.pods)))
            self.cache.remove_pod(uid)
            del self.pods[uid]

    @rule()
    def update_snapshot(self) -> None:
        self.cache.update_snapshot(self.snapshot)

    @rule(matcher=st.sampled_from(MATCHERS))
    def ask_for_a_count(self, matcher: HasLabel) -> None:
        self.cache.update_snapshot(self.snapshot)
        counts = self.snapshot.pod_columns.count(matcher)
        expected = np.zeros(self.snapshot.node_infos.capacity, np.int64)
        for row, info in self.on_nodes():
            expected[row] += matcher.matches(info)
        assert counts.tolist() == expected.tolist()

    @rule(matcher=st.sampled_from(MATCHERS))
    def ask_for_sums_over_zones(self, matcher: HasLabel) -> None:
        self.cache.update_snapshot(self.snapshot)
        sums = self.snapshot.pod_columns.count_by_slot(matcher, "zone")
        labels = self.snapshot.node_infos.label_columns
        expected = [0] * (len(labels.values) + 1)
        for row, info in self.on_nodes():
            expected[labels.slots("zone")[row]] += matcher.matches(info)
        assert sums.tolist() == [0, *expected[1:]]
        present = {slot for slot in labels.slots("zone").tolist() if slot}
        assert labels.distinct_slots("zone").tolist() == sorted(present)

    @rule(asked=labels)
    def ask_for_carried_terms(self, asked: dict[str, str]) -> None:
        self.cache.update_snapshot(self.snapshot)
        expected: dict[tuple[str, str], dict[int, int]] = {}
        for row, info in self.on_nodes():
            for term in info.pod.metadata.labels.items():
                by_row = expected.setdefault(term, {})
                by_row[row] = by_row.get(row, 0) + 1
        carried = self.snapshot.pod_columns.carried(LABELS)
        assert len(carried) == len(expected)
        found: dict[Any, dict[int, int]] = {}
        for term, carriers in carried.about(asked):
            assert term not in found
            by_row = dict(zip(carriers.rows.tolist(), carriers.counts.tolist(), strict=True))
            found[term] = {row: number for row, number in by_row.items() if number}
        meant = {
            term: by_row for term, by_row in expected.items() if term[0] != "app" or term in asked.items()
        }
        assert found == meant

    def on_nodes(self) -> list[tuple[int, PodInfo]]:
        row_of = self.snapshot.node_infos.row_of
        return [
            (row_of[info.pod.spec.node_name], info)
            for info in self.pods.values()
            if info.pod.spec.node_name in self.nodes
        ]

    @invariant()
    def every_node_has_a_row_after_an_update(self) -> None:
        self.cache.update_snapshot(self.snapshot)
        assert set(self.snapshot.node_infos.row_of) == self.nodes


@pytest.fixture(autouse=True)
def _short_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pod_columns, "_LOG_LIMIT", 3)
    monkeypatch.setattr(pod_columns, "_LONG_LAG", 2)
    monkeypatch.setattr(pod_columns, "_MAX_COLUMNS", 3)


TestPodColumns = PodColumnsMachine.TestCase
