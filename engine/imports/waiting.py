"""Who waits: why, in a word each, taken from the scheduler's own messages; and how many pods are yet to be made."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from scheduler_core.api import KubeObject, Pod
from scheduler_core.api.pod import FINAL_PHASES

MAX_REASONS = 20
WORKLOADS = ("DaemonSet", "Deployment", "ReplicaSet", "ReplicationController", "StatefulSet")
_HEAD = re.compile(r"^\d+/\d+ nodes are available: ")
_COUNTED = re.compile(r"(\d+) (.+)", re.DOTALL)


def message_of(pod: Pod) -> str:
    """Returns why a pod has no node, as the scheduler of its cluster wrote it; nothing where it does not say.

    Args:
        pod: typed.
    """
    if pod.spec.node_name or pod.status.phase in FINAL_PHASES:
        return ""
    said = (each for each in pod.status.conditions if each.type == "PodScheduled" and each.status == "False")
    return next((each.message for each in said), "")


def replicas_wanted(objects: Iterable[KubeObject], num_nodes: int) -> int:
    """Returns how many pods the workloads of a cluster ask for; those that belong to another are not counted again.

    Args:
        objects: typed, of any kind.
        num_nodes: how many pods a DaemonSet makes at most.
    """
    wanted = 0
    for each in objects:
        if each.kind == "DaemonSet":
            wanted += num_nodes
        elif each.kind in WORKLOADS and not each.metadata.owner_references:
            replicas = getattr(getattr(each, "spec", None), "replicas", None)
            wanted += 1 if replicas is None else replicas
    return wanted


def main_reason(message: str) -> str:
    """Returns what most nodes say in the message of a FailedScheduling event; among equals the first.

    Args:
        message: as the scheduler wrote it, or nothing.
    """
    text = _HEAD.sub("", message).split(". ")[0].removesuffix(".")
    best, most = text, 0
    for part in re.split(r", (?=\d+ )", text):
        counted = _COUNTED.fullmatch(part)
        if counted and int(counted[1]) > most:
            best, most = counted[2], int(counted[1])
    return best


def reasons_of(messages: Iterable[str]) -> list[list[str | int]]:
    """Returns reasons and how many pods each holds back, the most frequent first.

    Args:
        messages: one a pod; those without a word are left out.
    """
    counts = Counter(reason for message in messages if (reason := main_reason(message)))
    return [[reason, number] for reason, number in counts.most_common(MAX_REASONS)]
