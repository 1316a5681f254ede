"""Which rules hold for which kind, and how strictly.

Where people write (`playground validate`, writes to the API), `validate` says all that the API server of v1.34.1
would say when the object is created. A dump holds what some API server, perhaps an older one, has taken already:
there `validate_import` refuses only what no API server takes or what would make a decision wrong: an object without a
name, a name that Kubernetes has none of, a negative amount.
"""

from __future__ import annotations

from typing import Any

from scheduler_core.api.batch import CronJob, Job
from scheduler_core.api.kinds import KubeObject, Untyped, find_kind
from scheduler_core.api.node import Node
from scheduler_core.api.pod import Pod
from scheduler_core.api.policy import PodDisruptionBudget
from scheduler_core.api.validation.labels import validate_label_selector
from scheduler_core.api.validation.metadata import validate_metadata, validate_names
from scheduler_core.api.validation.name_rules import name_rule_of
from scheduler_core.api.validation.node import validate_node, validate_node_amounts
from scheduler_core.api.validation.pod import validate_amounts, validate_pod
from scheduler_core.api.validation.rules import Faults
from scheduler_core.api.validation.workloads import (
    validate_cron_job,
    validate_job,
    validate_replication_controller,
    validate_workload,
)
from scheduler_core.api.workloads import (
    DaemonSet,
    Deployment,
    ReplicaSet,
    ReplicationController,
    StatefulSet,
)


def validate(obj: KubeObject, raw: dict[str, Any]) -> Faults:
    """Yields all that the API server would refuse in an object that is created.

    Args:
        obj: the object, its fields of the right types.
        raw: its plain form without nulls, for the fields that have no type.
    """
    if isinstance(obj, Pod):
        yield from validate_pod(obj, raw)
    elif isinstance(obj, Node):
        yield from validate_node(obj)
    elif isinstance(obj, Deployment | ReplicaSet | StatefulSet | DaemonSet):
        yield from validate_workload(obj, raw)
    elif isinstance(obj, Job):
        yield from validate_job(obj, raw)
    elif isinstance(obj, CronJob):
        yield from validate_cron_job(obj, raw)
    elif isinstance(obj, ReplicationController):
        yield from validate_replication_controller(obj, raw)
    else:
        yield from _validate_other(obj)


def _validate_other(obj: KubeObject) -> Faults:
    rule = name_rule_of(obj.kind)
    if isinstance(obj, Untyped):
        yield from validate_names(obj.metadata, namespaced=_is_namespaced(obj), name_rule=rule)
    else:
        yield from validate_metadata(obj.metadata, namespaced=_is_namespaced(obj), name_rule=rule)
    if isinstance(obj, PodDisruptionBudget):
        yield from validate_label_selector(obj.spec.selector, ("spec", "selector"))


def _is_namespaced(obj: KubeObject) -> bool:
    info = find_kind(obj.api_version, obj.kind)
    return info is not None and info.namespaced


def validate_import(obj: KubeObject) -> Faults:
    """Yields what cannot be, or would make decisions wrong: all else was taken by the API server it comes from."""
    rule = name_rule_of(obj.kind)
    yield from validate_names(obj.metadata, namespaced=_is_namespaced(obj), name_rule=rule)
    if isinstance(obj, Pod):
        yield from validate_amounts(obj)
    elif isinstance(obj, Node):
        yield from validate_node_amounts(obj)
