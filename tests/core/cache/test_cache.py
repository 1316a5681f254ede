"""Assume, bind, forget; and: the snapshot kept up to date row by row equals one made anew."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.cache.cache import SchedulerCache
from scheduler_core.snapshot.node_infos import NodeInfos
from scheduler_core.snapshot.pod_info import PodInfo
from scheduler_core.snapshot.snapshot import Snapshot
from tests.make import make_node, make_pod, make_snapshot


def requested(cache: SchedulerCache, node_name: str) -> tuple[int, int]:
    snapshot = Snapshot(cache.axis)
    cache._dirty.update(dict.fromkeys(cache._nodes))
    cache.update_snapshot(snapshot)
    row = snapshot.node_infos.row_of[node_name]
    return int(snapshot.node_infos.requested[row, 0]), int(snapshot.node_infos.num_pods[row])


def pod_on(cache: SchedulerCache, name: str, node: str = "") -> PodInfo:
    return PodInfo(make_pod(name, requests={"cpu": "250m"}, node=node), cache.axis)


def test_an_assumed_pod_counts_until_it_is_forgotten() -> None:
    cache = SchedulerCache()
    cache.add_node(make_node("node-a"))
    pod = pod_on(cache, "pod")
    cache.assume_pod(pod, "node-a")
    assert cache.is_assumed(pod.uid)
    assert requested(cache, "node-a") == (250, 1)
    cache.forget_pod(pod.uid)
    assert not cache.is_assumed(pod.uid)
    assert requested(cache, "node-a") == (0, 0)


def test_a_binding_confirms_the_assumption_without_counting_twice() -> None:
    cache = SchedulerCache()
    cache.add_node(make_node("node-a"))
    pod = pod_on(cache, "pod")
    cache.assume_pod(pod.with_node("node-a"), "node-a")
    cache.add_pod(pod_on(cache, "pod", "node-a"), "node-a")
    assert not cache.is_assumed(pod.uid)
    assert requested(cache, "node-a") == (250, 1)


def test_a_binding_to_another_node_moves_the_pod() -> None:
    cache = SchedulerCache()
    cache.add_node(make_node("node-a"))
    cache.add_node(make_node("node-b"))
    pod = pod_on(cache, "pod")
    cache.assume_pod(pod, "node-a")
    cache.add_pod(pod_on(cache, "pod", "node-b"), "node-b")
    assert requested(cache, "node-a") == (0, 0)
    assert requested(cache, "node-b") == (250, 1)
    assert cache.node_of(pod.uid) == "node-b"


def test_pods_of_a_node_that_is_not_there_wait_for_it() -> None:
    cache = SchedulerCache()
    cache.add_pod(pod_on(cache, "early", "node-a"), "node-a")
    assert len(cache) == 0
    cache.add_node(make_node("node-a"))
    assert requested(cache, "node-a") == (250, 1)
    cache.remove_node("node-a")
    assert len(cache) == 0
    cache.add_node(make_node("node-a"))
    assert requested(cache, "node-a") == (250, 1)


def test_a_node_taken_out_and_put_back_between_two_snapshots_keeps_its_place_in_the_order() -> None:
    cache = SchedulerCache()
    for name in ("a", "b", "c"):
        cache.add_node(make_node(name))
    snapshot = Snapshot(cache.axis)
    cache.update_snapshot(snapshot)
    cache.remove_node("a")
    cache.add_node(make_node("a"))
    cache.update_snapshot(snapshot)
    assert names(snapshot) == ["a", "b", "c"]
    cache.add_node(make_node("d"))
    cache.update_snapshot(snapshot)
    assert names(snapshot) == ["b", "c", "a", "d"]


def names(snapshot: Snapshot) -> list[str]:
    return [snapshot.node_infos.names[row] for row in snapshot.node_infos.order.tolist()]


NODE_NAMES = [f"node-{letter}" for letter in "abcdef"]
LABELS = st.dictionaries(
    st.sampled_from(["topology.kubernetes.io/zone", "disk", "rack"]), st.sampled_from(["x", "y"])
)
EDITS = st.lists(
    st.one_of(
        st.tuples(st.just("node"), st.sampled_from(NODE_NAMES), LABELS, st.integers(1, 64)),
        st.tuples(st.just("drop"), st.sampled_from(NODE_NAMES)),
        st.tuples(st.just("pod"), st.integers(0, 9), st.sampled_from(NODE_NAMES), st.integers(1, 900)),
        st.tuples(st.just("gone"), st.integers(0, 9)),
        st.tuples(st.just("look")),
    ),
    max_size=60,
)


@given(EDITS)
@settings(max_examples=80, deadline=None)
def test_the_incremental_snapshot_equals_one_made_anew(edits: list[tuple[Any, ...]]) -> None:
    cache = SchedulerCache()
    snapshot = Snapshot(cache.axis)
    nodes: dict[str, Any] = {}
    pods: dict[int, Any] = {}
    for edit in edits:
        apply(cache, snapshot, nodes, pods, edit)
    cache.update_snapshot(snapshot)
    anew = make_snapshot(nodes.values(), pods.values())
    assert set(names(snapshot)) == set(names(anew))
    for name in nodes:
        assert columns(snapshot.node_infos, name) == columns(anew.node_infos, name)


def apply(
    cache: SchedulerCache,
    snapshot: Snapshot,
    nodes: dict[str, Any],
    pods: dict[int, Any],
    edit: tuple[Any, ...],
) -> None:
    match edit:
        case ("node", name, labels, cpu):
            node = make_node(name, cpu=str(cpu), labels=labels)
            (cache.update_node if name in nodes else cache.add_node)(node)
            nodes[name] = node
        case ("drop", name) if name in nodes:
            cache.remove_node(name)
            del nodes[name]
        case ("pod", number, name, milli):
            pod = make_pod(
                f"pod-{number}", requests={"cpu": f"{milli}m"}, node=name, host_ports=[8000 + number]
            )
            pod_info = PodInfo(pod, cache.axis)
            (cache.update_pod if number in pods else cache.add_pod)(pod_info, name)
            pods[number] = pod
        case ("gone", number) if number in pods:
            cache.remove_pod(pods.pop(number).metadata.uid)
        case ("look",):
            cache.update_snapshot(snapshot)
            snapshot.node_infos.label_columns.column("disk")


def columns(nodes: NodeInfos, name: str) -> dict[str, Any]:
    row = nodes.row_of[name]
    disk = int(nodes.label_columns.column("disk")[row])
    return {
        "allocatable": np.trim_zeros(nodes.allocatable[row], "b").tolist(),
        "requested": np.trim_zeros(nodes.requested[row], "b").tolist(),
        "non_zero": nodes.non_zero_requested[row].tolist(),
        "num_pods": int(nodes.num_pods[row]),
        "allowed_pods": int(nodes.allowed_pods[row]),
        "ports": nodes.port_sets.values[nodes.ports_id[row]],
        "disk": None if disk < 0 else nodes.label_columns.values.values[disk],
        "pods": sorted(nodes.info(row).pods),
    }


def test_a_pod_that_is_confirmed_becomes_the_last_one_of_its_node() -> None:
    cache = SchedulerCache()
    cache.add_node(make_node("node-a"))
    for name in ("first", "second", "third"):
        cache.assume_pod(pod_on(cache, name).with_node("node-a"), "node-a")
    cache.add_pod(pod_on(cache, "first", "node-a"), "node-a")
    order = [pod.pod.metadata.name for pod in cache._nodes["node-a"].pods.values()]
    assert order == ["third", "second", "first"], "the last one takes the place of the one that goes"
    assert requested(cache, "node-a") == (750, 3)
