"""The edits that a scenario is made of: what people do to a cluster, and what happens to it.

An edit takes place at a virtual time (``at``, since the start) or just before a cycle (``cycle``). An object is named
``Kind/namespace/name``, ``Kind/name`` in the namespace "default" or where the kind lives in none. Nodes are named
(``nodes``), or chosen by their zone or by labels.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import msgspec

from scheduler_core.api.meta import Int32, Int64, KubeStruct, names
from scheduler_core.api.resources import ResourceList
from scheduler_core.config.duration import Duration

NANOS_PER_MICRO: Final = 1000
MAX_ARRIVALS: Final = 100_000
MAX_NEW_NODES: Final = 20_000


class Edit(KubeStruct, frozen=True, kw_only=True, tag_field="kind", tag=""):
    """What all edits have. ``at``: when, since the start of the run; ``cycle``: instead, just before this cycle."""

    other_fields = names("kind")

    at: Duration = msgspec.field(default_factory=Duration)
    cycle: Int64 | None = None

    @property
    def at_us(self) -> int:
        """When, in virtual microseconds."""
        return int(self.at) // NANOS_PER_MICRO

    @property
    def kind(self) -> str:
        """Which edit it is."""
        return str(type(self).__struct_config__.tag)


class Apply(Edit, frozen=True, kw_only=True, tag="apply"):
    """Creates objects, or changes those that are there into what is written, as ``kubectl apply`` does."""

    objects: tuple[dict[str, Any], ...]


class MergePatch(Edit, frozen=True, kw_only=True, tag="mergePatch"):
    """Merges a JSON merge patch (RFC 7386) into an object."""

    object: str
    patch: dict[str, Any]


class Delete(Edit, frozen=True, kw_only=True, tag="delete"):
    """Deletes an object; ``propagation`` says what becomes of what it owns."""

    object: str
    grace_seconds: Int64 | None = None
    propagation: str = "Background"


class Scale(Edit, frozen=True, kw_only=True, tag="scale"):
    """Sets how many pods a workload is to have."""

    object: str
    replicas: Int32


class SetImage(Edit, frozen=True, kw_only=True, tag="setImage"):
    """Sets the image of a workload's or pod's container, of all containers without a name."""

    object: str
    image: str
    container: str = ""


class SetRequests(Edit, frozen=True, kw_only=True, tag="setRequests"):
    """Sets requests and limits of a workload's or pod's container, of all containers without a name."""

    object: str
    requests: ResourceList = {}
    limits: ResourceList = {}
    container: str = ""


class SetTarget(Edit, frozen=True, kw_only=True, tag="setTarget"):
    """Says how many pods the load asks for, where a HorizontalPodAutoscaler decides."""

    object: str
    replicas: Int32


class Label(Edit, frozen=True, kw_only=True, tag="label"):
    """Sets labels of an object, and takes others away."""

    object: str
    labels: dict[str, str] = {}
    remove: tuple[str, ...] = ()


class NodeEdit(Edit, frozen=True, kw_only=True):
    """An edit of nodes that are named, or chosen by zone or by labels."""

    nodes: tuple[str, ...] = ()
    zone: str = ""
    selector: dict[str, str] = {}


class Cordon(NodeEdit, frozen=True, kw_only=True, tag="cordon"):
    """Marks nodes as unschedulable."""


class Uncordon(NodeEdit, frozen=True, kw_only=True, tag="uncordon"):
    """Marks nodes as schedulable."""


class Drain(NodeEdit, frozen=True, kw_only=True, tag="drain"):
    """Cordons nodes and evicts their pods, as ``kubectl drain`` does; an eviction that is refused is tried again.

    ``timeout``: after how long it gives up; 0 is never.
    """

    grace_seconds: Int64 | None = None
    timeout: Duration = msgspec.field(default_factory=Duration)
    force: bool = False
    ignore_daemon_sets: bool = True
    delete_empty_dir_data: bool = True
    disable_eviction: bool = False


class Taint(NodeEdit, frozen=True, kw_only=True, tag="taint"):
    """Taints nodes, as kubectl writes it: ``key=value:NoSchedule``, ``key:NoExecute``."""

    taint: str


class Untaint(NodeEdit, frozen=True, kw_only=True, tag="untaint"):
    """Takes a taint off: ``key:NoSchedule``, or ``key`` for every effect."""

    taint: str


class AddNodes(Edit, frozen=True, kw_only=True, tag="addNodes"):
    """Adds nodes like one that is there.

    ``name`` is a pattern with ``{n}`` for a number; the numbers begin after the highest that is taken.
    """

    like: str
    count: Int32 = 1
    name: str = ""
    labels: dict[str, str] = {}


class RemoveNodes(NodeEdit, frozen=True, kw_only=True, tag="removeNodes"):
    """Deletes nodes; their pods go with them."""


class Lose(NodeEdit, frozen=True, kw_only=True, tag="lose"):
    """Cuts nodes off: nothing is heard of them until they are restored."""


class Restore(NodeEdit, frozen=True, kw_only=True, tag="restore"):
    """Brings lost nodes back."""


class Wait(Edit, frozen=True, kw_only=True, tag="wait"):
    """Has the run go on at least until then."""


class Arrivals(Edit, frozen=True, kw_only=True, tag="arrivals"):
    """Has pods come one after the other, from ``at`` on.

    ``rate`` is how many a second; ``distribution`` is "poisson" or "fixed". They end after ``count`` pods or after
    ``lasting``. ``pod`` is their manifest; they are called ``name-1``, ``name-2`` and so on.
    """

    pod: dict[str, Any]
    rate: float
    count: Int64 | None = None
    lasting: Duration | None = None
    distribution: str = "poisson"
    name: str = ""


class Observe(Edit, frozen=True, kw_only=True, tag="observe"):
    """What a watch saw: ``ADDED``, ``MODIFIED`` or ``DELETED``; a pod keeps the node that this run gave it."""

    type: str
    object: dict[str, Any]


AnyEdit: TypeAlias = (
    Apply
    | MergePatch
    | Delete
    | Scale
    | SetImage
    | SetRequests
    | SetTarget
    | Label
    | Cordon
    | Uncordon
    | Drain
    | Taint
    | Untaint
    | AddNodes
    | RemoveNodes
    | Lose
    | Restore
    | Wait
    | Arrivals
    | Observe
)

EDITS: Final[dict[str, type[AnyEdit]]] = {
    str(type_.__struct_config__.tag): type_ for type_ in AnyEdit.__args__
}
"""Kind → type."""
