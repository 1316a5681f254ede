"""The columns of topology spread against one node at a time."""

from __future__ import annotations

from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from scheduler_core.api.affinity import TopologySpreadConstraint
from scheduler_core.api.pod import Pod
from scheduler_core.config.plugin_args import PodTopologySpreadArgs
from scheduler_core.plugins.pod_topology_spread import plugin as pod_topology_spread
from scheduler_core.snapshot.pod_info import PodInfo
from tests.core.plugins import pod_strategies, strategies
from tests.core.plugins.judging import filter_rows, judge, pre_filter, score
from tests.core.plugins.pod_strategies import Cluster
from tests.core.plugins.reference import spread as reference
from tests.core.plugins.small_handle import handle_of
from tests.make import make, make_pod


def pods(*actions: str) -> st.SearchStrategy[Pod]:
    return pod_strategies.pods(
        "pod",
        tolerations=strategies.tolerations,
        nodeSelector=st.dictionaries(st.just("disk"), st.sampled_from(("a", "b"))),
        topologySpreadConstraints=pod_strategies.spread_constraints(*actions),
    )


def selects_all(constraint: TopologySpreadConstraint, pod: Pod) -> bool:
    selector = constraint.label_selector
    if selector is None or any(key in pod.metadata.labels for key in constraint.match_label_keys):
        return False
    return not selector.match_labels and not selector.match_expressions


def plugin_of(cluster: Cluster, *objects: Any, args: PodTopologySpreadArgs | None = None) -> Any:
    return pod_topology_spread.new(args, handle_of(cluster.nodes, cluster.pods, objects))


@given(pod_strategies.clusters(leaving=True), pods("DoNotSchedule", "ScheduleAnyway"))
def test_the_columns_judge_as_one_node_at_a_time(cluster: Cluster, pod: Pod) -> None:
    handle = handle_of(cluster.nodes, cluster.pods)
    expected = {node.metadata.name: reference.verdict(cluster, pod, node) for node in cluster.nodes}
    assert judge(pod_topology_spread.new(None, handle), pod, handle.snapshot) == expected


@given(pod_strategies.clusters(leaving=True), pods("DoNotSchedule", "ScheduleAnyway"))
def test_the_columns_score_as_one_node_at_a_time(cluster: Cluster, pod: Pod) -> None:
    constraints = reference.constraints_of(pod, "ScheduleAnyway")
    assume(pod.spec.topology_spread_constraints)
    handle = handle_of(cluster.nodes, cluster.pods)
    plugin = pod_topology_spread.new(None, handle)
    if not constraints:
        assert score(plugin, pod, handle.snapshot) is None
        return
    selectors = [reference.own_selector(constraint, pod) for constraint in constraints]
    raw = reference.raw_scores(cluster, pod, constraints, selectors, require_all=True)
    assert score(plugin, pod, handle.snapshot) == {name: number or 0 for name, number in raw.items()}
    assert score(plugin, pod, handle.snapshot, normalize=True) == reference.normalized(raw)


@given(pod_strategies.clusters(), pods("DoNotSchedule"), st.data())
def test_a_dry_run_judges_its_node_as_if_the_pods_were_there(
    cluster: Cluster, pod: Pod, data: st.DataObject
) -> None:
    # An empty selector counts no pod that is there and every pod of a dry run: upstream asks it only there.
    assume(not any(selects_all(constraint, pod) for constraint in pod.spec.topology_spread_constraints))
    handle = handle_of(cluster.nodes, cluster.pods)
    nodes, plugin = handle.snapshot.node_infos, pod_topology_spread.new(None, handle)
    state, _, status = pre_filter(plugin, pod, handle.snapshot)
    assume(status is None)
    node = data.draw(st.sampled_from(cluster.nodes))
    row = nodes.row_of[node.metadata.name]
    removed = data.draw(
        st.lists(st.sampled_from(cluster.pods), unique_by=id) if cluster.pods else st.just([])
    )
    removed = [other for other in removed if other.spec.node_name == node.metadata.name]
    added = [data.draw(pod_strategies.pods(f"added-{index}", node.metadata.name)) for index in range(3)]
    dry, info = state.clone(), PodInfo(pod, nodes.axis)
    for other in removed:
        assert plugin.remove_pod(dry, info, PodInfo(other, nodes.axis), nodes.info(row)) is None
    for other in added:
        assert plugin.add_pod(dry, info, PodInfo(other, nodes.axis), nodes.info(row)) is None
    after = Cluster(cluster.nodes, [*(p for p in cluster.pods if p not in removed), *added])
    for changed, where in ((dry, after), (state, cluster)):
        verdict = filter_rows(plugin, changed, pod, nodes, nodes.order[nodes.order == row])
        assert verdict == {node.metadata.name: reference.verdict(where, pod, node)}


SYSTEM_DEFAULTS = [
    TopologySpreadConstraint(
        topology_key=pod_strategies.HOSTNAME, max_skew=3, when_unsatisfiable="ScheduleAnyway"
    ),
    TopologySpreadConstraint(
        topology_key=pod_strategies.ZONE, max_skew=5, when_unsatisfiable="ScheduleAnyway"
    ),
]


@given(pod_strategies.clusters(leaving=True), pod_strategies.tolerated_pods, st.booleans())
def test_defaults_score_as_one_node_at_a_time(cluster: Cluster, pod: Pod, is_system: bool) -> None:
    labels = {"app": "a"}
    pod = make_pod(
        namespace=pod.metadata.namespace,
        labels=labels,
        nodeSelector=pod.spec.node_selector,
    )
    service = make(
        {
            "apiVersion": "v1",
            "kind": "Service",
            "metadata": {"name": "s", "namespace": pod.metadata.namespace},
            "spec": {"selector": labels},
        }
    )
    args = None
    if not is_system:
        args = PodTopologySpreadArgs(default_constraints=tuple(SYSTEM_DEFAULTS), defaulting_type="List")
    handle = handle_of(cluster.nodes, cluster.pods, [service])
    selectors = [lambda other: other.metadata.labels.get("app") == "a"] * 2
    raw = reference.raw_scores(cluster, pod, SYSTEM_DEFAULTS, selectors, require_all=not is_system)
    plugin = pod_topology_spread.new(args, handle)
    assert score(plugin, pod, handle.snapshot) == {name: number or 0 for name, number in raw.items()}
    assert score(plugin, pod, handle.snapshot, normalize=True) == reference.normalized(raw)
