"""KubeSchedulerConfiguration: read strictly, defaulted, checked, put at the extension points. A door."""

from __future__ import annotations

from scheduler_core.config.defaults import DEFAULT_PLUGINS
from scheduler_core.config.expand import expand_plugins, leave_out_unknown
from scheduler_core.config.feature_gates import FeatureGates
from scheduler_core.config.load import load_config
from scheduler_core.config.types import (
    EXTENSION_POINTS,
    Extender,
    ExtenderManagedResource,
    Plugin,
    Plugins,
    PluginSet,
    Profile,
    SchedulerConfiguration,
)

__all__ = [
    "DEFAULT_PLUGINS",
    "EXTENSION_POINTS",
    "Extender",
    "ExtenderManagedResource",
    "FeatureGates",
    "Plugin",
    "PluginSet",
    "Plugins",
    "Profile",
    "SchedulerConfiguration",
    "expand_plugins",
    "leave_out_unknown",
    "load_config",
]
