"""Nodes and pods for properties: few names and values, so that they often meet."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from scheduler_core.api.node import Node
from scheduler_core.api.pod import Pod
from tests.make import make_node, make_pod

KEYS = ("zone", "disk", "gen")
VALUES = ("a", "b", "1", "2", "-3", "10")
EFFECTS = ("NoSchedule", "NoExecute", "PreferNoSchedule")
SCALARS = ("nvidia.com/gpu", "example.com/fpga", "hugepages-2Mi")
IMAGES = ("app", "app:1", "registry:5000/app", "registry:5000/app:2", "db:latest", "app:latest")
MIB = 1024 * 1024

labels = st.dictionaries(st.sampled_from(KEYS), st.sampled_from(VALUES))
taints = st.lists(
    st.builds("{}={}:{}".format, st.sampled_from(KEYS), st.sampled_from(("", "a", "b")), st.sampled_from(EFFECTS)),
    max_size=3,
)  # fmt: skip
tolerations = st.lists(
    st.fixed_dictionaries(
        {
            "key": st.sampled_from(("", *KEYS, "node.kubernetes.io/unschedulable")),
            "operator": st.sampled_from(("", "Equal", "Exists", "Lt")),
            "value": st.sampled_from(("", "a", "b")),
            "effect": st.sampled_from(("", *EFFECTS)),
        }
    ),
    max_size=3,
)
host_ports = st.lists(
    st.builds(
        "{}{}/{}".format,
        st.sampled_from(("", "0.0.0.0:", "10.0.0.1:", "10.0.0.2:")),
        st.sampled_from((80, 81)),
        st.sampled_from(("TCP", "UDP")),
    ),
    max_size=2,
    unique=True,
)


def with_operator(operator: str) -> st.SearchStrategy[dict[str, Any]]:
    """Conditions on a label with an operator and as many values as it takes."""
    values: st.SearchStrategy[list[str]] = st.lists(st.sampled_from(VALUES), min_size=1, max_size=3)
    if operator in ("Exists", "DoesNotExist"):
        values = st.just([])
    elif operator in ("Gt", "Lt"):
        values = st.lists(st.sampled_from(("1", "2", "-3", "10")), min_size=1, max_size=1)
    return st.fixed_dictionaries(
        {"key": st.sampled_from(KEYS), "operator": st.just(operator), "values": values}
    )


expressions = st.sampled_from(("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt")).flatmap(with_operator)
fields = st.fixed_dictionaries(
    {
        "key": st.just("metadata.name"),
        "operator": st.sampled_from(("In", "NotIn")),
        "values": st.lists(st.sampled_from(("n0", "n1", "absent")), min_size=1, max_size=1),
    }
)
terms = st.fixed_dictionaries(
    {"matchExpressions": st.lists(expressions, max_size=2), "matchFields": st.lists(fields, max_size=1)}
)
selectors = st.fixed_dictionaries({"nodeSelectorTerms": st.lists(terms, min_size=1, max_size=2)})
preferences = st.lists(
    st.fixed_dictionaries({"weight": st.integers(1, 100), "preference": terms}), max_size=3
)
scalars = st.dictionaries(st.sampled_from(SCALARS), st.integers(0, 4).map(str), max_size=2)


@st.composite
def nodes(draw: st.DrawFn, *, max_size: int = 5) -> list[Node]:
    """Nodes n0, n1, … in all their variety."""
    images = st.dictionaries(st.sampled_from(IMAGES), st.integers(0, 1500 * MIB), max_size=3)
    return [
        make_node(
            f"n{index}",
            cpu=f"{draw(st.integers(0, 4000))}m",
            memory=str(draw(st.integers(0, 4096)) * MIB),
            pods=str(draw(st.integers(0, 4))),
            resources=draw(scalars),
            labels=draw(labels),
            taints=draw(taints),
            images=draw(images),
            unschedulable=draw(st.booleans()),
        )
        for index in range(draw(st.integers(1, max_size)))
    ]


@st.composite
def resource_requests(draw: st.DrawFn) -> dict[str, str]:
    """What a container may request, nothing included."""
    found = dict(draw(scalars))
    if draw(st.booleans()):
        found["cpu"] = f"{draw(st.integers(0, 2500))}m"
    if draw(st.booleans()):
        found["memory"] = f"{draw(st.integers(0, 2048))}Mi"
    if draw(st.booleans()):
        found["ephemeral-storage"] = str(draw(st.integers(0, 1)))
    return found


@st.composite
def containers(draw: st.DrawFn, *, sidecars: bool = False) -> dict[str, Any]:
    """A container; ``sidecars``: an init container that may keep running."""
    raw: dict[str, Any] = {
        "name": draw(st.sampled_from(("main", "other"))),
        "image": draw(st.sampled_from(IMAGES)),
        "resources": {"requests": draw(resource_requests())},
    }
    if sidecars and draw(st.booleans()):
        raw["restartPolicy"] = "Always"
    return raw


@st.composite
def pods_with_requests(draw: st.DrawFn, name: str = "pod", node: str = "") -> Pod:
    """Pods whose requests come from containers, init containers, overhead and the pod level."""
    spec: dict[str, Any] = {
        "containers": draw(st.lists(containers(), min_size=1, max_size=2)),
        "initContainers": draw(st.lists(containers(sidecars=True), max_size=2)),
    }
    if draw(st.booleans()):
        spec["overhead"] = {"cpu": "50m"}
    if draw(st.integers(0, 3)) == 0:
        spec["resources"] = {"requests": {"cpu": f"{draw(st.integers(0, 3000))}m"}}
    return make_pod(name, node=node, **spec)


@st.composite
def clusters(draw: st.DrawFn) -> tuple[list[Node], list[Pod]]:
    """Nodes and pods bound to some of them."""
    found = draw(nodes())
    names = st.sampled_from([node.metadata.name for node in found])
    bound = [
        draw(pods_with_requests(name=f"bound-{index}", node=draw(names)))
        for index in range(draw(st.integers(0, 4)))
    ]
    return found, bound
