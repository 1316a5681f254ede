"""Selectors that the API server may let through and that cannot be parsed: what each plugin makes of them."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.framework.cluster_event import QueueingHint
from scheduler_core.plugins import node_affinity
from scheduler_core.plugins.inter_pod_affinity import plugin as inter_pod_affinity
from scheduler_core.plugins.pod_topology_spread import plugin as pod_topology_spread
from scheduler_core.plugins.volume_binding import volume_binding
from scheduler_core.snapshot.pod_info import PodInfo
from tests.core.plugins.judging import pre_filter, refused
from tests.core.plugins.volumes import Cluster, claim, of_claims, storage_class, volume
from tests.make import make_node, make_pod

HOST = "kubernetes.io/hostname"
NO_LABEL = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start "
    "and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for "
    "validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
)
NODE = make_node("n", labels={HOST: "n", "gen": "7", "zone": "a"})
AFFINITY_REASON = "node(s) didn't match Pod's node affinity/selector"
EXPRESSIONS = [
    {"key": "gen", "operator": "Gt", "values": ["-5"]},
    {"key": "gen", "operator": "NotIn", "values": ["-5"]},
    {"key": "zone", "operator": "In", "values": ["a", "b_"]},
    {"key": "-gen", "operator": "DoesNotExist"},
    {"key": "gen", "operator": "Exists", "values": ["7"]},
    {"key": "gen", "operator": "Lt", "values": ["9", "9"]},
]


def selecting(value: str) -> dict[str, Any]:
    return {"matchExpressions": [{"key": "app", "operator": "NotIn", "values": [value]}]}


def node_pod(**affinity: Any) -> Any:
    return make_pod(affinity={"nodeAffinity": affinity})


def required(*expressions: dict[str, Any]) -> Any:
    terms = [{"matchExpressions": [one]} for one in expressions]
    return node_pod(requiredDuringSchedulingIgnoredDuringExecution={"nodeSelectorTerms": terms})


def pre_score(plugin: Any, pod: Any, cluster: Cluster) -> Any:
    nodes = cluster.snapshot.node_infos
    state, _, _ = pre_filter(plugin, pod, cluster.snapshot)
    return plugin.pre_score(state, cluster_pod(pod, cluster), nodes, nodes.order)


def cluster_pod(pod: Any, cluster: Cluster) -> Any:
    return PodInfo(pod, cluster.snapshot.node_infos.axis)


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_a_required_term_that_cannot_be_parsed_matches_no_node(expression: dict[str, Any]) -> None:
    cluster = Cluster([NODE], [])
    plugin = cluster.plugin(node_affinity.new)
    found = refused(plugin, required(expression), cluster.snapshot)
    assert found == {"n": ("UnschedulableAndUnresolvable", (AFFINITY_REASON,))}
    other = {"key": "zone", "operator": "In", "values": ["a"]}
    assert refused(plugin, required(expression, other), cluster.snapshot) == {}, "terms are alternatives"


def test_preferred_terms_that_cannot_be_parsed_fail_with_each_problem_once() -> None:
    cluster = Cluster([NODE], [])
    bad = {"matchExpressions": [{"key": "gen", "operator": "Gt", "values": ["-5"]}]}
    two = [
        {"weight": 1, "preference": bad},
        {
            "weight": 2,
            "preference": {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["a", "b"]}]},
        },
    ]
    plugin = cluster.plugin(node_affinity.new)
    first = f'[0].matchExpressions[0].values[0][gen]: Invalid value: "-5": {NO_LABEL}'
    status = pre_score(plugin, node_pod(preferredDuringSchedulingIgnoredDuringExecution=two[:1]), cluster)
    assert (status.code.name, status.reasons) == ("ERROR", (first,))
    status = pre_score(plugin, node_pod(preferredDuringSchedulingIgnoredDuringExecution=two), cluster)
    second = '[1].matchFields[0].values: Invalid value: ["a","b"]: must have one element'
    assert status.reasons == (f"[{first}, {second}]",)
    unweighted = [{"weight": 0, "preference": bad}]
    assert (
        pre_score(plugin, node_pod(preferredDuringSchedulingIgnoredDuringExecution=unweighted), cluster)
        is None
    ), "terms without weight are not parsed"


@pytest.mark.parametrize("kind", ["podAffinity", "podAntiAffinity"])
@pytest.mark.parametrize("selector", ["labelSelector", "namespaceSelector"])
def test_a_pod_whose_terms_cannot_be_parsed_is_refused(kind: str, selector: str) -> None:
    cluster = Cluster([NODE], [])
    term = {selector: selecting("-x"), "topologyKey": HOST}
    pod = make_pod(affinity={kind: {"requiredDuringSchedulingIgnoredDuringExecution": [term]}})
    _, _, verdict = pre_filter(cluster.plugin(inter_pod_affinity.new), pod, cluster.snapshot)
    terms = kind.replace("podA", "requiredA") + "Terms"
    problem = f'parsing pod: {terms}: values[0][app]: Invalid value: "-x": {NO_LABEL}'
    assert verdict == ("UnschedulableAndUnresolvable", (problem,))
    hint = cluster.plugin(inter_pod_affinity.new).is_schedulable_after_node_change
    assert hint(pod, NODE, NODE) == QueueingHint.QUEUE, "an error of a hint queues"


def test_a_running_pod_with_a_term_that_cannot_be_parsed_has_none_of_that_list() -> None:
    bad = {"labelSelector": selecting("-x"), "topologyKey": HOST}
    good = {"labelSelector": {"matchLabels": {"app": "db"}}, "topologyKey": HOST}
    incoming = make_pod(labels={"app": "db"})
    for terms, count in (([good], 1), ([good, bad], 0)):
        anti = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}}
        cluster = Cluster([NODE], [], [make_pod("there", node="n", affinity=anti)])
        assert len(refused(cluster.plugin(inter_pod_affinity.new), incoming, cluster.snapshot)) == count


def test_a_spread_constraint_that_cannot_be_parsed_fails_the_attempt() -> None:
    cluster = Cluster([NODE], [])
    plugin = cluster.plugin(pod_topology_spread.new)
    problem = f'values[0][app]: Invalid value: "-x": {NO_LABEL}'

    def spread(action: str) -> Any:
        one = {
            "maxSkew": 1,
            "topologyKey": HOST,
            "whenUnsatisfiable": action,
            "labelSelector": selecting("-x"),
        }
        return make_pod(topologySpreadConstraints=[one])

    _, _, verdict = pre_filter(plugin, spread("DoNotSchedule"), cluster.snapshot)
    assert verdict == ("Error", (f"obtaining pod's hard topology spread constraints: {problem}",))
    what = "calculating preScoreState: obtaining pod's soft topology spread constraints"
    assert pre_score(plugin, spread("ScheduleAnyway"), cluster).reasons == (f"{what}: {problem}",)


def test_allowed_topologies_with_a_value_of_no_label_allow_no_node() -> None:
    for values, count in ((["a"], 0), (["a", "-b"], 1)):
        made = storage_class("s", allowed=[{"zone": values}])
        cluster = Cluster([NODE], [made, claim("c", storage_class="s")])
        pod = make_pod(volumes=of_claims("c"))
        assert len(refused(cluster.plugin(volume_binding.new), pod, cluster.snapshot)) == count


def test_fields_in_the_node_affinity_of_a_volume_are_not_looked_at() -> None:
    field = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["elsewhere"]}]}
    for term, count in ((field, 0), (field | {"matchExpressions": [{"key": "no", "operator": "Exists"}]}, 1)):
        held = volume("v", nodeAffinity={"required": {"nodeSelectorTerms": [term]}})
        cluster = Cluster([NODE], [held, claim("c", volume="v")])
        pod = make_pod(volumes=of_claims("c"))
        assert len(refused(cluster.plugin(volume_binding.new), pod, cluster.snapshot)) == count
