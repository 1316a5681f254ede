"""Reserve, Unreserve and PreBind of VolumeBinding."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.api.pod import Pod
from scheduler_core.plugins.volume_binding import volume_binding
from scheduler_core.simulator.controllers.pv_controller import PersistentVolumeController
from scheduler_core.snapshot.pod_info import PodInfo
from tests.core.plugins.judging import filter_rows, pre_filter, refused
from tests.core.plugins.volumes import HOST, ZONE, Cluster, claim, csi_node, of_claims, storage_class, volume
from tests.make import make_node, make_pod

SELECTED = "volume.kubernetes.io/selected-node"
LOCAL = storage_class("local", provisioner="kubernetes.io/no-provisioner")
IN_A, IN_B = make_node("a", labels={ZONE: "a", HOST: "a"}), make_node("b", labels={ZONE: "b", HOST: "b"})


def claim_pod(*names: str) -> Pod:
    return make_pod(volumes=of_claims(*names))


class Attempt:
    """One attempt of VolumeBinding, from PreFilter on, with the controller that completes it."""

    def __init__(self, *objects: Any, pod: Pod, completed: bool = True) -> None:
        self.cluster = Cluster([IN_A, IN_B], [IN_A, IN_B, *objects])
        if completed:
            self.cluster.store.listen(PersistentVolumeController(self.cluster.store).on_event)
        self.plugin = self.cluster.plugin(volume_binding.new)
        nodes = self.cluster.snapshot.node_infos
        self.pod, self.info, self.info_axis = pod, PodInfo(pod, nodes.axis), nodes.axis
        self.state, _, verdict = pre_filter(self.plugin, pod, self.cluster.snapshot)
        self.skipped = verdict == ("Skip", ())
        if not self.skipped:
            filter_rows(self.plugin, self.state, pod, nodes, nodes.order)

    def reserve(self, node: str) -> None:
        assert self.plugin.reserve(self.state, self.info, node) is None

    def pre_bind(self, node: str) -> Any:
        return self.plugin.pre_bind(self.state, self.info, node)

    def claim(self, name: str = "c") -> Any:
        return self.cluster.store.get("PersistentVolumeClaim", "default", name)

    def volume(self, name: str) -> Any:
        return self.cluster.store.get("PersistentVolume", "", name)


def test_binding_gives_the_claim_the_smallest_volume_that_fits() -> None:
    volumes = [
        volume("large", storage_class="local", size="50Gi"),
        volume("small", storage_class="local", size="6Gi"),
        volume("tiny", storage_class="local", size="1Gi"),
    ]
    attempt = Attempt(LOCAL, claim("c", storage_class="local"), *volumes, pod=claim_pod("c"))
    attempt.reserve("a")
    assert attempt.claim().spec.volume_name == "", "nothing is written before PreBind"
    assert attempt.pre_bind("a") is None
    assert attempt.claim().spec.volume_name == "small"
    bound = attempt.volume("small")
    assert (bound.status.phase, bound.spec.claim_ref.uid) == ("Bound", attempt.claim().metadata.uid)
    assert bound.metadata.annotations == {"pv.kubernetes.io/bound-by-controller": "yes"}


def test_a_volume_reserved_by_name_is_taken_though_a_smaller_one_fits() -> None:
    volumes = [
        volume("mine", storage_class="local", size="50Gi", claim_ref={"name": "c"}, phase="Available"),
        volume("small", storage_class="local", size="6Gi"),
    ]
    attempt = Attempt(LOCAL, claim("c", storage_class="local"), *volumes, pod=claim_pod("c"))
    attempt.reserve("a")
    assert attempt.pre_bind("a") is None
    assert attempt.claim().spec.volume_name == "mine"
    assert attempt.volume("mine").metadata.annotations == {}, "the user bound it"


def test_binding_has_a_missing_volume_made_in_the_node_s_zone() -> None:
    attempt = Attempt(storage_class(), claim("c"), pod=claim_pod("c"))
    attempt.reserve("b")
    assert attempt.pre_bind("b") is None
    assert attempt.claim().metadata.annotations[SELECTED] == "b"
    made = attempt.volume(attempt.claim().spec.volume_name)
    assert made.spec.node_affinity.required.matches("", {ZONE: "b"})
    assert not made.spec.node_affinity.required.matches("", {ZONE: "a"})


def test_the_next_pod_sees_what_was_assumed_and_unreserve_takes_it_back() -> None:
    objects = [LOCAL, claim("c", storage_class="local"), claim("d", storage_class="local")]
    attempt = Attempt(*objects, volume("v", storage_class="local"), pod=claim_pod("c"))
    attempt.reserve("a")
    other = claim_pod("d")
    assert set(refused(attempt.plugin, other, attempt.cluster.snapshot)) == {"a", "b"}
    attempt.plugin.unreserve(attempt.state, attempt.info, "a")
    assert refused(attempt.plugin, other, attempt.cluster.snapshot) == {}


def test_the_next_pod_sees_the_node_selected_for_a_claim_they_share() -> None:
    attempt = Attempt(storage_class(), claim("c"), pod=claim_pod("c"))
    attempt.reserve("a")
    assert set(refused(attempt.plugin, claim_pod("c"), attempt.cluster.snapshot)) == {"b"}
    attempt.plugin.unreserve(attempt.state, attempt.info, "a")
    assert refused(attempt.plugin, claim_pod("c"), attempt.cluster.snapshot) == {}


def test_news_from_the_api_server_replaces_what_was_assumed() -> None:
    attempt = Attempt(storage_class(), claim("c"), pod=claim_pod("c"))
    attempt.reserve("a")
    attempt.cluster.store.put("PersistentVolumeClaim", claim("c", annotations={"news": "yes"}))
    assert refused(attempt.plugin, claim_pod("c"), attempt.cluster.snapshot) == {}


@pytest.mark.parametrize("objects", [(claim("c", volume="v"), volume("v")), ()], ids=["bound", "none"])
def test_nothing_is_written_where_nothing_is_to_be_bound(objects: tuple[Any, ...]) -> None:
    attempt = Attempt(*objects, pod=claim_pod("c") if objects else make_pod())
    version = attempt.cluster.store.resource_version
    attempt.reserve("a")
    assert attempt.pre_bind("a") is None
    attempt.plugin.unreserve(attempt.state, attempt.info, "a")
    assert attempt.cluster.store.resource_version == version


def test_a_claim_that_changed_after_reserve_is_not_overwritten() -> None:
    attempt = Attempt(storage_class(), claim("c"), pod=claim_pod("c"))
    attempt.reserve("a")
    other = PodInfo(make_pod("other", volumes=of_claims("c")), attempt.info_axis)
    state, _, _ = pre_filter(attempt.plugin, other.pod, attempt.cluster.snapshot)
    nodes = attempt.cluster.snapshot.node_infos
    filter_rows(attempt.plugin, state, other.pod, nodes, nodes.order)
    assert attempt.plugin.reserve(state, other, "a") is None
    assert attempt.pre_bind("a") is None
    status = attempt.plugin.pre_bind(state, other, "a")
    assert (status.code_name, status.message.split(":")[0]) == (
        "Error",
        'Operation cannot be fulfilled on persistentvolumeclaims "c"',
    )
    assert attempt.claim().spec.volume_name == "pvc-c"
    attempt.cluster.store.delete("PersistentVolumeClaim", "default", "c")
    assert attempt.plugin.pre_bind(state, other, "a").message == 'persistentvolumeclaims "c" not found'


def test_claims_that_nobody_binds_time_out() -> None:
    objects = [storage_class(), LOCAL, claim("c"), claim("d", storage_class="local")]
    for name in ("c", "d"):
        attempt = Attempt(*objects, volume("v", storage_class="local"), pod=claim_pod(name), completed=False)
        attempt.reserve("a")
        status = attempt.pre_bind("a")
        assert (status.code_name, status.message) == ("Error", "binding volumes: context deadline exceeded")


def test_a_claim_whose_objects_vanish_before_reserve_is_an_error() -> None:
    for kind, name in (("PersistentVolume", "v"), ("PersistentVolumeClaim", "c")):
        namespace = "" if kind == "PersistentVolume" else "default"
        found = volume("v", storage_class="fast", within={ZONE: ["a"]})
        attempt = Attempt(storage_class(), claim("c"), found, pod=claim_pod("c"))
        attempt.cluster.store.delete(kind, namespace, name)
        node = "a" if kind == "PersistentVolume" else "b"
        status = attempt.plugin.reserve(attempt.state, attempt.info, node)
        assert (status.code_name, status.message.split('"')[0]) == ("Error", f"could not find v1.{kind} ")


def test_a_bound_volume_of_an_old_plugin_is_held_against_the_driver_s_zone() -> None:
    ebs = {"awsElasticBlockStore": {"volumeID": "vol-1"}}
    old = volume("v", storage_class="local", labels={ZONE: "a"}, source=ebs)
    moved = csi_node("a", {}, "kubernetes.io/aws-ebs")
    attempt = Attempt(LOCAL, claim("c", storage_class="local"), old, moved, pod=claim_pod("c"))
    attempt.reserve("a")
    assert attempt.pre_bind("a").reasons == (
        'binding volumes: pv "v" node affinity doesn\'t match node "a": no matching NodeSelectorTerms',
    )
    stays = Attempt(LOCAL, claim("c", storage_class="local"), old, csi_node("a", {}), pod=claim_pod("c"))
    stays.reserve("a")
    assert stays.pre_bind("a") is None


def test_a_bound_volume_that_cannot_be_translated_is_an_error() -> None:
    ebs = {"awsElasticBlockStore": {"volumeID": "aws://zone/disk"}}
    moved = csi_node("a", {}, "kubernetes.io/aws-ebs")
    old = volume("v", storage_class="local", source=ebs)
    attempt = Attempt(LOCAL, claim("c", storage_class="local"), old, moved, pod=claim_pod("c"))
    attempt.reserve("a")
    assert attempt.pre_bind("a").reasons == (
        (
            "binding volumes: failed to translate pv to csi: could not translate pv: failed to translate "
            "Kubernetes ID to EBS Volume ID Invalid format for AWS volume (aws://zone/disk)"
        ),
    )
