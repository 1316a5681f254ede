"""What an expectation is judged on, and what a judgement is made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from scheduler_core.checks.change import FieldRef
from scheduler_core.checks.cluster_state import is_over
from scheduler_core.checks.verdict import Finding
from scheduler_core.checks.world import World

if TYPE_CHECKING:
    from scheduler_core.api.kinds import KubeObject
    from scheduler_core.api.pod import Pod
    from scheduler_core.checks.change import Change
    from scheduler_core.checks.cluster_state import ClusterState
    from scheduler_core.checks.expectations import Selection
    from scheduler_core.checks.verdict import ManifestWarning
    from scheduler_core.checks.world import Setup

MAX_NAMED: Final = 20
"""How many pods or nodes a finding names."""


class Clue(NamedTuple):
    """A finding with what tells whether it was there without the change.

    Args:
        finding: as it is told.
        key: what it is about.
        badness: how bad it is; with the same key, more is worse.
        ref: the field of the manifests that it points at.
    """

    finding: Finding
    key: str
    badness: float = 0.0
    ref: FieldRef | None = None


class Judgement(NamedTuple):
    """What became of an expectation; without clues it holds."""

    message: str
    clues: tuple[Clue, ...] = ()


class Case:
    """A cluster's state after a change, or before it, with all there is to judge it by.

    Args:
        setup: the check's.
        change: what is applied and deleted.
        world: where it happened.
        state: how things stand.
        before: how they stood without the change.
        warnings: of the manifests; none where the state is that without the change.
    """

    def __init__(
        self,
        setup: Setup,
        change: Change,
        world: World,
        state: ClusterState,
        before: ClusterState,
        warnings: Sequence[ManifestWarning] = (),
    ) -> None:
        self.setup = setup
        self.change = change
        self.world = world
        self.state = state
        self.before = before
        self.warnings = tuple(warnings)

    @property
    def is_changed(self) -> bool:
        """Whether this is the state after the change."""
        return self.state is not self.before

    def fork(self, objects: Iterable[KubeObject] | None = None) -> World:
        """Returns another world that begins as this one stands, or with other objects."""
        return World(self.setup, self.state.objects if objects is None else objects)

    def selected(self, selection: Selection, state: ClusterState | None = None) -> list[Pod]:
        """Returns the pods that are meant and have not come to their end, in the order of their names."""
        state = state or self.state
        if selection.selector is not None:
            found = [
                pod
                for pod in state.pods.values()
                if selection.namespace in ("", pod.metadata.namespace)
                and selection.selector.matches(pod.metadata.labels)
            ]
        else:
            keys = frozenset(map(full_key, selection.workloads)) or self.change.keys
            found = [pod for pod in state.pods.values() if not keys.isdisjoint(state.owners(pod))]
        return sorted(
            (pod for pod in found if not is_over(pod)),
            key=lambda pod: (pod.metadata.namespace, pod.metadata.name),
        )


def full_key(text: str) -> str:
    """Returns "Kind/namespace/name" of "Kind/name" or itself."""
    parts = text.split("/")
    return f"{parts[0]}/default/{parts[1]}" if len(parts) == 2 else text


def some(names: Iterable[str]) -> tuple[tuple[str, ...], int]:
    """Returns the first of some names, and how many there are."""
    listed = list(names)
    return tuple(listed[:MAX_NAMED]), len(listed)


def several(number: int, noun: str) -> str:
    """Returns "1 pod" or "3 pods"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
