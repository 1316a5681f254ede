"""Host ports, one node at a time."""

from __future__ import annotations

from collections.abc import Iterable

from scheduler_core.api.pod import Pod

REFUSED = ("Unschedulable", ("node(s) didn't have free ports for the requested pod ports",))
ANY = "0.0.0.0"


def wanted_ports(pod: Pod) -> list[tuple[str, str, int]]:
    sidecars = [container for container in pod.spec.init_containers if container.restart_policy == "Always"]
    return [
        (port.host_ip or ANY, port.protocol or "TCP", port.host_port)
        for container in [*pod.spec.containers, *sidecars]
        for port in container.ports
        if port.host_port > 0
    ]


def node_ports(pod: Pod, pods_there: Iterable[Pod]) -> tuple[str, tuple[str, ...]] | None:
    for other in pods_there:
        for ip, protocol, number in wanted_ports(pod):
            for other_ip, other_protocol, other_number in wanted_ports(other):
                same_address = ip == other_ip or ANY in (ip, other_ip)
                if same_address and protocol == other_protocol and number == other_number:
                    return REFUSED
    return None
