"""ResourceQuota admission, and the count of what quotas have given out.

Source: apiserver/pkg/admission/plugin/resourcequota/controller.go, CheckRequest, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from scheduler_core.api.kinds import KINDS
from scheduler_core.api.pod import Pod
from scheduler_core.api.quantity import Quantity
from scheduler_core.simulator.admission.quota_usage import in_scope, unset, usage
from scheduler_core.simulator.api_server.interface import Refusal

if TYPE_CHECKING:
    from scheduler_core.api.quotas import ResourceQuota
    from scheduler_core.api.resources import ResourceList
    from scheduler_core.simulator.object_store import ObjectStore

_KIND: Final = "ResourceQuota"
_NOTHING: Final = Quantity(0)
_replace = msgspec.structs.replace


class ResourceQuotas:
    """Refuses what would exceed a quota. Follows the store from the first quota that it has to ask."""

    def __init__(self, store: ObjectStore) -> None:
        self._store = store
        self._used: dict[tuple[str, str], ResourceList] = {}
        self._is_following = False

    def check(self, object_: Any, old: Any | None = None) -> None:
        """Holds an object, new or changed, to the quotas of its namespace, in order of their names.

        Raises:
            Refusal: a quota is exceeded, or needs a container to say what it takes.
        """
        namespace = object_.metadata.namespace
        if not namespace:
            return
        for quota in self._store.list(_KIND, namespace):
            hard = quota.spec.hard
            if not in_scope(quota.spec, object_):
                continue
            taken = {name: amount for name, amount in usage(object_).items() if name in hard}
            if isinstance(object_, Pod) and (problem := unset(object_, hard)):
                raise Refusal(f"failed quota: {quota.metadata.name}: {problem}")
            if old is not None and in_scope(quota.spec, old):
                before = usage(old)
                taken = {name: max(it - before.get(name, _NOTHING), _NOTHING) for name, it in taken.items()}
            _check(quota, {name: it for name, it in taken.items() if not it.is_zero()}, self.used(quota))

    def used(self, quota: ResourceQuota) -> ResourceList:
        """Returns how much of what a quota limits is in use."""
        metadata = quota.metadata
        place = (metadata.namespace, metadata.name)
        used = self._used.get(place)
        if used is None:
            used = self._used[place] = self._counted(quota)
            if not self._is_following:
                self._is_following = True
                self._store.listen(self._on_event)
        return used

    def _counted(self, quota: ResourceQuota) -> ResourceList:
        used = dict.fromkeys(quota.spec.hard, _NOTHING)
        for info in KINDS:
            if info.namespaced:
                for object_ in self._store.list(info.kind, quota.metadata.namespace):
                    _add(used, quota, object_, 1)
        return used

    def _on_event(self, kind: str, old: Any | None, new: Any | None) -> None:
        metadata = (new or old).metadata  # type: ignore[union-attr]
        namespace = metadata.namespace
        if kind == _KIND:
            if old is None or new is None or old.spec != new.spec:
                self._used.pop((namespace, metadata.name), None)
        elif kind == "Pod" and old is not None and new is not None and _takes_the_same(old, new):
            return
        for (where, name), used in self._used.items():
            quota = self._store.get(_KIND, where, name) if where == namespace else None
            if quota is not None:
                if old is not None:
                    _add(used, quota, old, -1)
                if new is not None:
                    _add(used, quota, new, 1)


def _takes_the_same(old: Pod, new: Pod) -> bool:
    return (
        old.status.phase == new.status.phase
        or not {old.status.phase, new.status.phase} & {"Succeeded", "Failed"}
    ) and old.spec.containers == new.spec.containers


def _add(used: ResourceList, quota: ResourceQuota, object_: Any, sign: int) -> None:
    if not in_scope(quota.spec, object_):
        return
    for name, amount in usage(object_).items():
        if name in used:
            used[name] = used[name] + amount if sign > 0 else used[name] - amount


def _check(quota: ResourceQuota, asked: ResourceList, used: ResourceList) -> None:
    hard = quota.spec.hard
    exceeded = sorted(name for name, amount in asked.items() if used[name] + amount > hard[name])
    if exceeded:
        raise Refusal(
            f"exceeded quota: {quota.metadata.name}, requested: {_text(asked, exceeded)}, "
            f"used: {_text(used, exceeded)}, limited: {_text(hard, exceeded)}"
        )


def _text(amounts: ResourceList, names: list[str]) -> str:
    return ",".join(f"{name}={amounts[name]}" for name in names)
