"""Cluster + edits → cluster: what the edits alone make of it, before any scheduler or controller answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from scheduler_core.clock import VirtualClock
from scheduler_core.simulator.admission.chain import AdmissionChain
from scheduler_core.simulator.api_server.server import ApiServer
from scheduler_core.simulator.controllers.roster import Controllers
from scheduler_core.simulator.end_state import end_state
from scheduler_core.simulator.event_loop import EventLoop
from scheduler_core.simulator.loading import Loader
from scheduler_core.simulator.object_store import ObjectStore
from scheduler_core.simulator.options import DEFAULT
from scheduler_core.simulator.scenario.running import EditRunner, RefusedEdit
from scheduler_core.trace.sink import Tracer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scheduler_core.api import LoadedObject
    from scheduler_core.simulator.scenario.edits import AnyEdit


class Edited(msgspec.Struct, frozen=True):
    """The objects as edits leave them, in plain form, and the edits that were refused."""

    objects: list[dict[str, Any]]
    refused: tuple[RefusedEdit, ...]


def apply_edits(loaded: Sequence[LoadedObject], edits: Sequence[AnyEdit]) -> Edited:
    """Applies edits one after the other, in the order of their times; what is refused changes nothing.

    Pods that a drain evicts are gone at once where their budgets allow; pods of an arrival do not come, for it takes
    time; nodes are not lost, for it takes controllers to notice.
    """
    clock = VirtualClock()
    tracer = Tracer(clock, None)
    store, loop = ObjectStore(), EventLoop(clock)
    api = ApiServer(store, clock, tracer, AdmissionChain(store))
    options = msgspec.structs.replace(DEFAULT, controllers="off")
    controllers = Controllers(api, clock, loop.call_later, loop.cancel, options, tracer)
    runner = EditRunner(api, loop.call_later, controllers, 0)
    objects = [item.object for item in loaded]
    runner.note_written(objects)
    Loader(api, clock, tracer, msgspec.structs.replace(DEFAULT, admission="priority")).load(objects, "", {})
    for number, edit in sorted(enumerate(edits, start=1), key=lambda pair: (pair[1].at_us, pair[0])):
        runner.do(number, edit)
    return Edited(end_state(loaded, store), tuple(runner.refused))
