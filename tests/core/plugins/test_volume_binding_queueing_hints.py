from __future__ import annotations

from typing import Any

from scheduler_core.framework.cluster_event import ActionType, QueueingHint
from scheduler_core.plugins.volume_binding import volume_binding
from tests.core.plugins.judging import hints
from tests.core.plugins.volumes import (
    ZONE,
    Cluster,
    capacity,
    claim,
    csi_driver,
    csi_node,
    ephemeral,
    of_claims,
    storage_class,
)
from tests.make import make_node, make_pod

PLUGIN = Cluster([make_node("n")]).plugin(volume_binding.new)


def hint_on(resource: str) -> Any:
    [hint] = hints(PLUGIN, resource, ActionType.UPDATE)
    return hint


def test_a_class_queues_when_it_comes_or_allows_other_topologies() -> None:
    hint = hint_on("StorageClass")
    before, after = storage_class(allowed=[{ZONE: ["a"]}]), storage_class(allowed=[{ZONE: ["b"]}])
    assert hint(make_pod(), None, before) == QueueingHint.QUEUE
    assert hint(make_pod(), before, after) == QueueingHint.QUEUE
    assert hint(make_pod(), before, before) == QueueingHint.SKIP


def test_a_claim_queues_the_pods_that_use_it() -> None:
    hint = hint_on("PersistentVolumeClaim")
    pod = make_pod("pod", volumes=[*of_claims("c"), ephemeral("tmp")])
    assert hint(pod, None, claim("c")) == QueueingHint.QUEUE
    assert hint(pod, claim("c"), claim("c")) == QueueingHint.QUEUE
    assert hint(pod, None, claim("pod-tmp")) == QueueingHint.QUEUE
    assert hint(pod, None, claim("d")) == QueueingHint.SKIP
    assert hint(pod, None, claim("c", namespace="other")) == QueueingHint.SKIP


def test_a_csi_node_queues_when_it_comes_or_its_migrated_plugins_change() -> None:
    hint = hint_on("CSINode")
    plain, migrated = csi_node("n", {}), csi_node("n", {}, "kubernetes.io/aws-ebs")
    assert hint(make_pod(), None, plain) == QueueingHint.QUEUE
    assert hint(make_pod(), plain, migrated) == QueueingHint.QUEUE
    assert hint(make_pod(), plain, csi_node("n", {"ebs.csi.example": 3})) == QueueingHint.SKIP


def test_a_driver_queues_pods_with_its_inline_volumes_when_it_stops_reporting_storage() -> None:
    hint = hint_on("CSIDriver")
    pod = make_pod(volumes=[{"name": "v", "csi": {"driver": "ebs.csi.example"}}])
    on, off, silent = csi_driver(), csi_driver(storage_capacity=False), csi_driver(storage_capacity=None)
    assert hint(pod, on, off) == QueueingHint.QUEUE
    assert hint(pod, on, silent) == QueueingHint.QUEUE
    assert hint(pod, off, on) == QueueingHint.SKIP
    assert hint(pod, on, on) == QueueingHint.SKIP
    assert hint(make_pod(volumes=of_claims("c")), on, off) == QueueingHint.SKIP
    other = make_pod(volumes=[{"name": "v", "csi": {"driver": "other"}}])
    assert hint(other, on, off) == QueueingHint.SKIP
    assert hints(PLUGIN, "CSIDriver", ActionType.ADD) == []


def test_a_pool_queues_when_it_comes_or_takes_larger_volumes() -> None:
    hint = hint_on("CSIStorageCapacity")
    small, large = capacity("p", size="1Gi"), capacity("p", size="2Gi")
    assert hint(make_pod(), None, small) == QueueingHint.QUEUE
    assert hint(make_pod(), small, large) == QueueingHint.QUEUE
    assert hint(make_pod(), large, small) == QueueingHint.SKIP
    assert hint(make_pod(), capacity("p"), small) == QueueingHint.QUEUE
    assert hint(make_pod(), small, capacity("p")) == QueueingHint.SKIP
    assert hint(make_pod(), small, capacity("p", size="9Gi", largest="1Gi")) == QueueingHint.SKIP
