"""Clusters for properties about pods that ask for other pods: few labels and domains, which often meet."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec
from hypothesis import strategies as st

from scheduler_core.api.node import Node
from scheduler_core.api.pod import Pod
from tests.core.plugins import strategies
from tests.make import make_node, make_pod

HOSTNAME = "kubernetes.io/hostname"
ZONE = "topology.kubernetes.io/zone"
TOPOLOGY_KEYS = (HOSTNAME, ZONE, "rack")
NAMESPACES = {"default": {"team": "a"}, "one": {"team": "a", "env": "x"}, "two": {"team": "b"}}

pod_labels = st.dictionaries(st.sampled_from(("app", "tier")), st.sampled_from(("a", "b")))
namespaces = st.sampled_from(tuple(NAMESPACES))


class Cluster(NamedTuple):
    """Nodes and the pods bound to them."""

    nodes: list[Node]
    pods: list[Pod]

    def pods_on(self, node: Node) -> list[Pod]:
        return [pod for pod in self.pods if pod.spec.node_name == node.metadata.name]


def _requirement(keys: tuple[str, ...], values: tuple[str, ...]) -> st.SearchStrategy[dict[str, Any]]:
    with_values = st.fixed_dictionaries(
        {
            "key": st.sampled_from(keys),
            "operator": st.sampled_from(("In", "NotIn")),
            "values": st.lists(st.sampled_from(values), min_size=1, max_size=2, unique=True),
        }
    )
    without = st.fixed_dictionaries(
        {"key": st.sampled_from(keys), "operator": st.sampled_from(("Exists", "DoesNotExist"))}
    )
    return with_values | without


def label_selectors(
    keys: tuple[str, ...] = ("app", "tier"), values: tuple[str, ...] = ("a", "b")
) -> st.SearchStrategy[dict[str, Any] | None]:
    """Selectors of few labels; None matches nothing, {} everything."""
    match_labels = st.dictionaries(st.sampled_from(keys), st.sampled_from(values), max_size=2)
    expressions = st.lists(_requirement(keys, values), max_size=1)
    return st.none() | st.fixed_dictionaries({"matchLabels": match_labels, "matchExpressions": expressions})


def spread_constraints(*actions: str, max_size: int = 3) -> st.SearchStrategy[list[dict[str, Any]]]:
    """Constraints that ask for one of the actions."""
    policies = st.sampled_from((None, "Honor", "Ignore"))
    return st.lists(
        st.fixed_dictionaries(
            {
                "maxSkew": st.integers(1, 3),
                "topologyKey": st.sampled_from(TOPOLOGY_KEYS),
                "whenUnsatisfiable": st.sampled_from(actions),
                "labelSelector": label_selectors(),
                "minDomains": st.none() | st.integers(1, 4),
                "nodeAffinityPolicy": policies,
                "nodeTaintsPolicy": policies,
                "matchLabelKeys": st.lists(st.sampled_from(("app", "tier")), max_size=1),
            }
        ),
        max_size=max_size,
    )


affinity_terms = st.fixed_dictionaries(
    {
        "labelSelector": label_selectors(),
        "topologyKey": st.sampled_from(TOPOLOGY_KEYS),
        "namespaces": st.lists(namespaces, max_size=1),
        "namespaceSelector": label_selectors(("team", "env"), ("a", "b", "x")),
    }
)
required = st.lists(affinity_terms, max_size=2)
preferred = st.lists(
    st.fixed_dictionaries({"weight": st.integers(1, 100), "podAffinityTerm": affinity_terms}), max_size=2
)
rules = st.fixed_dictionaries(
    {
        "requiredDuringSchedulingIgnoredDuringExecution": required,
        "preferredDuringSchedulingIgnoredDuringExecution": preferred,
    }
)
affinities = st.fixed_dictionaries({}, optional={"podAffinity": rules, "podAntiAffinity": rules})


@st.composite
def nodes(draw: st.DrawFn) -> list[Node]:
    """Nodes n0, n1, … in few domains, some of them in none."""
    found = []
    for index in range(draw(st.integers(1, 6))):
        labels = draw(
            st.fixed_dictionaries(
                {},
                optional={
                    ZONE: st.sampled_from(("a", "b", "")),
                    "rack": st.sampled_from(("a", "1", "2")),
                    "disk": st.sampled_from(("a", "b")),
                },
            )
        )
        if draw(st.integers(0, 9)):
            labels[HOSTNAME] = draw(st.sampled_from((f"n{index}", f"n{index}", "n0")))
        found.append(make_node(f"n{index}", labels=labels, taints=draw(strategies.taints)))
    return found


@st.composite
def pods(draw: st.DrawFn, name: str, node: str = "", *, leaving: bool = False, **spec: Any) -> Pod:
    """A pod of any namespace; ``spec``: strategies of further fields."""
    pod = make_pod(
        name,
        namespace=draw(namespaces),
        labels=draw(pod_labels),
        node=node,
        **{field: draw(strategy) for field, strategy in spec.items()},
    )
    if leaving and draw(st.integers(0, 4)) == 0:
        metadata = msgspec.structs.replace(pod.metadata, deletion_timestamp=1_000_000)
        return msgspec.structs.replace(pod, metadata=metadata)
    return pod


@st.composite
def clusters(draw: st.DrawFn, *, leaving: bool = False, **spec: Any) -> Cluster:
    """Nodes and up to eight pods bound to them; ``spec``: strategies of further fields of the pods."""
    found = draw(nodes())
    names = st.sampled_from([node.metadata.name for node in found])
    bound = [
        draw(pods(f"bound-{index}", draw(names), leaving=leaving, **spec))
        for index in range(draw(st.integers(0, 8)))
    ]
    return Cluster(found, bound)


tolerated_pods = pods(
    "pod",
    tolerations=strategies.tolerations,
    nodeSelector=st.dictionaries(st.just("disk"), st.sampled_from(("a", "b"))),
)
