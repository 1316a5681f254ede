"""What a configuration sets without effect here: read, checked and said, never dropped silently."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from scheduler_core.config.types import KubeSchedulerConfiguration

MAX_EXTENDER_SECONDS: Final = 5
_NANOSECONDS: Final = 1_000_000_000

_WITHOUT_EFFECT: Final = {
    "parallelism": "decisions are made one after the other",
    "leaderElection": "one scheduler runs",
    "clientConnection": "there is no API server to connect to",
    "enableProfiling": "nothing is served",
    "enableContentionProfiling": "nothing is served",
    "delayCacheUntilActive": "one scheduler runs",
}
_ARGS_WITHOUT_EFFECT: Final = {
    ("VolumeBinding", "bindTimeoutSeconds"): "volumes are bound at once",
    ("DynamicResources", "filterTimeout"): "resource claims are not simulated",
}
_TLS_WITHOUT_EFFECT: Final = {
    "insecure": "certificates are always checked",
    "serverName": "certificates are checked for the host of urlPrefix",
    **dict.fromkeys(("certFile", "certData", "keyFile", "keyData"), "no client certificate is presented; not kept"),
    **dict.fromkeys(("caFile", "caData"), "certificates are checked against the system's authorities; not kept"),
}  # fmt: skip


def notes_on(value: Any, config: KubeSchedulerConfiguration) -> Iterator[str]:
    """Yields a sentence for each field that is set without effect.

    Args:
        value: the configuration as it is written; its types have been checked.
        config: the same, decoded.
    """
    for name, why in _WITHOUT_EFFECT.items():
        if name in value:
            yield f"{name}: {why}"
    for index, profile in enumerate(config.profiles):
        for number, entry in enumerate(profile.plugin_config):
            for (plugin, name), why in _ARGS_WITHOUT_EFFECT.items():
                if entry.name == plugin and name in (entry.args or {}):
                    yield f"profiles[{index}].pluginConfig[{number}].args.{name}: {why}"
    for index, extender in enumerate(config.extenders):
        path = f"extenders[{index}]"
        written = value["extenders"][index]
        if "enableHTTPS" in written:
            yield f"{path}.enableHTTPS: urlPrefix says whether HTTPS is spoken"
        if extender.http_timeout > MAX_EXTENDER_SECONDS * _NANOSECONDS:
            yield f"{path}.httpTimeout: no answer is waited for longer than {MAX_EXTENDER_SECONDS} s"
        for name, why in _TLS_WITHOUT_EFFECT.items():
            if name in (written.get("tlsConfig") or {}):
                yield f"{path}.tlsConfig.{name}: {why}"
