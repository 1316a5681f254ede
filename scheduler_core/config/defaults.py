"""The plugins that are enabled by default, and how a profile changes them.

Source: pkg/scheduler/apis/config/v1/default_plugins.go, mergePluginSet, v1.34.1
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from scheduler_core.config.plugin_args import PLUGIN_ARGS, PluginArgs
from scheduler_core.config.types import EXTENSION_POINTS, Plugin, Plugins, PluginSet

ALL = "*"

DEFAULT_PLUGINS: Final = (
    Plugin(name="SchedulingGates"),
    Plugin(name="PrioritySort"),
    Plugin(name="NodeUnschedulable"),
    Plugin(name="NodeName"),
    Plugin(name="TaintToleration", weight=3),
    Plugin(name="NodeAffinity", weight=2),
    Plugin(name="NodePorts"),
    Plugin(name="NodeResourcesFit", weight=1),
    Plugin(name="VolumeRestrictions"),
    Plugin(name="NodeVolumeLimits"),
    Plugin(name="VolumeBinding"),
    Plugin(name="VolumeZone"),
    Plugin(name="PodTopologySpread", weight=2),
    Plugin(name="InterPodAffinity", weight=2),
    Plugin(name="DynamicResources"),
    Plugin(name="DefaultPreemption"),
    Plugin(name="NodeResourcesBalancedAllocation", weight=1),
    Plugin(name="ImageLocality", weight=1),
    Plugin(name="DefaultBinder"),
)


def merge_plugins(custom: Plugins | None) -> Plugins:
    """Returns the default plugins with a profile's changes."""
    if custom is None:
        return Plugins(multi_point=PluginSet(enabled=DEFAULT_PLUGINS))
    return Plugins(
        **{
            attribute: merge_plugin_set(
                DEFAULT_PLUGINS if attribute == "multi_point" else (), getattr(custom, attribute)
            )
            for attribute in Plugins.__struct_fields__
        }
    )


def merge_plugin_set(defaults: tuple[Plugin, ...], custom: PluginSet) -> PluginSet:
    """Returns a set in which a plugin named again replaces the default in its place, a new one comes last."""
    disabled = {plugin.name for plugin in custom.disabled}
    renamed = {plugin.name: index for index, plugin in enumerate(custom.enabled)}
    replaced = set()
    enabled = []
    for plugin in () if ALL in disabled else defaults:
        if plugin.name in disabled:
            continue
        index = renamed.get(plugin.name)
        if index is not None:
            replaced.add(index)
            plugin = custom.enabled[index]
        enabled.append(plugin)
    enabled.extend(plugin for index, plugin in enumerate(custom.enabled) if index not in replaced)
    return PluginSet(
        enabled=tuple(enabled), disabled=tuple(Plugin(name=plugin.name) for plugin in custom.disabled)
    )


def missing_args(plugins: Plugins, given: dict[str, object]) -> Iterator[tuple[str, PluginArgs]]:
    """Yields the default arguments of every enabled plugin that takes some and was given none."""
    names = {
        plugin.name for point in ("multiPoint", *EXTENSION_POINTS) for plugin in plugins.at(point).enabled
    }
    for name in sorted(names):
        if name in PLUGIN_ARGS and name not in given:
            yield name, PLUGIN_ARGS[name]()
