from __future__ import annotations

from scheduler_core.cache.cache import SchedulerCache
from scheduler_core.snapshot.snapshot import Snapshot
from tests.make import make_node

Known = dict[str, tuple[int, int]]


class Cluster:
    """A cache and a snapshot of it."""

    def __init__(self) -> None:
        self.cache = SchedulerCache()
        self.snapshot = Snapshot(self.cache.axis)

    def known(self, image: str = "app:1") -> Known:
        """Returns node → (size, number of nodes) of an image, after bringing the snapshot up to date."""
        self.cache.update_snapshot(self.snapshot)
        nodes = self.snapshot.node_infos
        column = nodes.image_columns.find(image)
        if column is None:
            return {}
        return {
            nodes.names[row]: (int(column.sizes[row]), int(column.num_nodes[row]))
            for row in nodes.order
            if column.num_nodes[row]
        }


def test_all_nodes_that_are_there_at_first_know_each_other() -> None:
    cluster = Cluster()
    for name, images in (("n0", {"app:1": 5}), ("n1", {}), ("n2", {"app:1": 7, "db:1": 1})):
        cluster.cache.add_node(make_node(name, images=images))
    assert cluster.known() == {"n0": (5, 2), "n2": (5, 2)}
    assert cluster.known("db:1") == {"n2": (1, 1)}
    assert cluster.known("none:1") == {}


def test_a_row_counts_a_later_node_once_it_is_written_again() -> None:
    cluster = Cluster()
    cluster.cache.add_node(make_node("n0", images={"app:1": 5}))
    cluster.cache.add_node(make_node("n1", images={"app:1": 5}))
    cluster.known()
    cluster.cache.add_node(make_node("n2", images={"app:1": 9}))
    assert cluster.known() == {"n0": (5, 2), "n1": (5, 2), "n2": (5, 3)}
    cluster.cache.update_node(make_node("n0", images={"app:1": 5}, labels={"any": "change"}))
    assert cluster.known() == {"n0": (5, 3), "n1": (5, 2), "n2": (5, 3)}


def test_what_was_never_asked_for_is_known_as_of_when_each_row_was_written() -> None:
    cluster = Cluster()
    cluster.cache.add_node(make_node("n0", images={"app:1": 5}))
    cluster.cache.update_snapshot(cluster.snapshot)
    cluster.cache.add_node(make_node("n1", images={"app:1": 5}))
    assert cluster.known() == {"n0": (5, 1), "n1": (5, 2)}


def test_the_size_goes_with_the_last_node_that_lists_the_image() -> None:
    cluster = Cluster()
    cluster.cache.add_node(make_node("n0", images={"app:1": 5}))
    cluster.cache.add_node(make_node("n1", images={"app:1": 9}))
    cluster.cache.remove_node("n0")
    assert cluster.known() == {"n1": (5, 1)}
    cluster.cache.update_node(make_node("n1", images={"app:1": 9}))
    assert cluster.known() == {"n1": (9, 1)}


def test_a_node_that_loses_an_image_or_goes_is_no_longer_counted() -> None:
    cluster = Cluster()
    for name in ("n0", "n1", "n2"):
        cluster.cache.add_node(make_node(name, images={"app:1": 5}))
    assert cluster.known() == dict.fromkeys(("n0", "n1", "n2"), (5, 3))
    cluster.cache.update_node(make_node("n1"))
    cluster.cache.remove_node("n2")
    cluster.cache.update_node(make_node("n0", images={"app:1": 5}))
    assert cluster.known() == {"n0": (5, 1)}


def test_a_row_taken_over_by_another_node_keeps_nothing() -> None:
    cluster = Cluster()
    cluster.cache.add_node(make_node("n0", images={"app:1": 5}))
    assert cluster.known() == {"n0": (5, 1)}
    cluster.cache.remove_node("n0")
    cluster.cache.update_snapshot(cluster.snapshot)
    cluster.cache.add_node(make_node("n1"))
    assert cluster.known() == {}


def test_columns_grow_with_the_cluster() -> None:
    cluster = Cluster()
    cluster.cache.add_node(make_node("n0", images={"app:1": 5}))
    cluster.known()
    for number in range(1, 40):
        cluster.cache.add_node(make_node(f"n{number}", images={"app:1": 5}))
    known = cluster.known()
    assert known.pop("n0") == (5, 1)
    assert set(known.values()) == {(5, 40)}
