"""Nodes and pods as lists and maps show them: plain numbers, derived once at import."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from scheduler_core.api import Node, Pod, pod_requests, to_ints
from scheduler_core.api.pod import standing

ZONE_LABEL = "topology.kubernetes.io/zone"


def node_item(node: Node) -> dict[str, Any]:
    """Returns a node without its pods; `add_pods` fills in what they ask.

    Args:
        node: typed.
    """
    return {
        "name": node.metadata.name,
        "zone": node.metadata.labels.get(ZONE_LABEL, ""),
        "labels": node.metadata.labels,
        "taints": [
            {"key": taint.key, "value": taint.value, "effect": taint.effect} for taint in node.spec.taints
        ],
        "unschedulable": node.spec.unschedulable,
        "ready": node.is_ready,
        "allocatable": to_ints(node.status.allocatable),
        "requested": {},
        "num_pods": 0,
        "images": len(node.status.images),
        "creation": _micros(node.metadata.creation_timestamp),
    }


def pod_item(pod: Pod) -> dict[str, Any]:
    """Returns a pod.

    Args:
        pod: typed, with the API's defaults.
    """
    owners = pod.metadata.owner_references
    owner = next((each for each in owners if each.controller), owners[0] if owners else None)
    return {
        "namespace": pod.metadata.namespace,
        "name": pod.metadata.name,
        "node": pod.spec.node_name or None,
        "nominated_node": pod.status.nominated_node_name or None,
        "phase": pod.status.phase or "Pending",
        "priority": pod.spec.priority,
        "priority_class": pod.spec.priority_class_name,
        "requests": pod_requests(pod),
        "labels": pod.metadata.labels,
        "owner": f"{owner.kind}/{owner.name}" if owner else "",
        "creation": _micros(pod.metadata.creation_timestamp),
        "scheduling_gates": len(pod.spec.scheduling_gates),
        "scheduler_name": pod.spec.scheduler_name,
    }


def encode(item: Mapping[str, Any]) -> str:
    """Returns an item as the JSON that is stored: ASCII, for names may hold anything."""
    return json.dumps(item, separators=(",", ":"))


def is_terminal(item: Mapping[str, Any]) -> bool:
    """Returns whether a pod has run to its end and takes nothing from its node.

    Args:
        item: as `pod_item` gives it.
    """
    return standing(item["node"], item["phase"]) == "finished"


def add_pods(nodes: Iterable[dict[str, Any]], pods: Iterable[dict[str, Any]]) -> None:
    """Adds to the nodes what the pods bound to them ask for.

    Args:
        nodes: items; changed.
        pods: items.
    """
    by_name = {node["name"]: node for node in nodes}
    for pod in pods:
        node = by_name.get(pod["node"])
        if node is None or is_terminal(pod):
            continue
        node["num_pods"] += 1
        requested = node["requested"]
        for name, amount in pod["requests"].items():
            requested[name] = requested.get(name, 0) + amount
    for node in by_name.values():
        node["requested"]["pods"] = node["num_pods"]


def counts_of(nodes: list[dict[str, Any]], pods: list[dict[str, Any]], num_objects: int) -> dict[str, int]:
    """Returns how many there are of what.

    Args:
        nodes: items.
        pods: items.
        num_objects: of all kinds.
    """
    standings = Counter(standing(pod["node"], pod["phase"]) for pod in pods)
    return {
        "nodes": len(nodes),
        "pods": len(pods),
        "bound": standings["bound"],
        "pending": standings["pending"],
        "other": num_objects - len(nodes) - len(pods),
    }


def _micros(time: int | None) -> int | None:
    return None if time is None else int(time)
