from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.framework.cluster_event import ActionType, QueueingHint
from scheduler_core.plugins.node_volume_limits import csi
from scheduler_core.snapshot.pod_info import PodInfo
from tests.core.plugins.judging import filter_rows, hints, judge, pre_filter, refused
from tests.core.plugins.reference import volumes as reference
from tests.core.plugins.volumes import (
    Cluster,
    attachment,
    claim,
    csi_node,
    ephemeral,
    of_claims,
    storage_class,
    volume,
)
from tests.make import make_node, make_pod

EXCEEDED = ("Unschedulable", ("node(s) exceed max volume count",))
EBS, PD = "ebs.csi.example", "pd.csi.example"
MIGRATED = "kubernetes.io/aws-ebs,kubernetes.io/gce-pd,kubernetes.io/azure-disk,kubernetes.io/cinder"


def source(driver: str, handle: str) -> dict[str, Any]:
    return {"csi": {"driver": driver, "volumeHandle": handle}}


STORAGE: list[Any] = [
    storage_class("fast", provisioner=EBS),
    storage_class("slow", provisioner=PD),
    volume("ebs-0"),
    volume("ebs-1"),
    volume("pd-0", source=source(PD, "disk-0")),
    claim("e0", volume="ebs-0"),
    claim("e0-again", volume="ebs-0"),
    claim("e1", volume="ebs-1"),
    claim("p0", volume="pd-0"),
    claim("free"),
    claim("free-slow", storage_class="slow"),
    claim("lost", volume="gone"),
    claim("no-class", storage_class="absent"),
]
NAMES = tuple(found.metadata.name for found in STORAGE if found.kind == "PersistentVolumeClaim")
claim_lists = st.lists(st.sampled_from(NAMES), max_size=3, unique=True)
limits = st.dictionaries(st.sampled_from((EBS, PD, "other")), st.integers(0, 4))


@given(
    claim_lists,
    st.lists(
        st.tuples(st.none() | limits, claim_lists, st.lists(st.sampled_from(("ebs-0", "ebs-1", "gone")))),
        min_size=1,
        max_size=4,
    ),
)
def test_the_columns_judge_as_one_node_at_a_time(own: list, found: list) -> None:
    nodes, pods, objects = [], [], list(STORAGE)
    for index, (of_node, claims, attached) in enumerate(found):
        name = f"n{index}"
        nodes.append(make_node(name))
        pods.append(make_pod(f"p{index}", node=name, volumes=of_claims(*claims)))
        if of_node is not None:
            objects.append(csi_node(name, of_node))
        objects += [
            attachment(f"a-{name}-{number}", node=name, volume=disk) for number, disk in enumerate(attached)
        ]
    cluster, world = Cluster(nodes, objects, pods), reference.World(objects)
    expected = {
        f"n{index}": reference.node_volume_limits(world, f"n{index}", own, claims)
        for index, (_, claims, _) in enumerate(found)
    }
    assert judge(cluster.plugin(csi.new), make_pod(volumes=of_claims(*own)), cluster.snapshot) == expected


def cluster_of(*others: dict[str, Any], limit: int = 1, migrated: str = "", objects: Any = ()) -> Cluster:
    pods = [make_pod("user", node="n", volumes=list(others))] if others else []
    drivers = (EBS, "ebs.csi.aws.com", "pd.csi.storage.gke.io", "pxd.portworx.com", "file.csi.azure.com")
    node = csi_node("n", dict.fromkeys(drivers, limit), migrated)
    return Cluster([make_node("n")], [*STORAGE, node, *objects], pods)


def test_a_volume_that_the_node_has_already_counts_once() -> None:
    cluster = cluster_of(*of_claims("e0"))
    plugin = cluster.plugin(csi.new)
    assert refused(plugin, make_pod(volumes=of_claims("e0-again")), cluster.snapshot) == {}
    assert refused(plugin, make_pod(volumes=of_claims("e1")), cluster.snapshot) == {"n": EXCEEDED}


def test_a_claim_without_a_volume_counts_for_its_class_s_driver() -> None:
    cluster = cluster_of(*of_claims("free"))
    plugin = cluster.plugin(csi.new)
    assert refused(plugin, make_pod(volumes=of_claims("e1")), cluster.snapshot) == {"n": EXCEEDED}
    assert refused(plugin, make_pod(volumes=of_claims("free")), cluster.snapshot) == {}
    assert refused(plugin, make_pod(volumes=of_claims("free-slow")), cluster.snapshot) == {}


def test_volumes_that_are_still_attached_count() -> None:
    cluster = cluster_of(objects=[attachment("a", node="n", volume="ebs-0")])
    plugin = cluster.plugin(csi.new)
    assert refused(plugin, make_pod(volumes=of_claims("e1")), cluster.snapshot) == {"n": EXCEEDED}


def test_an_old_disk_counts_as_the_driver_s() -> None:
    disk = {"name": "v", "awsElasticBlockStore": {"volumeID": "aws://zone/vol-1"}}
    pod = make_pod(volumes=[{"name": "v", "awsElasticBlockStore": {"volumeID": "vol-2"}}])
    cluster = cluster_of(disk)
    assert refused(cluster.plugin(csi.new), pod, cluster.snapshot) == {"n": EXCEEDED}
    same = make_pod(volumes=[{"name": "v", "awsElasticBlockStore": {"volumeID": "vol-1"}}])
    assert refused(cluster.plugin(csi.new), same, cluster.snapshot) == {}
    without = Cluster([make_node("n")], [], [make_pod("user", node="n", volumes=[disk])])
    assert refused(without.plugin(csi.new), pod, without.snapshot) == {}


def test_portworx_counts_as_the_driver_s_where_its_plugin_has_moved_to_csi_and_azure_file_never() -> None:
    pod = make_pod(volumes=[{"name": "v", "portworxVolume": {"volumeID": "p"}}])
    share = make_pod(volumes=[{"name": "v", "azureFile": {"secretName": "s", "shareName": "x"}}])
    moved = cluster_of(limit=0, migrated="kubernetes.io/portworx-volume,kubernetes.io/azure-file")
    stays = cluster_of(limit=0)
    assert refused(moved.plugin(csi.new), pod, moved.snapshot) == {"n": EXCEEDED}
    assert refused(stays.plugin(csi.new), pod, stays.snapshot) == {}
    assert refused(moved.plugin(csi.new), share, moved.snapshot) == {}


def test_an_old_volume_behind_a_claim_counts_as_the_driver_s() -> None:
    objects = [
        volume("old", source={"gcePersistentDisk": {"pdName": "d"}}, storage_class="gce"),
        claim("c", volume="old", storage_class="gce"),
        storage_class("gce", provisioner="kubernetes.io/gce-pd"),
        claim("waits", storage_class="gce"),
    ]
    for name in ("c", "waits"):
        pod = make_pod(volumes=of_claims(name))
        cluster = cluster_of(limit=0, objects=objects)
        assert refused(cluster.plugin(csi.new), pod, cluster.snapshot) == {"n": EXCEEDED}
        without = Cluster([make_node("n")], objects)
        assert refused(without.plugin(csi.new), pod, without.snapshot) == {}


def test_a_disk_without_a_readable_identity_is_an_error() -> None:
    cluster = cluster_of()
    pod = make_pod(volumes=[{"name": "v", "awsElasticBlockStore": {"volumeID": "aws://zone/what"}}])
    [(code, reasons)] = refused(cluster.plugin(csi.new), pod, cluster.snapshot).values()
    assert code == "Error"
    assert reasons[0].startswith("converting volume(v) from inline to csi: ")


def test_a_missing_claim_refuses_for_good_and_a_foreign_one_is_an_error() -> None:
    cluster = cluster_of(objects=[claim("pod-tmp", owner_uid="another")])
    plugin = cluster.plugin(csi.new)
    gone = make_pod(volumes=of_claims("gone"))
    reason = 'looking up PVC default/gone: persistentvolumeclaim "gone" not found'
    assert refused(plugin, gone, cluster.snapshot) == {"n": ("UnschedulableAndUnresolvable", (reason,))}
    foreign = make_pod(volumes=[ephemeral("tmp")])
    reason = "PVC default/pod-tmp was not created for pod default/pod (pod is not owner)"
    assert refused(plugin, foreign, cluster.snapshot) == {"n": ("Error", (reason,))}
    nameless = refused(plugin, make_pod(volumes=of_claims("")), cluster.snapshot)
    assert nameless == {"n": ("Error", ("PersistentVolumeClaim had no name",))}


def test_a_pod_without_such_volumes_is_skipped() -> None:
    cluster = cluster_of()
    plugin = cluster.plugin(csi.new)
    for volumes in ([], [{"name": "v", "emptyDir": {}}], [{"name": "v", "hostPath": {"path": "/"}}]):
        assert pre_filter(plugin, make_pod(volumes=volumes), cluster.snapshot)[2] == ("Skip", ())
    for volumes in (
        of_claims("e0"),
        [ephemeral("tmp")],
        [{"name": "v", "gcePersistentDisk": {"pdName": "d"}}],
    ):
        assert pre_filter(plugin, make_pod(volumes=volumes), cluster.snapshot)[2] is None


def test_a_dry_run_sees_the_volumes_of_the_node_it_shows() -> None:
    cluster = cluster_of(*of_claims("e0"))
    plugin, nodes = cluster.plugin(csi.new), cluster.snapshot.node_infos
    pod, row = make_pod(volumes=of_claims("e1")), nodes.row_of["n"]
    state, _, _ = pre_filter(plugin, pod, cluster.snapshot)
    without = nodes.info(row).clone()
    without.remove_pod("uid-Pod-default/user")
    with cluster.snapshot.overlay(row, without):
        assert filter_rows(plugin, state, pod, nodes, nodes.order) == {"n": None}


def test_the_numbers_behind_a_refusal_are_the_driver_s_counts() -> None:
    cluster = cluster_of(*of_claims("e0"))
    plugin, nodes = cluster.plugin(csi.new), cluster.snapshot.node_infos
    pod = make_pod(volumes=of_claims("e1", "p0"))
    state, _, _ = pre_filter(plugin, pod, cluster.snapshot)
    assert plugin.refusal_numbers(state, PodInfo(pod, nodes.axis), nodes, nodes.row_of["n"]) == [
        {"driver": EBS, "used": 1, "added": 1, "limit": 1}
    ]


def test_a_csi_node_queues_when_it_comes_or_allows_more() -> None:
    plugin = cluster_of().plugin(csi.new)
    assert hints(plugin, "CSINode", ActionType.ADD) == [None]
    [hint] = hints(plugin, "CSINode", ActionType.UPDATE)
    one, two = csi_node("n", {EBS: 1}), csi_node("n", {EBS: 2})
    assert hint(make_pod(), one, two) == QueueingHint.QUEUE
    assert hint(make_pod(), two, one) == QueueingHint.SKIP
    assert hint(make_pod(), one, one) == QueueingHint.SKIP
    assert hint(make_pod(), one, csi_node("n", {EBS: 1, PD: 1})) == QueueingHint.QUEUE
    assert hint(make_pod(), one, csi_node("n", {EBS: None})) == QueueingHint.SKIP


def test_a_pod_that_goes_queues_if_it_had_a_node_or_its_promise_and_a_volume() -> None:
    plugin = cluster_of().plugin(csi.new)
    [hint] = hints(plugin, "Pod", ActionType.DELETE)
    for volumes in (of_claims("c"), [ephemeral("e")], [{"name": "v", "cinder": {"volumeID": "v"}}]):
        assert hint(make_pod(), make_pod("gone", node="n", volumes=volumes), None) == QueueingHint.QUEUE
        nominated = make_pod("gone", volumes=volumes, status={"nominatedNodeName": "n"})
        assert hint(make_pod(), nominated, None) == QueueingHint.QUEUE
        assert hint(make_pod(), make_pod("gone", volumes=volumes), None) == QueueingHint.SKIP
    assert hint(make_pod(), make_pod("gone", node="n"), None) == QueueingHint.SKIP
    with_dir = make_pod("gone", node="n", volumes=[{"name": "v", "emptyDir": {}}])
    assert hint(make_pod(), with_dir, None) == QueueingHint.SKIP


def test_a_claim_that_comes_queues_the_pods_that_use_it() -> None:
    plugin = cluster_of().plugin(csi.new)
    [hint] = hints(plugin, "PersistentVolumeClaim", ActionType.ADD)
    pod = make_pod("pod", volumes=[*of_claims("c"), ephemeral("tmp")])
    assert hint(pod, None, claim("c")) == QueueingHint.QUEUE
    assert hint(pod, None, claim("pod-tmp")) == QueueingHint.QUEUE
    assert hint(pod, None, claim("tmp")) == QueueingHint.SKIP
    assert hint(pod, None, claim("c", namespace="other")) == QueueingHint.SKIP


def test_a_detached_volume_queues_pods_with_claims_or_disks_of_its_driver() -> None:
    plugin = cluster_of().plugin(csi.new)
    [hint] = hints(plugin, "VolumeAttachment", ActionType.DELETE)
    gone = attachment("a", node="n", volume="v", driver="ebs.csi.aws.com")
    disk = make_pod(volumes=[{"name": "v", "awsElasticBlockStore": {"volumeID": "vol-1"}}])
    other_disk = make_pod(volumes=[{"name": "v", "gcePersistentDisk": {"pdName": "d"}}])
    assert hint(make_pod(volumes=of_claims("c")), gone, None) == QueueingHint.QUEUE
    assert hint(disk, gone, None) == QueueingHint.QUEUE
    assert hint(other_disk, gone, None) == QueueingHint.SKIP
    assert hint(make_pod(), gone, None) == QueueingHint.SKIP


def test_nothing_else_queues() -> None:
    events = {
        (r.event.resource, r.event.action_type) for r in cluster_of().plugin(csi.new).events_to_register()
    }
    assert events == {
        ("CSINode", ActionType.ADD),
        ("CSINode", ActionType.UPDATE),
        ("Pod", ActionType.DELETE),
        ("PersistentVolumeClaim", ActionType.ADD),
        ("VolumeAttachment", ActionType.DELETE),
    }


def test_dry_runs_of_many_nodes_at_once_see_the_volumes_of_each() -> None:
    nodes = [make_node("n"), make_node("m")]
    objects = [*STORAGE, csi_node("n", {EBS: 1}), csi_node("m", {EBS: 1})]
    cluster = Cluster(nodes, objects, [make_pod("user", node="n", volumes=of_claims("e0"))])
    plugin, columns = cluster.plugin(csi.new), cluster.snapshot.node_infos
    pod = make_pod(volumes=of_claims("e1"))
    state, _, _ = pre_filter(plugin, pod, cluster.snapshot)
    emptied, filled = (columns.info(columns.row_of[name]).clone() for name in ("n", "m"))
    filled.add_pod(emptied.remove_pod("uid-Pod-default/user"))
    with (
        cluster.snapshot.overlay(columns.row_of["n"], emptied),
        cluster.snapshot.overlay(columns.row_of["m"], filled),
    ):
        assert filter_rows(plugin, state, pod, columns, columns.order) == {"n": None, "m": EXCEEDED}
