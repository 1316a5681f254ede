"""Priority classes, disruption budgets, namespaces and runtime classes: rules about pods.

Source: api/{scheduling,policy,core,node}/v1/types.go, v1.34.1
"""

from __future__ import annotations

from scheduler_core.api.meta import Condition, Int32, Int64, KubeStruct, ObjectMeta, Time
from scheduler_core.api.resources import ResourceList
from scheduler_core.api.selectors import LabelSelector
from scheduler_core.api.taints import Toleration

PREEMPT_LOWER_PRIORITY = "PreemptLowerPriority"
PREEMPT_NEVER = "Never"


class PriorityClass(KubeStruct, frozen=True, kw_only=True):
    """A name for a priority."""

    other_fields = frozenset()

    api_version: str = "scheduling.k8s.io/v1"
    kind: str = "PriorityClass"
    metadata: ObjectMeta = ObjectMeta()
    value: Int32 = 0
    global_default: bool = False
    description: str = ""
    preemption_policy: str | None = None


class PodDisruptionBudgetSpec(KubeStruct, frozen=True, kw_only=True):
    """How many of the selected pods must stay; counts or percentages."""

    other_fields = frozenset()

    min_available: Int32 | str | None = None
    max_unavailable: Int32 | str | None = None
    selector: LabelSelector | None = None
    unhealthy_pod_eviction_policy: str | None = None


class PodDisruptionBudgetStatus(KubeStruct, frozen=True, kw_only=True):
    """What the disruption controller found."""

    other_fields = frozenset()

    observed_generation: Int64 = 0
    disrupted_pods: dict[str, Time] = {}
    disruptions_allowed: Int32 = 0
    current_healthy: Int32 = 0
    desired_healthy: Int32 = 0
    expected_pods: Int32 = 0
    conditions: tuple[Condition, ...] = ()


class PodDisruptionBudget(KubeStruct, frozen=True, kw_only=True):
    """A limit on how many pods of a set may be taken away."""

    other_fields = frozenset()

    api_version: str = "policy/v1"
    kind: str = "PodDisruptionBudget"
    metadata: ObjectMeta = ObjectMeta()
    spec: PodDisruptionBudgetSpec = PodDisruptionBudgetSpec()
    status: PodDisruptionBudgetStatus = PodDisruptionBudgetStatus()


class NamespaceSpec(KubeStruct, frozen=True, kw_only=True):
    """What a namespace waits for before it goes."""

    other_fields = frozenset()

    finalizers: tuple[str, ...] = ()


class NamespaceStatus(KubeStruct, frozen=True, kw_only=True):
    """Whether a namespace is in use or going."""

    other_fields = frozenset()

    phase: str = ""
    conditions: tuple[Condition, ...] = ()


class Namespace(KubeStruct, frozen=True, kw_only=True):
    """A namespace; its labels are what namespace selectors read."""

    other_fields = frozenset()

    api_version: str = "v1"
    kind: str = "Namespace"
    metadata: ObjectMeta = ObjectMeta()
    spec: NamespaceSpec = NamespaceSpec()
    status: NamespaceStatus = NamespaceStatus()


class Overhead(KubeStruct, frozen=True, kw_only=True):
    """What a runtime takes beside the containers."""

    other_fields = frozenset()

    pod_fixed: ResourceList = {}


class RuntimeClassScheduling(KubeStruct, frozen=True, kw_only=True):
    """The nodes that have the runtime."""

    other_fields = frozenset()

    node_selector: dict[str, str] = {}
    tolerations: tuple[Toleration, ...] = ()


class RuntimeClass(KubeStruct, frozen=True, kw_only=True):
    """A container runtime that pods may ask for; admission copies its overhead and selector to them."""

    other_fields = frozenset()

    api_version: str = "node.k8s.io/v1"
    kind: str = "RuntimeClass"
    metadata: ObjectMeta = ObjectMeta()
    handler: str = ""
    overhead: Overhead | None = None
    scheduling: RuntimeClassScheduling | None = None
