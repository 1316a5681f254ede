from __future__ import annotations

from scheduler_core.snapshot.axes import CPU
from scheduler_core.snapshot.pod_info import PodInfo
from scheduler_core.snapshot.snapshot import Snapshot
from scheduler_core.snapshot.vocabulary import ABSENT
from tests.make import make_cache, make_node, make_pod


def test_a_node_that_changed_is_written_to_every_column() -> None:
    cache = make_cache([make_node("n", labels={"zone": "a"}), make_node("other")])
    snapshot = Snapshot(cache.axis)
    cache.update_snapshot(snapshot)
    nodes = snapshot.node_infos
    row = nodes.row_of["n"]
    assert nodes.label_columns.column("zone")[row] != ABSENT
    changed = make_node(
        "n", cpu="9", pods="3", taints=["a:NoSchedule"], images={"app:1": 1}, unschedulable=True
    )
    cache.update_node(changed)
    cache.update_snapshot(snapshot)
    assert nodes.row_of["n"] == row
    assert nodes.label_columns.column("zone")[row] == ABSENT
    assert (nodes.allocatable[row, 0], nodes.allowed_pods[row], nodes.unschedulable[row]) == (9000, 3, True)
    assert nodes.taint_lists.values[nodes.taints_id[row]] == changed.spec.taints
    assert nodes.image_lists.values[nodes.images_id[row]] == ((("app:1",), 1),)


def test_amounts_gathered_for_rows_are_shared_until_a_row_is_written() -> None:
    cache = make_cache([make_node("n", cpu="4"), make_node("other", cpu="2")])
    snapshot = Snapshot(cache.axis)
    cache.update_snapshot(snapshot)
    nodes = snapshot.node_infos
    rows = nodes.order
    assert nodes.allocatable_at(rows)[CPU].tolist() == [4000, 2000]
    assert nodes.requested_at(rows)[CPU].tolist() == [0, 0]
    assert nodes.requested_at(rows) is nodes.requested_at(rows)
    cache.add_pod(PodInfo(make_pod("p", requests={"cpu": "1"}), cache.axis), "other")
    cache.update_node(make_node("n", cpu="8"))
    cache.update_snapshot(snapshot)
    assert nodes.requested_at(rows)[CPU].tolist() == [0, 1000]
    assert nodes.allocatable_at(rows)[CPU].tolist() == [8000, 2000]
