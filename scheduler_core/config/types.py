"""A KubeSchedulerConfiguration as it is written, and as it is used.

Source: staging/src/k8s.io/kube-scheduler/config/v1/types.go, v1.34.1
"""

from __future__ import annotations

from typing import Any

import msgspec

from scheduler_core.api.meta import Int32, Int64, KubeStruct
from scheduler_core.config.duration import Duration, seconds
from scheduler_core.config.plugin_args import PluginArgs

API_VERSION = "kubescheduler.config.k8s.io/v1"
KIND = "KubeSchedulerConfiguration"

EXTENSION_POINTS = (
    "preEnqueue",
    "queueSort",
    "preFilter",
    "filter",
    "postFilter",
    "preScore",
    "score",
    "reserve",
    "permit",
    "preBind",
    "bind",
    "postBind",
)


class Plugin(KubeStruct, frozen=True, kw_only=True):
    """A plugin, and its weight where it scores; 0 is not set."""

    other_fields = frozenset()

    name: str = ""
    weight: Int32 = 0


class PluginSet(KubeStruct, frozen=True, kw_only=True):
    """What to add to an extension point and what to take away; "*" is all."""

    other_fields = frozenset()

    enabled: tuple[Plugin, ...] = ()
    disabled: tuple[Plugin, ...] = ()


class Plugins(KubeStruct, frozen=True, kw_only=True):
    """The plugins of a profile by extension point; those of multiPoint go wherever they can serve."""

    other_fields = frozenset()

    pre_enqueue: PluginSet = PluginSet()
    queue_sort: PluginSet = PluginSet()
    pre_filter: PluginSet = PluginSet()
    filter: PluginSet = PluginSet()
    post_filter: PluginSet = PluginSet()
    pre_score: PluginSet = PluginSet()
    score: PluginSet = PluginSet()
    reserve: PluginSet = PluginSet()
    permit: PluginSet = PluginSet()
    pre_bind: PluginSet = PluginSet()
    bind: PluginSet = PluginSet()
    post_bind: PluginSet = PluginSet()
    multi_point: PluginSet = PluginSet()

    def at(self, point: str) -> PluginSet:
        """Returns the set of an extension point, by its name in the configuration."""
        found: PluginSet = getattr(self, _ATTRIBUTES[point])
        return found


_ATTRIBUTES = dict(zip(Plugins.__struct_encode_fields__, Plugins.__struct_fields__, strict=True))


class PluginConfig(KubeStruct, frozen=True, kw_only=True):
    """The arguments of a plugin, as they are written."""

    other_fields = frozenset()

    name: str = ""
    args: Any = None


class KubeSchedulerProfile(KubeStruct, frozen=True, kw_only=True):
    """How pods that name this scheduler are scheduled, as it is written."""

    other_fields = frozenset()

    scheduler_name: str | None = None
    percentage_of_nodes_to_score: Int32 | None = None
    plugins: Plugins | None = None
    plugin_config: tuple[PluginConfig, ...] = ()


class ExtenderManagedResource(KubeStruct, frozen=True, kw_only=True):
    """A resource that the extender looks after."""

    other_fields = frozenset()

    name: str = ""
    ignored_by_scheduler: bool = False


class ExtenderTLSConfig(KubeStruct, frozen=True, kw_only=True):
    """How to trust the extender, and be trusted; keys are not kept."""

    other_fields = frozenset({"certFile", "keyFile", "caFile", "certData", "keyData", "caData"})

    insecure: bool = False
    server_name: str = ""


class Extender(KubeStruct, frozen=True, kw_only=True):
    """A web service that is asked beside the plugins."""

    other_fields = frozenset()

    url_prefix: str = ""
    filter_verb: str = ""
    preempt_verb: str = ""
    prioritize_verb: str = ""
    weight: Int64 = 0
    bind_verb: str = ""
    enable_https: bool = False
    tls_config: ExtenderTLSConfig | None = None
    http_timeout: Duration = Duration(0)
    node_cache_capable: bool = False
    managed_resources: tuple[ExtenderManagedResource, ...] = ()
    ignorable: bool = False


class LeaderElection(KubeStruct, frozen=True, kw_only=True):
    """Which of several schedulers works; read, checked, without effect here."""

    other_fields = frozenset()

    leader_elect: bool = True
    lease_duration: Duration = seconds(15)
    renew_deadline: Duration = seconds(10)
    retry_period: Duration = seconds(2)
    resource_lock: str = "leases"
    resource_name: str = "kube-scheduler"
    resource_namespace: str = "kube-system"


class ClientConnection(KubeStruct, frozen=True, kw_only=True):
    """How to reach the API server; read, checked, without effect here."""

    other_fields = frozenset()

    kubeconfig: str = ""
    accept_content_types: str = ""
    content_type: str = ""
    qps: float = 50.0
    burst: Int32 = 100


class KubeSchedulerConfiguration(KubeStruct, frozen=True, kw_only=True):
    """The configuration as it is written, with upstream's defaults."""

    other_fields = frozenset()

    api_version: str = ""
    kind: str = ""
    parallelism: Int32 = 16
    leader_election: LeaderElection = LeaderElection()
    client_connection: ClientConnection = ClientConnection()
    enable_profiling: bool = True
    enable_contention_profiling: bool = True
    percentage_of_nodes_to_score: Int32 = 0
    pod_initial_backoff_seconds: Int64 = 1
    pod_max_backoff_seconds: Int64 = 10
    profiles: tuple[KubeSchedulerProfile, ...] = ()
    extenders: tuple[Extender, ...] = ()
    delay_cache_until_active: bool = False


class Profile(msgspec.Struct, frozen=True, kw_only=True):
    """A profile as it is used.

    Args:
        scheduler_name: the name that pods ask for.
        percentage_of_nodes_to_score: None leaves it to the configuration.
        plugins: the defaults with the profile's changes, before multiPoint is spread.
        plugin_config: arguments by plugin, defaults where none are given; of plugins that are not in the tree as
            they are written.
        field: the profile's place in the configuration.
        file: the configuration's name.
    """

    scheduler_name: str = "default-scheduler"
    percentage_of_nodes_to_score: int | None = None
    plugins: Plugins = Plugins()
    plugin_config: dict[str, PluginArgs | Any] = {}
    field: str = "profiles[0]"
    file: str = ""


class SchedulerConfiguration(msgspec.Struct, frozen=True, kw_only=True):
    """A configuration as it is used.

    Args:
        profiles: at least one.
        extenders: in the order they are asked.
        percentage_of_nodes_to_score: 0 adapts it to the size of the cluster.
        pod_initial_backoff_seconds: after the first failed attempt.
        pod_max_backoff_seconds: at most.
        parallelism: read, without effect on decisions here.
        notes: what was set and has no effect here.
    """

    profiles: tuple[Profile, ...]
    extenders: tuple[Extender, ...] = ()
    percentage_of_nodes_to_score: int = 0
    pod_initial_backoff_seconds: int = 1
    pod_max_backoff_seconds: int = 10
    parallelism: int = 16
    notes: tuple[str, ...] = ()
