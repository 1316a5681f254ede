"""Containers and init containers.

Source: pkg/apis/core/validation/validation.go, validateContainers, validateInitContainers, v1.34.1
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from scheduler_core.api.containers import ALWAYS, Container, ContainerPort
from scheduler_core.api.field_path import FieldPath
from scheduler_core.api.name_syntax import label_problems, port_name_problems
from scheduler_core.api.pod import PodSpec
from scheduler_core.api.validation.resources import validate_requirements
from scheduler_core.api.validation.rules import (
    Faults,
    checked,
    duplicate,
    forbidden,
    invalid,
    not_found,
    one_of,
    required,
)

PORT_RANGE = "must be between 1 and 65535, inclusive"
_PROTOCOLS = ("SCTP", "TCP", "UDP")
_PULL_POLICIES = ("Always", "IfNotPresent", "Never")
_POLICIES = ("NotRequired", "RestartContainer")


class Known(NamedTuple):
    """What containers may refer to."""

    volumes: Collection[str]
    claims: Collection[str]


def validate_containers(spec: PodSpec, raw: Any, path: FieldPath, known: Known) -> Faults:
    """Yields what is wrong with all containers of a pod.

    Args:
        spec: the pod's.
        raw: its plain form, for the fields that have no type.
        path: of the spec.
        known: the names of volumes and claims.
    """
    containers, names = (*path, "containers"), set[str]()
    if not spec.containers:
        yield required(containers)
    for index, container in enumerate(spec.containers):
        at = (*containers, index)
        yield from _validate_common(container, plain_item(raw, "containers", index), at, known)
        if container.name in names:
            yield duplicate((*at, "name"), container.name)
        names.add(container.name)
        if container.restart_policy is not None:
            yield forbidden((*at, "restartPolicy"), "may not be set for non-init containers")
    yield from _validate_host_ports(spec.containers, containers)
    for index, container in enumerate(spec.init_containers):
        at = (*path, "initContainers", index)
        yield from _validate_common(container, plain_item(raw, "initContainers", index), at, known)
        yield from _validate_init(container, at)
        if container.name in names:
            yield duplicate((*at, "name"), container.name)
        elif container.name:
            names.add(container.name)


def plain_item(raw: Any, field: str, index: int) -> dict[str, Any]:
    """Returns one item of a list in a plain object, or an empty one where the shape is another."""
    items = raw.get(field) if isinstance(raw, dict) else None
    item = items[index] if isinstance(items, list) and index < len(items) else None
    return item if isinstance(item, dict) else {}


def _validate_common(container: Container, raw: dict[str, Any], path: FieldPath, known: Known) -> Faults:
    if not container.name:
        yield required((*path, "name"))
    else:
        yield from checked((*path, "name"), container.name, label_problems)
    if not container.image:
        yield required((*path, "image"))
    policy = raw.get("imagePullPolicy")
    if isinstance(policy, str) and policy:
        yield from one_of((*path, "imagePullPolicy"), policy, _PULL_POLICIES)
    yield from _validate_ports(container.ports, (*path, "ports"))
    yield from _validate_mounts(raw.get("volumeMounts"), (*path, "volumeMounts"), known.volumes)
    resources = (*path, "resources")
    yield from validate_requirements(container.resources, resources, claim_names=known.claims)
    yield from _validate_resize(container, path)


def _validate_resize(container: Container, path: FieldPath) -> Faults:
    seen: set[str] = set()
    for index, policy in enumerate(container.resize_policy):
        at, name = (*path, "resizePolicy", index), policy.get("resourceName", "")
        if name in seen:
            yield duplicate((*path, "resizePolicy"), name)
        seen.add(name)
        if not name:
            yield required((*path, "resizePolicy"))
        else:
            yield from one_of((*at, "resourceName"), name, ("cpu", "memory"))
        restart = policy.get("restartPolicy", "")
        if restart:
            yield from one_of((*at, "restartPolicy"), restart, _POLICIES)


def _validate_init(container: Container, path: FieldPath) -> Faults:
    if container.restart_policy is not None:
        yield from one_of((*path, "restartPolicy"), container.restart_policy, (ALWAYS,))
    yield from _validate_host_ports([container], path[:-1])


def _validate_mounts(mounts: Any, path: FieldPath, volumes: Collection[str]) -> Faults:
    paths: set[str] = set()
    for index, mount in enumerate(mounts if isinstance(mounts, list) else ()):
        at = (*path, index)
        fields = mount if isinstance(mount, dict) else {}
        name, mount_path = str(fields.get("name", "")), str(fields.get("mountPath", ""))
        if not name:
            yield required((*at, "name"))
        if name not in volumes:
            yield not_found((*at, "name"), name)
        if not mount_path:
            yield required((*at, "mountPath"))
        if mount_path in paths:
            yield invalid((*at, "mountPath"), mount_path, "must be unique")
        paths.add(mount_path)


def _validate_ports(ports: Iterable[ContainerPort], path: FieldPath) -> Faults:
    names: set[str] = set()
    for index, port in enumerate(ports):
        at = (*path, index)
        if port.name:
            faults = list(checked((*at, "name"), port.name, port_name_problems))
            yield from faults
            if not faults and port.name in names:
                yield duplicate((*at, "name"), port.name)
            names.add(port.name)
        if not port.container_port:
            yield required((*at, "containerPort"))
        for field, number in (("containerPort", port.container_port), ("hostPort", port.host_port)):
            if number and not 1 <= number <= 65535:
                yield invalid((*at, field), number, PORT_RANGE)
        if port.protocol:
            yield from one_of((*at, "protocol"), port.protocol, _PROTOCOLS)


def _validate_host_ports(containers: Iterable[Container], path: FieldPath) -> Faults:
    taken: set[str] = set()
    for index, container in enumerate(containers):
        for place, port in enumerate(container.ports):
            if not port.host_port:
                continue
            key = f"{port.protocol or 'TCP'}/{port.host_ip}/{port.host_port}"
            if key in taken:
                yield duplicate((*path, index, "ports", place, "hostPort"), key)
            taken.add(key)


def validate_host_network(spec: PodSpec, path: FieldPath) -> Faults:
    """Yields the ports that differ from the host's although the pod has the host's network."""
    if not spec.host_network:
        return
    for index, container in enumerate(spec.containers):
        for place, port in enumerate(container.ports):
            if port.host_port not in (0, port.container_port):  # 0 is filled in before this
                at = (*path, "containers", index, "ports", place, "containerPort")
                message = "must match `hostPort` when `hostNetwork` is true"
                yield invalid(at, port.container_port, message)
