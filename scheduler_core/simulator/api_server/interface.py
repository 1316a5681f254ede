"""What the parts of the API server's stand-in need of each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from scheduler_core.api.kinds import KubeObject
    from scheduler_core.api.quotas import ResourceQuota
    from scheduler_core.api.resources import ResourceList
    from scheduler_core.clock import VirtualClock
    from scheduler_core.simulator.account import Account
    from scheduler_core.simulator.object_store import ObjectStore
    from scheduler_core.trace.sink import Tracer


class Refusal(Exception):
    """What an admission plugin says when it refuses; the chain adds whom."""


class Admitted(NamedTuple):
    """An object to store, and what was filled in: field → value, as text."""

    object: Any
    fields: Mapping[str, str]


class Admission(Protocol):
    """Decides what may be stored, and fills it in. Every refusal is an ApiError."""

    def admit(self, object_: Any, *, strict: bool = True) -> Admitted:
        """Admits a new object; ``strict``: a class that is not there refuses a pod."""
        ...

    def admit_update(self, old: Any, new: Any) -> Any:
        """Admits a change."""
        ...

    def over(self, store: ObjectStore) -> Admission:
        """The same plugins over other objects."""
        ...

    def used(self, quota: ResourceQuota) -> ResourceList:
        """How much of what a quota limits is in use."""
        ...


class Writes(Protocol):
    """The server, as those parts see it that write through it."""

    store: ObjectStore
    clock: VirtualClock
    tracer: Tracer
    account: Account
    graceful: bool
    wake_kubelet: Callable[[], None]
    empties_namespaces: bool
    """Whether a namespace that is deleted waits until somebody has emptied it."""

    def require(self, kind: str, namespace: str, name: str) -> Any:
        """The object, or an ApiError."""
        ...

    def list(self, kind: str, namespace: str | None = None) -> Iterable[Any]:
        """Objects in order of (namespace, name)."""
        ...

    def update_status(self, object_: KubeObject, *, by: str) -> Any:
        """Replaces the status only."""
        ...

    def delete(
        self, kind: str, namespace: str, name: str, *, by: str, grace_seconds: int | None, reason: str
    ) -> None:
        """Deletes an object, or has its deletion begin."""
        ...

    def remove(self, object_: KubeObject, by: str, reason: str = "deleted") -> None:
        """Takes an object out of the store."""
        ...
