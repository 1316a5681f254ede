"""Admission: what the API server does to an object before it is stored, plugin after plugin.

All plugins that change an object come first, then those that only judge it.

Source: pkg/kubeapiserver/options/plugins.go, AllOrderedPlugins, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scheduler_core.api.pod import Pod
from scheduler_core.api.quotas import LimitRange
from scheduler_core.api.storage import PersistentVolumeClaim
from scheduler_core.simulator.admission.default_storage_class import admit_storage_class
from scheduler_core.simulator.admission.default_tolerations import admit_tolerations
from scheduler_core.simulator.admission.limit_defaults import admit_limit_range, admit_limits
from scheduler_core.simulator.admission.limit_ranger import check_claim_limits, check_limits
from scheduler_core.simulator.admission.priority import admit_priority, check_priority
from scheduler_core.simulator.admission.resource_quota import ResourceQuotas
from scheduler_core.simulator.admission.runtime_class import admit_runtime_class
from scheduler_core.simulator.api_server.errors import ApiError, forbidden
from scheduler_core.simulator.api_server.interface import Admitted, Refusal

if TYPE_CHECKING:
    from scheduler_core.api.quotas import ResourceQuota
    from scheduler_core.api.resources import ResourceList
    from scheduler_core.simulator.object_store import ObjectStore


class AdmissionChain:
    """The plugins in their order, over one store."""

    def __init__(self, store: ObjectStore) -> None:
        self._store = store
        self._quotas = ResourceQuotas(store)

    def admit(self, object_: Any, *, strict: bool = True) -> Admitted:
        """Admits a new object.

        Args:
            object_: with the API's defaults.
            strict: whether a class that is not there refuses a pod; in what people paste it may be left out.

        Raises:
            ApiError: a plugin refuses it.
        """
        fields: dict[str, str] = {}
        try:
            if isinstance(object_, Pod):
                object_ = self._admit_pod(object_, fields, strict=strict)
            elif isinstance(object_, PersistentVolumeClaim):
                object_ = admit_storage_class(object_, self._store)
                check_claim_limits(object_, self._store)
            elif isinstance(object_, LimitRange):
                object_ = admit_limit_range(object_)
            self._quotas.check(object_)
        except Refusal as refusal:
            raise _forbidden(object_, refusal) from None
        return Admitted(object_, fields)

    def admit_update(self, old: Any, new: Any) -> Any:
        """Admits a change: a pod that asks for more, a claim that grows, bounds that are to have their defaults.

        Raises:
            ApiError: a plugin refuses it.
        """
        try:
            if isinstance(new, LimitRange):
                return admit_limit_range(new)
            if isinstance(new, Pod) and new.spec.containers != old.spec.containers:
                check_limits(new, self._store)
                self._quotas.check(new, old)
            elif isinstance(new, PersistentVolumeClaim) and new.spec.resources != old.spec.resources:
                check_claim_limits(new, self._store)
                self._quotas.check(new, old)
        except Refusal as refusal:
            raise _forbidden(new, refusal) from None
        return new

    def over(self, store: ObjectStore) -> AdmissionChain:
        """The same plugins over other objects."""
        return AdmissionChain(store)

    def used(self, quota: ResourceQuota) -> ResourceList:
        """How much of what a quota limits is in use."""
        return self._quotas.used(quota)

    def _admit_pod(self, pod: Pod, fields: dict[str, str], *, strict: bool) -> Pod:
        pod = admit_limits(pod, self._store, fields)
        if strict:
            check_priority(pod, self._store)
        before = pod.spec
        pod = admit_priority(pod, self._store)
        if pod.spec.priority_class_name and pod.spec is not before:
            fields["spec.priorityClassName"] = pod.spec.priority_class_name
            fields["spec.priority"] = str(pod.spec.priority)
            if pod.spec.preemption_policy != before.preemption_policy:
                fields["spec.preemptionPolicy"] = pod.spec.preemption_policy or ""
        pod = admit_tolerations(pod, fields)
        pod = admit_runtime_class(pod, self._store, fields, strict=strict)
        check_limits(pod, self._store)
        return pod


def _forbidden(object_: Any, refusal: Refusal) -> ApiError:
    return forbidden(object_.kind, object_.metadata.name, str(refusal))
