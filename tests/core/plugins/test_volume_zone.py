from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.api.pod import Pod
from scheduler_core.framework.cluster_event import ActionType, QueueingHint
from scheduler_core.plugins import volume_zone
from tests.core.plugins.judging import hints, judge, pre_filter, refused
from tests.core.plugins.reference import volumes as reference
from tests.core.plugins.volumes import REGION, ZONE, Cluster, claim, of_claims, storage_class, volume
from tests.make import make_node, make_pod

BETA_ZONE = "failure-domain.beta.kubernetes.io/zone"
BETA_REGION = "failure-domain.beta.kubernetes.io/region"
REFUSED = ("UnschedulableAndUnresolvable", ("node(s) had no available volume zone",))

node_labels = st.dictionaries(
    st.sampled_from((ZONE, REGION, BETA_ZONE, BETA_REGION, "other")), st.sampled_from(("a", "b", "c"))
)
volume_labels = st.dictionaries(
    st.sampled_from((ZONE, REGION, BETA_ZONE, BETA_REGION)),
    st.sampled_from(("a", "b", "a__b", " a __c", "a__", "")),
)


def zone_pod(*names: str) -> Pod:
    return make_pod(volumes=of_claims(*names))


@given(st.lists(node_labels, min_size=1, max_size=5), st.lists(volume_labels, min_size=1, max_size=2))
def test_the_columns_judge_as_one_node_at_a_time(of_nodes: list, of_volumes: list) -> None:
    nodes = [make_node(f"n{index}", labels=labels) for index, labels in enumerate(of_nodes)]
    objects: list[Any] = [volume(f"v{index}", labels=labels) for index, labels in enumerate(of_volumes)]
    objects += [claim(f"c{index}", volume=f"v{index}") for index in range(len(of_volumes))]
    cluster = Cluster(nodes, objects)
    pod = zone_pod(*(f"c{index}" for index in range(len(of_volumes))))
    expected = {node.metadata.name: reference.volume_zone(of_volumes, node) for node in nodes}
    assert judge(cluster.plugin(volume_zone.new), pod, cluster.snapshot) == expected


def test_a_node_without_topology_labels_passes() -> None:
    cluster = Cluster(
        [make_node("bare"), make_node("in-a", labels={ZONE: "a"}), make_node("in-b", labels={ZONE: "b"})],
        [volume("v", labels={ZONE: "b__c"}), claim("c", volume="v")],
    )
    plugin = cluster.plugin(volume_zone.new)
    assert refused(plugin, zone_pod("c"), cluster.snapshot) == {"in-a": REFUSED}


def test_a_volume_s_old_label_is_met_by_a_node_s_new_one() -> None:
    cluster = Cluster(
        [make_node("new", labels={ZONE: "a"}), make_node("other", labels={REGION: "r"})],
        [volume("v", labels={BETA_ZONE: "a"}), claim("c", volume="v")],
    )
    assert refused(cluster.plugin(volume_zone.new), zone_pod("c"), cluster.snapshot) == {"other": REFUSED}


def test_the_numbers_behind_a_refusal_are_the_volume_and_both_values() -> None:
    cluster = Cluster(
        [make_node("n", labels={ZONE: "a"})], [volume("v", labels={ZONE: "c__b"}), claim("c", volume="v")]
    )
    plugin, nodes = cluster.plugin(volume_zone.new), cluster.snapshot.node_infos
    state, _, _ = pre_filter(plugin, zone_pod("c"), cluster.snapshot)
    assert plugin.refusal_numbers(state, None, nodes, nodes.row_of["n"]) == [
        {"volume": "v", "key": ZONE, "values": ["b", "c"], "node_value": "a"}
    ]


def verdict_on(objects: list[Any], name: str = "c") -> Any:
    cluster = Cluster([make_node("n")], objects)
    return pre_filter(cluster.plugin(volume_zone.new), zone_pod(name), cluster.snapshot)[2]


def test_a_pod_whose_volumes_demand_nothing_is_skipped() -> None:
    skip = ("Skip", ())
    assert verdict_on([claim("c", volume="v"), volume("v")]) == skip
    assert verdict_on([claim("c", storage_class="fast"), storage_class("fast")]) == skip
    cluster = Cluster([make_node("n")])
    assert pre_filter(cluster.plugin(volume_zone.new), make_pod(), cluster.snapshot)[2] == skip


def test_a_claim_that_cannot_be_judged_refuses_the_pod_for_good() -> None:
    def refusal(reason: str) -> tuple[str, tuple[str]]:
        return "UnschedulableAndUnresolvable", (reason,)

    assert verdict_on([]) == refusal('persistentvolumeclaim "c" not found')
    assert verdict_on([], name="") == refusal("PersistentVolumeClaim had no name")
    assert verdict_on([claim("c", volume="v")]) == refusal('persistentvolume "v" not found')
    assert verdict_on([claim("c")]) == refusal('storageclass.storage.k8s.io "fast" not found')
    no_class = "PersistentVolumeClaim had no pv name and storageClass name"
    assert verdict_on([claim("c", storage_class=None)]) == refusal(no_class)
    immediate = storage_class("fast", mode="Immediate")
    assert verdict_on([claim("c"), immediate]) == refusal("PersistentVolume had no name")


def test_a_class_queues_when_it_comes_and_its_claims_wait() -> None:
    plugin = Cluster([make_node("n")]).plugin(volume_zone.new)
    [hint] = hints(plugin, "StorageClass", ActionType.ADD)
    assert hint(make_pod(), None, storage_class()) == QueueingHint.QUEUE
    assert hint(make_pod(), None, storage_class(mode="Immediate")) == QueueingHint.SKIP


def test_a_claim_queues_the_pods_that_name_it() -> None:
    plugin = Cluster([make_node("n")]).plugin(volume_zone.new)
    [hint] = hints(plugin, "PersistentVolumeClaim", ActionType.ADD)
    assert hints(plugin, "PersistentVolumeClaim", ActionType.UPDATE) == [hint]
    assert hint(zone_pod("c"), None, claim("c")) == QueueingHint.QUEUE
    assert hint(zone_pod("c"), None, claim("d")) == QueueingHint.SKIP
    assert hint(zone_pod("c"), None, claim("c", namespace="other")) == QueueingHint.SKIP


def test_a_volume_queues_when_it_comes_or_its_labels_demand_something_else() -> None:
    plugin = Cluster([make_node("n")]).plugin(volume_zone.new)
    [hint] = hints(plugin, "PersistentVolume", ActionType.ADD)
    assert hints(plugin, "PersistentVolume", ActionType.UPDATE) == [hint]
    before, after = volume("v", labels={ZONE: "a"}), volume("v", labels={ZONE: "b"})
    assert hint(make_pod(), None, before) == QueueingHint.QUEUE
    assert hint(make_pod(), before, after) == QueueingHint.QUEUE
    assert hint(make_pod(), before, before) == QueueingHint.SKIP
    assert hint(make_pod(), before, volume("v", labels={ZONE: "a", "x": "y"})) == QueueingHint.SKIP


def test_nothing_else_queues() -> None:
    plugin = Cluster([make_node("n")]).plugin(volume_zone.new)
    events = {(r.event.resource, r.event.action_type) for r in plugin.events_to_register()}
    assert events == {
        ("StorageClass", ActionType.ADD),
        ("Node", ActionType.ADD | ActionType.UPDATE_NODE_LABEL),
        ("PersistentVolumeClaim", ActionType.ADD | ActionType.UPDATE),
        ("PersistentVolume", ActionType.ADD | ActionType.UPDATE),
    }
    without_hints = Cluster([make_node("n")], gates={"SchedulerQueueingHints": False})
    assert hints(without_hints.plugin(volume_zone.new), "Node", ActionType.UPDATE_NODE_TAINT) == [None]
