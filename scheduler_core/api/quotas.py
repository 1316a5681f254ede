"""Limits on what a namespace's pods may ask for, and what scales workloads.

Source: api/core/v1/types.go, api/autoscaling/v2/types.go, v1.34.1
"""

from __future__ import annotations

from typing import Any

from scheduler_core.api.meta import Condition, Int32, Int64, KubeStruct, ObjectMeta, Time
from scheduler_core.api.resources import ResourceList


class LimitRangeItem(KubeStruct, frozen=True, kw_only=True):
    """Bounds and defaults for one type: Pod, Container or PersistentVolumeClaim."""

    other_fields = frozenset()

    type: str = ""
    max: ResourceList = {}
    min: ResourceList = {}
    default: ResourceList = {}
    default_request: ResourceList = {}
    max_limit_request_ratio: ResourceList = {}


class LimitRangeSpec(KubeStruct, frozen=True, kw_only=True):
    """What admission holds pods and claims to."""

    other_fields = frozenset()

    limits: tuple[LimitRangeItem, ...] = ()


class LimitRange(KubeStruct, frozen=True, kw_only=True):
    """Bounds and defaults that admission applies to each pod and claim of the namespace."""

    other_fields = frozenset()

    api_version: str = "v1"
    kind: str = "LimitRange"
    metadata: ObjectMeta = ObjectMeta()
    spec: LimitRangeSpec = LimitRangeSpec()


class ScopeRequirement(KubeStruct, frozen=True, kw_only=True):
    """Which pods a quota counts, by a scope such as PriorityClass."""

    other_fields = frozenset()

    scope_name: str = ""
    operator: str = ""
    values: tuple[str, ...] = ()


class ScopeSelector(KubeStruct, frozen=True, kw_only=True):
    """Scopes that must all match."""

    other_fields = frozenset()

    match_expressions: tuple[ScopeRequirement, ...] = ()


class ResourceQuotaSpec(KubeStruct, frozen=True, kw_only=True):
    """How much there may be together."""

    other_fields = frozenset()

    hard: ResourceList = {}
    scopes: tuple[str, ...] = ()
    scope_selector: ScopeSelector | None = None


class ResourceQuotaStatus(KubeStruct, frozen=True, kw_only=True):
    """How much is in use."""

    other_fields = frozenset()

    hard: ResourceList = {}
    used: ResourceList = {}


class ResourceQuota(KubeStruct, frozen=True, kw_only=True):
    """A bound on what the pods of a namespace ask for together."""

    other_fields = frozenset()

    api_version: str = "v1"
    kind: str = "ResourceQuota"
    metadata: ObjectMeta = ObjectMeta()
    spec: ResourceQuotaSpec = ResourceQuotaSpec()
    status: ResourceQuotaStatus = ResourceQuotaStatus()


class CrossVersionObjectReference(KubeStruct, frozen=True, kw_only=True):
    """The workload that is scaled."""

    other_fields = frozenset()

    api_version: str = ""
    kind: str = ""
    name: str = ""


class HorizontalPodAutoscalerSpec(KubeStruct, frozen=True, kw_only=True):
    """Between which counts a workload is scaled; the metrics are kept as they came."""

    other_fields = frozenset({"targetCPUUtilizationPercentage"})

    scale_target_ref: CrossVersionObjectReference = CrossVersionObjectReference()
    min_replicas: Int32 | None = None
    max_replicas: Int32 = 0
    metrics: tuple[dict[str, Any], ...] = ()
    behavior: dict[str, Any] | None = None


class HorizontalPodAutoscalerStatus(KubeStruct, frozen=True, kw_only=True):
    """What the autoscaler found."""

    other_fields = frozenset({"currentMetrics", "currentCPUUtilizationPercentage"})

    observed_generation: Int64 | None = None
    last_scale_time: Time | None = None
    current_replicas: Int32 = 0
    desired_replicas: Int32 = 0
    conditions: tuple[Condition, ...] = ()


class HorizontalPodAutoscaler(KubeStruct, frozen=True, kw_only=True):
    """Scales a workload by its load."""

    other_fields = frozenset()

    api_version: str = "autoscaling/v2"
    kind: str = "HorizontalPodAutoscaler"
    metadata: ObjectMeta = ObjectMeta()
    spec: HorizontalPodAutoscalerSpec = HorizontalPodAutoscalerSpec()
    status: HorizontalPodAutoscalerStatus = HorizontalPodAutoscalerStatus()
