"""What plugins keep for one scheduling attempt.

Source: pkg/scheduler/framework/cycle_state.go, CycleState, v1.34.1
"""

from __future__ import annotations

from typing import Any, Final, Protocol

from scheduler_core.framework.status import PluginError

NOT_FOUND: Final = "not found"


class StateData(Protocol):
    """Data a plugin writes in PreFilter or PreScore; ``clone`` serves preemption's dry runs."""

    def clone(self) -> StateData:
        """A copy on which AddPod and RemovePod may work without touching this one."""
        ...


class CycleState:
    """Key → data of one attempt, and the plugins that asked to be left out of it."""

    __slots__ = (
        "_data",
        "pods_to_activate",
        "skip_filter_plugins",
        "skip_pre_bind_plugins",
        "skip_score_plugins",
    )

    def __init__(self) -> None:
        self._data: dict[str, StateData] = {}
        self.skip_filter_plugins: frozenset[str] = frozenset()
        self.skip_score_plugins: frozenset[str] = frozenset()
        self.skip_pre_bind_plugins: frozenset[str] = frozenset()
        self.pods_to_activate: list[str] = []

    def take_over(self, other: CycleState) -> None:
        """Starts with what was written for an earlier attempt."""
        self._data.update(other._data)
        self.skip_filter_plugins = other.skip_filter_plugins
        self.skip_score_plugins = other.skip_score_plugins

    def write(self, key: str, data: StateData) -> None:
        """Stores ``data`` under ``key``."""
        self._data[key] = data

    def read(self, key: str, words: str = "{error}") -> Any:
        """The data under ``key``.

        ``words`` are how the plugin tells that there is none: upstream's plugins each have their own.

        Raises:
            PluginError: nothing was written under ``key`` in this attempt: the profile leaves out the point that does.
        """
        data = self._data.get(key)
        if data is None:
            raise PluginError(words.format(key=key, error=NOT_FOUND))
        return data

    def get(self, key: str) -> Any:
        """The data under ``key``, or None."""
        return self._data.get(key)

    def clone(self) -> CycleState:
        """A copy for a dry run: the data is cloned, the skip sets are shared."""
        copy = CycleState()
        copy._data = {key: data.clone() for key, data in self._data.items()}
        copy.skip_filter_plugins = self.skip_filter_plugins
        copy.skip_score_plugins = self.skip_score_plugins
        copy.skip_pre_bind_plugins = self.skip_pre_bind_plugins
        copy.pods_to_activate = self.pods_to_activate
        return copy
