"""Which plugins of a profile sign pods, and which have to be asked for every pod."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from scheduler_core.framework import interface

if TYPE_CHECKING:
    from collections.abc import Container, Hashable, Mapping, Sequence

    from scheduler_core.framework.interface import Plugin
    from scheduler_core.snapshot.pod_info import PodInfo


class Signing(NamedTuple):
    """The plugins that sign, by what is asked of them.

    ``lasting_filters`` lead the profile's filters and do not read pods; ``filters`` follow, up to the first that
    does not sign. ``normalized_scores`` do not read pods.
    """

    plugins: tuple[interface.SignPlugin, ...]
    pre_filters: tuple[interface.PreFilterPlugin, ...]
    lasting_filters: tuple[interface.FilterPlugin, ...]
    filters: tuple[interface.FilterPlugin, ...]
    pre_scores: tuple[interface.PreScorePlugin, ...]
    scores: tuple[interface.ScorePlugin, ...]
    normalized_scores: tuple[interface.ScorePlugin, ...]

    def sign(self, pod: PodInfo) -> Hashable | None:
        """All that the plugins read of a pod, or None if one of them has to judge it by itself."""
        parts = []
        for plugin in self.plugins:
            part = plugin.sign_pod(pod)
            if part is None:
                return None
            parts.append(part)
        return tuple(parts)


class Unsigned(NamedTuple):
    """The plugins that are asked for every pod."""

    pre_filters: tuple[interface.PreFilterPlugin, ...]
    filters: tuple[interface.FilterPlugin, ...]
    pre_scores: tuple[interface.PreScorePlugin, ...]
    scores: tuple[interface.ScorePlugin, ...]


def split_by_signing(
    points: Mapping[str, Sequence[Plugin]], normalizing: Container[str]
) -> tuple[Signing, Unsigned]:
    """Splits a profile's plugins; one whose scores are normalised and follow pods is asked every time."""

    def at(point: str) -> tuple[Any, ...]:
        return tuple(points.get(point, ()))

    def signs(plugin: Plugin) -> bool:
        if not isinstance(plugin, interface.SignPlugin):
            return False
        return not (plugin.reads_pods and plugin.name in normalizing)

    def lasts(plugin: Plugin) -> bool:
        return not cast("interface.SignPlugin", plugin).reads_pods

    filters = at("filter")
    leading = tuple(takewhile(signs, filters))
    lasting = tuple(takewhile(lasts, leading))
    named = {
        plugin.name: plugin for point in ("preFilter", "filter", "preScore", "score") for plugin in at(point)
    }
    scores = [plugin for plugin in at("score") if signs(plugin)]
    signing = Signing(
        plugins=tuple(plugin for plugin in named.values() if signs(plugin)),
        pre_filters=tuple(filter(signs, at("preFilter"))),
        lasting_filters=lasting,
        filters=leading[len(lasting) :],
        pre_scores=tuple(filter(signs, at("preScore"))),
        scores=tuple(plugin for plugin in scores if plugin.name not in normalizing),
        normalized_scores=tuple(plugin for plugin in scores if plugin.name in normalizing),
    )
    unsigned = Unsigned(
        pre_filters=tuple(plugin for plugin in at("preFilter") if not signs(plugin)),
        filters=filters[len(leading) :],
        pre_scores=tuple(plugin for plugin in at("preScore") if not signs(plugin)),
        scores=tuple(plugin for plugin in at("score") if not signs(plugin)),
    )
    return signing, unsigned
