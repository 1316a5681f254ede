"""The edits of a run: each is done at its time, whole or not at all, and the trace says how it went."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from scheduler_core.api.decode import encode_object
from scheduler_core.simulator.api_server.errors import ApiError
from scheduler_core.simulator.api_server.names import stream
from scheduler_core.simulator.api_server.validity import checked
from scheduler_core.simulator.event_loop import EDITS
from scheduler_core.simulator.scenario import edits
from scheduler_core.simulator.scenario.applying import nodes, objects, workloads
from scheduler_core.simulator.scenario.applying.drain import Eviction, start_drain
from scheduler_core.simulator.scenario.applying.observing import observe
from scheduler_core.simulator.scenario.arrivals import arrival_times, arriving_pod
from scheduler_core.simulator.scenario.sentences import sentence
from scheduler_core.trace.events import EditApplied, EditRefused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from scheduler_core.api.kinds import KubeObject
    from scheduler_core.api.pod import Pod
    from scheduler_core.simulator.api_server.server import ApiServer
    from scheduler_core.simulator.controllers.roster import Controllers
    from scheduler_core.simulator.event_loop import CallLater

_CANNOT_DO_WITHOUT: Final[dict[type, str]] = {
    edits.Lose: "node-lifecycle-controller",
    edits.Restore: "node-lifecycle-controller",
    edits.SetTarget: "horizontal-pod-autoscaler-controller",
}
_LOSING: Final = ("kubelet", "node-lifecycle-controller", "taint-eviction-controller")
_NEEDS: Final[dict[type, tuple[str, ...]]] = {
    edits.Drain: ("kubelet", "disruption-controller"),
    edits.Lose: _LOSING,
    edits.Restore: _LOSING,
    edits.RemoveNodes: ("pod-garbage-collector-controller",),
}
_WRITES: Final[dict[type, Callable[[Any, Any], None]]] = {
    edits.MergePatch: objects.merge_patch,
    edits.Delete: objects.delete,
    edits.Label: objects.label,
    edits.Scale: workloads.scale,
    edits.SetImage: workloads.set_image,
    edits.SetRequests: workloads.set_requests,
    edits.SetTarget: workloads.set_target,
    edits.Cordon: nodes.cordon,
    edits.Uncordon: nodes.uncordon,
    edits.Taint: nodes.taint,
    edits.Untaint: nodes.untaint,
    edits.AddNodes: nodes.add_nodes,
    edits.RemoveNodes: nodes.remove_nodes,
    edits.Lose: nodes.lose,
    edits.Restore: nodes.restore,
    edits.Observe: observe,
}
# These are never refused, so that nothing has to be tried before.
_SURE: Final = (edits.Wait, edits.Arrivals, edits.Observe)


class RefusedEdit(msgspec.Struct, frozen=True):
    """An edit that changed nothing, or a drain that did not end; ``edit`` counts from 1 as they are written.

    ``pods`` are those that a drain waits for, and ``budgets`` what holds them, as ``PodDisruptionBudget ns/name``.
    """

    edit: int
    kind: str
    at_us: int
    text: str
    message: str
    pods: tuple[str, ...] = ()
    budgets: tuple[str, ...] = ()


class EditRunner:
    """Does the edits of a scenario."""

    def __init__(
        self,
        api: ApiServer,
        call_later: CallLater,
        controllers: Controllers,
        seed: int,
        begin: Callable[[], None] = lambda: None,
    ) -> None:
        """``begin`` is called before each edit takes effect."""
        self._begin = begin
        self._api = api
        self._call_later = call_later
        self._controllers = controllers
        self._seed = seed
        self._before_cycle: dict[int, list[tuple[int, edits.AnyEdit]]] = {}
        self._last_applied: objects.LastApplied = {}
        self._drains: list[tuple[int, edits.Drain, Eviction]] = []
        self.refused: list[RefusedEdit] = []

    def schedule(self, planned: Sequence[edits.AnyEdit]) -> None:
        """Has edits done when they are due, those of one time in their order."""
        for number, edit in enumerate(planned, start=1):
            if edit.cycle is not None:
                self._before_cycle.setdefault(edit.cycle, []).append((number, edit))
            else:
                delay_us = max(edit.at_us - self._api.clock.now_us, 0)
                self._call_later(delay_us, self._step(number, edit), EDITS)

    def before_cycle(self, cycle: int) -> bool:
        """Does the edits that were to come just before a cycle; whether there were any."""
        if cycle not in self._before_cycle:
            return False
        for number, edit in self._before_cycle.pop(cycle):
            self.do(number, edit)
        return True

    def _step(self, number: int, edit: edits.AnyEdit) -> Callable[[], None]:
        return lambda: self.do(number, edit)

    def note_written(self, written: Iterable[KubeObject]) -> None:
        """Takes what people wrote, and no API server has stored, for what they applied before."""
        for object_ in written:
            if not object_.metadata.uid and object_.kind not in ("Pod", "Node"):
                plain = encode_object(object_)
                self._last_applied[objects.place_of(plain)] = plain

    def do(self, number: int, edit: edits.AnyEdit) -> None:
        """Does one edit now; a refusal is noted and changes nothing."""
        needed = _CANNOT_DO_WITHOUT.get(type(edit))
        if needed is not None and not self._controllers.has(needed):
            self._refuse(number, edit, f"this takes the {needed}, which is off in this run")
            return
        for name in _NEEDS.get(type(edit), ()):
            self._controllers.activate(name)
        if not isinstance(edit, _SURE):
            try:
                self._write(self._api.rehearsal(), edit, dict(self._last_applied))
            except ApiError as refusal:
                self._refuse(number, edit, _words(refusal))
                return
        self._begin()
        if self._api.tracer.on and not isinstance(edit, edits.Observe):
            self._api.tracer.emit(EditApplied(edit=number, kind=edit.kind, text=sentence(edit)))
        pods = self._write(self._api, edit, self._last_applied)
        if isinstance(edit, edits.Drain):
            self._evict(number, edit, pods)
        elif isinstance(edit, edits.Arrivals):
            random = stream(self._seed, f"arrivals/{number}")
            self._next_arrival(number, edit, 1, self._api.clock.now_us, arrival_times(edit, random))

    def _write(self, api: ApiServer, edit: edits.AnyEdit, last: objects.LastApplied) -> list[Pod]:
        if isinstance(edit, edits.Apply):
            objects.apply(api, edit, last)
        elif isinstance(edit, edits.Drain):
            return start_drain(api, edit)
        elif type(edit) in _WRITES:
            _WRITES[type(edit)](api, edit)
        return []

    def _evict(self, number: int, edit: edits.Drain, pods: list[Pod]) -> None:
        def give_up(message: str) -> None:
            self._refuse(number, edit, message, eviction)

        eviction = Eviction(self._api, edit, pods, self._call_later, give_up)
        self._drains.append((number, edit, eviction))
        eviction.start()

    def _next_arrival(
        self, number: int, edit: edits.Arrivals, pod: int, start_us: int, times: Iterator[int]
    ) -> None:
        t_us = next(times, None)
        if t_us is None:
            return

        def arrive() -> None:
            try:
                self._api.create(checked(arriving_pod(edit, pod)), by=objects.EDIT)
            except ApiError as refusal:
                if all(known.edit != number for known in self.refused):  # the trace tells of each
                    self._note(number, edit, refusal.message)
            self._next_arrival(number, edit, pod + 1, start_us, times)

        self._call_later(max(start_us + t_us - self._api.clock.now_us, 0), arrive, EDITS)

    def finish(self, num_cycles: int) -> None:
        """Says, at the end of the run, which drains did not end and which edits never came."""
        for number, edit, eviction in self._drains:
            if text := eviction.text_of_the_rest():
                self._refuse(number, edit, f"the drain did not end: {text}", eviction)
        for cycle, waiting in sorted(self._before_cycle.items()):
            for number, late in waiting:
                self._refuse(number, late, f"cycle {cycle} never came: the run had {num_cycles}")

    def _refuse(
        self, number: int, edit: edits.AnyEdit, message: str, eviction: Eviction | None = None
    ) -> None:
        self._note(number, edit, message, eviction)
        if self._api.tracer.on:
            text = sentence(edit)
            self._api.tracer.emit(EditRefused(edit=number, kind=edit.kind, text=text, message=message))

    def _note(self, number: int, edit: edits.AnyEdit, message: str, eviction: Eviction | None = None) -> None:
        now_us = self._api.clock.now_us
        pods, budgets = eviction.rest() if eviction is not None else ((), ())
        refused = RefusedEdit(number, edit.kind, now_us, sentence(edit), message, pods, budgets)
        self.refused.append(refused)


def _words(refusal: ApiError) -> str:
    return f"{refusal.message} {refusal.cause}".rstrip()
