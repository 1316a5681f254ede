"""One pod with what the scheduler derives from it once: requests, ports, affinity terms.

Source: pkg/scheduler/framework/types.go, PodInfo and AffinityTerm, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from scheduler_core.api.pod_resources import (
    DEFAULT_MEMORY_REQUEST,
    DEFAULT_MILLI_CPU_REQUEST,
    has_pod_level_requests,
    pod_requests,
)
from scheduler_core.snapshot.affinity_term import (
    AffinityTerm,
    WeightedAffinityTerm,
    preferred_terms,
    required_terms,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scheduler_core.api.pod import Pod
    from scheduler_core.snapshot.axes import ResourceAxis

UNSIGNED: Final = -1
"""The signature of a pod that has to be judged by itself."""
_ANY_IP: Final = "0.0.0.0"


class HostPort(NamedTuple):
    """A port of the node that a container asks for."""

    ip: str
    protocol: str
    port: int


class PodInfo:
    """A pod and what is derived from it. Immutable but for the lazily parsed affinity terms.

    ``signature`` is a number that pods of a profile share whose specs ask for the same, see ``framework.reuse``;
    None until somebody asks.
    """

    __slots__ = (
        "_anti_terms",
        "_terms",
        "_weighted_anti_terms",
        "_weighted_terms",
        "host_ports",
        "key",
        "non_zero_cpu",
        "non_zero_memory",
        "pod",
        "priority",
        "requests",
        "signature",
        "uid",
    )

    def __init__(self, pod: Pod, axis: ResourceAxis) -> None:
        self.pod = pod
        self.uid = pod.metadata.uid
        self.key = f"{pod.metadata.namespace}/{pod.metadata.name}"
        self.priority = pod.spec.priority or 0
        requests = pod_requests(pod, use_status_resources=True)
        self.requests = axis.pairs(requests)
        non_zero = requests
        if _is_something_missing(pod):
            non_zero = pod_requests(
                pod,
                use_status_resources=True,
                non_missing_container_requests=_non_missing(pod, requests),
            )
        self.non_zero_cpu = non_zero.get("cpu", 0)
        self.non_zero_memory = non_zero.get("memory", 0)
        self.host_ports = frozenset(host_ports(pod))
        self.signature: int | None = None
        unparsed = () if pod.spec.affinity is None else None
        self._terms: tuple[AffinityTerm, ...] | None = unparsed
        self._anti_terms: tuple[AffinityTerm, ...] | None = unparsed
        self._weighted_terms: tuple[WeightedAffinityTerm, ...] | None = unparsed
        self._weighted_anti_terms: tuple[WeightedAffinityTerm, ...] | None = unparsed

    def __repr__(self) -> str:
        return f"PodInfo({self.key})"

    def with_pod(self, pod: Pod) -> PodInfo:
        """The same derived data for a pod that differs only in its node or status."""
        copy = object.__new__(PodInfo)
        copy.pod = pod
        copy.uid = self.uid
        copy.key = self.key
        copy.priority = self.priority
        copy.requests = self.requests
        copy.non_zero_cpu = self.non_zero_cpu
        copy.non_zero_memory = self.non_zero_memory
        copy.host_ports = self.host_ports
        copy.signature = self.signature
        copy._terms = self._terms
        copy._anti_terms = self._anti_terms
        copy._weighted_terms = self._weighted_terms
        copy._weighted_anti_terms = self._weighted_anti_terms
        return copy

    def with_node(self, node_name: str) -> PodInfo:
        """The same pod on a node (assumed)."""
        return self.with_pod(
            msgspec.structs.replace(
                self.pod, spec=msgspec.structs.replace(self.pod.spec, node_name=node_name)
            )
        )

    def derives_same(self, other: PodInfo) -> bool:
        """Whether ``other`` counts the same on a node: made of the same spec, labels and deletion time."""
        mine, theirs = self.pod, other.pod
        return (
            self.requests == other.requests
            and self.host_ports == other.host_ports
            and mine.metadata.labels == theirs.metadata.labels
            and mine.metadata.deletion_timestamp == theirs.metadata.deletion_timestamp
            and mine.spec.affinity is theirs.spec.affinity
            and mine.spec.volumes is theirs.spec.volumes
            and self.priority == other.priority
        )

    @property
    def required_affinity_terms(self) -> tuple[AffinityTerm, ...]:
        """Terms of required pod affinity."""
        if self._terms is None:
            affinity = self.pod.spec.affinity.pod_affinity if self.pod.spec.affinity else None
            self._terms = required_terms(self.pod, affinity)
        return self._terms

    @property
    def required_anti_affinity_terms(self) -> tuple[AffinityTerm, ...]:
        """Terms of required pod anti-affinity."""
        if self._anti_terms is None:
            affinity = self.pod.spec.affinity.pod_anti_affinity if self.pod.spec.affinity else None
            self._anti_terms = required_terms(self.pod, affinity)
        return self._anti_terms

    @property
    def preferred_affinity_terms(self) -> tuple[WeightedAffinityTerm, ...]:
        """Terms of preferred pod affinity with their weights."""
        if self._weighted_terms is None:
            affinity = self.pod.spec.affinity.pod_affinity if self.pod.spec.affinity else None
            self._weighted_terms = preferred_terms(self.pod, affinity)
        return self._weighted_terms

    @property
    def preferred_anti_affinity_terms(self) -> tuple[WeightedAffinityTerm, ...]:
        """Terms of preferred pod anti-affinity with their weights."""
        if self._weighted_anti_terms is None:
            affinity = self.pod.spec.affinity.pod_anti_affinity if self.pod.spec.affinity else None
            self._weighted_anti_terms = preferred_terms(self.pod, affinity)
        return self._weighted_anti_terms


def host_ports(pod: Pod) -> Iterable[HostPort]:
    """Host ports of a pod's containers and of its restartable init containers.

    Source: pkg/scheduler/util/utils.go, GetHostPorts, v1.34.1
    """
    sidecars = (c for c in pod.spec.init_containers if c.restart_policy == "Always")
    for container in (*pod.spec.containers, *sidecars):
        for port in container.ports:
            if port.host_port and port.host_port > 0:
                yield HostPort(port.host_ip or _ANY_IP, port.protocol or "TCP", port.host_port)


def _is_something_missing(pod: Pod) -> bool:
    """Whether a container does not say how much cpu or memory it requests."""
    spec, status = pod.spec, pod.status
    statuses = (*status.container_statuses, *status.init_container_statuses)
    if spec.resources is not None or any(own.resources is not None for own in statuses):
        return True  # what the containers say may not be what counts
    for container in (*spec.containers, *spec.init_containers):
        requests = container.resources.requests
        if "cpu" not in requests or "memory" not in requests:
            return True
    return False


def _non_missing(pod: Pod, requests: dict[str, int]) -> dict[str, int]:
    defaults = {"cpu": DEFAULT_MILLI_CPU_REQUEST, "memory": DEFAULT_MEMORY_REQUEST}
    if not has_pod_level_requests(pod):
        return defaults
    return {name: amount for name, amount in defaults.items() if name not in requests}
