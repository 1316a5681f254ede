from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import given, settings

from scheduler_core.api.pod import Pod
from scheduler_core.config.plugin_args import UtilizationShapePoint, VolumeBindingArgs
from scheduler_core.framework.cluster_event import ActionType
from scheduler_core.plugins.volume_binding import scorer, volume_binding
from scheduler_core.plugins.volume_binding.binder import VolumeBinder
from scheduler_core.plugins.volume_binding.find import PodVolumesFinder
from scheduler_core.plugins.volume_binding.pod_volumes import PodVolumes, StaticBinding
from scheduler_core.snapshot.pod_info import PodInfo
from tests.core.plugins import volume_strategies
from tests.core.plugins.judging import filter_rows, hints, judge, pre_filter, refused
from tests.core.plugins.reference import volumes as reference
from tests.core.plugins.volumes import (
    HOST,
    ZONE,
    Cluster,
    capacity,
    claim,
    csi_driver,
    csi_node,
    ephemeral,
    of_claims,
    storage_class,
    volume,
)
from tests.make import make_node, make_pod

UNRESOLVABLE = "UnschedulableAndUnresolvable"
NO_AFFINITY = "node(s) didn't match PersistentVolume's node affinity"
NO_VOLUME = "node(s) didn't find available persistent volumes to bind"
NO_SPACE = "node(s) did not have enough free storage"
SELECTED = "volume.kubernetes.io/selected-node"

LOCAL = storage_class("local", provisioner="kubernetes.io/no-provisioner")
IN_A, IN_B = make_node("a", labels={ZONE: "a", HOST: "a"}), make_node("b", labels={ZONE: "b", HOST: "b"})


def claim_pod(*names: str) -> Pod:
    return make_pod(volumes=of_claims(*names))


def refusal(*reasons: str) -> tuple[str, tuple[str, ...]]:
    return UNRESOLVABLE, tuple(sorted(reasons))


@settings(max_examples=100)
@given(volume_strategies.cases())
def test_the_columns_judge_and_choose_as_one_node_at_a_time(case: volume_strategies.Case) -> None:
    cluster, world = Cluster(case.nodes, case.objects), reference.World(case.objects)
    nodes = cluster.snapshot.node_infos
    binder = VolumeBinder(cluster.handle)
    claims = binder.pod_volume_claims(claim_pod(*case.claims))
    finder = PodVolumesFinder(
        cluster.store, binder.volumes, claims, nodes, nodes.order, attributes_classes=True
    )
    finder.run()
    verdicts = judge(cluster.plugin(volume_binding.new), claim_pod(*case.claims), cluster.snapshot)
    for index, node in enumerate(case.nodes):
        place = [nodes.names[row] for row in nodes.order].index(node.metadata.name)
        reasons, pairs, provisions = reference.find_pod_volumes(world, case.claims, node)
        assert verdicts[node.metadata.name] == (refusal(*reasons) if reasons else None), index
        if not reasons:
            found = finder.pod_volumes(place)
            assert [(c.metadata.name, v.metadata.name) for v, c in found.static_bindings] == pairs
            assert [one.claim.metadata.name for one in found.dynamic_provisions] == provisions


def verdict_on(*objects: Any, pod: Pod | None = None) -> Any:
    cluster = Cluster([make_node("n")], objects)
    return pre_filter(cluster.plugin(volume_binding.new), pod or claim_pod("c"), cluster.snapshot)[2]


def test_a_claim_that_is_not_there_or_of_no_use_refuses_the_pod_for_good() -> None:
    assert verdict_on() == refusal('persistentvolumeclaim "c" not found')
    lost = claim("c", volume="v", phase="Lost")
    assert verdict_on(lost) == refusal('persistentvolumeclaim "c" bound to non-existent persistentvolume "v"')
    assert verdict_on(claim("c", deleted=True)) == refusal('persistentvolumeclaim "c" is being deleted')


def test_a_claim_made_for_a_pod_must_be_there_and_its_own() -> None:
    pod = make_pod(volumes=[ephemeral("tmp")])
    waiting = 'waiting for ephemeral volume controller to create the persistentvolumeclaim "pod-tmp"'
    assert verdict_on(pod=pod) == refusal(waiting)
    foreign = "PVC default/pod-tmp was not created for pod default/pod (pod is not owner)"
    assert verdict_on(claim("pod-tmp", owner_uid="x"), storage_class(), pod=pod) == refusal(foreign)
    assert verdict_on(claim("pod-tmp", owner_uid=pod.metadata.uid), storage_class(), pod=pod) is None


def test_a_claim_that_should_have_been_bound_refuses_the_pod_for_good() -> None:
    unbound = refusal("pod has unbound immediate PersistentVolumeClaims")
    assert verdict_on(claim("c"), storage_class(mode="Immediate")) == unbound
    assert verdict_on(claim("c")) == unbound, "no such class"
    assert verdict_on(claim("c", storage_class=None)) == unbound
    assert verdict_on(claim("c", volume="v", bound=False), storage_class()) == unbound, "meant for a volume"
    assert verdict_on(claim("c"), storage_class()) is None
    assert verdict_on(claim("c", volume="v")) is None


def test_a_class_that_does_not_say_when_it_binds_is_an_error() -> None:
    silent = msgspec.structs.replace(storage_class(), volume_binding_mode=None)
    assert verdict_on(claim("c"), silent) == ("Error", ('VolumeBindingMode not set for StorageClass "fast"',))


def test_a_pod_without_claims_is_skipped() -> None:
    assert verdict_on(pod=make_pod(volumes=[{"name": "v", "emptyDir": {}}])) == ("Skip", ())


def refusals(*objects: Any, pod: Pod | None = None, gates: Any = None) -> Any:
    cluster = Cluster([IN_A, IN_B], objects, gates=gates)
    return refused(cluster.plugin(volume_binding.new), pod or claim_pod("c"), cluster.snapshot)


def test_a_bound_volume_must_be_reached_and_exist() -> None:
    there = volume("v", within={ZONE: ["a"]})
    assert refusals(claim("c", volume="v"), there) == {"b": refusal(NO_AFFINITY)}
    missing = refusal("node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)")
    assert refusals(claim("c", volume="v")) == {"a": missing, "b": missing}


def test_a_condition_on_the_node_s_name_is_ignored() -> None:
    """Upstream looks with a node that has labels and no name, and then at no fields."""
    there = volume("v")
    term = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["a"]}]}
    raw = {"required": {"nodeSelectorTerms": [term]}}
    affinity = msgspec.convert(raw, type(volume("w", within={}).spec.node_affinity))
    there = msgspec.structs.replace(there, spec=msgspec.structs.replace(there.spec, node_affinity=affinity))
    assert set(refusals(claim("c", volume="v"), there)) == set()


def test_without_a_provisioner_an_existing_volume_must_be_free_and_reached() -> None:
    there = volume("v", storage_class="local", within={HOST: ["a"]})
    wanted = claim("c", storage_class="local")
    assert refusals(LOCAL, wanted, there) == {"b": refusal(NO_VOLUME)}
    too_small = volume("v", storage_class="local", size="1Gi")
    assert set(refusals(LOCAL, wanted, too_small)) == {"a", "b"}


def test_two_claims_do_not_share_a_volume() -> None:
    wanted = [claim(name, storage_class="local") for name in ("c", "d")]
    one = volume("v", storage_class="local", within={HOST: ["a"]})
    other = volume("w", storage_class="local", within={ZONE: ["a"]})
    pod = claim_pod("c", "d")
    assert set(refusals(LOCAL, *wanted, one, pod=pod)) == {"a", "b"}
    assert set(refusals(LOCAL, *wanted, one, other, pod=pod)) == {"b"}


def test_a_volume_is_made_only_where_the_class_allows_it() -> None:
    allowed = storage_class(allowed=[{ZONE: ["b", "c"]}])
    assert refusals(allowed, claim("c")) == {"a": refusal(NO_VOLUME)}


def test_a_volume_is_made_only_where_a_pool_has_room() -> None:
    pools = [capacity("p", size="5Gi", topology={ZONE: "a"}), capacity("q", size="4Gi", topology={ZONE: "b"})]
    assert refusals(storage_class(), claim("c"), csi_driver(), *pools) == {"b": refusal(NO_SPACE)}
    assert refusals(storage_class(), claim("c"), csi_driver(storage_capacity=None), *pools) == {}
    assert refusals(storage_class(), claim("c"), *pools) == {}
    assert refusals(storage_class(), claim("c", size=None), csi_driver(), *pools) == {}


def test_a_claim_with_a_selected_node_waits_for_it() -> None:
    assert refusals(storage_class(), claim("c", annotations={SELECTED: "a"})) == {"b": refusal(NO_VOLUME)}


def test_a_class_that_vanishes_is_an_error() -> None:
    cluster = Cluster([IN_A], [storage_class(), claim("c")])
    plugin, nodes = cluster.plugin(volume_binding.new), cluster.snapshot.node_infos
    state, _, _ = pre_filter(plugin, claim_pod("c"), cluster.snapshot)
    cluster.store.delete("StorageClass", "", "fast")
    found = filter_rows(plugin, state, claim_pod("c"), nodes, nodes.order)
    assert found == {"a": ("Error", ('failed to find storage class "fast"',))}


def test_a_selector_that_cannot_be_used_is_an_error() -> None:
    broken = claim("c", selector={"matchExpressions": [{"key": "k", "operator": "Near"}]})
    [(code, (reason,)), _] = refusals(storage_class(), broken).values()
    assert code == "Error"
    assert reason.startswith("error creating internal label selector for claim: default/c: ")


def test_attribute_classes_must_agree_or_be_switched_off() -> None:
    wanted = claim("c", storage_class="local", volumeAttributesClassName="gold")
    plain = volume("v", storage_class="local")
    golden = volume("w", storage_class="local", volumeAttributesClassName="gold")
    assert set(refusals(LOCAL, wanted, plain)) == {"a", "b"}
    assert refusals(LOCAL, wanted, golden) == {}
    [(code, (reason,)), _] = refusals(LOCAL, wanted, golden, gates={"VolumeAttributesClass": False}).values()
    assert (code, reason.split(" on claim ")[0]) == ("Error", "unsupported volumeAttributesClassName is set")
    off = refusals(LOCAL, claim("c", storage_class="local"), golden, gates={"VolumeAttributesClass": False})
    assert set(off) == {"a", "b"}


def test_an_old_volume_is_held_against_the_driver_s_zone_where_its_plugin_has_moved_to_csi() -> None:
    old = volume("v", labels={ZONE: "a"}, source={"awsElasticBlockStore": {"volumeID": "vol-1"}})
    driver_zone = "topology.ebs.csi.aws.com/zone"
    nodes = [make_node("good", labels={driver_zone: "a"}), make_node("bad", labels={driver_zone: "b"})]
    migrated = [csi_node(name, {}, "kubernetes.io/aws-ebs") for name in ("good", "bad")]
    cluster = Cluster(nodes, [old, claim("c", volume="v"), *migrated])
    found = refused(cluster.plugin(volume_binding.new), claim_pod("c"), cluster.snapshot)
    assert found == {"bad": refusal(NO_AFFINITY)}
    cluster = Cluster(nodes, [old, claim("c", volume="v")])
    assert refused(cluster.plugin(volume_binding.new), claim_pod("c"), cluster.snapshot) == {}


def test_the_numbers_behind_a_refusal_are_the_claims_and_what_is_wrong_with_them() -> None:
    objects = [
        claim("c", volume="v"),
        volume("v", within={ZONE: ["b"]}),
        claim("d", storage_class="local"),
        LOCAL,
    ]
    cluster = Cluster([IN_A], objects)
    plugin, nodes = cluster.plugin(volume_binding.new), cluster.snapshot.node_infos
    state, _, _ = pre_filter(plugin, claim_pod("c", "d"), cluster.snapshot)
    records = plugin.refusal_numbers(state, None, nodes, nodes.row_of["a"])
    assert [(one["problem"], one["claim"], one["volume"], one["requested_bytes"]) for one in records] == [
        ("volume_not_reached", "c", "v", 5 << 30),
        ("not_provisioned", "d", "", 5 << 30),
    ]


def test_scores_follow_the_shape_where_storage_is_scored() -> None:
    shape = (UtilizationShapePoint(utilization=0, score=0), UtilizationShapePoint(utilization=100, score=10))
    small = volume("small", storage_class="local", size="10Gi", within={HOST: ["a"]})
    large = volume("large", storage_class="local", size="20Gi", within={HOST: ["b"]})
    cluster = Cluster([IN_A, IN_B], [LOCAL, claim("c", storage_class="local"), small, large])
    plugin, nodes = (
        cluster.plugin(volume_binding.new, VolumeBindingArgs(shape=shape)),
        cluster.snapshot.node_infos,
    )
    pod = claim_pod("c")
    state, _, _ = pre_filter(plugin, pod, cluster.snapshot)
    filter_rows(plugin, state, pod, nodes, nodes.order)
    info = PodInfo(pod, nodes.axis)
    assert plugin.pre_score(state, info, nodes, nodes.order) is None
    scores = plugin.score(state, info, nodes, nodes.order)
    assert {nodes.names[row]: int(score) for row, score in zip(nodes.order, scores, strict=True)} == {
        "a": 50,
        "b": 25,
    }


def test_a_claim_of_which_the_hundredfold_overflows_scores_as_int64_does() -> None:
    bound = StaticBinding(volume("v", size="256Pi"), claim("c", size="128Pi"))
    assert scorer.score(scorer.DEFAULT_SHAPE, PodVolumes((bound,), ())) == 100
    bound = StaticBinding(volume("v", size="64Pi"), claim("c", size="32Pi"))
    assert scorer.score(scorer.DEFAULT_SHAPE, PodVolumes((bound,), ())) == 50


def test_scores_are_left_out_by_default() -> None:
    cluster = Cluster([IN_A], [storage_class(), claim("c")])
    plugin, nodes = cluster.plugin(volume_binding.new), cluster.snapshot.node_infos
    state, _, _ = pre_filter(plugin, claim_pod("c"), cluster.snapshot)
    assert plugin.pre_score(state, PodInfo(claim_pod("c"), nodes.axis), nodes, nodes.order).is_skip


def test_these_events_queue_and_no_others() -> None:
    plugin = Cluster([IN_A]).plugin(volume_binding.new)
    both = ActionType.ADD | ActionType.UPDATE
    assert {(r.event.resource, r.event.action_type) for r in plugin.events_to_register()} == {
        ("StorageClass", both),
        ("PersistentVolumeClaim", both),
        ("PersistentVolume", both),
        ("Node", ActionType.ADD | ActionType.UPDATE_NODE_LABEL),
        ("CSINode", both),
        ("CSIDriver", ActionType.UPDATE),
        ("CSIStorageCapacity", both),
    }
    assert hints(plugin, "PersistentVolume", both) == [None]
    assert hints(plugin, "Node", ActionType.ADD) == [None]
    without_hints = Cluster([IN_A], gates={"SchedulerQueueingHints": False}).plugin(volume_binding.new)
    assert hints(without_hints, "Node", ActionType.UPDATE_NODE_TAINT) == [None]
