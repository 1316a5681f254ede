"""Checks in a line: manifests, a cluster and expectations in short form give a verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from scheduler_core.checks import CheckInput, NamedText, Verdict, read_check, run
from scheduler_core.checks.verdict import Finding, Result

Raw = dict[str, Any]


def node(
    name: str, *, cpu: str = "2", memory: str = "4Gi", labels: Mapping[str, str] | None = None, **spec: Any
) -> Raw:
    """Returns a node."""
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": dict(labels or {})},
        "spec": spec,
        "status": {"allocatable": {"cpu": cpu, "memory": memory, "pods": "20"}},
    }


def priority_class(name: str, value: int) -> Raw:
    """Returns a priority class."""
    return {
        "apiVersion": "scheduling.k8s.io/v1",
        "kind": "PriorityClass",
        "metadata": {"name": name},
        "value": value,
    }


HIGH = priority_class("high", 10)


def pod(
    name: str,
    cpu: str = "1",
    *,
    on: str = "",
    labels: Mapping[str, str] | None = None,
    owner: str = "",
    **spec: Any,
) -> Raw:
    """Returns a pod; ``owner`` is "Kind/name" of its controller."""
    made: Raw = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "default", "uid": name, "labels": dict(labels or {})},
        "spec": {
            "containers": [
                {"name": "main", "image": "a", "resources": {"requests": {"cpu": cpu, "memory": "64Mi"}}}
            ],
            **spec,
        },
    }
    if on:
        made["spec"]["nodeName"] = on
        made["status"] = {"phase": "Running"}
    if owner:
        kind, owner_name = owner.split("/")
        reference = {
            "apiVersion": "apps/v1",
            "kind": kind,
            "name": owner_name,
            "uid": owner,
            "controller": True,
        }
        made["metadata"]["ownerReferences"] = [reference]
    return made


def expectations(*items: Raw, **spec: Any) -> str:
    """Returns a document of kind Expectations."""
    document = {
        "apiVersion": "playground/v1",
        "kind": "Expectations",
        "spec": {"expectations": list(items), **spec},
    }
    return yaml.safe_dump(document, sort_keys=False)


def asked(
    manifests: Sequence[Raw] | str = (),
    cluster: Sequence[Raw] = (),
    *items: Raw,
    spec: Raw | None = None,
    **options: Any,
) -> CheckInput:
    """Returns a check."""
    text = manifests if isinstance(manifests, str) else yaml.safe_dump_all(manifests, sort_keys=False)
    documents = (
        (NamedText(name="expect.yaml", text=expectations(*items, **(spec or {}))),) if items or spec else ()
    )
    return CheckInput(
        manifests=(NamedText(name="app.yaml", text=text),) if text else (),
        cluster=tuple(cluster),
        expectations=documents,
        **options,
    )


def verdict(
    manifests: Sequence[Raw] | str = (),
    cluster: Sequence[Raw] = (),
    *items: Raw,
    spec: Raw | None = None,
    **options: Any,
) -> Verdict:
    """Runs a check."""
    return run(read_check(asked(manifests, cluster, *items, spec=spec, **options)))


def result(found: Verdict) -> Result:
    """Returns the only result."""
    (only,) = found.results
    return only


def finding(found: Verdict) -> Finding:
    """Returns the only finding of the only result."""
    (only,) = result(found).findings
    return only
