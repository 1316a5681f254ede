from __future__ import annotations

import pytest

from scheduler_core.plugins.helper import csi_migration
from tests.core.plugins.volumes import HOST, REGION, ZONE, csi_node, volume
from tests.make import make_pod

BETA_ZONE = "failure-domain.beta.kubernetes.io/zone"
BETA_REGION = "failure-domain.beta.kubernetes.io/region"
EBS = {"awsElasticBlockStore": {"volumeID": "aws://us-east-1a/vol-0"}}
GCE = {"gcePersistentDisk": {"pdName": "disk"}}


def conditions(of: object) -> list[tuple[str, tuple[str, ...]]]:
    affinity = of.spec.node_affinity  # type: ignore[attr-defined]
    terms = affinity.required.node_selector_terms if affinity else ()
    return [(one.key, one.values) for term in terms for one in term.match_expressions]


@pytest.mark.parametrize(
    ("source", "labels", "handle"),
    [
        (EBS, {}, "vol-0"),
        ({"awsElasticBlockStore": {"volumeID": "vol-1"}}, {}, "vol-1"),
        (GCE, {}, "projects/UNSPECIFIED/zones/UNSPECIFIED/disks/disk"),
        (GCE, {ZONE: "us-1-a"}, "projects/UNSPECIFIED/zones/us-1-a/disks/disk"),
        (GCE, {BETA_ZONE: "us-1-a"}, "projects/UNSPECIFIED/zones/us-1-a/disks/disk"),
        (GCE, {ZONE: "us-1-a__us-1-b"}, "projects/UNSPECIFIED/regions/us-1/disks/disk"),
        ({"azureDisk": {"diskName": "d", "diskURI": "/uri"}}, {}, "/uri"),
        ({"cinder": {"volumeID": "c-1"}}, {}, "c-1"),
    ],
)
def test_a_disk_has_the_driver_s_name(source: dict, labels: dict, handle: str) -> None:
    old = volume("v", source=source, labels=labels)
    assert csi_migration.translate_volume(old).spec.csi.volume_handle == handle


@pytest.mark.parametrize(
    ("source", "labels"),
    [
        ({"awsElasticBlockStore": {"volumeID": "disk-1"}}, {}),
        (GCE, {ZONE: "us-1-a__eu-1-a"}),
        (GCE, {ZONE: "here__there"}),
    ],
)
def test_a_disk_without_a_readable_identity_is_not_translated(source: dict, labels: dict) -> None:
    with pytest.raises(csi_migration.TranslationError):
        csi_migration.translate_volume(volume("v", source=source, labels=labels))


def test_zones_become_the_driver_s() -> None:
    by_affinity = csi_migration.translate_volume(volume("v", source=EBS, within={ZONE: ["b"], HOST: ["h"]}))
    assert conditions(by_affinity) == [("topology.ebs.csi.aws.com/zone", ("b",)), (HOST, ("h",))]
    by_label = csi_migration.translate_volume(volume("v", source=GCE, labels={ZONE: "us-1-b__us-1-a"}))
    assert conditions(by_label) == [("topology.gke.io/zone", ("us-1-a", "us-1-b"))]
    both = csi_migration.translate_volume(volume("v", source=EBS, labels={ZONE: "a"}, within={HOST: ["h"]}))
    assert conditions(both) == [(HOST, ("h",)), ("topology.ebs.csi.aws.com/zone", ("a",))]
    assert conditions(csi_migration.translate_volume(volume("v", source=EBS))) == []


def test_the_old_label_of_a_region_becomes_the_new_one() -> None:
    old = volume("v", source=EBS, within={BETA_ZONE: ["z"], BETA_REGION: ["r"]})
    found = conditions(csi_migration.translate_volume(old))
    assert found == [("topology.ebs.csi.aws.com/zone", ("z",)), (REGION, ("r",))]


def test_a_plugin_has_moved_where_the_csi_node_says_so() -> None:
    migrated = csi_migration.migrated_plugins(
        csi_node("n", {}, "kubernetes.io/aws-ebs,kubernetes.io/azure-file")
    )
    assert csi_migration.is_migrated("kubernetes.io/aws-ebs", migrated)
    assert not csi_migration.is_migrated("kubernetes.io/cinder", migrated)
    assert not csi_migration.is_migrated("kubernetes.io/azure-file", migrated), "never counted as CSI"
    assert csi_migration.migrated_plugins(csi_node("n", {})) == frozenset()
    assert csi_migration.migrated_plugins(None) == frozenset()


def test_a_pod_s_own_disk_may_have_moved() -> None:
    [disk, folder] = make_pod(volumes=[{"name": "d", **GCE}, {"name": "f", "emptyDir": {}}]).spec.volumes
    assert csi_migration.is_inline_migratable(disk)
    assert not csi_migration.is_inline_migratable(folder)
