"""Taints and cordons, one node at a time."""

from __future__ import annotations

from scheduler_core.api.node import Node
from scheduler_core.api.pod import Pod

TAINT_OF_A_CORDON = ("node.kubernetes.io/unschedulable", "", "NoSchedule")


def tolerates(pod: Pod, key: str, value: str, effect: str) -> bool:
    for toleration in pod.spec.tolerations:
        effect_fits = toleration.effect in ("", effect)
        key_fits = toleration.key in ("", key)
        if toleration.operator == "Exists":
            value_fits = True
        else:
            value_fits = toleration.operator in ("", "Equal") and toleration.value == value
        if effect_fits and key_fits and value_fits:
            return True
    return False


def taint_toleration(pod: Pod, node: Node) -> tuple[str, tuple[str, ...]] | None:
    for taint in node.spec.taints:
        if taint.effect == "PreferNoSchedule":
            continue
        if not tolerates(pod, taint.key, taint.value, taint.effect):
            reason = "node(s) had untolerated taint {" + taint.key + ": " + taint.value + "}"
            return "UnschedulableAndUnresolvable", (reason,)
    return None


def intolerable_soft_taints(pod: Pod, node: Node) -> int:
    count = 0
    for taint in node.spec.taints:
        soft = taint.effect == "PreferNoSchedule"
        if soft and not tolerates(pod, taint.key, taint.value, taint.effect):
            count += 1
    return count


def node_unschedulable(pod: Pod, node: Node) -> tuple[str, tuple[str, ...]] | None:
    if not node.spec.unschedulable or tolerates(pod, *TAINT_OF_A_CORDON):
        return None
    return "UnschedulableAndUnresolvable", ("node(s) were unschedulable",)
