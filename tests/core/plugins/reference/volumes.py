"""Volumes, one node at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scheduler_core.api.node import Node

Verdict = tuple[str, tuple[str, ...]]

BETA = "failure-domain.beta.kubernetes.io/"
GA = "topology.kubernetes.io/"
TOPOLOGY_LABELS = (BETA + "zone", BETA + "region", GA + "zone", GA + "region")
UNRESOLVABLE = "UnschedulableAndUnresolvable"
DISK = ("Unschedulable", ("node(s) had no available disk",))
ONCE_REASON = (
    "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode "
    "already in-use by another pod"
)
ONCE = ("Unschedulable", (ONCE_REASON,))


def volume_zone(volume_labels: Sequence[Mapping[str, str]], node: Node) -> Verdict | None:
    labels = node.metadata.labels
    if not any(key in labels for key in TOPOLOGY_LABELS):
        return None
    for of_volume in volume_labels:
        for key in TOPOLOGY_LABELS:
            if key not in of_volume:
                continue
            values = [part.strip() for part in of_volume[key].split("__")]
            if "" in values:
                continue
            value = labels.get(key)
            if value is None:
                value = labels.get(key.replace(BETA, GA))
            if value not in values:
                return UNRESOLVABLE, ("node(s) had no available volume zone",)
    return None


def volume_restrictions(
    own: list[dict[str, Any]], others: list[list[dict[str, Any]]]
) -> list[Verdict | None]:
    """The verdicts on nodes with one pod each; the claim "once" is for one pod only."""

    def claims(volumes: list[dict[str, Any]]) -> set[str]:
        return {
            found["persistentVolumeClaim"]["claimName"]
            for found in volumes
            if "persistentVolumeClaim" in found
        }

    in_use = "once" in claims(own) and any("once" in claims(volumes) for volumes in others)
    verdicts: list[Verdict | None] = []
    for volumes in others:
        if any(excludes(mine, theirs) for mine in own for theirs in volumes):
            verdicts.append(DISK)
        else:
            verdicts.append(ONCE if in_use else None)
    return verdicts


def excludes(mine: dict[str, Any], theirs: dict[str, Any]) -> bool:
    def both(source: str) -> tuple[dict[str, Any], dict[str, Any]] | None:
        return (mine[source], theirs[source]) if source in mine and source in theirs else None

    if pair := both("gcePersistentDisk"):
        return pair[0]["pdName"] == pair[1]["pdName"] and not all(disk["readOnly"] for disk in pair)
    if pair := both("awsElasticBlockStore"):
        return pair[0]["volumeID"] == pair[1]["volumeID"]
    if pair := both("iscsi"):
        return pair[0]["iqn"] == pair[1]["iqn"] and not all(disk["readOnly"] for disk in pair)
    if pair := both("rbd"):
        same = all(pair[0][field] == pair[1][field] for field in ("image", "pool"))
        shared = bool(set(pair[0]["monitors"]) & set(pair[1]["monitors"]))
        return same and shared and not all(disk["readOnly"] for disk in pair)
    return False


class World:
    """Storage objects by name, as plain dictionaries of typed objects."""

    def __init__(self, objects: Sequence[Any]) -> None:
        self.by_kind: dict[str, dict[str, Any]] = {}
        for found in objects:
            self.by_kind.setdefault(found.kind, {})[found.metadata.name] = found

    def get(self, kind: str, name: str) -> Any:
        return self.by_kind.get(kind, {}).get(name)

    def all(self, kind: str) -> list[Any]:
        of_kind = self.by_kind.get(kind, {})
        return [of_kind[name] for name in sorted(of_kind)]


def unique_volumes(world: World, claim_names: Sequence[str]) -> dict[str, str]:
    """Unique name → driver of the volumes behind claims of the namespace "default"."""
    found = {}
    for name in claim_names:
        claim = world.get("PersistentVolumeClaim", name)
        if claim is None:
            continue
        volume = world.get("PersistentVolume", claim.spec.volume_name) if claim.spec.volume_name else None
        if volume is not None:
            found[volume.spec.csi.volume_handle] = volume.spec.csi.driver
        elif (of_class := world.get("StorageClass", claim.spec.storage_class_name)) is not None:
            found[f"unbound {name}"] = of_class.provisioner
    return found


def node_volume_limits(world: World, node: str, own: Sequence[str], others: Sequence[str]) -> Verdict | None:
    """The verdict on a node whose pods use the claims ``others``."""
    csi_node = world.get("CSINode", node)
    limits = {}
    if csi_node is not None:
        limits = {
            driver.name: driver.allocatable.count for driver in csi_node.spec.drivers if driver.allocatable
        }
    there = unique_volumes(world, others)
    attached = dict(there)
    for attachment in world.all("VolumeAttachment"):
        volume = world.get("PersistentVolume", attachment.spec.source.persistent_volume_name)
        if attachment.spec.node_name == node and volume is not None:
            attached[volume.spec.csi.volume_handle] = attachment.spec.attacher
    brought = {name: driver for name, driver in unique_volumes(world, own).items() if name not in there}
    for driver in brought.values():
        limit = limits.get(driver)
        total = [*attached.values()].count(driver) + [*brought.values()].count(driver)
        if limit is not None and total > limit:
            return "Unschedulable", ("node(s) exceed max volume count",)
    return None


def find_pod_volumes(
    world: World, claim_names: Sequence[str], node: Node
) -> tuple[set[str], list[tuple[str, str]], list[str]]:
    """Reasons, (claim, volume) pairs and claims to be provisioned for one node, claim by claim.

    An error is the one reason ``error: …``.
    """
    reasons: set[str] = set()
    claims = [world.get("PersistentVolumeClaim", name) for name in claim_names]
    bound = [claim for claim in claims if claim.spec.volume_name]
    for claim in bound:
        volume = world.get("PersistentVolume", claim.spec.volume_name)
        if volume is None:
            reasons.add("node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)")
            break
        if not reaches(volume, node):
            reasons.add("node(s) didn't match PersistentVolume's node affinity")
            break
    conflict = "node(s) didn't find available persistent volumes to bind"
    annotation = "volume.kubernetes.io/selected-node"
    provisions, to_match = [], []
    for claim in claims:
        if claim.spec.volume_name:
            continue
        selected = claim.metadata.annotations.get(annotation)
        if selected is None:
            to_match.append(claim)
        elif selected != node.metadata.name:
            return {*reasons, conflict}, [], []
        else:
            provisions.append(claim)
    to_match.sort(key=lambda claim: size_of(claim.spec.resources.requests))
    pairs: list[tuple[str, str]] = []
    for claim in to_match:
        volume = best_volume(world, claim, node, {name for _, name in pairs})
        if volume is None:
            provisions.append(claim)
        else:
            pairs.append((claim.metadata.name, volume.metadata.name))
    for claim in provisions:
        of_class = world.get("StorageClass", claim.spec.storage_class_name)
        if of_class.provisioner == "kubernetes.io/no-provisioner" or not allowed(of_class, node):
            return {*reasons, conflict}, [], []
        if not has_room(world, claim, of_class, node):
            return {*reasons, "node(s) did not have enough free storage"}, [], []
    return reasons, pairs, [claim.metadata.name for claim in provisions]


def size_of(amounts: Mapping[str, Any]) -> int:
    return amounts["storage"].value() if "storage" in amounts else 0


def reaches(volume: Any, node: Node) -> bool:
    affinity = volume.spec.node_affinity
    if affinity is None or affinity.required is None:
        return True
    return affinity.required.matches("", node.metadata.labels)


def best_volume(world: World, claim: Any, node: Node, taken: set[str]) -> Any:
    best = None
    for volume in world.all("PersistentVolume"):
        spec, reference = volume.spec, volume.spec.claim_ref
        mine = reference is not None and reference.name == claim.metadata.name
        if mine and reference.uid not in ("", claim.metadata.uid):
            mine = False
        if spec.storage_class_name != claim.spec.storage_class_name or volume.metadata.name in taken:
            continue
        if (reference is not None and not mine) or volume.metadata.deletion_timestamp is not None:
            continue
        if size_of(spec.capacity) < size_of(claim.spec.resources.requests):
            continue
        if (spec.volume_mode or "Filesystem") != (claim.spec.volume_mode or "Filesystem"):
            continue
        if mine:
            return volume if reaches(volume, node) else None
        selector = claim.spec.selector
        if selector is not None and not selector.matches(volume.metadata.labels):
            continue
        fits = volume.status.phase == "Available" and set(claim.spec.access_modes) <= set(spec.access_modes)
        if not fits or not reaches(volume, node):
            continue
        if best is None or size_of(spec.capacity) < size_of(best.spec.capacity):
            best = volume
    return best


def allowed(of_class: Any, node: Node) -> bool:
    labels = node.metadata.labels
    terms = [term.match_label_expressions for term in of_class.allowed_topologies]
    return not terms or any(term and all(labels.get(one.key) in one.values for one in term) for term in terms)


def has_room(world: World, claim: Any, of_class: Any, node: Node) -> bool:
    driver = world.get("CSIDriver", of_class.provisioner)
    if driver is None or not driver.spec.storage_capacity or "storage" not in claim.spec.resources.requests:
        return True
    for pool in world.all("CSIStorageCapacity"):
        limit = pool.maximum_volume_size or pool.capacity
        if pool.storage_class_name != of_class.metadata.name or pool.node_topology is None or limit is None:
            continue
        enough = limit.value() >= size_of(claim.spec.resources.requests)
        if enough and pool.node_topology.matches(node.metadata.labels):
            return True
    return False
