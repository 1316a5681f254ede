"""Small pictures of clusters, and why their pods wait."""

from __future__ import annotations

import re
from typing import Any

import pytest

from engine.imports.picture import HEIGHT, MAX_TILES, WIDTH, hue_of, picture_of, sampled
from engine.imports.waiting import main_reason, reasons_of


def node(name: str, zone: str = "", used: int = 0, **more: Any) -> dict[str, Any]:
    allocatable = {"cpu": 1000, "pods": 110}
    requested = {"cpu": used, "pods": 0}
    plain = {"name": name, "zone": zone, "allocatable": allocatable, "requested": requested}
    return {**plain, "unschedulable": False, "ready": True, **more}


def pod(node_name: str, cpu: int, namespace: str = "default", phase: str = "Running") -> dict[str, Any]:
    return {"namespace": namespace, "node": node_name, "phase": phase, "requests": {"cpu": cpu}}


def rects(path: str) -> list[tuple[int, ...]]:
    """Returns x, y, width and height of what a path draws."""
    found = re.findall(r"M(\d+) (\d+)h(\d+)v(\d+)h-\d+z", path)
    return [tuple(map(int, each)) for each in found]


def test_hues_are_those_of_the_map() -> None:
    assert [hue_of(word) for word in ("default", "kube-system", "edge", "shop")] == [12, 14, 14, 11]


def test_slices_fill_a_node_as_far_as_its_pods_ask() -> None:
    pods = [pod("n1", 500), pod("n1", 250, "shop"), pod("n1", 900, phase="Succeeded"), pod("", 100)]
    picture = picture_of([node("n1", used=750)], pods, num_waiting=1)
    ((x, _, width, _),) = rects(picture["free"])
    ((half_x, _, half, _),) = rects(picture[f"h{hue_of('default')}"])
    ((quarter_x, _, quarter, _),) = rects(picture[f"h{hue_of('shop')}"])
    assert (half_x, half + 1) == (x, round(width / 2))
    assert (quarter_x, quarter + 1) == (x + round(width / 2), round(width * 0.75) - round(width / 2))
    assert len(rects(picture["waits"])) == 1


def test_zones_stand_beside_each_other_in_their_order() -> None:
    nodes = [node("a", "z2"), node("b", "z1"), node("c", "z1")]
    picture = picture_of(nodes, [], 0)
    (first, second) = rects(picture["zone"])
    assert first[0] + first[2] < second[0]
    lefts = [x for x, *_ in rects(picture["free"])]
    assert lefts[0] > max(lefts[1:])


def test_a_node_that_takes_no_pods_is_drawn_apart() -> None:
    picture = picture_of([node("a", unschedulable=True), node("b", ready=False), node("c")], [], 0)
    assert {name: len(rects(path)) for name, path in picture.items()} == {"zone": 1, "off": 2, "free": 1}


@pytest.mark.parametrize("num_nodes", [0, 1, 2, 7, 40, 120, 121, 600])
@pytest.mark.parametrize("num_zones", [1, 3, 40])
def test_any_number_of_nodes_stays_within_the_picture(num_nodes: int, num_zones: int) -> None:
    nodes = [node(f"n{i}", f"z{i % num_zones}", used=i % 1001) for i in range(num_nodes)]
    picture = picture_of(nodes, [pod(each["name"], each["requested"]["cpu"]) for each in nodes], 500)
    drawn = [rect for path in picture.values() for rect in rects(path)]
    assert all(x + width <= WIDTH + 1 and y + height <= HEIGHT for x, y, width, height in drawn)
    tiles = [rect for name, path in picture.items() if name[0] == "u" for rect in rects(path)]
    assert len(tiles) == (num_nodes if num_nodes > 120 else 0)
    assert len(set(tiles)) == len(tiles)


def test_a_picture_is_small_however_large_the_cluster_is() -> None:
    nodes = [node(f"n{i}", f"z{i % 3}", used=i % 1001) for i in range(5000)]
    drawn = sampled(nodes)
    assert len({each["name"] for each in drawn}) == MAX_TILES
    for zone in ("z0", "z1", "z2"):
        assert 150 < sum(each["zone"] == zone for each in drawn) < 250
    assert sum(map(len, picture_of(drawn, [], 9).values())) < 16_000
    full = [node(f"n{i}", used=1000) for i in range(120)]
    pods = [pod(each["name"], 10, f"team-{i % 40}") for each in full for i in range(100)]
    assert sum(map(len, picture_of(full, pods, 0).values())) < 16_000


SEVERAL = (
    "0/9 nodes are available: 1 node(s) had untolerated taint {a: b}, 1 node(s) were unschedulable, "
    "7 node(s) didn't have free ports for the requested pod ports. no new claims to deallocate, "
    "preemption: 0/9 nodes are available: 9 Preemption is not helpful for scheduling."
)


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("0/4 nodes are available: 4 Insufficient cpu.", "Insufficient cpu"),
        (SEVERAL, "node(s) didn't have free ports for the requested pod ports"),
        (
            '0/3 nodes are available: persistentvolumeclaim "data" not found. preemption: 0/3 nodes are available',
            'persistentvolumeclaim "data" not found',
        ),
        ("no nodes available to schedule pods", "no nodes available to schedule pods"),
        ("", ""),
    ],
)
def test_the_reason_that_most_nodes_give_stands_for_all(message: str, reason: str) -> None:
    assert main_reason(message) == reason


def test_reasons_are_counted_by_pods() -> None:
    said = [
        "0/1 nodes are available: 1 A.",
        "0/1 nodes are available: 1 B.",
        "0/2 nodes are available: 2 B.",
        "",
    ]
    assert reasons_of(said) == [["B", 2], ["A", 1]]
