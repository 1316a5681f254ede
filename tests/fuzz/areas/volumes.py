"""Volumes: claims bound and unbound, in-tree volumes and their migration, attach limits, capacity, zones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.fuzz.base import ZONE, Raw, case, mixed, names, nodes, thing

if TYPE_CHECKING:
    from random import Random

DRIVER = "ebs.csi.example"
DRIVERS = (
    DRIVER,
    "ebs.csi.aws.com",
    "pd.csi.storage.gke.io",
    "disk.csi.azure.com",
    "cinder.csi.openstack.org",
)
MIGRATED = "storage.alpha.kubernetes.io/migrated-plugins"
PLUGINS = "kubernetes.io/aws-ebs,kubernetes.io/gce-pd,kubernetes.io/azure-disk,kubernetes.io/portworx-volume"
STORAGE = "storage.k8s.io/v1"
MODES = ("ReadWriteOnce", "ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod")
CLAIMS = 6


def build(random: Random) -> Raw:
    """Classes, claims and volumes, and pods that use them."""
    found = nodes(random)
    objects = [*mixed(random, found, lambda: _spec(random)), *_classes(random), *_csi(random, names(found))]
    for number in range(CLAIMS):
        objects += _claim(random, number)
    for raw in objects:
        if raw["kind"] == "Pod":
            raw["metadata"]["namespace"] = "default"
    return case(objects)


def inline(random: Random) -> Raw:
    """The source of an in-tree volume, as a pod or a PersistentVolume has it."""
    disk, read_only = f"disk-{random.randrange(3)}", random.random() < 0.3
    aws = random.choice((f"aws://us-east-1a/vol-{disk}", f"vol-{disk}", "aws:///vol-1", f"aws://z/{disk}"))
    azure = {
        "diskName": disk,
        "diskURI": f"/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/disks/{disk}",
    }
    return random.choice(
        (
            {"awsElasticBlockStore": {"volumeID": aws, "readOnly": read_only}},
            {"gcePersistentDisk": {"pdName": disk, "readOnly": read_only}},
            {"azureDisk": {**azure, "kind": "Managed", "readOnly": read_only}},
            {"cinder": {"volumeID": disk}},
            {"vsphereVolume": {"volumePath": f"[store] {disk}"}},
            {"portworxVolume": {"volumeID": disk}},
        )
    )


def _spec(random: Random) -> Raw:
    volumes = []
    for number in range(random.randint(0, 2)):
        claim = {"persistentVolumeClaim": {"claimName": f"claim-{random.randrange(CLAIMS + 1)}"}}
        volumes.append({"name": f"v{number}", **random.choice((claim, claim, inline(random)))})
    return {"volumes": volumes} if volumes else {}


def _classes(random: Random) -> list[Raw]:
    found = []
    for name, mode in (("later", "WaitForFirstConsumer"), ("now", "Immediate")):
        one = thing("StorageClass", name, STORAGE, provisioner=DRIVER, volumeBindingMode=mode)
        if random.random() < 0.3:
            terms = {"matchLabelExpressions": [{"key": ZONE, "values": ["a", "b"]}]}
            one["allowedTopologies"] = [terms]
        found.append(one)
    static = "kubernetes.io/no-provisioner"
    found.append(
        thing("StorageClass", "static", STORAGE, provisioner=static, volumeBindingMode="WaitForFirstConsumer")
    )
    return found


def _csi(random: Random, hosts: list[str]) -> list[Raw]:
    found: list[Raw] = []
    for host in hosts:
        if random.random() < 0.7:
            drivers = [
                {
                    "name": name,
                    "nodeID": host,
                    "topologyKeys": [],
                    "allocatable": {"count": random.randint(0, 2)},
                }
                for name in random.sample(DRIVERS, random.randint(1, 3))
            ]
            notes = {MIGRATED: PLUGINS} if random.random() < 0.5 else {}
            found.append(thing("CSINode", host, STORAGE, annotations=notes, spec={"drivers": drivers}))
    if random.random() < 0.4:
        found.append(thing("CSIDriver", DRIVER, STORAGE, spec={"storageCapacity": True}))
        chosen = {"matchLabels": {ZONE: random.choice(("a", "b"))}}
        room = {
            "capacity": random.choice(("1Gi", "50Gi")),
            "nodeTopology": chosen,
            "storageClassName": "later",
        }
        found.append(thing("CSIStorageCapacity", "room", STORAGE, "default", **room))
    return found


def _claim(random: Random, number: int) -> list[Raw]:
    name, modes = f"claim-{number}", [random.choice(MODES)]
    class_name = random.choice(("later", "now", "static"))
    spec: Raw = {
        "accessModes": modes,
        "storageClassName": class_name,
        "resources": {"requests": {"storage": random.choice(("1Gi", "8Gi"))}},
    }
    claim = thing("PersistentVolumeClaim", name, namespace="default", spec=spec, status={"phase": "Pending"})
    if random.random() < 0.4:
        return [claim]
    volume = _volume(random, f"pv-{number}", modes, class_name)
    if random.random() < 0.7:
        spec["volumeName"] = f"pv-{number}"
        claim["status"] = {"phase": "Bound"}
        claim["metadata"]["annotations"] = {"pv.kubernetes.io/bind-completed": "yes"}
        volume["spec"]["claimRef"] = {"kind": "PersistentVolumeClaim", "namespace": "default", "name": name}
        volume["spec"]["claimRef"]["uid"] = f"uid-PersistentVolumeClaim-default/{name}"
        volume["status"] = {"phase": "Bound"}
    return [claim, volume]


def _volume(random: Random, name: str, modes: list[str], class_name: str) -> Raw:
    source = inline(random)
    if random.random() < 0.5:
        source = {"csi": {"driver": random.choice(DRIVERS), "volumeHandle": name}}
    if "portworxVolume" in source or "azureDisk" in source:
        modes = ["ReadWriteOnce"]
    spec: Raw = {
        "capacity": {"storage": "4Gi"},
        "accessModes": modes,
        "storageClassName": class_name,
        **source,
    }
    if random.random() < 0.5:
        wanted = {"key": ZONE, "operator": "In", "values": random.sample(("a", "b", "c"), 2)}
        spec["nodeAffinity"] = {"required": {"nodeSelectorTerms": [{"matchExpressions": [wanted]}]}}
    labels = {ZONE: random.choice(("a", "b", "a__b"))} if random.random() < 0.3 else {}
    return thing("PersistentVolume", name, labels=labels, spec=spec, status={"phase": "Available"})
