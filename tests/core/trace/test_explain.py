from __future__ import annotations

import pytest

from scheduler_core.trace.detail import CycleDetail, StatusDetail
from scheduler_core.trace.explain import explain, format_amount


@pytest.mark.parametrize(
    ("resource", "amount", "text"),
    [
        ("cpu", 250, "250m"),
        ("cpu", 500, "500m"),
        ("cpu", 0, "0"),
        ("cpu", 1500, "1.5"),
        ("cpu", 3000, "3"),
        ("cpu", 1620, "1620m"),
        ("memory", 1536 * 1024**2, "1.5Gi"),
        ("memory", 512, "512"),
        ("ephemeral-storage", 10 * 1024**3, "10Gi"),
        ("hugepages-2Mi", 4 * 1024**2, "4Mi"),
        ("nvidia.com/gpu", 3, "3"),
    ],
)
def test_amounts_read_as_people_write_them(resource: str, amount: int, text: str) -> None:
    assert format_amount(resource, amount) == text


def test_nodes_that_said_the_same_stand_together_largest_group_first() -> None:
    detail = CycleDetail(cycle=1, t_us=0, pod="a/b", attempt=1, nodes=["x", "y", "z", "w"])
    detail.statuses = [
        StatusDetail(
            "UnschedulableAndUnresolvable", "NodeName", ("node(s) didn't match the requested node name",)
        ),
        StatusDetail(
            "Unschedulable", "NodePorts", ("node(s) didn't have free ports for the requested pod ports",)
        ),
    ]
    detail.outcome = [0, 1, 1, -1]
    first, second = explain(detail)
    assert first.text == "2 nodes: node(s) didn't have free ports for the requested pod ports"
    assert (first.nodes, first.num_nodes, first.plugin) == (("y", "z"), 2, "NodePorts")
    assert second.nodes == ("x",)
