"""Pods and pod templates.

Source: pkg/apis/core/validation/validation.go, ValidatePodCreate, ValidatePodSpec, ValidatePodTemplateSpec, v1.34.1
"""

from __future__ import annotations

from typing import Any

from scheduler_core.api.decode import to_plain
from scheduler_core.api.field_path import FieldPath, format_path
from scheduler_core.api.name_syntax import label_problems, qualified_name_problems, subdomain_problems
from scheduler_core.api.pod import Pod, PodSpec, PodTemplateSpec
from scheduler_core.api.resources import ResourceRequirements
from scheduler_core.api.validation.affinity import validate_affinity
from scheduler_core.api.validation.containers import Known, validate_containers, validate_host_network
from scheduler_core.api.validation.labels import validate_annotations, validate_labels
from scheduler_core.api.validation.metadata import validate_metadata
from scheduler_core.api.validation.resources import (
    validate_non_negative,
    validate_pod_level,
    validate_requirements,
)
from scheduler_core.api.validation.rules import (
    Faults,
    checked,
    duplicate,
    forbidden,
    invalid,
    one_of,
    required,
)
from scheduler_core.api.validation.taints import validate_tolerations
from scheduler_core.api.validation.topology_spread import validate_topology_spread
from scheduler_core.api.validation.volumes import validate_volumes

RESTART_POLICIES = ("Always", "OnFailure", "Never")
_PREEMPTION_POLICIES = ("PreemptLowerPriority", "Never")
_MAX_SECONDS = 2**31 - 1
_TRIM = "must not have leading or trailing whitespace"


def validate_pod(pod: Pod, raw: Any) -> Faults:
    """Yields what the API server would refuse in a pod that is created."""
    yield from validate_metadata(pod.metadata, namespaced=True)
    plain = raw.get("spec")
    yield from validate_pod_spec(pod.spec, plain, ("spec",))
    for field, containers in (
        ("containers", pod.spec.containers),
        ("initContainers", pod.spec.init_containers),
    ):
        for index, container in enumerate(containers):
            if container.image != container.image.strip():
                yield invalid(("spec", field, index, "image"), container.image, _TRIM)
    if pod.spec.node_name and pod.spec.scheduling_gates and not pod.status.phase:
        message = "cannot be set until all schedulingGates have been cleared"
        yield forbidden(("spec", "nodeName"), message)


def validate_template(template: PodTemplateSpec, raw: Any, path: FieldPath) -> Faults:
    """Yields what the API server would refuse in a pod template; upstream leaves "metadata" out of its paths."""
    metadata = (*path, "metadata")
    for name, rule, entries in (
        ("labels", validate_labels, template.metadata.labels),
        ("annotations", validate_annotations, template.metadata.annotations),
    ):
        yield from rule(entries, (*metadata, name), field=format_path((*path, name)))
    plain = raw.get("spec") if isinstance(raw, dict) else None
    yield from validate_pod_spec(template.spec, plain, (*path, "spec"))


def validate_pod_spec(spec: PodSpec, raw: Any, path: FieldPath) -> Faults:
    """Yields what the API server would refuse in a pod's spec."""
    volume_faults = list(validate_volumes(spec, raw, path))
    yield from volume_faults
    faulty = {fault.path[: len(path) + 2] for fault in volume_faults}
    volumes = {
        volume.name for index, volume in enumerate(spec.volumes) if (*path, "volumes", index) not in faulty
    }
    claims = {claim.name for claim in spec.resource_claims if claim.name}
    yield from _validate_claims(spec, (*path, "resourceClaims"))
    yield from validate_pod_level(spec, (*path, "resources"))
    yield from validate_containers(spec, raw, path, Known(volumes, claims))
    if spec.restart_policy:
        yield from one_of((*path, "restartPolicy"), spec.restart_policy, RESTART_POLICIES)
    yield from validate_labels(spec.node_selector, (*path, "nodeSelector"))
    yield from validate_host_network(spec, path)
    yield from validate_affinity(spec.affinity, (*path, "affinity"))
    yield from _validate_gates(spec, (*path, "schedulingGates"))
    yield from validate_topology_spread(
        spec.topology_spread_constraints, (*path, "topologySpreadConstraints")
    )
    yield from validate_tolerations(spec.tolerations, (*path, "tolerations"))
    yield from _validate_names(spec, path)
    yield from _validate_times(spec, path)
    yield from _validate_overhead(spec, path)


def _validate_names(spec: PodSpec, path: FieldPath) -> Faults:
    for field, name in (
        ("nodeName", spec.node_name),
        ("priorityClassName", spec.priority_class_name),
        ("runtimeClassName", spec.runtime_class_name),
    ):
        if name:
            yield from checked((*path, field), name, subdomain_problems)
    if spec.preemption_policy is not None:
        yield from one_of((*path, "preemptionPolicy"), spec.preemption_policy, _PREEMPTION_POLICIES)


def _validate_times(spec: PodSpec, path: FieldPath) -> Faults:
    deadline = spec.active_deadline_seconds
    if deadline is not None and not 1 <= deadline <= _MAX_SECONDS:
        message = f"must be between 1 and {_MAX_SECONDS}, inclusive"
        yield invalid((*path, "activeDeadlineSeconds"), deadline, message)


def _validate_gates(spec: PodSpec, path: FieldPath) -> Faults:
    seen: set[str] = set()
    for index, gate in enumerate(spec.scheduling_gates):
        for problem in qualified_name_problems(gate.name):
            yield invalid((*path, index, "name"), gate.name, problem, field=format_path((*path, index)))
        if gate.name in seen:
            yield duplicate((*path, index), gate.name)
        seen.add(gate.name)


def _validate_claims(spec: PodSpec, path: FieldPath) -> Faults:
    seen: set[str] = set()
    for index, claim in enumerate(spec.resource_claims):
        at = (*path, index)
        if not claim.name:
            yield required((*at, "name"))
        elif claim.name in seen:
            yield duplicate((*at, "name"), claim.name)
        else:
            yield from checked((*at, "name"), claim.name, label_problems)
        seen.add(claim.name)
        both = (claim.resource_claim_name, claim.resource_claim_template_name)
        names = "`resourceClaimName`, `resourceClaimTemplateName`"
        if None not in both:
            message = f"at most one of {names.replace(', ', ' or ')} may be specified"
            yield invalid(at, to_plain(claim), message)
        elif both == (None, None):
            yield invalid(at, to_plain(claim), f"must specify one of: {names}")
        for field, name in zip(("resourceClaimName", "resourceClaimTemplateName"), both, strict=True):
            if name is not None:
                yield from checked((*at, field), name, subdomain_problems)


def _validate_overhead(spec: PodSpec, path: FieldPath) -> Faults:
    """Yields what is wrong with the overhead, which upstream judges and names as limits."""
    as_limits = ResourceRequirements(limits=spec.overhead)
    overhead = (*path, "overhead")
    for fault in validate_requirements(as_limits, overhead):
        where = tuple(part for part in fault.path[len(overhead) :] if part != "limits")
        yield fault._replace(path=(*overhead, *where), field=format_path(fault.path))


def validate_amounts(pod: Pod) -> Faults:
    """Yields the amounts of a pod that no sum may contain: the negative ones."""
    spec = pod.spec
    for field, containers in (("containers", spec.containers), ("initContainers", spec.init_containers)):
        for index, container in enumerate(containers):
            yield from _negative(container.resources, ("spec", field, index, "resources"))
    if spec.resources is not None:
        yield from _negative(spec.resources, ("spec", "resources"))
    for fault in validate_non_negative(spec.overhead, ("spec", "overhead")):
        yield fault._replace(field=format_path(("spec", "overhead", "limits", fault.path[-1])))


def _negative(resources: ResourceRequirements, path: FieldPath) -> Faults:
    yield from validate_non_negative(resources.limits, (*path, "limits"))
    yield from validate_non_negative(resources.requests, (*path, "requests"))
