from __future__ import annotations

from typing import Any

import msgspec

from scheduler_core.simulator.controllers.pv_controller import PersistentVolumeController
from scheduler_core.simulator.object_store import ObjectStore
from tests.core.plugins.volumes import ZONE, claim, storage_class, volume
from tests.make import make_node

SELECTED = "volume.kubernetes.io/selected-node"


def store_of(*objects: Any, driver: str | None = None) -> ObjectStore:
    store = ObjectStore()
    store.listen(PersistentVolumeController(store, driver).on_event)
    for found in objects:
        store.put(found.kind, found)
    return store


def bind_by_scheduler(store: ObjectStore, name: str, of_claim: str) -> None:
    found = store.get("PersistentVolume", "", name)
    bound = volume("x", claim_ref={"name": of_claim, "uid": f"uid-PersistentVolumeClaim-default/{of_claim}"})
    store.put(
        "PersistentVolume",
        msgspec.structs.replace(
            found, spec=msgspec.structs.replace(found.spec, claim_ref=bound.spec.claim_ref)
        ),
    )


def test_a_claim_is_bound_to_the_volume_that_now_refers_to_it() -> None:
    store = store_of(claim("c"), volume("v"))
    bind_by_scheduler(store, "v", "c")
    bound = store.get("PersistentVolumeClaim", "default", "c")
    assert (bound.spec.volume_name, bound.status.phase) == ("v", "Bound")
    assert bound.metadata.annotations["pv.kubernetes.io/bind-completed"] == "yes"
    assert store.get("PersistentVolume", "", "v").status.phase == "Bound"


def test_the_claim_says_what_the_volume_has() -> None:
    store = store_of(claim("c", size="1Gi"), volume("v", size="10Gi", modes=["ReadWriteMany"]))
    bind_by_scheduler(store, "v", "c")
    status = store.get("PersistentVolumeClaim", "default", "c").status
    assert (status.capacity["storage"].format(), status.access_modes) == ("10Gi", ("ReadWriteMany",))


def test_a_claim_with_a_selected_node_gets_a_volume_in_the_node_s_zone() -> None:
    store = store_of(storage_class(), make_node("n", labels={ZONE: "z"}), claim("c"))
    store.put("PersistentVolumeClaim", claim("c", annotations={SELECTED: "n"}))
    made = store.get("PersistentVolume", "", "pvc-c")
    assert made.spec.csi.driver == "ebs.csi.example"
    assert made.spec.claim_ref.uid == "uid-PersistentVolumeClaim-default/c"
    assert made.spec.capacity["storage"].format() == "5Gi"
    assert made.spec.node_affinity.required.matches("", {ZONE: "z"})
    bound = store.get("PersistentVolumeClaim", "default", "c")
    assert (bound.spec.volume_name, bound.metadata.annotations[SELECTED]) == ("pvc-c", "n")


def test_a_node_without_a_zone_gives_a_volume_for_every_node() -> None:
    store = store_of(storage_class(), make_node("n"), claim("c"))
    store.put("PersistentVolumeClaim", claim("c", annotations={SELECTED: "n"}))
    assert store.get("PersistentVolume", "", "pvc-c").spec.node_affinity is None


def test_the_driver_may_be_set_for_all_volumes() -> None:
    store = store_of(storage_class(), make_node("n"), claim("c"), driver="other")
    store.put("PersistentVolumeClaim", claim("c", annotations={SELECTED: "n"}))
    assert store.get("PersistentVolume", "", "pvc-c").spec.csi.driver == "other"


def test_what_was_so_from_the_start_stays() -> None:
    waiting, reserved = claim("c", annotations={SELECTED: "n"}), claim("d")
    mine = volume("v", claim_ref={"name": "d", "uid": reserved.metadata.uid})
    store = store_of(storage_class(), make_node("n"), waiting, reserved, mine)
    store.put("PersistentVolumeClaim", waiting)
    store.put("PersistentVolume", mine)
    assert store.get("PersistentVolumeClaim", "default", "c").spec.volume_name == ""
    assert store.get("PersistentVolumeClaim", "default", "d").spec.volume_name == ""
    assert [one.metadata.name for one in store.list("PersistentVolume")] == ["v"]


def test_nothing_is_made_without_a_class_or_a_provisioner() -> None:
    local = storage_class("local", provisioner="kubernetes.io/no-provisioner")
    store = store_of(
        local, make_node("n"), claim("c", storage_class="local"), claim("d", storage_class="gone")
    )
    for name, of_class in (("c", "local"), ("d", "gone")):
        store.put("PersistentVolumeClaim", claim(name, storage_class=of_class, annotations={SELECTED: "n"}))
    assert list(store.list("PersistentVolume")) == []
    store.delete("PersistentVolumeClaim", "default", "c")
