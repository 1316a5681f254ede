"""A cluster in a simulator, to try a change on; what was done can be done again to look closer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from scheduler_core.api.kinds import KINDS
from scheduler_core.checks.cluster_state import ClusterState, Facts
from scheduler_core.checks.recorder import Denied, Recorder
from scheduler_core.checks.ties import ScriptedTies
from scheduler_core.simulator.scenario.applying.objects import place_of
from scheduler_core.simulator.scenario.edits import Apply
from scheduler_core.simulator.simulator import Simulator

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scheduler_core.api.kinds import KubeObject
    from scheduler_core.config import SchedulerConfiguration
    from scheduler_core.simulator.options import SimulatorOptions
    from scheduler_core.simulator.scenario.edits import AnyEdit
    from scheduler_core.trace import CycleDetail


SETTLE_US: Final = 60_000_000
"""How much virtual time a cluster has to come to rest before the change; what goes on by itself never does."""


class Cancelled(Exception):
    """The check was told to stop."""


class Setup(NamedTuple):
    """What all tries of a check have in common.

    Args:
        config: the scheduler's.
        options: the seed aside.
        is_cancelled: asked while runs go on.
    """

    config: SchedulerConfiguration
    options: SimulatorOptions
    is_cancelled: Callable[[], bool] = lambda: False

    def stop_if_cancelled(self) -> None:
        """Ends the check if it is to stop.

        Raises:
            Cancelled: it is.
        """
        if self.is_cancelled():
            raise Cancelled


class World:
    """One cluster, settled, and then changed move by move."""

    def __init__(
        self,
        setup: Setup,
        objects: Iterable[KubeObject],
        *,
        seed: int = 0,
        ties: Sequence[int] | None = None,
        wanted: frozenset[int] = frozenset(),
    ) -> None:
        self._setup = setup
        self._objects = tuple(objects)
        self._seed = seed
        self._script = ties
        self._moves: list[tuple[AnyEdit, ...]] = []
        self._refused: list[Denied] = []
        self.recorder = Recorder(wanted)
        options = msgspec.structs.replace(setup.options, seed=seed, horizon_us=SETTLE_US)
        self._simulator = Simulator(setup.config, options, self.recorder)
        self.ties = ScriptedTies(ties) if ties is not None else None
        if self.ties is not None:
            self._simulator.scheduler.tie_break = self.ties
        self._since_us = 0
        self._num_preempted = 0
        self._num_denied = 0
        self._simulator.load(self._objects)
        self._run(())

    @property
    def notes(self) -> tuple[str, ...]:
        """What the configuration sets without effect."""
        return self._simulator.notes

    def move(self, edits: Iterable[AnyEdit]) -> None:
        """Has edits done at one moment, one after the other, and waits until nothing is left to do."""
        planned = tuple(edits)
        self._moves.append(planned)
        simulator = self._simulator
        self._since_us = simulator.clock.now_us
        self._num_preempted = len(self.recorder.preempted)
        self._num_denied = len(self.recorder.denied)
        self._refused.clear()
        self.recorder.bound.clear()
        horizon_us = self._since_us + self._setup.options.horizon_us
        simulator.options = msgspec.structs.replace(simulator.options, horizon_us=horizon_us)
        known = len(simulator.edits.refused)
        self._run(planned)
        for refused in simulator.edits.refused[known:]:
            subject = _subject(planned[refused.edit - 1])
            self._refused.append(Denied(subject, refused.kind, refused.message))

    def state(self) -> ClusterState:
        """Returns how things stand."""
        recorder, store = self.recorder, self._simulator.store
        facts = Facts(
            bound=dict(recorder.bound),
            refused=dict(recorder.refused),
            preempted=tuple(recorder.preempted[self._num_preempted :]),
            denied=(*dict.fromkeys((*self._refused, *recorder.denied[self._num_denied :])),),
            since_us=self._since_us,
        )
        return ClusterState((object_ for info in KINDS for object_ in store.list(info.kind)), facts)

    def details(self, cycles: Iterable[int]) -> dict[int, CycleDetail]:
        """Returns the details of cycles, by doing all of it once more."""
        wanted = frozenset(cycles)
        if not wanted:
            return {}
        again = World(self._setup, self._objects, seed=self._seed, ties=self._script, wanted=wanted)
        for move in self._moves:
            if wanted <= again.recorder.details.keys():
                break
            again.move(move)
        return again.recorder.details

    def _run(self, edits: Sequence[AnyEdit]) -> None:
        self._simulator.run(edits=edits, is_cancelled=self._setup.is_cancelled)
        self._setup.stop_if_cancelled()


def apply(raw: dict[str, Any]) -> Apply:
    """Returns the edit that creates or changes one object."""
    return Apply(objects=(raw,))


def _subject(edit: AnyEdit) -> str:
    """Returns which object an edit is about."""
    if isinstance(edit, Apply):
        return "/".join(part for part in place_of(edit.objects[0]) if part)
    return str(getattr(edit, "object", ""))
