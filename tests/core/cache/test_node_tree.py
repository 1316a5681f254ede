from __future__ import annotations

from scheduler_core.cache.node_tree import NodeTree
from tests.make import make_node

ZONE = "topology.kubernetes.io/zone"


def test_zones_are_taken_in_turn_and_nodes_within_them_in_the_order_of_their_arrival() -> None:
    tree = NodeTree()
    for name, zone in (("a1", "a"), ("a2", "a"), ("a3", "a"), ("b1", "b"), ("n1", ""), ("b2", "b")):
        tree.add(make_node(name, labels={ZONE: zone} if zone else {}))
    assert tree.list() == ["a1", "b1", "n1", "a2", "b2", "a3"]


def test_the_old_zone_label_counts_where_the_new_one_is_missing() -> None:
    tree = NodeTree()
    tree.add(make_node("new", labels={ZONE: "a"}))
    tree.add(make_node("old", labels={"failure-domain.beta.kubernetes.io/zone": "a"}))
    tree.add(make_node("other", labels={ZONE: "b"}))
    assert tree.list() == ["new", "other", "old"]


def test_the_old_zone_label_comes_first_where_a_node_has_both() -> None:
    tree = NodeTree()
    old, new = "failure-domain.beta.kubernetes.io/zone", ZONE
    for name, labels in (("a", {old: "x", new: "y"}), ("b", {new: "x"}), ("c", {old: "", new: "x"})):
        tree.add(make_node(name, labels=labels))
    assert tree.list() == ["a", "c", "b"], "an empty label is one, too"


def test_an_empty_zone_goes_and_comes_back_last() -> None:
    tree = NodeTree()
    a, b = make_node("a", labels={ZONE: "a"}), make_node("b", labels={ZONE: "b"})
    tree.add(a)
    tree.add(b)
    tree.remove(a)
    tree.add(a)
    assert tree.list() == ["b", "a"]


def test_a_node_that_changes_zone_moves_to_the_end_of_its_new_one() -> None:
    tree = NodeTree()
    moving = make_node("moving", labels={ZONE: "a"})
    for node in (moving, make_node("a", labels={ZONE: "a"}), make_node("b", labels={ZONE: "b"})):
        tree.add(node)
    tree.update(moving, make_node("moving", labels={ZONE: "b"}))
    assert tree.list() == ["a", "b", "moving"]
