"""From the plugins of a profile to ordered lists, one for each extension point.

Source: pkg/scheduler/framework/runtime/framework.go, expandMultiPointPlugins, getScoreWeights, v1.34.1
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Set

from msgspec.structs import replace

from scheduler_core.config.defaults import ALL
from scheduler_core.config.types import EXTENSION_POINTS, Plugin, Profile, SchedulerConfiguration
from scheduler_core.errors import START, FieldError, ManifestError

Registered = Mapping[str, Set[str]]

_INTERFACES = {point: f"{point[0].upper()}{point[1:]}Plugin" for point in EXTENSION_POINTS}


def expand_plugins(profile: Profile, registered: Registered) -> dict[str, list[tuple[str, int]]]:
    """Returns the plugins of each extension point in the order they run, with their weight in scores.

    Args:
        profile: with the defaults merged in.
        registered: every plugin there is and the extension points it serves.

    Raises:
        ManifestError: for a plugin that is not there, does not serve the point or is named twice.
    """
    expanded = {point: _expand(profile, point, registered) for point in EXTENSION_POINTS}
    num_sorts = len(expanded["queueSort"])
    name = profile.scheduler_name
    if num_sorts != 1:
        message = f'only one queue sort plugin required for profile with scheduler name "{name}", but got {num_sorts}'
        raise _refusal(profile, "queueSort", message)
    if not expanded["bind"]:
        raise _refusal(
            profile, "bind", f'at least one bind plugin is needed for profile with scheduler name "{name}"'
        )
    weights = _score_weights(profile)
    return {
        point: [(plugin, weights.get(plugin, 1) if point == "score" else 1) for plugin in plugins]
        for point, plugins in expanded.items()
    }


def leave_out_unknown(config: SchedulerConfiguration, known: Container[str]) -> SchedulerConfiguration:
    """Returns the configuration without the plugins that are not known here, with a note on each."""
    notes: list[str] = []
    profiles = tuple(_without_unknown(profile, known, notes) for profile in config.profiles)
    return replace(config, profiles=profiles, notes=(*config.notes, *notes))


def _without_unknown(profile: Profile, known: Container[str], notes: list[str]) -> Profile:
    plugins = profile.plugins
    for attribute, point in zip(plugins.__struct_fields__, plugins.__struct_encode_fields__, strict=True):
        chosen = plugins.at(point)
        unknown = [plugin.name for plugin in chosen.enabled if plugin.name not in known]
        if unknown:
            path = f"{profile.field}.plugins.{point}"
            notes.extend(f'{path}: "{name}" is not known here and was left out' for name in unknown)
            enabled = tuple(plugin for plugin in chosen.enabled if plugin.name in known)
            plugins = replace(plugins, **{attribute: replace(chosen, enabled=enabled)})
    return replace(profile, plugins=plugins)


def _expand(profile: Profile, point: str, registered: Registered) -> list[str]:
    """First what multiPoint also has, as the point orders it; then the rest of multiPoint; then the rest."""
    chosen = profile.plugins.at(point)
    own: list[str] = []
    for plugin in chosen.enabled:
        _check_own(profile, point, plugin, registered, own)
        own.append(plugin.name)
    disabled = {plugin.name for plugin in chosen.disabled}
    if ALL in disabled:
        return own
    overridden: set[str] = set()
    added: list[str] = []
    for plugin in profile.plugins.multi_point.enabled:
        if plugin.name not in registered:
            raise _refusal(profile, "multiPoint", f'{_INTERFACES[point]} "{plugin.name}" does not exist')
        if point not in registered[plugin.name] or plugin.name in disabled:
            continue
        if plugin.name in own:
            overridden.add(plugin.name)
        elif plugin.name in added:
            message = f'plugin "{plugin.name}" already registered as "{_INTERFACES[point]}"'
            raise _refusal(profile, "multiPoint", message)
        else:
            added.append(plugin.name)
    first = [name for name in own if name in overridden]
    return first + added + [name for name in own if name not in overridden]


def _check_own(
    profile: Profile, point: str, plugin: Plugin, registered: Registered, before: list[str]
) -> None:
    interface = _INTERFACES[point]
    if plugin.name not in registered:
        raise _refusal(profile, point, f'{interface} "{plugin.name}" does not exist')
    if point not in registered[plugin.name]:
        raise _refusal(profile, point, f'plugin "{plugin.name}" does not extend {interface} plugin')
    if plugin.name in before:
        raise _refusal(profile, point, f'plugin "{plugin.name}" already registered as "{interface}"')


def _score_weights(profile: Profile) -> dict[str, int]:
    """Returns the weights; the score point's own come before multiPoint's, and 0 is 1."""
    weights: dict[str, int] = {}
    for plugin in (*profile.plugins.score.enabled, *profile.plugins.multi_point.enabled):
        weights.setdefault(plugin.name, plugin.weight or 1)
    return weights


def _refusal(profile: Profile, point: str, message: str) -> ManifestError:
    name = profile.scheduler_name
    words = f"scheduler: initializing profiles: creating profile for scheduler name {name}: {message}"
    field = f"{profile.field}.plugins.{point}"
    return ManifestError([FieldError(file=profile.file, field=field, type=START, message=words)])
