"""The controllers of a run: which there are, and when each comes on.

A controller comes on with the first object that needs it, and is told of events from then on: in a run that needs
none, a change costs the look-up that finds nobody.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scheduler_core.errors import NOT_SUPPORTED, FieldError, ManifestError
from scheduler_core.simulator.controllers.in_tree import IN_TREE
from scheduler_core.simulator.controllers.interface import Cluster, Controller, WorkQueue

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scheduler_core.clock import VirtualClock
    from scheduler_core.simulator.api_server.server import ApiServer
    from scheduler_core.simulator.event_loop import CallLater, Cancel
    from scheduler_core.simulator.options import SimulatorOptions
    from scheduler_core.trace.sink import Tracer


class Controllers:
    """Builds controllers when they are needed, and hands them the events of their kinds."""

    def __init__(
        self,
        api: ApiServer,
        clock: VirtualClock,
        call_later: CallLater,
        cancel: Cancel,
        options: SimulatorOptions,
        tracer: Tracer,
    ) -> None:
        self.cluster = Cluster(api, clock, call_later, cancel, options, tracer, self.activate)
        wanted = options.controllers
        names = IN_TREE if wanted == "all" else () if wanted == "off" else _known(wanted)
        self._asleep = {name: entry for name, entry in IN_TREE.items() if name in names}
        self._on: dict[str, Controller] = {}
        self._listening: dict[str, list[Controller]] = {}
        self._waking: dict[str, list[str]] = {}
        for name, entry in self._asleep.items():
            for kind in entry.wakes_on:
                self._waking.setdefault(kind, []).append(name)

    def has(self, name: str) -> bool:
        """Whether the run has a controller, at work or not yet."""
        return name in self._asleep or name in self._on

    def is_on(self, name: str) -> bool:
        """Whether a controller is at work."""
        return name in self._on

    def activate(self, name: str) -> None:
        """Has a controller come on, and those that it works with; nothing happens where the run has it not."""
        entry = self._asleep.pop(name, None)
        if entry is None:
            return
        for kind in entry.wakes_on:
            self._waking[kind].remove(name)
        queue = WorkQueue(self.cluster, name)
        controller = self._on[name] = entry.factory(self.cluster, queue)
        queue.serve(controller.sync)
        for kind in sorted(controller.kinds):
            self._listening.setdefault(kind, []).append(controller)
        controller.start()
        for other in entry.works_with:
            self.activate(other)

    def on_event(self, kind: str, old: Any | None, new: Any | None) -> None:
        """Tells those that are on, and wakes those that this change needs."""
        for controller in self._listening.get(kind, ()):
            controller.on_event(kind, old, new)
        for name in tuple(self._waking.get(kind, ())):
            entry = self._asleep.get(name)
            if entry is not None and new is not None and entry.wakes_on[kind](old, new):
                self.activate(name)


def _known(names: Sequence[str]) -> Sequence[str]:
    """Names of controllers.

    Raises:
        ManifestError: one is not known here.
    """
    errors = [
        FieldError(
            file="options",
            field=f"controllers[{place}]",
            value=name,
            type=NOT_SUPPORTED,
            message=f"supported values: all, off, or some of {', '.join(sorted(IN_TREE))}",
        )
        for place, name in enumerate(names)
        if name not in IN_TREE
    ]
    if errors:
        raise ManifestError(errors)
    return names
