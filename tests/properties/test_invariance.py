"""No case is special: names, orders that mean nothing and irrelevant labels decide nothing."""

from __future__ import annotations

from collections import defaultdict
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conformance.compare import compare, read_cases, scheduling_files
from tests.fuzz.generate import recorded
from tests.properties import clusters
from tests.properties.disguise import disguise

if TYPE_CHECKING:
    from tests.conformance.compare import Case

PER_KIND = 4


def by_kind() -> dict[str, list[Case]]:
    kinds: dict[str, list[Case]] = defaultdict(list)
    for path in scheduling_files():
        for case in read_cases(path):
            kinds[case["kind"]].append(case)
    return kinds


RECORDED = by_kind()


@pytest.mark.parametrize("kind", sorted(RECORDED))
def test_a_recorded_case_in_disguise_is_decided_as_recorded(kind: str) -> None:
    @settings(max_examples=PER_KIND)
    @given(st.sampled_from(RECORDED[kind]), st.integers(0, 2**32))
    def is_decided_the_same(case: Case, seed: int) -> None:
        assert compare(disguise(case, Random(seed))) == []

    is_decided_the_same()


@settings(max_examples=25)
@given(clusters.cases(), st.integers(0, 2**32))
def test_a_cluster_in_disguise_is_decided_the_same(case: Case, seed: int) -> None:
    assert compare(disguise(recorded(case), Random(seed))) == []


def test_the_disguise_changes_names_orders_and_labels_but_not_what_is_meant() -> None:
    case: dict[str, Any] = {
        "name": "x",
        "objects": [
            {"kind": "Node", "metadata": {"name": "n1", "labels": {"kubernetes.io/hostname": "n1"}}},
            {"kind": "Node", "metadata": {"name": "n2"}},
            {"kind": "Pod", "metadata": {"name": "p2"}, "spec": {"nodeName": "n2"}},
            {"kind": "Pod", "metadata": {"name": "p9"}, "spec": {}},
            {"kind": "Pod", "metadata": {"name": "p1"}, "spec": {}},
        ],
        "steps": [{"delete": ["Pod/default/p9", "Node/n1"]}],
        "expected": {"placements": {"default/p1": "n1"}, "message": 'claim "p1" of "other"'},
    }
    changed = disguise(case, Random(0))
    first, second = sorted(o["metadata"]["name"] for o in changed["objects"] if o["kind"] == "Node")
    pods = {o["metadata"]["name"]: o for o in changed["objects"] if o["kind"] == "Pod"}
    p1, p2, p9 = sorted(pods)
    assert [name for name, pod in pods.items() if not pod["spec"]] == [p9, p1]
    assert pods[p2]["spec"] == {"nodeName": second}
    assert changed["steps"][0]["delete"] == [f"Pod/default/{p9}", f"Node/{first}"]
    assert changed["expected"] == {
        "placements": {f"default/{p1}": first},
        "message": f'claim "{p1}" of "other"',
    }
    (labels,) = (o["metadata"]["labels"] for o in changed["objects"] if o["metadata"]["name"] == first)
    assert labels["kubernetes.io/hostname"] == first
    assert len(labels) == 3
