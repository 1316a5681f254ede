"""The eviction subresource: a deletion that asks the pod's disruption budget.

Source: pkg/registry/core/pod/storage/eviction.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from scheduler_core.api.meta import Condition, Time
from scheduler_core.api.selectors import SelectorError
from scheduler_core.simulator.api_server import errors

if TYPE_CHECKING:
    from scheduler_core.api.pod import Pod
    from scheduler_core.api.policy import PodDisruptionBudget
    from scheduler_core.simulator.api_server.interface import Writes

MAX_DISRUPTED_PODS: Final = 2000
_UNGUARDED: Final = frozenset({"Succeeded", "Failed", "Pending"})
_ALWAYS_ALLOW: Final = "AlwaysAllow"
_REFUSAL: Final = "Cannot evict pod as it would violate the pod's disruption budget."
_SEVERAL: Final = (
    "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."
)
_replace = msgspec.structs.replace


def evict(api: Writes, namespace: str, name: str, *, by: str, grace_seconds: int | None) -> None:
    """Evicts a pod.

    Raises:
        ApiError: TooManyRequests where the budget allows no disruption just now.
    """
    pod: Pod = api.require("Pod", namespace, name)
    if pod.status.phase not in _UNGUARDED and pod.metadata.deletion_timestamp is None:
        budgets = [budget for budget in api.list("PodDisruptionBudget", namespace) if guards(budget, pod)]
        if len(budgets) > 1:
            raise errors.ApiError("InternalError", 500, _SEVERAL)
        if budgets and not _needs_no_leave(budgets[0], pod):
            _take_leave(api, budgets[0], pod)
    if pod.metadata.deletion_timestamp is None and pod.spec.node_name:
        condition = Condition(
            type="DisruptionTarget", status="True", reason="EvictionByEvictionAPI",
            message="Eviction API: evicting",
        )  # fmt: skip
        others = tuple(own for own in pod.status.conditions if own.type != condition.type)
        status = _replace(pod.status, conditions=(*others, condition))
        api.update_status(_replace(pod, status=status), by=by)
    api.delete("Pod", namespace, name, by=by, grace_seconds=grace_seconds, reason="evicted")


def guards(budget: PodDisruptionBudget, pod: Pod) -> bool:
    """Returns whether a budget of the pod's namespace counts the pod."""
    selector = budget.spec.selector
    try:
        return selector is not None and selector.matches(pod.metadata.labels)
    except SelectorError:
        return False


def _needs_no_leave(budget: PodDisruptionBudget, pod: Pod) -> bool:
    """A pod that is not ready may go where the budget says so, or is met without it."""
    is_ready = any(own.type == "Ready" and own.status == "True" for own in pod.status.conditions)
    if is_ready:
        return False
    if budget.spec.unhealthy_pod_eviction_policy == _ALWAYS_ALLOW:
        return True
    status = budget.status
    return status.current_healthy >= status.desired_healthy > 0


def _take_leave(api: Writes, budget: PodDisruptionBudget, pod: Pod) -> None:
    status, name = budget.status, budget.metadata.name
    if status.observed_generation < budget.metadata.generation:
        cause = f"The disruption budget {name} is still being processed by the server."
        raise errors.too_many_requests(_REFUSAL, cause)
    if status.disruptions_allowed < 0:
        raise errors.forbidden("PodDisruptionBudget", name, "pdb disruptions allowed is negative")
    if len(status.disrupted_pods) > MAX_DISRUPTED_PODS:
        raise errors.forbidden(
            "PodDisruptionBudget",
            name,
            "DisruptedPods map too big - too many evictions not confirmed by PDB controller",
        )
    if status.disruptions_allowed == 0:
        cause = (
            f"The disruption budget {name} needs {status.desired_healthy} healthy pods "
            f"and has {status.current_healthy} currently"
        )
        raise errors.too_many_requests(_REFUSAL, cause)
    disrupted = {**status.disrupted_pods, pod.metadata.name: Time(api.clock.wall_us())}
    left = _replace(status, disruptions_allowed=status.disruptions_allowed - 1, disrupted_pods=disrupted)
    api.update_status(_replace(budget, status=left), by="eviction")
