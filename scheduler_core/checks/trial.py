"""One try of a check: the cluster settles, the change is made in some order, every expectation is judged."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from scheduler_core.checks.case import Case, Clue
from scheduler_core.checks.change import FieldRef, in_order, locations
from scheduler_core.checks.judging.preemption import victims
from scheduler_core.checks.judging.registry import judge
from scheduler_core.checks.manifest_warnings import warnings_of
from scheduler_core.checks.verdict import Finding, Location, ManifestWarning, Result, Victim
from scheduler_core.checks.world import World, apply
from scheduler_core.simulator.scenario.edits import Delete

if TYPE_CHECKING:
    from scheduler_core.checks.case import Judgement
    from scheduler_core.checks.check import Check
    from scheduler_core.checks.cluster_state import ClusterState
    from scheduler_core.checks.expectations import Expected


class Order(NamedTuple):
    """How a try differs from another.

    Args:
        arrivals: positions of the objects that make pods, in the order in which they come; None: as in the files.
        seed: for ties.
        ties: who is taken at each tie, instead of drawing.
    """

    arrivals: tuple[int, ...] | None = None
    seed: int = 0
    ties: tuple[int, ...] | None = None


class Trial:
    """A try that was made.

    Args:
        check: what is tried.
        order: in which order.
    """

    def __init__(self, check: Check, order: Order) -> None:
        self.check = check
        self.order = order
        self.world = World(check.setup, check.cluster, seed=order.seed, ties=order.ties)
        self.before = self.world.state()
        applied = [apply(item.raw) for item in in_order(check.change, order.arrivals)]
        self.world.move([*applied, *(Delete(object=key) for key in check.change.delete)])
        self.after = self.world.state()

    @property
    def num_ties(self) -> Sequence[int]:
        """How many nodes tied, for each time that some did."""
        return self.world.recorder.num_ties

    def fingerprint(self) -> bytes:
        """Returns what tells end states apart: who is where, who waits, who went."""
        digest = hashlib.sha256()
        for key, pod in sorted(self.after.pods.items()):
            digest.update(f"{key}\0{pod.spec.node_name}\0".encode())
        digest.update(repr(self.after.facts.preempted).encode())
        return digest.digest()

    def victims(self) -> list[Victim]:
        """Returns the pods that were preempted."""
        return victims(self._case(self.after, ()))

    def warnings(self) -> list[ManifestWarning]:
        """Returns what looks wrong in the manifests."""
        warned = warnings_of(self.check.change, self.check.loaded, self.after)
        places = locations(self.check.change, (each.ref for each in warned if each.ref is not None))
        return [
            ManifestWarning(
                kind=each.kind,
                message=each.message,
                object=each.ref.key if each.ref else "",
                location=places.get(each.ref) if each.ref else None,
            )
            for each in warned
        ]

    def judge(self, warnings: Sequence[ManifestWarning]) -> list[Result]:
        """Judges every expectation; the places of all fields are looked up together."""
        judged = [(expected, *self._judge(expected, warnings)) for expected in self.check.expectations.items]
        refs = {clue.ref for _, judgement, _ in judged for clue in judgement.clues if clue.ref is not None}
        places = locations(self.check.change, refs)
        return [_result(expected, judgement, is_worse, places) for expected, judgement, is_worse in judged]

    def _judge(self, expected: Expected, warnings: Sequence[ManifestWarning]) -> tuple[Judgement, bool]:
        """Returns the judgement, and whether things are worse than without the change."""
        judgement = judge(expected, self._case(self.after, warnings))
        if not judgement.clues or not self.check.baseline:
            return judgement, bool(judgement.clues)
        without = judge(expected, self._case(self.before, ()))
        known = {clue.key: clue.badness for clue in without.clues}
        return judgement, any(clue.badness > known.get(clue.key, -1.0) for clue in judgement.clues)

    def _case(self, state: ClusterState, warnings: Sequence[ManifestWarning]) -> Case:
        return Case(self.check.setup, self.check.change, self.world, state, self.before, warnings)


def _result(
    expected: Expected, judgement: Judgement, is_worse: bool, places: dict[FieldRef, Location]
) -> Result:
    place = expected.place
    location = None
    if place is not None:
        location = Location(file=place.file, line=place.line, column=place.column, field=expected.type)
    message = judgement.message
    if judgement.clues and not is_worse:
        message += "; without the change it is no better"
    return Result(
        id=expected.id,
        type=expected.type,
        name=expected.name,
        status="fail" if is_worse else "not-worse" if judgement.clues else "pass",
        message=message,
        findings=tuple(_placed(clue, places) for clue in judgement.clues),
        location=location,
    )


def _placed(clue: Clue, places: dict[FieldRef, Location]) -> Finding:
    location = places.get(clue.ref) if clue.ref is not None else None
    return clue.finding if location is None else replace(clue.finding, location=location)
