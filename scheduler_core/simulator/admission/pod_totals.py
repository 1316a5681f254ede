"""What a pod asks for and may use as a whole, as exact amounts.

Source: component-helpers/resource/helpers.go, PodRequests, PodLimits, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.api.pod_resources import container_limits, container_requests
from scheduler_core.api.resources import is_pod_level_resource

if TYPE_CHECKING:
    from scheduler_core.api.pod import PodSpec
    from scheduler_core.api.resources import ResourceList


def pod_requests(spec: PodSpec) -> ResourceList:
    """Returns what containers, pod-level resources and the runtime ask for together."""
    total = dict(container_requests(spec))
    if spec.resources is not None:
        total |= {name: it for name, it in spec.resources.requests.items() if is_pod_level_resource(name)}
    for name, amount in spec.overhead.items():
        total[name] = total[name] + amount if name in total else amount
    return total


def pod_limits(spec: PodSpec) -> ResourceList:
    """Returns what they may use together; the runtime's overhead counts where there is a limit."""
    total = dict(container_limits(spec))
    if spec.resources is not None:
        total |= {name: it for name, it in spec.resources.limits.items() if is_pod_level_resource(name)}
    for name, amount in spec.overhead.items():
        if name in total and not total[name].is_zero():
            total[name] = total[name] + amount
    return total
