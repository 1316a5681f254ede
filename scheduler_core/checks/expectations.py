"""What is expected of a change, as people write it beside their manifests: ``kind: Expectations``.

Each expectation is one field of ``Expectation``, as a volume's source is one field of a volume.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from scheduler_core.api.meta import Int32, KubeStruct, ObjectMeta
from scheduler_core.api.resources import ResourceList
from scheduler_core.api.selectors import LabelSelector
from scheduler_core.api.taints import Toleration
from scheduler_core.config.duration import Duration

API_VERSION: Final = "playground/v1"
KIND: Final = "Expectations"


class _Spec(KubeStruct, frozen=True, kw_only=True):
    """Base: every field is known, so that any other is an error."""

    other_fields = frozenset()


class Selection(_Spec, frozen=True, kw_only=True):
    """Which pods are meant: those of named workloads, those a selector takes; neither: those of the manifests.

    Args:
        workloads: "Deployment/shop/web", or "Deployment/web" in the namespace "default"; "Pod/shop/web-0" too.
        selector: of pods, by their labels.
        namespace: where the selector looks; empty: everywhere.
    """

    workloads: tuple[str, ...] = ()
    selector: LabelSelector | None = None
    namespace: str = ""


class AllScheduled(_Spec, frozen=True, kw_only=True):
    """Every pod of the manifests gets a node; ``within`` bounds the virtual time from the change on."""

    within: Duration | None = None


class Scheduled(Selection, frozen=True, kw_only=True):
    """The pods that are meant have a node, in time."""

    within: Duration | None = None


class NoPreemption(_Spec, frozen=True, kw_only=True):
    """No pod is preempted, or none whose priority is at least ``priority_at_least``."""

    priority_at_least: Int32 | None = None


class NoneNewlyPending(_Spec, frozen=True, kw_only=True):
    """No pod of others that would have a node without the change is without one with it."""


class MaxSkew(Selection, frozen=True, kw_only=True):
    """The pods that are meant are spread: the fullest domain has at most ``max_skew`` more than the emptiest.

    Args:
        topology_key: the label whose values are the domains; values of nodes the pods may not use count too.
        max_skew: at least 0.
    """

    topology_key: str = ""
    max_skew: Int32 = 1


class ProbePod(_Spec, frozen=True, kw_only=True):
    """A pod to try: what it asks for and where it may go."""

    requests: ResourceList = {}
    node_selector: dict[str, str] = {}
    tolerations: tuple[Toleration, ...] = ()
    priority_class_name: str = ""


class Headroom(_Spec, frozen=True, kw_only=True):
    """Something is left free after the change.

    Args:
        resources: at least this much, summed over the nodes that take pods.
        per: a label; the amount is to be free in each of its values.
        pod: a pod this big still fits.
        count: so many of them.
    """

    resources: ResourceList = {}
    per: str = ""
    pod: ProbePod | None = None
    count: Int32 = 1


class SurvivesLoss(Selection, frozen=True, kw_only=True):
    """When any one node goes, or all nodes with any one value of ``topology_key``, the pods find others."""

    topology_key: str = ""


class RollingUpdate(_Spec, frozen=True, kw_only=True):
    """A rolling update of the workloads, or of all in the manifests, comes to its end with its surge."""

    workloads: tuple[str, ...] = ()


class DaemonSetGrowth(_Spec, frozen=True, kw_only=True):
    """The DaemonSets, or all in the manifests, still run on each of their nodes if each pod asks for more.

    Args:
        workloads: "DaemonSet/kube-system/agent".
        requests: how much more each pod asks for.
    """

    workloads: tuple[str, ...] = ()
    requests: ResourceList = {}


class QuotasHold(_Spec, frozen=True, kw_only=True):
    """No ResourceQuota refuses an object of the change, or a pod that a controller makes for it."""


class NoWarnings(_Spec, frozen=True, kw_only=True):
    """The manifests give no warning, or none of these kinds."""

    kinds: tuple[str, ...] = ()


AnyExpectation: TypeAlias = (
    AllScheduled
    | Scheduled
    | NoPreemption
    | NoneNewlyPending
    | MaxSkew
    | Headroom
    | SurvivesLoss
    | RollingUpdate
    | DaemonSetGrowth
    | QuotasHold
    | NoWarnings
)


class Expectation(_Spec, frozen=True, kw_only=True):
    """One thing that is expected; exactly one field beside the name is set."""

    name: str = ""
    all_scheduled: AllScheduled | None = None
    scheduled: Scheduled | None = None
    no_preemption: NoPreemption | None = None
    none_newly_pending: NoneNewlyPending | None = None
    max_skew: MaxSkew | None = None
    headroom: Headroom | None = None
    survives_loss: SurvivesLoss | None = None
    rolling_update: RollingUpdate | None = None
    daemon_set_growth: DaemonSetGrowth | None = None
    quotas_hold: QuotasHold | None = None
    no_warnings: NoWarnings | None = None

    def given(self) -> list[str]:
        """Returns the JSON names of the fields that are set."""
        pairs = zip(self.__struct_fields__, self.__struct_encode_fields__, strict=True)
        return [
            name for attribute, name in pairs if attribute != "name" and getattr(self, attribute) is not None
        ]


TYPES: Final = tuple(name for name in Expectation.__struct_encode_fields__ if name != "name")
"""The names of all expectations."""


class ExpectationsSpec(_Spec, frozen=True, kw_only=True):
    """All that one document expects.

    Args:
        expectations: none: ``allScheduled``.
        orders: in how many orders of arrival it is tried.
        baseline: whether only what is worse than without the change counts.
        max_snapshot_age: how old the cluster's snapshot may be.
    """

    expectations: tuple[Expectation, ...] = ()
    orders: Int32 | None = None
    baseline: bool | None = None
    max_snapshot_age: Duration | None = None


class ExpectationsDocument(_Spec, frozen=True, kw_only=True):
    """A document of kind Expectations."""

    api_version: str = API_VERSION
    kind: str = KIND
    metadata: ObjectMeta = ObjectMeta()
    spec: ExpectationsSpec = ExpectationsSpec()


class Place(NamedTuple):
    """Where something stands in a file."""

    file: str
    line: int
    column: int


class Expected(NamedTuple):
    """One expectation with what it is called and where it stands."""

    id: str
    type: str
    name: str
    expectation: AnyExpectation
    place: Place | None = None


class Expectations(NamedTuple):
    """All that is expected, from all documents.

    Args:
        items: at least one.
        orders: the largest that is asked for.
        baseline: whether any document asks for it.
        max_snapshot_age_seconds: the smallest that is asked for, or None.
    """

    items: tuple[Expected, ...]
    orders: int = 1
    baseline: bool = False
    max_snapshot_age_seconds: float | None = None


DEFAULT: Final = Expectations((Expected("allScheduled", "allScheduled", "", AllScheduled()),))
