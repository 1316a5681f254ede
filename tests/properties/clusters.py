"""Generated clusters, in the form of a case: nodes in zones, and pods that have to do with each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hypothesis import strategies as st

if TYPE_CHECKING:
    from tests.conformance.compare import Case

ZONE: Final = "topology.kubernetes.io/zone"
HOST: Final = "kubernetes.io/hostname"
APPS: Final = ("web", "db")

taints = st.sampled_from(
    (
        [],
        [],
        [{"key": "gpu", "value": "yes", "effect": "NoSchedule"}],
        [{"key": "old", "effect": "PreferNoSchedule"}],
        [{"key": "gpu", "value": "no", "effect": "NoExecute"}, {"key": "old", "effect": "NoSchedule"}],
    )
)
tolerations = st.lists(
    st.sampled_from(
        (
            {"key": "gpu", "operator": "Exists"},
            {"key": "old", "operator": "Exists", "effect": "NoSchedule"},
            {"key": "gpu", "operator": "Equal", "value": "yes", "effect": "NoSchedule"},
        )
    ),
    max_size=2,
)
selectors = st.sampled_from(APPS).map(lambda app: {"matchLabels": {"app": app}})


@st.composite
def nodes(draw: st.DrawFn, number: int) -> dict[str, Any]:
    """A node of some size in one of two zones, or in none."""
    name = f"n{number}"
    labels = {HOST: name, "disk": draw(st.sampled_from(("ssd", "hdd")))}
    if zone := draw(st.sampled_from(("a", "b", ""))):
        labels[ZONE] = zone
    allocatable = {"cpu": draw(st.sampled_from(("2", "4"))), "memory": "8Gi", "pods": "6"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": labels},
        "spec": {"taints": draw(taints), "unschedulable": draw(st.integers(0, 7)) == 0},
        "status": {"allocatable": allocatable},
    }


@st.composite
def affinities(draw: st.DrawFn) -> dict[str, Any]:
    """Affinity to other pods, or to nodes."""
    term = {"labelSelector": draw(selectors), "topologyKey": draw(st.sampled_from((ZONE, HOST)))}
    weighted = [{"weight": draw(st.integers(1, 100)), "podAffinityTerm": term}]
    required, preferred = (
        "requiredDuringSchedulingIgnoredDuringExecution",
        "preferredDuringSchedulingIgnoredDuringExecution",
    )
    disk = [{"matchExpressions": [{"key": "disk", "operator": "In", "values": ["ssd", "tape"]}]}]
    return draw(
        st.sampled_from(
            (
                {},
                {"podAffinity": {required: [term]}},
                {"podAntiAffinity": {required: [term]}},
                {"podAntiAffinity": {preferred: weighted}, "podAffinity": {preferred: weighted}},
                {"nodeAffinity": {required: {"nodeSelectorTerms": disk}}},
                {"nodeAffinity": {preferred: [{"weight": 7, "preference": disk[0]}]}},
            )
        )
    )


@st.composite
def pods(draw: st.DrawFn, number: int, node_names: list[str]) -> dict[str, Any]:
    """A pod, bound to one of the nodes named or pending where none is."""
    spec: dict[str, Any] = {
        "tolerations": draw(tolerations),
        "affinity": draw(affinities()),
        "priority": draw(st.sampled_from((0, 0, 10))),
    }
    container: dict[str, Any] = {"name": "main", "image": "app:1"}
    container["resources"] = {"requests": {"cpu": f"{draw(st.sampled_from((0, 500, 1500)))}m"}}
    if draw(st.integers(0, 4)) == 0:
        container["ports"] = [{"containerPort": 80, "hostPort": 80}]
    spec["containers"] = [container]
    if action := draw(st.sampled_from(("", "", "DoNotSchedule", "ScheduleAnyway"))):
        spec["topologySpreadConstraints"] = [
            {
                "maxSkew": 1,
                "topologyKey": draw(st.sampled_from((ZONE, HOST))),
                "whenUnsatisfiable": action,
                "labelSelector": draw(selectors),
            }
        ]
    if node_names:
        spec["nodeName"] = draw(st.sampled_from(node_names))
    labels = {"app": draw(st.sampled_from(APPS))}
    metadata = {
        "name": f"p{number}",
        "namespace": draw(st.sampled_from(("default", "other"))),
        "labels": labels,
    }
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}


def replica(template: dict[str, Any], number: int) -> dict[str, Any]:
    """A pod that asks for what others of its template ask for, as those of a Deployment do."""
    return {**template, "metadata": {**template["metadata"], "name": f"p{number}"}}


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """A cluster, pods that wait for a node, and what changes later."""
    found = [draw(nodes(number)) for number in range(draw(st.integers(1, 6)))]
    names = [node["metadata"]["name"] for node in found]
    bound = [draw(pods(number, names)) for number in range(draw(st.integers(0, 6)))]
    templates = [draw(pods(number, [])) for number in range(draw(st.integers(1, 3)))]
    order = draw(st.lists(st.sampled_from(templates), min_size=1, max_size=12))
    pending = [replica(template, 10 + number) for number, template in enumerate(order)]
    step: dict[str, Any] = {"advanceSeconds": 20, "apply": [draw(nodes(9))], "delete": []}
    if bound and draw(st.booleans()):
        metadata = bound[0]["metadata"]
        step["delete"] = [f"Pod/{metadata['namespace']}/{metadata['name']}"]
    objects = [
        *found,
        *bound,
        *pending,
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "other"}},
    ]
    return {"name": "generated", "objects": objects, "steps": [step]}
