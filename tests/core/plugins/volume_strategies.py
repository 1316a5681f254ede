"""Claims, volumes, classes and pools for properties of VolumeBinding: few names, so that they often meet."""

from __future__ import annotations

from typing import Any, NamedTuple

from hypothesis import strategies as st

from scheduler_core.api.node import Node
from tests.core.plugins.volumes import HOST, ZONE, capacity, claim, csi_driver, storage_class, volume
from tests.make import make_node

ZONES = ("a", "b")
CLASSES = ("fast", "local", "pool")


class Case(NamedTuple):
    """Nodes, storage objects, and the claims of a pod."""

    nodes: list[Node]
    objects: list[Any]
    claims: list[str]


@st.composite
def volumes(draw: st.DrawFn, name: str) -> Any:
    within = draw(
        st.none()
        | st.fixed_dictionaries({ZONE: st.lists(st.sampled_from(ZONES), min_size=1, unique=True)})
        | st.fixed_dictionaries({HOST: st.sampled_from(("n0", "n1")).map(lambda host: [host])})
    )
    owner = draw(st.sampled_from((None, None, "c0", "c1", "other")))
    uid = f"uid-PersistentVolumeClaim-default/{owner}"
    reference = {"name": owner, "uid": draw(st.sampled_from(("", uid, "stale")))} if owner else None
    return volume(
        name,
        storage_class=draw(st.sampled_from(CLASSES)),
        size=draw(st.sampled_from(("5Gi", "10Gi", "20Gi"))),
        within=within,
        claim_ref=reference,
        modes=draw(st.sampled_from((["ReadWriteOnce"], ["ReadWriteOnce", "ReadWriteMany"]))),
        phase=draw(st.sampled_from(("Available", "Available", "Available", "Released"))),
        labels=draw(st.sampled_from(({}, {"tier": "gold"}))),
        deleted=draw(st.sampled_from((False, False, False, True))),
        volumeMode=draw(st.sampled_from(("Filesystem", "Filesystem", "Block"))),
    )


@st.composite
def claims(draw: st.DrawFn, name: str) -> Any:
    bound_to = draw(st.sampled_from(("", "", "", "v0", "v1", "gone")))
    selected = draw(st.sampled_from(("", "", "", "n0", "n9")))
    spec: dict[str, Any] = {}
    if draw(st.integers(0, 4)) == 0:
        spec["selector"] = {"matchLabels": {"tier": "gold"}}
    return claim(
        name,
        storage_class=draw(st.sampled_from(CLASSES)),
        size=draw(st.sampled_from((None, "1Gi", "5Gi", "8Gi", "15Gi"))),
        volume=bound_to,
        modes=draw(st.sampled_from((["ReadWriteOnce"], ["ReadWriteOnce"], ["ReadWriteMany"]))),
        annotations={"volume.kubernetes.io/selected-node": selected} if selected and not bound_to else {},
        **spec,
    )


@st.composite
def cases(draw: st.DrawFn) -> Case:
    zones = draw(st.lists(st.sampled_from((*ZONES, "")), min_size=1, max_size=4))
    nodes = [
        make_node(f"n{index}", labels={HOST: f"n{index}", **({ZONE: zone} if zone else {})})
        for index, zone in enumerate(zones)
    ]
    objects: list[Any] = [
        storage_class("fast", allowed=draw(st.sampled_from(((), ({ZONE: ["a"]},), ({},))))),
        storage_class("local", provisioner="kubernetes.io/no-provisioner"),
        storage_class("pool", provisioner="pool.csi.example"),
        csi_driver("pool.csi.example", storage_capacity=draw(st.booleans())),
    ]
    for index in range(draw(st.integers(0, 2))):
        size, largest = (
            draw(st.sampled_from((None, "6Gi", "50Gi"))),
            draw(st.sampled_from((None, None, "5Gi"))),
        )
        topology = draw(st.sampled_from((None, {}, {ZONE: "a"}, {ZONE: "b"})))
        pool = draw(st.sampled_from(("pool", "fast")))
        objects.append(
            capacity(f"p{index}", storage_class=pool, size=size, largest=largest, topology=topology)
        )
    objects += [draw(volumes(f"v{index}")) for index in range(draw(st.integers(0, 5)))]
    names = [f"c{index}" for index in range(draw(st.integers(1, 3)))]
    objects += [draw(claims(name)) for name in names]
    return Case(nodes, objects, names)
