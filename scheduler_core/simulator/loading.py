"""Puts the objects of a cluster into the store, as a run finds them.

What was admitted before is taken as it is: what carries a uid, and pods that have a node. What somebody wrote and no
API server ever saw is admitted now; where that refuses, the trace says so and the object is not there.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import msgspec

from scheduler_core.api.defaulting import default_object
from scheduler_core.api.kinds import object_key
from scheduler_core.api.meta import ObjectMeta
from scheduler_core.api.node import Node
from scheduler_core.api.pod import Pod
from scheduler_core.api.policy import Namespace
from scheduler_core.api.storage import PersistentVolumeClaim
from scheduler_core.simulator.admission.default_tolerations import FIELD, USUAL
from scheduler_core.simulator.admission.priority import admit_priority
from scheduler_core.simulator.api_server.errors import ApiError
from scheduler_core.simulator.controllers.observed import observed
from scheduler_core.trace.events import AdmissionRefused, PodDefaulted, PodsDefaulted, RunStarted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scheduler_core.api.kinds import KubeObject
    from scheduler_core.clock import VirtualClock
    from scheduler_core.simulator.api_server.server import ApiServer
    from scheduler_core.simulator.options import SimulatorOptions
    from scheduler_core.trace.sink import Tracer

SYSTEM_NAMESPACES: Final = ("default", "kube-system")
IMPORT: Final = "import"
"""Who wrote the objects of the cluster, where the trace asks."""


class Refused(msgspec.Struct, frozen=True):
    """An object that admission refused, such as ``Pod/default/web``, and the API server's words."""

    object: str
    message: str


class Loader:
    """Takes objects in their order: others, nodes, bound pods, pending pods."""

    def __init__(
        self, api: ApiServer, clock: VirtualClock, tracer: Tracer, options: SimulatorOptions
    ) -> None:
        self._api = api
        self._clock = clock
        self._tracer = tracer
        self._options = options
        self._common: Counter[tuple[str, str]] = Counter()
        self.refused: list[Refused] = []

    def load(
        self, objects: Iterable[KubeObject], engine_version: str, waits_for: dict[str, tuple[str, ...]]
    ) -> None:
        """Stores all objects; nodes and bound pods in order of (namespace, name), pending pods as the options say."""
        pairs = [(default_object(object_), bool(object_.metadata.uid)) for object_ in objects]
        if self._options.controllers != "off":
            found = observed([object_ for object_, _ in pairs], self._clock.wall_us())
            admitted = [was_admitted for _, was_admitted in pairs]
            pairs = list(zip(found, [*admitted, *(True for _ in found[len(pairs) :])], strict=True))
        for name in SYSTEM_NAMESPACES:
            self._api.observe(default_object(Namespace(metadata=ObjectMeta(name=name))))
        nodes = [pair for pair in pairs if isinstance(pair[0], Node)]
        pods = [pair for pair in pairs if isinstance(pair[0], Pod)]
        others = [pair for pair in pairs if not isinstance(pair[0], Node | Pod)]
        bound = [pair for pair in pods if pair[0].spec.node_name]  # type: ignore[union-attr]
        pending = [pair for pair in pods if not pair[0].spec.node_name]  # type: ignore[union-attr]
        if self._options.arrival == "creation":
            pending.sort(key=_arrival_key)
        if self._options.admission == "all":
            others.sort(key=lambda pair: isinstance(pair[0], PersistentVolumeClaim))
        if self._tracer.on:
            standings = Counter(pod.standing for pod, _ in pods)  # type: ignore[union-attr]
            self._tracer.emit(
                RunStarted(
                    num_nodes=len(nodes),
                    num_bound=standings["bound"],
                    num_pending=standings["pending"],
                    num_finished=standings["finished"],
                    engine_version=engine_version,
                    waits_for=waits_for,
                )
            )
        entering = [*others, *sorted(nodes, key=_name_key), *sorted(bound, key=_name_key), *pending]
        for object_, was_admitted in entering:
            self._enter(object_, was_admitted=was_admitted)
        self._tell_common()

    def _enter(self, object_: KubeObject, *, was_admitted: bool) -> None:
        if isinstance(object_, Pod):
            self._clock.advance(self._options.put_us)
        if self._options.admission == "all" and not was_admitted and _is_new(object_):
            admitted = self._admitted(object_)
            if admitted is None:
                return
            object_ = admitted
        elif isinstance(object_, Pod):
            object_ = admit_priority(object_, self._api.store)
        self._api.observe(object_)

    def _admitted(self, object_: KubeObject) -> Any | None:
        try:
            admitted = self._api.admission.admit(object_, strict=False)
        except ApiError as refusal:
            metadata = object_.metadata
            key = object_key(object_.kind, metadata.namespace, metadata.name)
            self.refused.append(Refused(key, refusal.message))
            if self._tracer.on:
                self._tracer.emit(AdmissionRefused(object=key, by=IMPORT, message=refusal.message))
            return None
        fields = dict(admitted.fields)
        if fields.get(FIELD) == USUAL:
            del fields[FIELD]
            self._common[FIELD, USUAL] += 1
        if fields and self._tracer.on:
            self._tracer.emit(PodDefaulted(pod=admitted.object.key, fields=fields))
        return admitted.object

    def _tell_common(self) -> None:
        if self._tracer.on:
            for (field, value), number in self._common.items():
                self._tracer.emit(PodsDefaulted(field=field, value=value, num_pods=number))


def _is_new(object_: KubeObject) -> bool:
    """Whether admission has a say: a pod without a node, a claim without a volume."""
    if isinstance(object_, Pod):
        return not object_.spec.node_name
    return isinstance(object_, PersistentVolumeClaim) and not object_.spec.volume_name


def _name_key(pair: tuple[KubeObject, bool]) -> tuple[str, str]:
    return pair[0].metadata.namespace, pair[0].metadata.name


def _arrival_key(pair: tuple[KubeObject, bool]) -> tuple[int, str, str]:
    metadata = pair[0].metadata
    return metadata.creation_timestamp or 0, metadata.namespace, metadata.name
