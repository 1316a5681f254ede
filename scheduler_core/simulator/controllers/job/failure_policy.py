"""What the failure of a pod means for its job, by the job's rules.

Source: pkg/controller/job/pod_failure_policy.go, matchPodFailurePolicy, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from scheduler_core.api.pod import FAILED
from scheduler_core.simulator.controllers.kubelet.annotations import AnnotationError, exit_code_of

if TYPE_CHECKING:
    from scheduler_core.api.batch import ExitCodesRequirement, PodConditionPattern, PodFailurePolicy
    from scheduler_core.api.pod import Pod

FAIL_JOB: Final = "FailJob"
IGNORE: Final = "Ignore"
COUNT: Final = "Count"
FAIL_INDEX: Final = "FailIndex"


class Ruling(NamedTuple):
    """The action of the first rule that matches, and what is said of it."""

    action: str
    message: str = ""


def judge(policy: PodFailurePolicy | None, pod: Pod) -> Ruling:
    """Returns what a failed pod means; without a rule that matches it counts."""
    for number, rule in enumerate(policy.rules if policy is not None else ()):
        where = f"matching {rule.action} rule at index {number}"
        if rule.on_exit_codes is not None:
            container = _failing_container(rule.on_exit_codes, pod)
            if container is not None:
                name, code = container
                return Ruling(
                    rule.action, f"Container {name} for pod {pod.key} failed with exit code {code} {where}"
                )
        matched = next((own for own in rule.on_pod_conditions if _has(pod, own)), None)
        if matched is not None:
            return Ruling(rule.action, f"Pod {pod.key} has condition {matched.type} {where}")
    return Ruling(COUNT)


def _failing_container(requirement: ExitCodesRequirement, pod: Pod) -> tuple[str, int] | None:
    """The first container whose exit code is meant; all end with the code of the pod's annotation."""
    if pod.status.phase != FAILED or pod.status.reason:
        return None
    try:
        code = exit_code_of(pod, max((own.restart_count for own in pod.status.container_statuses), default=0))
    except AnnotationError:
        return None
    listed = code in requirement.values
    if code == 0 or listed != (requirement.operator == "In"):
        return None
    wanted = requirement.container_name
    return next(
        ((own.name, code) for own in pod.spec.containers if wanted is None or own.name == wanted), None
    )


def _has(pod: Pod, pattern: PodConditionPattern) -> bool:
    status = pattern.status or "True"
    return any(own.type == pattern.type and own.status == status for own in pod.status.conditions)
