from __future__ import annotations

import pytest

from scheduler_core.plugins.helper import csi_migration
from scheduler_core.plugins.helper.csi_handles import TranslationError
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
        ({"awsElasticBlockStore": {"volumeID": "disk/1"}}, {}, "disk/1"),
        ({"awsElasticBlockStore": {"volumeID": ""}}, {}, ""),
        ({"awsElasticBlockStore": {"volumeID": "AWS://zone/vol-1"}}, {}, "AWS://zone/vol-1"),
        ({"awsElasticBlockStore": {"volumeID": "aws:///vol-1/"}}, {}, "vol-1"),
        ({"awsElasticBlockStore": {"volumeID": "aws://zone:80/%76ol-1?a#b"}}, {}, "vol-1"),
        (GCE, {}, "projects/UNSPECIFIED/zones/UNSPECIFIED/disks/disk"),
        (GCE, {ZONE: "here"}, "projects/UNSPECIFIED/zones/here/disks/disk"),
        (GCE, {BETA_ZONE: "us-1-a"}, "projects/UNSPECIFIED/zones/us-1-a/disks/disk"),
        (GCE, {ZONE: "us-1-a", BETA_ZONE: "us-1-b"}, "projects/UNSPECIFIED/zones/us-1-b/disks/disk"),
        (GCE, {ZONE: "us-1-a", BETA_ZONE: ""}, "projects/UNSPECIFIED/zones/us-1-a/disks/disk"),
        (GCE, {ZONE: "us-1-a__us-1-b"}, "projects/UNSPECIFIED/regions/us-1/disks/disk"),
        ({"azureDisk": {"diskName": "d", "diskURI": "/uri"}}, {}, "/uri"),
        ({"cinder": {"volumeID": "c-1"}}, {}, "c-1"),
        ({"portworxVolume": {"volumeID": "p-1"}}, {}, "p-1"),
    ],
)
def test_a_disk_has_the_driver_s_name(source: dict, labels: dict, handle: str) -> None:
    old = volume("v", source=source, labels=labels)
    assert csi_migration.translate_volume(old).spec.csi.volume_handle == handle
    if not labels:
        [inline] = make_pod(volumes=[{"name": "v", **source}]).spec.volumes
        assert csi_migration.inline_handle(inline) == handle


NO_EBS_ID = "failed to translate Kubernetes ID to EBS Volume ID "
NO_REGION = "failed to get region from zones: "


@pytest.mark.parametrize(
    ("volume_id", "problem"),
    [
        ("aws://us-1/disk-1", "Invalid format for AWS volume (aws://us-1/disk-1)"),
        ("aws://vol-1", "Invalid format for AWS volume (aws://vol-1)"),
        ("aws://us-1/a/vol-1", "Invalid format for AWS volume (aws://us-1/a/vol-1)"),
        ("aws://a/%zz", 'Invalid disk name (aws://a/%zz): parse "aws://a/%zz": invalid URL escape "%zz"'),
        ("aws://a:b/v", 'Invalid disk name (aws://a:b/v): parse "aws://a:b/v": invalid port ":b" after host'),
        (
            "aws://a b/v",
            'Invalid disk name (aws://a b/v): parse "aws://a b/v": invalid character " " in host name',
        ),
        (
            "aws://a\t/v",
            'Invalid disk name (aws://a\t/v): parse "aws://a\\t/v": net/url: invalid control character in URL',
        ),
    ],
)
def test_an_address_that_names_no_ebs_volume_is_an_error(volume_id: str, problem: str) -> None:
    with pytest.raises(TranslationError) as raised:
        csi_migration.translate_volume(volume("v", source={"awsElasticBlockStore": {"volumeID": volume_id}}))
    assert str(raised.value) == NO_EBS_ID + problem


@pytest.mark.parametrize(
    ("zones", "problem"),
    [
        ("us-1-a__eu-1-a", "multiple or no regions gotten from zones, got: map[eu-1:{} us-1:{}]"),
        (
            "us-1-a__b",
            "zone in unexpected format, expected: {locale}-{region}-{zone}, got: b",
        ),
        (
            "u-us-1-a__u-us-1-b",
            "zone in unexpected format, expected: {locale}-{region}-{zone}, got: u-us-1-a",
        ),
    ],
)
def test_zones_without_a_common_region_are_an_error(zones: str, problem: str) -> None:
    with pytest.raises(TranslationError) as raised:
        csi_migration.translate_volume(volume("v", source=GCE, labels={ZONE: zones}))
    assert str(raised.value) == NO_REGION + problem


@pytest.mark.parametrize(
    "source", [{"azureDisk": {"diskName": "d", "diskURI": "/u"}}, {"portworxVolume": {"volumeID": "p"}}]
)
def test_azure_disks_and_portworx_keep_their_node_affinity(source: dict) -> None:
    labelled = volume("v", source=source, labels={ZONE: "a"})
    assert csi_migration.translate_volume(labelled).spec.node_affinity is None
    held = volume("v", source=source, within={ZONE: ["a"]})
    assert conditions(csi_migration.translate_volume(held)) == [(ZONE, ("a",))]


def test_cinder_has_its_own_zone() -> None:
    found = csi_migration.translate_volume(
        volume("v", source={"cinder": {"volumeID": "c"}}, labels={ZONE: "a"})
    )
    assert conditions(found) == [("topology.cinder.csi.openstack.org/zone", ("a",))]


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


DISKS = {"kubernetes.io/aws-ebs", "kubernetes.io/gce-pd", "kubernetes.io/azure-disk", "kubernetes.io/cinder"}
PORTWORX = "kubernetes.io/portworx-volume"
NEVER = "kubernetes.io/azure-file,kubernetes.io/vsphere-volume"


def test_disks_count_as_csi_wherever_there_is_a_csi_node_and_portworx_where_it_says_so() -> None:
    assert csi_migration.counted_as_csi(None) == frozenset()
    assert csi_migration.counted_as_csi(csi_node("n", {})) == DISKS
    assert csi_migration.counted_as_csi(csi_node("n", {}, NEVER)) == DISKS
    assert csi_migration.counted_as_csi(csi_node("n", {}, f"{NEVER},{PORTWORX}")) == {*DISKS, PORTWORX}


def test_volumes_are_translated_for_nodes_whose_csi_node_says_so() -> None:
    assert csi_migration.translated_on(None) == frozenset()
    assert csi_migration.translated_on(csi_node("n", {})) == frozenset()
    named = csi_node("n", {}, f"kubernetes.io/aws-ebs,{PORTWORX},{NEVER}")
    assert csi_migration.translated_on(named) == {"kubernetes.io/aws-ebs", PORTWORX}


def test_a_pod_s_own_disk_may_have_moved() -> None:
    [disk, folder] = make_pod(volumes=[{"name": "d", **GCE}, {"name": "f", "emptyDir": {}}]).spec.volumes
    assert csi_migration.is_inline_migratable(disk)
    shares = [
        {"name": "a", "azureFile": {"secretName": "s", "shareName": "x"}},
        {"name": "v", "vsphereVolume": {"volumePath": "[d] v"}},
        {"name": "p", "portworxVolume": {"volumeID": "p"}},
    ]
    assert all(map(csi_migration.is_inline_migratable, make_pod(volumes=shares).spec.volumes))
    assert not csi_migration.is_inline_migratable(folder)
