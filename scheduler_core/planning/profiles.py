"""A KubeSchedulerConfiguration as a form: which plugin runs where, in which order, with which weight and arguments.

The form and the text say the same: ``read_form`` puts the defaults in, ``write_form`` writes what differs from them.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import msgspec

from scheduler_core.api.documents import read_documents, to_utf8
from scheduler_core.api.export import to_yaml
from scheduler_core.config import EXTENSION_POINTS, load_config
from scheduler_core.config.duration import Duration
from scheduler_core.config.load import LIMITS
from scheduler_core.config.plugin_args import PLUGIN_ARGS, PluginArgs
from scheduler_core.config.types import API_VERSION, KIND
from scheduler_core.framework.registry import points_of
from scheduler_core.simulator import Simulator

DEFAULT_NAME: Final = "default-scheduler"
_ALL: Final = [{"name": "*"}]
_REST_OF_ARGS: Final = frozenset({"apiVersion", "kind"})


class PluginPlace(msgspec.Struct, frozen=True, omit_defaults=True):
    """A plugin at an extension point; the weight is that of its scores, 0 at other points."""

    name: str
    weight: int = 0


class ProfileForm(msgspec.Struct, frozen=True, rename="camel"):
    """A profile: plugins in order by extension point, and the arguments that are not the defaults."""

    scheduler_name: str = DEFAULT_NAME
    percentage_of_nodes_to_score: int | None = None
    points: dict[str, tuple[PluginPlace, ...]] = {}
    args: dict[str, dict[str, Any]] = {}


class ConfigForm(msgspec.Struct, frozen=True, rename="camel"):
    """What the form shows of a configuration; whatever else the text has stays in the text."""

    profiles: tuple[ProfileForm, ...]
    percentage_of_nodes_to_score: int = 0
    pod_initial_backoff_seconds: int = 1
    pod_max_backoff_seconds: int = 10


class PluginInfo(msgspec.Struct, frozen=True, rename="camel"):
    """A plugin that can be enabled: where it can serve, its default weight, its arguments with their defaults."""

    name: str
    points: tuple[str, ...]
    default_weight: int
    default_args: dict[str, Any]


class ProfileDifference(msgspec.Struct, frozen=True, rename="camel"):
    """One thing that is not as by default: ``change`` is profile, added, removed, moved, weight, args or setting."""

    profile: str
    change: str
    plugin: str
    point: str
    text: str


def catalogue() -> tuple[PluginInfo, ...]:
    """Every in-tree plugin, in the order of the defaults."""
    framework = next(iter(Simulator(load_config("")).scheduler.frameworks.values()))
    return tuple(
        PluginInfo(
            plugin.name,
            tuple(point for point in EXTENSION_POINTS if point in points_of(plugin)),
            framework.weights.get(plugin.name, 0),
            _whole(PLUGIN_ARGS[plugin.name]()) if plugin.name in PLUGIN_ARGS else {},
        )
        for plugin in framework.plugins()
    )


def read_form(text: str | bytes, file: str = "config") -> ConfigForm:
    """The form of a configuration.

    Raises:
        ManifestError: what kube-scheduler would not start with, each error with its place
    """
    config = load_config(text, file)
    frameworks = Simulator(config).scheduler.frameworks
    profiles = []
    for profile in config.profiles:
        framework = frameworks[profile.scheduler_name]
        points = {
            point: tuple(
                PluginPlace(plugin.name, framework.weights[plugin.name] if point == "score" else 0)
                for plugin in framework.points.get(point, ())
            )
            for point in EXTENSION_POINTS
        }
        args = {
            name: _arguments(given) for name, given in profile.plugin_config.items() if name in PLUGIN_ARGS
        }
        profiles.append(
            ProfileForm(
                profile.scheduler_name,
                profile.percentage_of_nodes_to_score,
                points,
                {name: own for name, own in args.items() if own},
            )
        )
    return ConfigForm(
        tuple(profiles),
        config.percentage_of_nodes_to_score,
        config.pod_initial_backoff_seconds,
        config.pod_max_backoff_seconds,
    )


def write_form(form: ConfigForm, text: str | bytes = "") -> str:
    """A configuration that gives this form, as YAML, with nothing in it that is the default anyway.

    Args:
        form: every extension point of every profile, as ``read_form`` gives it
        text: the configuration so far: fields that the form does not show are taken over; its comments are lost

    Raises:
        ManifestError: the form is not a configuration that kube-scheduler would start with
    """
    document = _plain(text)
    document.pop("profiles", None)
    default = ConfigForm(())
    for attribute, name in zip(form.__struct_fields__, form.__struct_encode_fields__, strict=True):
        if attribute != "profiles":
            document.pop(name, None)
            if (value := getattr(form, attribute)) != getattr(default, attribute):
                document[name] = value
    usual = default_points()
    profiles = [_profile(profile, usual, len(form.profiles) == 1) for profile in form.profiles]
    if profiles != [{}]:
        document["profiles"] = profiles
    written = to_yaml({"apiVersion": API_VERSION, "kind": KIND, **document})
    read_form(written)
    return written


@cache
def default_points() -> dict[str, tuple[PluginPlace, ...]]:
    """The extension points of the default profile: one and the same for all, not to be changed."""
    return read_form("").profiles[0].points


def differences(form: ConfigForm) -> tuple[ProfileDifference, ...]:
    """What is not as by default, one sentence each."""
    usual = default_points()
    found = _differing_names([profile.scheduler_name for profile in form.profiles])
    for profile in form.profiles:
        name = profile.scheduler_name
        gone = _gone(profile.points, usual)
        found += [
            ProfileDifference(name, "removed", plugin, "", f"{plugin} is turned off.") for plugin in gone
        ]
        for point in EXTENSION_POINTS:
            at_point = _differences_at(name, point, profile.points.get(point, ()), usual[point])
            found += [one for one in at_point if one.plugin not in gone]
        for plugin, args in profile.args.items():
            fields = ", ".join(args)
            found.append(
                ProfileDifference(name, "args", plugin, "", f"{plugin} has arguments of its own: {fields}.")
            )
        if profile.percentage_of_nodes_to_score is not None:
            told = f"{profile.percentage_of_nodes_to_score} percent of the nodes are scored."
            found.append(ProfileDifference(name, "setting", "", "", told))
    for attribute, field in zip(form.__struct_fields__, form.__struct_encode_fields__, strict=True):
        value = getattr(form, attribute)
        if attribute != "profiles" and value != getattr(ConfigForm(()), attribute):
            found.append(ProfileDifference("", "setting", "", "", f"{field} is {value}."))
    return tuple(found)


def _differing_names(names: list[str]) -> list[ProfileDifference]:
    """Which profiles there are, where that is not the one of the default."""
    found = []
    if DEFAULT_NAME not in names:
        told = f"No profile is called {DEFAULT_NAME}: pods that name no scheduler are not tried."
        found.append(ProfileDifference(names[0] if len(names) == 1 else "", "profile", "", "", told))
    if len(names) > 1:
        told = "An additional profile, for pods that name it as their scheduler."
        found += [ProfileDifference(name, "profile", "", "", told) for name in names if name != DEFAULT_NAME]
    return found


def _differences_at(
    profile: str, point: str, places: tuple[PluginPlace, ...], usual: tuple[PluginPlace, ...]
) -> list[ProfileDifference]:
    found = []
    before = {place.name: place.weight for place in usual}
    now = {place.name: place.weight for place in places}
    for name in now.keys() - before.keys():
        found.append(ProfileDifference(profile, "added", name, point, f"{name} was added to {point}."))
    for name in before.keys() - now.keys():
        found.append(ProfileDifference(profile, "removed", name, point, f"{name} does not run at {point}."))
    for name, weight in now.items():
        if before.get(name, weight) != weight:
            told = f"{name} weighs {weight}, by default {before[name]}."
            found.append(ProfileDifference(profile, "weight", name, point, told))
    order = [name for name in now if name in before]
    expected = [name for name in before if name in now]
    for name, other in zip(order, expected, strict=True):
        if name != other:
            told = f"{name} runs at {point} where {other} does by default."
            found.append(ProfileDifference(profile, "moved", name, point, told))
    return sorted(found, key=lambda difference: (difference.change, difference.plugin))


def _arguments(args: PluginArgs) -> dict[str, Any]:
    """The arguments that are not the defaults, as they are written."""
    return _differing(_whole(args), _whole(type(args)()))


def _differing(value: dict[str, Any], usual: dict[str, Any]) -> dict[str, Any]:
    found = {}
    for key, item in value.items():
        other = usual.get(key)
        if item != other:
            found[key] = (
                _differing(item, other) if isinstance(item, dict) and isinstance(other, dict) else item
            )
    return found


def _whole(value: Any) -> Any:
    """A plain value with its defaults in it."""
    if isinstance(value, msgspec.Struct):
        pairs = zip(value.__struct_encode_fields__, value.__struct_fields__, strict=True)
        fields = {name: _whole(getattr(value, field)) for name, field in pairs if name not in _REST_OF_ARGS}
        return {name: item for name, item in fields.items() if item is not None}
    if isinstance(value, tuple):
        return [_whole(item) for item in value]
    return str(value) if isinstance(value, Duration) else value


def _plain(text: str | bytes) -> dict[str, Any]:
    load_config(text)
    values = [document.value for document in read_documents(to_utf8(text), LIMITS) if document.value]
    return dict(values[0]) if values else {}


def _profile(profile: ProfileForm, usual: dict[str, tuple[PluginPlace, ...]], only: bool) -> dict[str, Any]:
    """A profile as it is written; the only one of its configuration needs no name where it is the default's."""
    written: dict[str, Any] = {}
    if not only or profile.scheduler_name != DEFAULT_NAME:
        written["schedulerName"] = profile.scheduler_name
    if profile.percentage_of_nodes_to_score is not None:
        written["percentageOfNodesToScore"] = profile.percentage_of_nodes_to_score
    if plugins := _plugins(profile.points, usual):
        written["plugins"] = plugins
    if profile.args:
        written["pluginConfig"] = [{"name": name, "args": args} for name, args in profile.args.items()]
    return written


def _plugins(
    points: dict[str, tuple[PluginPlace, ...]], usual: dict[str, tuple[PluginPlace, ...]]
) -> dict[str, Any]:
    """The shortest ``plugins``: at multiPoint what holds everywhere, at a point what holds only there."""
    gone = _gone(points, usual)
    default_weights = {place.name: place.weight for place in usual["score"]}
    weights = [
        {"name": place.name, "weight": place.weight}
        for place in points.get("score", ())
        if default_weights.get(place.name, place.weight) != place.weight
    ]
    written: dict[str, Any] = {}
    multi_point = {"enabled": weights, "disabled": [{"name": name} for name in gone]}
    if multi_point := {key: value for key, value in multi_point.items() if value}:
        written["multiPoint"] = multi_point
    for point in EXTENSION_POINTS:
        expected = [place.name for place in usual[point] if place.name not in gone]
        if found := _at_point(point, points.get(point, ()), expected):
            written[point] = found
    return written


def _gone(points: dict[str, tuple[PluginPlace, ...]], usual: dict[str, tuple[PluginPlace, ...]]) -> list[str]:
    """Who runs nowhere any more."""
    kept, everywhere = (
        {place.name for places in some.values() for place in places} for some in (points, usual)
    )
    return sorted(everywhere - kept)


def _at_point(point: str, places: tuple[PluginPlace, ...], expected: list[str]) -> dict[str, Any]:
    names = [place.name for place in places]
    enabled = [_enabled(place, point) for place in places]
    stay = [name for name in names if name in expected]
    if stay != [name for name in expected if name in stay] or names[: len(stay)] != stay:
        return {"enabled": enabled, "disabled": _ALL}
    missing = [{"name": name} for name in expected if name not in stay]
    found = {"enabled": enabled[len(stay) :], "disabled": missing}
    return {key: value for key, value in found.items() if value}


def _enabled(place: PluginPlace, point: str) -> dict[str, Any]:
    return {"name": place.name, "weight": place.weight} if point == "score" else {"name": place.name}
