"""What VolumeBinding knows of a pod's claims, and what it means to do for one node.

Source: pkg/scheduler/framework/plugins/volumebinding/binder.go, PodVolumeClaims, PodVolumes, BindingInfo and
DynamicProvision, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from scheduler_core.api.storage import CSIStorageCapacity, PersistentVolume, PersistentVolumeClaim
    from scheduler_core.plugins.volume_binding.matching import Candidates


class PodVolumeClaims:
    """A pod's claims by their state.

    ``bound`` have their volume; ``unbound_delayed`` get one by the scheduler's choice of a node;
    ``unbound_immediate`` should have had one already. ``volumes`` are those of each delayed claim's class,
    and ``candidates`` the ones among them that suit the claim (filled in when first asked for).
    """

    __slots__ = ("bound", "candidates", "unbound_delayed", "unbound_immediate", "volumes")

    def __init__(self) -> None:
        self.bound: list[PersistentVolumeClaim] = []
        self.unbound_delayed: list[PersistentVolumeClaim] = []
        self.unbound_immediate: list[PersistentVolumeClaim] = []
        self.volumes: dict[str, list[PersistentVolume]] = {}
        self.candidates: dict[str, Candidates] = {}


class StaticBinding(NamedTuple):
    """A claim and the existing volume it is to get."""

    volume: PersistentVolume
    claim: PersistentVolumeClaim


class DynamicProvision(NamedTuple):
    """A claim whose volume is to be made, and the pool that has room for it, where pools are watched."""

    claim: PersistentVolumeClaim
    capacity: CSIStorageCapacity | None = None


class PodVolumes(NamedTuple):
    """What is to happen with a pod's delayed claims on one node."""

    static_bindings: tuple[StaticBinding, ...]
    dynamic_provisions: tuple[DynamicProvision, ...]
