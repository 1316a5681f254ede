"""Which plugins exist: name → how to make one. Out-of-tree plugins are added beside the in-tree ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from scheduler_core.framework import interface

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from scheduler_core.framework.interface import Handle, Plugin

    Factory = Callable[[Any, Handle], Plugin]
    """(arguments of the profile or None, handle) → plugin."""

EXTENSION_POINTS: Final[dict[str, Any]] = {
    "preEnqueue": interface.PreEnqueuePlugin,
    "queueSort": interface.QueueSortPlugin,
    "preFilter": interface.PreFilterPlugin,
    "filter": interface.FilterPlugin,
    "postFilter": interface.PostFilterPlugin,
    "preScore": interface.PreScorePlugin,
    "score": interface.ScorePlugin,
    "reserve": interface.ReservePlugin,
    "permit": interface.PermitPlugin,
    "preBind": interface.PreBindPlugin,
    "bind": interface.BindPlugin,
    "postBind": interface.PostBindPlugin,
}
"""Extension points as a KubeSchedulerConfiguration names them → the protocol that serves them."""


class Registry:
    """Plugin factories by name.

    Raises:
        ValueError: a name is registered twice.
    """

    def __init__(self, factories: Mapping[str, Factory]) -> None:
        self._factories = dict(factories)

    def __contains__(self, name: object) -> bool:
        return name in self._factories

    def __iter__(self) -> Iterator[str]:
        return iter(self._factories)

    def __len__(self) -> int:
        return len(self._factories)

    def register(self, name: str, factory: Factory) -> None:
        """Adds a plugin from outside the tree."""
        if name in self._factories:
            raise ValueError(f"a plugin named {name} already exists")
        self._factories[name] = factory

    def make(self, name: str, args: Any, handle: Handle) -> Plugin:
        """A new plugin."""
        return self._factories[name](args, handle)


def points_of(plugin: Plugin) -> frozenset[str]:
    """The extension points that a plugin serves."""
    return frozenset(point for point, protocol in EXTENSION_POINTS.items() if isinstance(plugin, protocol))
