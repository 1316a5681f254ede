from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.framework.cluster_event import ActionType, QueueingHint
from scheduler_core.plugins import volume_restrictions
from scheduler_core.snapshot.pod_info import PodInfo
from tests.core.plugins.judging import filter_rows, hints, judge, pre_filter, refused
from tests.core.plugins.reference import volumes as reference
from tests.core.plugins.volumes import Cluster, claim, of_claims
from tests.make import make_node, make_pod

DISK = ("Unschedulable", ("node(s) had no available disk",))
ONCE_REASON = (
    "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode "
    "already in-use by another pod"
)
ONCE = ("Unschedulable", (ONCE_REASON,))
ONE_POD = ["ReadWriteOncePod"]

booleans = st.booleans()
disks = st.one_of(
    st.builds(
        lambda name, read_only: {"gcePersistentDisk": {"pdName": name, "readOnly": read_only}},
        st.sampled_from("ab"),
        booleans,
    ),
    st.builds(lambda name: {"awsElasticBlockStore": {"volumeID": name}}, st.sampled_from("ab")),
    st.builds(
        lambda name, read_only: {"iscsi": {"iqn": name, "readOnly": read_only}},
        st.sampled_from("ab"),
        booleans,
    ),
    st.builds(
        lambda image, pool, monitors, read_only: {
            "rbd": {"image": image, "pool": pool, "monitors": monitors, "readOnly": read_only}
        },
        st.sampled_from("ab"),
        st.sampled_from("pq"),
        st.lists(st.sampled_from("xyz"), min_size=1, max_size=2, unique=True),
        booleans,
    ),
    st.builds(lambda name: {"persistentVolumeClaim": {"claimName": name}}, st.sampled_from(("once", "many"))),
)
volume_lists = st.lists(disks, max_size=3).map(
    lambda found: [{"name": f"v{index}", **disk} for index, disk in enumerate(found)]
)
CLAIMS = [claim("once", modes=ONE_POD), claim("many", modes=["ReadWriteMany"])]


@given(volume_lists, st.lists(volume_lists, min_size=1, max_size=4))
def test_the_columns_judge_as_one_node_at_a_time(own: list, others: list) -> None:
    nodes = [make_node(f"n{index}") for index in range(len(others))]
    pods = [make_pod(f"p{index}", node=f"n{index}", volumes=volumes) for index, volumes in enumerate(others)]
    cluster = Cluster(nodes, CLAIMS, pods)
    expected = reference.volume_restrictions(own, others)
    found = judge(cluster.plugin(volume_restrictions.new), make_pod(volumes=own), cluster.snapshot)
    assert list(found.values()) == expected


def gce(name: str, *, read_only: bool = False) -> list[dict[str, Any]]:
    return [{"name": "v", "gcePersistentDisk": {"pdName": name, "readOnly": read_only}}]


def test_a_disk_may_be_mounted_twice_if_both_only_read() -> None:
    reader = make_pod("reader", node="n", volumes=gce("d", read_only=True))
    cluster = Cluster([make_node("n")], pods=[reader])
    plugin = cluster.plugin(volume_restrictions.new)
    assert refused(plugin, make_pod(volumes=gce("d", read_only=True)), cluster.snapshot) == {}
    assert refused(plugin, make_pod(volumes=gce("d")), cluster.snapshot) == {"n": DISK}
    assert refused(plugin, make_pod(volumes=gce("other")), cluster.snapshot) == {}


def test_a_claim_for_one_pod_in_use_anywhere_refuses_every_node() -> None:
    user = make_pod("user", node="n1", volumes=of_claims("once"))
    cluster = Cluster([make_node("n1"), make_node("n2")], CLAIMS, [user])
    plugin = cluster.plugin(volume_restrictions.new)
    assert refused(plugin, make_pod(volumes=of_claims("once")), cluster.snapshot) == {"n1": ONCE, "n2": ONCE}
    assert refused(plugin, make_pod(volumes=of_claims("many")), cluster.snapshot) == {}


def test_a_claim_of_another_namespace_is_another_claim() -> None:
    user = make_pod("user", namespace="other", node="n1", volumes=of_claims("once"))
    cluster = Cluster([make_node("n1")], CLAIMS, [user])
    pod = make_pod(volumes=of_claims("once"))
    assert refused(cluster.plugin(volume_restrictions.new), pod, cluster.snapshot) == {}


def test_a_missing_claim_refuses_the_pod_for_good() -> None:
    cluster = Cluster([make_node("n")])
    pod = make_pod(volumes=of_claims("gone"))
    _, _, verdict = pre_filter(cluster.plugin(volume_restrictions.new), pod, cluster.snapshot)
    assert verdict == ("UnschedulableAndUnresolvable", ('persistentvolumeclaim "gone" not found',))


def test_a_pod_without_disks_and_without_claims_in_use_is_skipped() -> None:
    cluster = Cluster([make_node("n")], CLAIMS)
    plugin = cluster.plugin(volume_restrictions.new)
    for pod in (make_pod(), make_pod(volumes=of_claims("once", "many"))):
        assert pre_filter(plugin, pod, cluster.snapshot)[2] == ("Skip", ())


def test_a_dry_run_counts_the_claims_of_pods_that_come_and_go() -> None:
    user = make_pod("user", node="n1", volumes=of_claims("once"))
    cluster = Cluster([make_node("n1")], CLAIMS, [user])
    plugin, nodes = cluster.plugin(volume_restrictions.new), cluster.snapshot.node_infos
    pod = make_pod(volumes=of_claims("once"))
    state, _, _ = pre_filter(plugin, pod, cluster.snapshot)
    dry_run = state.clone()
    node, other = nodes.info(nodes.row_of["n1"]), PodInfo(user, nodes.axis)
    assert plugin.remove_pod(dry_run, None, other, node) is None
    assert filter_rows(plugin, dry_run, pod, nodes, nodes.order) == {"n1": None}
    assert plugin.add_pod(dry_run, None, other, node) is None
    assert filter_rows(plugin, dry_run, pod, nodes, nodes.order) == {"n1": ONCE}
    assert filter_rows(plugin, state, pod, nodes, nodes.order) == {"n1": ONCE}


def test_a_dry_run_takes_the_claims_of_another_namespace_for_the_pods_own() -> None:
    user = make_pod("user", node="n1", volumes=of_claims("once"))
    stranger = make_pod("stranger", namespace="other", node="n1", volumes=of_claims("once"))
    cluster = Cluster([make_node("n1")], CLAIMS, [user, stranger])
    plugin, nodes = cluster.plugin(volume_restrictions.new), cluster.snapshot.node_infos
    pod = make_pod(volumes=of_claims("once"))
    state, _, _ = pre_filter(plugin, pod, cluster.snapshot)
    node = nodes.info(nodes.row_of["n1"])
    assert filter_rows(plugin, state, pod, nodes, nodes.order) == {"n1": ONCE}
    assert plugin.remove_pod(state, None, PodInfo(stranger, nodes.axis), node) is None
    assert filter_rows(plugin, state, pod, nodes, nodes.order) == {"n1": None}


def test_a_dry_run_sees_the_disks_of_the_node_it_shows() -> None:
    user = make_pod("user", node="n1", volumes=gce("d"))
    cluster = Cluster([make_node("n1"), make_node("n2")], pods=[user])
    plugin, nodes = cluster.plugin(volume_restrictions.new), cluster.snapshot.node_infos
    pod = make_pod(volumes=gce("d"))
    state, _, _ = pre_filter(plugin, pod, cluster.snapshot)
    row = nodes.row_of["n1"]
    without = nodes.info(row).clone()
    without.remove_pod(user.metadata.uid)
    rows = nodes.order[nodes.order == row]
    with cluster.snapshot.overlay(row, without):
        assert filter_rows(plugin, state, pod, nodes, rows) == {"n1": None}
    assert filter_rows(plugin, state, pod, nodes, rows) == {"n1": DISK}


def test_the_numbers_behind_a_refusal_are_the_disk_or_claim_and_the_pods_that_use_it() -> None:
    users = [
        make_pod("a", node="n1", volumes=[*gce("d"), *of_claims("once")]),
        make_pod("b", node="n2", volumes=gce("d")),
    ]
    cluster = Cluster([make_node("n1"), make_node("n2")], CLAIMS, users)
    plugin, nodes = cluster.plugin(volume_restrictions.new), cluster.snapshot.node_infos
    pod = make_pod(volumes=[*gce("d"), *of_claims("once")])
    state, _, _ = pre_filter(plugin, pod, cluster.snapshot)
    info = PodInfo(pod, nodes.axis)
    assert plugin.refusal_numbers(state, info, nodes, nodes.row_of["n2"]) == [
        {"volume": "v", "pods": ["default/b"]},
        {"claim": "once", "pods": ["default/a"]},
    ]


def test_a_pod_that_goes_queues_those_that_want_its_disk_or_claim() -> None:
    plugin = Cluster([make_node("n")]).plugin(volume_restrictions.new)
    [hint] = hints(plugin, "Pod", ActionType.DELETE)
    wants_disk, wants_claim = make_pod(volumes=gce("d")), make_pod(volumes=of_claims("c", "d"))
    assert hint(wants_disk, make_pod("gone", volumes=gce("d")), None) == QueueingHint.QUEUE
    assert hint(wants_disk, make_pod("gone", volumes=gce("e")), None) == QueueingHint.SKIP
    assert hint(wants_disk, make_pod("gone", namespace="other", volumes=gce("d")), None) == QueueingHint.SKIP
    assert hint(wants_claim, make_pod("gone", volumes=of_claims("d")), None) == QueueingHint.QUEUE
    assert hint(wants_claim, make_pod("gone", volumes=of_claims("e")), None) == QueueingHint.SKIP
    assert hint(wants_claim, make_pod("gone"), None) == QueueingHint.SKIP


def test_a_claim_that_comes_queues_the_pods_that_name_it() -> None:
    plugin = Cluster([make_node("n")]).plugin(volume_restrictions.new)
    [hint] = hints(plugin, "PersistentVolumeClaim", ActionType.ADD)
    pod = make_pod(volumes=of_claims("c"))
    assert hint(pod, None, claim("c")) == QueueingHint.QUEUE
    assert hint(pod, None, claim("d")) == QueueingHint.SKIP
    assert hint(pod, None, claim("c", namespace="other")) == QueueingHint.SKIP


def test_nothing_else_queues() -> None:
    plugin = Cluster([make_node("n")]).plugin(volume_restrictions.new)
    events = {(r.event.resource, r.event.action_type) for r in plugin.events_to_register()}
    assert events == {
        ("Pod", ActionType.DELETE),
        ("Node", ActionType.ADD),
        ("PersistentVolumeClaim", ActionType.ADD),
    }
    assert hints(plugin, "Node", ActionType.ADD) == [None]
    without_hints = Cluster([make_node("n")], gates={"SchedulerQueueingHints": False})
    plugin = without_hints.plugin(volume_restrictions.new)
    assert hints(plugin, "Node", ActionType.UPDATE_NODE_TAINT) == [None]
    assert hints(plugin, "Node", ActionType.UPDATE_NODE_LABEL) == [None]
