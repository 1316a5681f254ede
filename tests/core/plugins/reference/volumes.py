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
