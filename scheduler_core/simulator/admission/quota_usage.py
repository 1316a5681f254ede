"""What an object takes of a quota: which resources, how much, and within which scopes.

Source: pkg/quota/v1/evaluator/core/{pods,persistent_volume_claims,services}.go;
apiserver/pkg/quota/v1/generic/evaluator.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from scheduler_core.api.pod import FINAL_PHASES, Pod
from scheduler_core.api.quantity import Quantity
from scheduler_core.api.quotas import ScopeRequirement
from scheduler_core.api.resources import HUGEPAGES_PREFIX
from scheduler_core.api.selectors import EXISTS, LabelSelectorRequirement
from scheduler_core.api.storage import PersistentVolumeClaim
from scheduler_core.api.workloads import Service
from scheduler_core.simulator.admission.pod_totals import pod_limits, pod_requests
from scheduler_core.simulator.api_server.errors import plural, resource_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scheduler_core.api.affinity import PodAffinityTerm
    from scheduler_core.api.quotas import ResourceQuotaSpec
    from scheduler_core.api.resources import ResourceList

REQUESTS: Final = "requests."
_BASIC: Final = ("cpu", "memory", "ephemeral-storage")
_ONE: Final = Quantity.from_int(1)
_COUNTED: Final = frozenset({"ReplicationController", "ResourceQuota", "Service", "PersistentVolumeClaim"})
# Only these must be set by every container where a quota limits them.
_MUST_BE_SET: Final = frozenset(
    {"cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory"}
)


def usage(object_: Any) -> ResourceList:
    """Returns what an object takes, by the names that quotas use."""
    kind = object_.kind
    taken: ResourceList = {f"count/{resource_of(kind)}": _ONE}
    if isinstance(object_, Pod):
        if object_.status.phase not in FINAL_PHASES:
            taken |= {"pods": _ONE, **_compute(pod_requests(object_.spec), pod_limits(object_.spec))}
        return taken
    if kind in _COUNTED:
        taken[plural(kind)] = _ONE
    if isinstance(object_, PersistentVolumeClaim):
        taken |= _claim(object_)
    elif isinstance(object_, Service) and object_.spec.type in ("LoadBalancer", "NodePort"):
        taken["services.nodeports"] = _ONE
        if object_.spec.type == "LoadBalancer":
            taken["services.loadbalancers"] = _ONE
    return taken


def in_scope(spec: ResourceQuotaSpec, object_: Any) -> bool:
    """Returns whether a quota counts an object, whatever it limits."""
    selectors = [ScopeRequirement(scope_name=scope, operator=EXISTS) for scope in spec.scopes]
    if spec.scope_selector is not None:
        selectors += spec.scope_selector.match_expressions
    return all(isinstance(object_, Pod) and _matches(selector, object_) for selector in selectors)


def unset(pod: Pod, limited: Iterable[str]) -> str:
    """Returns which limited resources which containers do not set, in upstream's words, or an empty text."""
    required = _MUST_BE_SET & set(limited)
    of_pod = pod.spec.resources
    if of_pod is not None:
        required = required - _compute(of_pod.requests, of_pod.limits).keys()
    missing: dict[str, set[str]] = {}
    for container in (*pod.spec.containers, *pod.spec.init_containers):
        own = _compute(container.resources.requests, container.resources.limits)
        for name in required - own.keys():
            missing.setdefault(name, set()).add(container.name)
    parts = [f"{name} for: {','.join(sorted(missing[name]))}" for name in sorted(missing)]
    return f"must specify {'; '.join(parts)}" if parts else ""


def _compute(requests: Mapping[str, Quantity], limits: Mapping[str, Quantity]) -> ResourceList:
    taken: ResourceList = {}
    for name, amount in requests.items():
        if name in _BASIC or name.startswith(HUGEPAGES_PREFIX):
            taken[name] = taken[REQUESTS + name] = amount
        elif "/" in name:
            taken[REQUESTS + name] = amount
    for name in _BASIC:
        if name in limits:
            taken[f"limits.{name}"] = limits[name]
    return taken


def _claim(claim: PersistentVolumeClaim) -> ResourceList:
    taken: ResourceList = {}
    storage = claim.spec.resources.requests.get("storage")
    if storage is not None:
        taken["requests.storage"] = storage
    if name := claim.spec.storage_class_name:
        head = f"{name}.storageclass.storage.k8s.io"
        taken[f"{head}/persistentvolumeclaims"] = _ONE
        if storage is not None:
            taken[f"{head}/requests.storage"] = storage
    return taken


def _matches(selector: ScopeRequirement, pod: Pod) -> bool:
    scope = selector.scope_name
    if scope in ("Terminating", "NotTerminating"):
        deadline = pod.spec.active_deadline_seconds
        return (deadline is not None and deadline >= 0) == (scope == "Terminating")
    if scope in ("BestEffort", "NotBestEffort"):
        return _is_best_effort(pod) == (scope == "BestEffort")
    if scope == "CrossNamespacePodAffinity":
        return _looks_across_namespaces(pod)
    if scope != "PriorityClass":
        return False
    name = pod.spec.priority_class_name
    if selector.operator == EXISTS:
        return bool(name)
    requirement = LabelSelectorRequirement(key=scope, operator=selector.operator, values=selector.values)
    return requirement.problem() == "" and requirement.matches({scope: name} if name else {})


def _is_best_effort(pod: Pod) -> bool:
    spec = pod.spec
    parts = [container.resources for container in (*spec.containers, *spec.init_containers)]
    if spec.resources is not None:
        parts.append(spec.resources)
    return not any(
        not amount.is_zero()
        for resources in parts
        for amounts in (resources.requests, resources.limits)
        for name, amount in amounts.items()
        if name in ("cpu", "memory")
    )


def _looks_across_namespaces(pod: Pod) -> bool:
    affinity = pod.spec.affinity
    if affinity is None:
        return False
    terms: list[PodAffinityTerm] = []
    for part in (affinity.pod_affinity, affinity.pod_anti_affinity):
        if part is not None:
            terms += part.required_during_scheduling_ignored_during_execution
            preferred = part.preferred_during_scheduling_ignored_during_execution
            terms += (weighted.pod_affinity_term for weighted in preferred)
    return any(term.namespaces or term.namespace_selector is not None for term in terms)
