"""What happens in a run, one small record an event, named in the past tense.

An event says who, when and how it ended; the nodes × plugins matrices are a cycle's detail (``detail.py``).
``seq`` (from 1, without gaps) and ``t_us`` (virtual microseconds) are added when an event is encoded.
A pod is named ``namespace/name``; cycles count from 1. Fields at their default are left out.
"""

from __future__ import annotations

from typing import Literal

import msgspec

QueueName = Literal["active", "backoff", "unschedulable", "gated"]
PodEnd = Literal["deleted", "preempted", "evicted"]


class _Event(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag=True, gc=False
):
    """Common shape of all events."""


class RunStarted(_Event, frozen=True, kw_only=True):
    """The run begins: what the cluster holds. ``waits_for``: plugin → the changes that may help a pod it refused.

    ``num_bound`` are the pods that take room on a node; those that ended before the run are ``num_finished``.
    """

    num_nodes: int
    num_bound: int
    num_pending: int
    engine_version: str
    num_finished: int = 0
    waits_for: dict[str, tuple[str, ...]] = {}


class PodEnqueued(_Event, frozen=True, kw_only=True):
    """A pod moved into a queue; ``event`` is what moved it, ``plugins`` refused or gate it.

    ``hints``: plugin → its QueueingHint for the event, "Queue" or "QueueSkip". A pod that comes back from an attempt
    goes where an event during the attempt says: ``in_flight_event``. ``skipped_events``: how many events of each kind,
    since the pod last moved, those plugins found not worth an attempt (told here and not one by one: with many pods
    waiting they would be most of the trace).
    """

    pod: str
    queue: QueueName
    event: str
    priority: int = 0
    attempts: int = 0
    backoff_until_us: int | None = None
    plugins: tuple[str, ...] = ()
    hints: dict[str, str] = {}
    in_flight_event: str = ""
    skipped_events: dict[str, int] = {}


class PodDequeued(_Event, frozen=True, kw_only=True):
    """A pod left the queues without a cycle; ``deleting``: its turn came, but it is being deleted."""

    pod: str
    reason: Literal["deleted", "bound", "deleting"]


class CycleStarted(_Event, frozen=True, kw_only=True):
    """A pod was popped and a scheduling cycle began."""

    cycle: int
    pod: str
    attempt: int
    step: int = 0


class NodesFiltered(_Event, frozen=True, kw_only=True):
    """Filters ran; ``rejected`` counts nodes by the plugin that refused them first."""

    cycle: int
    pod: str
    num_nodes: int
    num_evaluated: int
    num_feasible: int
    rejected: dict[str, int] = {}


class NodesScored(_Event, frozen=True, kw_only=True):
    """Scores were added up; ``scores`` are the best five nodes with their totals."""

    cycle: int
    pod: str
    scores: tuple[tuple[str, int], ...]
    num_ties: int


class VictimsSelected(_Event, frozen=True, kw_only=True):
    """Preemption chose a node and the pods to delete there."""

    cycle: int
    pod: str
    node: str
    victims: tuple[str, ...]


class PodNominated(_Event, frozen=True, kw_only=True):
    """A pod was promised a node."""

    cycle: int
    pod: str
    node: str


class PodAssumed(_Event, frozen=True, kw_only=True):
    """The scheduler counts a pod on its node before it is bound."""

    cycle: int
    pod: str
    node: str


class PodWaiting(_Event, frozen=True, kw_only=True):
    """A Permit plugin has a pod wait."""

    cycle: int
    pod: str
    node: str
    plugin: str = ""


class PodPermitted(_Event, frozen=True, kw_only=True):
    """A waiting pod may go on."""

    cycle: int
    pod: str
    node: str


class PodBound(_Event, frozen=True, kw_only=True):
    """A pod was bound to its node, by the Bind plugins or by an ``extender``."""

    cycle: int
    pod: str
    node: str
    extender: str = ""


class PodUnschedulable(_Event, frozen=True, kw_only=True):
    """A cycle failed; ``message`` is the text of the FailedScheduling event, uncut."""

    cycle: int
    pod: str
    message: str
    plugins: tuple[str, ...] = ()
    error: bool = False


class PodDeleted(_Event, frozen=True, kw_only=True):
    """A pod went away."""

    pod: str
    node: str = ""
    reason: PodEnd = "deleted"


class PodUpdated(_Event, frozen=True, kw_only=True):
    """A pod was changed by an edit."""

    pod: str


class NodeAdded(_Event, frozen=True, kw_only=True):
    """A node joined; ``allocatable`` as the scheduler counts (cpu in milli), ``taints`` as ``key=value:effect``.

    ``ready`` is false where its Ready condition is False or Unknown.
    """

    node: str
    allocatable: dict[str, int] = {}
    labels: dict[str, str] = {}
    taints: tuple[str, ...] = ()
    unschedulable: bool = False
    ready: bool = True


class NodeUpdated(_Event, frozen=True, kw_only=True):
    """A node was changed by an edit; what it is now, as in ``NodeAdded``."""

    node: str
    allocatable: dict[str, int] = {}
    labels: dict[str, str] = {}
    taints: tuple[str, ...] = ()
    unschedulable: bool = False
    ready: bool = True


class NodeDeleted(_Event, frozen=True, kw_only=True):
    """A node left."""

    node: str


class PodCreated(_Event, frozen=True, kw_only=True):
    """A pod was made during the run; ``by`` is a controller or an edit, ``owner`` such as ``ReplicaSet/web-5d``."""

    pod: str
    by: str
    owner: str = ""
    requests: dict[str, int] = {}


class PodDefaulted(_Event, frozen=True, kw_only=True):
    """Admission filled in fields of a pod: field → value, as text."""

    pod: str
    fields: dict[str, str]


class PodsDefaulted(_Event, frozen=True, kw_only=True):
    """Admission filled in the same field of so many of the pods that came with the cluster."""

    field: str
    value: str
    num_pods: int


class AdmissionRefused(_Event, frozen=True, kw_only=True):
    """Admission refused an object such as ``Pod/default/web``, which is not stored."""

    object: str
    by: str
    message: str


class PodStarted(_Event, frozen=True, kw_only=True):
    """A pod's containers run."""

    pod: str
    node: str


class PodFinished(_Event, frozen=True, kw_only=True):
    """A pod's containers ended by themselves."""

    pod: str
    node: str
    phase: Literal["Succeeded", "Failed"]


class PodTerminating(_Event, frozen=True, kw_only=True):
    """A pod was asked to end and has so long to do it."""

    pod: str
    by: str
    node: str = ""
    grace_us: int = 0
    reason: PodEnd = "deleted"


class ObjectChanged(_Event, frozen=True, kw_only=True):
    """An object that is neither pod nor node was written, other than its status."""

    object: str
    change: Literal["created", "updated", "deleting", "deleted"]
    by: str


class EventRecorded(_Event, frozen=True, kw_only=True):
    """A controller says something of an object, as ``kubectl get events`` shows it."""

    object: str
    by: str
    reason: str
    message: str
    warning: bool = False


class WorkloadScaled(_Event, frozen=True, kw_only=True):
    """A controller or an edit changed how many pods there are to be."""

    object: str
    replicas: int
    by: str
    previous: int = 0


class EditApplied(_Event, frozen=True, kw_only=True):
    """An edit of the scenario took effect; ``edit`` counts from 1, ``text`` says it as a sentence."""

    edit: int
    kind: str
    text: str


class EditRefused(_Event, frozen=True, kw_only=True):
    """An edit of the scenario was refused and changed nothing."""

    edit: int
    kind: str
    text: str
    message: str


class EvictionRefused(_Event, frozen=True, kw_only=True):
    """A disruption budget held an eviction back; it is tried again, and told again once the cause is another."""

    pod: str
    node: str
    message: str
    cause: str = ""
    retry_us: int = 0


class NodeDrained(_Event, frozen=True, kw_only=True):
    """All pods that a drain evicted from the node are gone."""

    node: str


class RunStopped(_Event, frozen=True, kw_only=True):
    """The run was ended before it was quiet."""

    reason: Literal["horizon", "limit"]
    text: str


class RunFinished(_Event, frozen=True, kw_only=True):
    """Nothing is left to do; pods are counted as in ``RunStarted``."""

    num_cycles: int
    num_bound: int
    num_pending: int
    num_finished: int = 0


Event = (
    RunStarted
    | PodEnqueued
    | PodDequeued
    | CycleStarted
    | NodesFiltered
    | NodesScored
    | VictimsSelected
    | PodNominated
    | PodAssumed
    | PodWaiting
    | PodPermitted
    | PodBound
    | PodUnschedulable
    | PodDeleted
    | PodUpdated
    | NodeAdded
    | NodeUpdated
    | NodeDeleted
    | PodCreated
    | PodDefaulted
    | PodsDefaulted
    | AdmissionRefused
    | PodStarted
    | PodFinished
    | PodTerminating
    | ObjectChanged
    | EventRecorded
    | WorkloadScaled
    | EditApplied
    | EditRefused
    | EvictionRefused
    | NodeDrained
    | RunStopped
    | RunFinished
)
