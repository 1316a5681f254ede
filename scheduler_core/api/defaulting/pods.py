"""Defaults of pods.

Source: pkg/apis/core/v1/defaults.go, SetDefaults_Pod, SetDefaults_PodSpec, v1.34.1
"""

from __future__ import annotations

import msgspec

from scheduler_core.api.containers import ALWAYS, Container, ContainerPort
from scheduler_core.api.defaulting.affinity import fold_label_keys
from scheduler_core.api.pod import DEFAULT_SCHEDULER_NAME, PENDING, Pod, PodSpec
from scheduler_core.api.pod_resources import container_limits, container_requests
from scheduler_core.api.resources import HUGEPAGES_PREFIX, ResourceList, ResourceRequirements
from scheduler_core.api.resources import is_pod_level_resource as is_pod_level

DEFAULT_GRACE_PERIOD_SECONDS = 30
TCP = "TCP"


def default_pod(pod: Pod) -> Pod:
    """Returns the pod as the API server would store it."""
    spec = default_pod_spec(pod.spec)
    if spec.affinity is not None:
        spec = _replace(spec, affinity=fold_label_keys(spec.affinity, pod.metadata.labels))
    status = pod.status if pod.status.phase else msgspec.structs.replace(pod.status, phase=PENDING)
    return msgspec.structs.replace(pod, spec=spec, status=status)


def default_pod_spec(spec: PodSpec) -> PodSpec:
    """Returns the spec with the defaults of a pod; requests follow limits before amounts are rounded."""
    spec = _replace(
        spec,
        containers=tuple(map(_requests_from_limits, spec.containers)),
        init_containers=tuple(map(_requests_from_limits, spec.init_containers)),
    )
    if spec.resources is not None:
        spec = _replace(spec, resources=_rounded(_pod_level(spec, spec.resources)))

    def finish(container: Container) -> Container:
        return _finish_container(container, spec.host_network)

    return _replace(
        spec,
        containers=tuple(map(finish, spec.containers)),
        init_containers=tuple(map(finish, spec.init_containers)),
        overhead=round_up(spec.overhead),
        scheduler_name=spec.scheduler_name or DEFAULT_SCHEDULER_NAME,
        restart_policy=spec.restart_policy or ALWAYS,
        termination_grace_period_seconds=DEFAULT_GRACE_PERIOD_SECONDS
        if spec.termination_grace_period_seconds is None
        else spec.termination_grace_period_seconds,
    )


def round_up(resources: ResourceList) -> ResourceList:
    """Returns amounts no finer than a thousandth, as the API server stores them."""
    if not resources or all(quantity.is_whole_in_milli() for quantity in resources.values()):
        return resources
    return {name: quantity.rounded_up_to_milli() for name, quantity in resources.items()}


def _requests_from_limits(container: Container) -> Container:
    resources = container.resources
    if all(name in resources.requests for name in resources.limits):
        return container
    requests = {**resources.limits, **resources.requests}
    return msgspec.structs.replace(container, resources=msgspec.structs.replace(resources, requests=requests))


def _finish_container(container: Container, host_network: bool) -> Container:
    resources = _rounded(container.resources)
    ports = container.ports
    if any(not port.protocol or (host_network and not port.host_port) for port in ports):
        ports = tuple(_finish_port(port, host_network) for port in ports)
    if resources is container.resources and ports is container.ports:
        return container
    return msgspec.structs.replace(container, resources=resources, ports=ports)


def _finish_port(port: ContainerPort, host_network: bool) -> ContainerPort:
    host_port = port.container_port if host_network and not port.host_port else port.host_port
    return msgspec.structs.replace(port, protocol=port.protocol or TCP, host_port=host_port)


def _rounded(resources: ResourceRequirements) -> ResourceRequirements:
    requests, limits = round_up(resources.requests), round_up(resources.limits)
    if requests is resources.requests and limits is resources.limits:
        return resources
    return msgspec.structs.replace(resources, requests=requests, limits=limits)


def _pod_level(spec: PodSpec, resources: ResourceRequirements) -> ResourceRequirements:
    """Fills pod-level limits of huge pages, then requests: from the containers, else from the limits."""
    limits = dict(resources.limits)
    requests = dict(resources.requests)
    if limits or requests:
        for name, limit in container_limits(spec).items():
            if name.startswith(HUGEPAGES_PREFIX) and name not in requests:
                limits.setdefault(name, limit)
    if limits:
        for name, request in container_requests(spec).items():
            if is_pod_level(name) and not name.startswith(HUGEPAGES_PREFIX):
                requests.setdefault(name, request)
        for name, limit in limits.items():
            if is_pod_level(name):
                requests.setdefault(name, limit)
    return msgspec.structs.replace(resources, requests=requests, limits=limits)


def _replace(spec: PodSpec, **changes: object) -> PodSpec:
    return msgspec.structs.replace(spec, **changes)
