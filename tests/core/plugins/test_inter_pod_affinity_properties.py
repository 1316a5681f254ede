"""The columns of pod affinity against one node and one pod at a time."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from scheduler_core.api.pod import Pod
from scheduler_core.config.plugin_args import InterPodAffinityArgs
from scheduler_core.plugins.inter_pod_affinity import plugin as inter_pod_affinity
from scheduler_core.snapshot.pod_info import PodInfo
from tests.core.plugins import pod_strategies
from tests.core.plugins.judging import filter_rows, judge, pre_filter, score
from tests.core.plugins.pod_strategies import NAMESPACES, Cluster
from tests.core.plugins.reference import pod_affinity as reference
from tests.core.plugins.small_handle import handle_of, make_namespace

OBJECTS = [make_namespace(name, **labels) for name, labels in NAMESPACES.items()]
clusters = pod_strategies.clusters(affinity=pod_strategies.affinities)
pods = pod_strategies.pods("pod", affinity=pod_strategies.affinities)


@given(clusters, pods)
def test_the_columns_judge_as_one_node_at_a_time(cluster: Cluster, pod: Pod) -> None:
    handle = handle_of(cluster.nodes, cluster.pods, OBJECTS)
    expected = {node.metadata.name: reference.verdict(cluster, pod, node) for node in cluster.nodes}
    assert judge(inter_pod_affinity.new(None, handle), pod, handle.snapshot) == expected


@given(clusters, pods, st.sampled_from((0, 1, 37)))
def test_the_columns_score_as_one_node_at_a_time(cluster: Cluster, pod: Pod, hard_weight: int) -> None:
    handle = handle_of(cluster.nodes, cluster.pods, OBJECTS)
    plugin = inter_pod_affinity.new(InterPodAffinityArgs(hard_pod_affinity_weight=hard_weight), handle)
    raw = reference.raw_scores(cluster, pod, hard_weight)
    assert score(plugin, pod, handle.snapshot) == raw
    if raw is not None:
        assert score(plugin, pod, handle.snapshot, normalize=True) == reference.normalized(raw)


@given(clusters, pods, st.data())
def test_a_dry_run_judges_its_node_as_if_the_pods_were_there(
    cluster: Cluster, pod: Pod, data: st.DataObject
) -> None:
    handle = handle_of(cluster.nodes, cluster.pods, OBJECTS)
    nodes, plugin = handle.snapshot.node_infos, inter_pod_affinity.new(None, handle)
    state, _, status = pre_filter(plugin, pod, handle.snapshot)
    assume(status is None)
    node = data.draw(st.sampled_from(cluster.nodes))
    row = nodes.row_of[node.metadata.name]
    removed = [other for other in cluster.pods_on(node) if data.draw(st.booleans())]
    affinity = pod_strategies.affinities
    added = [
        data.draw(pod_strategies.pods(f"added-{index}", node.metadata.name, affinity=affinity))
        for index in range(2)
    ]
    dry, info = state.clone(), PodInfo(pod, nodes.axis)
    for other in removed:
        assert plugin.remove_pod(dry, info, PodInfo(other, nodes.axis), nodes.info(row)) is None
    for other in added:
        assert plugin.add_pod(dry, info, PodInfo(other, nodes.axis), nodes.info(row)) is None
    after = Cluster(cluster.nodes, [*(p for p in cluster.pods if p not in removed), *added])
    for changed, where in ((dry, after), (state, cluster)):
        verdict = filter_rows(plugin, changed, pod, nodes, nodes.order[nodes.order == row])
        assert verdict == {node.metadata.name: reference.verdict(where, pod, node)}
