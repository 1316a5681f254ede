"""Rules for a configuration, in upstream's words.

Source: pkg/scheduler/apis/config/validation/validation.go, v1.34.1;
component-base/config/validation/validation.go, v1.34.1
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scheduler_core.api.explain import Fault
from scheduler_core.api.field_path import FieldPath
from scheduler_core.api.name_syntax import is_extended_resource, qualified_name_problems
from scheduler_core.config.types import (
    API_VERSION,
    EXTENSION_POINTS,
    ClientConnection,
    Extender,
    KubeSchedulerConfiguration,
    LeaderElection,
    PluginSet,
    Profile,
)
from scheduler_core.errors import DUPLICATE, INVALID, REQUIRED

REMOVED_PLUGINS = ("AzureDiskLimits", "CinderLimits", "EBSLimits", "GCEPDLimits")


def validate_configuration(
    written: KubeSchedulerConfiguration, profiles: tuple[Profile, ...]
) -> Iterator[Fault]:
    """Yields what is wrong with a configuration, its plugins' arguments apart.

    Args:
        written: as it is written, with defaults.
        profiles: its profiles, with the default plugins merged in.
    """
    yield from _client_connection(written.client_connection)
    yield from _leader_election(written.leader_election)
    if written.parallelism <= 0:
        message = "should be an integer value greater than zero"
        yield Fault(("parallelism",), written.parallelism, INVALID, message)
    yield from _profiles(written, profiles)
    yield from _percentage(written.percentage_of_nodes_to_score, ())
    initial, longest = written.pod_initial_backoff_seconds, written.pod_max_backoff_seconds
    if initial <= 0:
        yield Fault(("podInitialBackoffSeconds",), initial, INVALID, "must be greater than 0")
    if longest < initial:
        message = "must be greater than or equal to PodInitialBackoffSeconds"
        yield Fault(("podMaxBackoffSeconds",), longest, INVALID, message)
    yield from _extenders(written.extenders)


def _profiles(written: KubeSchedulerConfiguration, profiles: tuple[Profile, ...]) -> Iterator[Fault]:
    names: set[str] = set()
    for index, profile in enumerate(profiles):
        path: FieldPath = ("profiles", index)
        if not profile.scheduler_name:
            yield Fault((*path, "schedulerName"), "", REQUIRED, "")
        yield from _percentage(profile.percentage_of_nodes_to_score, path)
        yield from _removed_plugins(profile, path)
        if profile.scheduler_name in names:
            # Upstream prints the path of the first, which shows as nothing.
            yield Fault((*path, "schedulerName"), {}, DUPLICATE, "")
        names.add(profile.scheduler_name)
    yield from _queue_sort(profiles)


def _percentage(percentage: int | None, path: FieldPath) -> Iterator[Fault]:
    if percentage is not None and not 0 <= percentage <= 100:
        yield Fault((*path, "percentageOfNodesToScore"), percentage, INVALID, "not in valid range [0-100]")


def _removed_plugins(profile: Profile, path: FieldPath) -> Iterator[Fault]:
    message = f'was invalid in version "v1" (KubeSchedulerConfiguration is version "{API_VERSION}")'
    for point in EXTENSION_POINTS:
        for index, plugin in enumerate(profile.plugins.at(point).enabled):
            if plugin.name in REMOVED_PLUGINS:
                yield Fault((*path, "plugins", point, "enabled", index), plugin.name, INVALID, message)


def _queue_sort(profiles: tuple[Profile, ...]) -> Iterator[Fault]:
    first = profiles[0].plugins.queue_sort
    if len(first.enabled) > 1:
        path: FieldPath = ("profiles", 0, "plugins", "queueSort", "enabled")
        field = "profiles[0].plugins.queueSort.Enabled"
        yield Fault(path, len(first.enabled), INVALID, "only one queue sort plugin can be enabled", field)
    for index, profile in enumerate(profiles[1:], start=1):
        other = profile.plugins.queue_sort
        if other != first:
            path = ("profiles", index, "plugins", "queueSort")
            yield Fault(path, _go_form(other), INVALID, "must be the same for all profiles")


def _go_form(plugins: PluginSet) -> dict[str, Any]:
    return {
        name: [{"Name": plugin.name, "Weight": plugin.weight} for plugin in some] or None
        for name, some in (("Enabled", plugins.enabled), ("Disabled", plugins.disabled))
    }


def _extenders(extenders: tuple[Extender, ...]) -> Iterator[Fault]:
    managed: set[str] = set()
    for index, extender in enumerate(extenders):
        if extender.prioritize_verb and extender.weight <= 0:
            message = "must have a positive weight applied to it"
            yield Fault(("extenders", index, "weight"), extender.weight, INVALID, message)
        for number, resource in enumerate(extender.managed_resources):
            path = ("extenders", index, "managedResources", number, "name")
            yield from _extended_resource(resource.name, path)
            if resource.name in managed:
                yield Fault(path, resource.name, INVALID, "duplicate extender managed resource name")
            managed.add(resource.name)
    binders = sum(bool(extender.bind_verb) for extender in extenders)
    if binders > 1:
        value = f"found {binders} extenders implementing bind"
        yield Fault(("extenders",), value, INVALID, "only one extender can implement bind")


def _extended_resource(name: str, path: FieldPath) -> Iterator[Fault]:
    problems = qualified_name_problems(name)
    if not problems and not is_extended_resource(name):
        problems = ["is an invalid extended resource name"]
    for problem in problems:
        yield Fault(path, name, INVALID, problem)


def _client_connection(connection: ClientConnection) -> Iterator[Fault]:
    if connection.burst < 0:
        yield Fault(("clientConnection", "burst"), connection.burst, INVALID, "must be non-negative")


def _leader_election(election: LeaderElection) -> Iterator[Fault]:
    if not election.leader_elect:
        return
    lengths = {
        "leaseDuration": election.lease_duration,
        "renewDeadline": election.renew_deadline,
        "retryPeriod": election.retry_period,
    }
    for name, length in lengths.items():
        if length <= 0:
            yield Fault(("leaderElection", name), str(length), INVALID, "must be greater than zero")
    if election.lease_duration < election.renew_deadline:
        message = "LeaseDuration must be greater than RenewDeadline"
        yield Fault(("leaderElection", "leaseDuration"), str(election.renew_deadline), INVALID, message)
    if election.resource_lock != "leases":
        message = 'resourceLock value must be "leases"'
        yield Fault(("leaderElection", "resourceLock"), election.resource_lock, INVALID, message)
