"""Profiles: a framework for each schedulerName, with the plugins that its configuration enables.

Source: pkg/scheduler/profile/profile.go, NewMap, and pkg/scheduler/framework/runtime/framework.go,
NewFramework and fillEventToPluginMap, v1.34.1
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from scheduler_core.config import expand_plugins
from scheduler_core.config.plugin_args import NodeResourcesFitArgs
from scheduler_core.extender.chain import EXTENDER_NAME
from scheduler_core.framework.cluster_event import ActionType, ClusterEvent, EventResource
from scheduler_core.framework.interface import EnqueueExtensions
from scheduler_core.framework.registry import points_of
from scheduler_core.framework.runtime import Framework
from scheduler_core.plugins.names import NODE_RESOURCES_FIT
from scheduler_core.queue.hints import RegisteredHint
from scheduler_core.scheduler.handle import FrameworkHandle

if TYPE_CHECKING:
    from scheduler_core.config import Profile
    from scheduler_core.framework.interface import Plugin
    from scheduler_core.framework.registry import Registry

_WORKLOAD_EVENTS = tuple(
    ClusterEvent(resource, action)
    for resource, action in (
        (EventResource.POD, ActionType.ALL),
        (EventResource.NODE, ActionType.ALL),
        (EventResource.PERSISTENT_VOLUME, ActionType.ALL),
        (EventResource.PERSISTENT_VOLUME_CLAIM, ActionType.ALL),
        (EventResource.CSI_NODE, ActionType.ALL),
        (EventResource.CSI_DRIVER, ActionType.ALL),
        (EventResource.CSI_STORAGE_CAPACITY, ActionType.ALL),
        (EventResource.VOLUME_ATTACHMENT, ActionType.ALL),
        (EventResource.STORAGE_CLASS, ActionType.ALL),
        (EventResource.RESOURCE_CLAIM, ActionType.ALL),
        (EventResource.RESOURCE_SLICE, ActionType.ALL),
        (EventResource.DEVICE_CLASS, ActionType.ALL),
    )
)
"""What a plugin without registrations of its own is taken to wait for."""


def build_framework(
    profile: Profile,
    registry: Registry,
    handle: FrameworkHandle,
    ignored_resources: tuple[str, ...] = (),
) -> Framework:
    """Makes a profile's plugins, each once, and puts them at their extension points.

    Args:
        profile: what is enabled
        registry: what makes plugins
        handle: what they are given
        ignored_resources: resources that NodeResourcesFit leaves to extenders, instead of its own list
    """
    made = _MadePlugins(profile, registry, handle, ignored_resources)
    points: dict[str, list[Plugin]] = {}
    weights: dict[str, int] = {}
    for point, enabled in expand_plugins(profile, made).items():
        points[point] = [made.plugin(name) for name, _ in enabled]
        if point == "score":
            weights.update(enabled)
    framework = Framework(
        profile.scheduler_name,
        points,
        weights,
        percentage_of_nodes_to_score=profile.percentage_of_nodes_to_score,
    )
    handle.framework = framework
    return framework


class _MadePlugins(Mapping[str, frozenset[str]]):
    """Plugin name → the extension points that it serves; a plugin is made when it is first asked for."""

    def __init__(
        self,
        profile: Profile,
        registry: Registry,
        handle: FrameworkHandle,
        ignored_resources: tuple[str, ...],
    ) -> None:
        self._profile = profile
        self._ignored_resources = ignored_resources
        self._registry = registry
        self._handle = handle
        self._made: dict[str, Plugin] = {}
        self._points: dict[str, frozenset[str]] = {}

    def plugin(self, name: str) -> Plugin:
        """The plugin, made once."""
        if name not in self._made:
            args = self._profile.plugin_config.get(name)
            if name == NODE_RESOURCES_FIT and self._ignored_resources:
                args = _with_ignored_resources(args, self._ignored_resources)
            self._made[name] = self._registry.make(name, args, self._handle)
        return self._made[name]

    def __getitem__(self, name: str) -> frozenset[str]:
        if name not in self._points:
            if name not in self._registry:
                raise KeyError(name)
            self._points[name] = points_of(self.plugin(name))
        return self._points[name]

    def __contains__(self, name: object) -> bool:
        return name in self._registry

    def __iter__(self) -> Iterator[str]:
        return iter(self._registry)

    def __len__(self) -> int:
        return len(self._registry)


def _with_ignored_resources(args: Any, names: tuple[str, ...]) -> NodeResourcesFitArgs:
    return msgspec.structs.replace(args or NodeResourcesFitArgs(), ignored_resources=names)


def queueing_hints(frameworks: Mapping[str, Framework]) -> dict[str, list[RegisteredHint]]:
    """The registrations of every profile's plugins; any event helps a pod that an extender refused."""
    by_extender = [RegisteredHint(event, EXTENDER_NAME, None) for event in _WORKLOAD_EVENTS]
    return {name: [*_hints_of(framework), *by_extender] for name, framework in frameworks.items()}


def _hints_of(framework: Framework) -> list[RegisteredHint]:
    hints: list[RegisteredHint] = []
    for plugin in framework.plugins():
        if not isinstance(plugin, EnqueueExtensions):
            if _can_refuse(plugin, framework):
                hints.extend(RegisteredHint(event, plugin.name, None) for event in _WORKLOAD_EVENTS)
            continue
        registered = plugin.events_to_register()
        hints.extend(RegisteredHint(event, plugin.name, hint) for event, hint in registered)
        node_actions = [event.action_type for event, _ in registered if event.resource == EventResource.NODE]
        adds = any(action & ActionType.ADD for action in node_actions)
        taints = any(action & ActionType.UPDATE_NODE_TAINT for action in node_actions)
        if adds and not taints:
            event = ClusterEvent(EventResource.NODE, ActionType.UPDATE_NODE_TAINT)
            hints.append(RegisteredHint(event, plugin.name, None))
    return hints


def _can_refuse(plugin: Plugin, framework: Framework) -> bool:
    refusing = ("preEnqueue", "preFilter", "filter", "reserve", "permit")
    return any(plugin in framework.points.get(point, ()) for point in refusing)
