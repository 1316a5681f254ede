"""Clusters at rest: what a run leaves is exported, read back, and run again."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from scheduler_core.api import (
    Redaction,
    Source,
    decode_object,
    default_object,
    export,
    load_manifests,
)
from scheduler_core.api.workloads import DaemonSet, Deployment, ReplicaSet, StatefulSet
from scheduler_core.config import load_config
from scheduler_core.simulator import DEFAULT, Simulator, end_state
from scheduler_core.trace.sink import MemorySink

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scheduler_core.api import LoadedObject

MINUTE_US = 60_000_000
_ALWAYS = ("RunStarted", "RunStopped", "RunFinished")


class Played:
    """A run with controllers over imported objects.

    Args:
        loaded: the objects.
        edits: what is done to them.
        epoch_us: the wall clock at the beginning, microseconds since 1970.
        minutes: after how many the run ends at the latest.
        seed: of the run.
        config: of the scheduler.
    """

    def __init__(
        self,
        loaded: Sequence[LoadedObject],
        *,
        edits: Sequence[Any] = (),
        epoch_us: int = DEFAULT.epoch_us,
        minutes: int = 120,
        seed: int = 0,
        config: str = "",
    ) -> None:
        self.loaded, self.config = loaded, config
        sink = MemorySink()
        options = replace(DEFAULT, epoch_us=epoch_us, horizon_us=minutes * MINUTE_US, seed=seed)
        self.simulator = Simulator(load_config(config), options, sink)
        self.simulator.load([default_object(item.object) for item in loaded])
        self.result = self.simulator.run(edits=edits)
        self.events: list[dict[str, Any]] = [json.loads(line) for line in sink.lines]

    @property
    def happened(self) -> list[dict[str, Any]]:
        """The events but for the start and the end."""
        return [event for event in self.events if event["type"] not in _ALWAYS]

    @property
    def is_balanced(self) -> bool:
        """Whether nothing is pending and every workload is at its count."""
        store = self.simulator.store
        counts = Counter(
            pod.metadata.owner_references[0].uid
            for pod in store.list("Pod")
            if pod.metadata.owner_references and pod.metadata.deletion_timestamp is None
        )
        for own in store.list("Deployment"):
            assert isinstance(own, Deployment)
            if own.status.available_replicas != own.spec.replicas:
                return False
        for kind in ("ReplicaSet", "StatefulSet"):
            for each in store.list(kind):
                assert isinstance(each, ReplicaSet | StatefulSet)
                if counts[each.metadata.uid] != each.spec.replicas:
                    return False
        for daemon_set in store.list("DaemonSet"):
            assert isinstance(daemon_set, DaemonSet)
            if daemon_set.status.number_available != daemon_set.status.desired_number_scheduled:
                return False
        claims = [each.status.phase for each in store.list("PersistentVolumeClaim")]  # type: ignore[union-attr]
        return self.result.num_pending == 0 and not self.result.refused and "Pending" not in claims

    @property
    def num_refused(self) -> int:
        """How often a controller was not let make a pod."""
        return sum(event["type"] == "AdmissionRefused" for event in self.events)

    def left(self) -> list[dict[str, Any]]:
        """What the run left, plain."""
        return end_state(self.loaded, self.simulator.store)

    def again(self, objects: Sequence[LoadedObject], minutes: int = 10) -> Played:
        """A run over objects that this one left, from where it ended."""
        return Played(
            objects, epoch_us=self.simulator.clock.wall_us(), minutes=minutes, seed=1, config=self.config
        )

    def dumps(self) -> Iterator[tuple[str, list[LoadedObject]]]:
        """Yields what the run left as people have it: exported, listed without histories or status, redacted."""
        left = self.left()
        yield "json", read(export(left, "json"))
        yield "yaml", read(export(left, "yaml"))
        bare = [
            raw for raw in left if raw["kind"] not in ("ControllerRevision", "ReplicaSet") or not _owners(raw)
        ]
        yield "without histories", read(export(bare, "json"))
        silent = [
            {key: item for key, item in raw.items() if key != "status" or raw["kind"] not in _TOLD_BY_PODS}
            for raw in left
        ]
        yield "without status", read(export(silent, "json"))
        typed = [decode_object(raw) for raw in left]
        redaction = Redaction(typed)
        yield "redacted", read(export(filter(None, map(redaction.redacted, typed)), "json"))


_TOLD_BY_PODS = frozenset({"Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "ReplicationController"})


def _owners(raw: dict[str, Any]) -> Any:
    return raw["metadata"].get("ownerReferences")


def read(*texts: bytes) -> list[LoadedObject]:
    """The objects of texts."""
    return load_manifests([Source(str(number), text) for number, text in enumerate(texts)]).objects
