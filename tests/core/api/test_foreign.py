"""Objects of older clusters, read as what they mean today."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.api import PodDisruptionBudget, Source, canonical, decode_object, load_manifests
from scheduler_core.api.quotas import HorizontalPodAutoscaler, LimitRange, ResourceQuota
from scheduler_core.api.workloads import Deployment


def load(raw: dict[str, Any]) -> tuple[Any, tuple[str, ...]]:
    loaded = load_manifests([Source("x.json", canonical(raw))], strict=True)
    (item,) = loaded.objects
    assert decode_object(item.raw) == item.object
    return item.object, loaded.warnings


def test_an_empty_selector_of_an_old_budget_selects_nothing_and_that_of_a_new_one_all() -> None:
    raw = {"kind": "PodDisruptionBudget", "metadata": {"name": "a"}, "spec": {"selector": {}}}
    old, warnings = load({**raw, "apiVersion": "policy/v1beta1"})
    assert isinstance(old, PodDisruptionBudget)
    assert old.spec.selector is None
    assert warnings == ("PodDisruptionBudget a: an empty selector of policy/v1beta1 selects no pods",)
    new, warnings = load({**raw, "apiVersion": "policy/v1"})
    assert new.spec.selector.is_empty()
    assert warnings == ()


def test_an_old_deployment_without_a_selector_selects_its_template_s_labels() -> None:
    template = {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "a", "image": "b"}]}}
    raw = {"kind": "Deployment", "metadata": {"name": "a"}, "spec": {"template": template}}
    for api_version in ("extensions/v1beta1", "apps/v1beta1"):
        deployment, _ = load({**raw, "apiVersion": api_version})
        assert isinstance(deployment, Deployment)
        assert deployment.spec.selector.match_labels == {"app": "web"}


@pytest.mark.parametrize("version", ["v1", "v2", "v2beta2"])
def test_autoscalers_of_every_version_tell_their_target_and_bounds(version: str) -> None:
    target = {"kind": "Deployment", "name": "web", "apiVersion": "apps/v1"}
    spec = {"scaleTargetRef": target, "minReplicas": 2, "maxReplicas": 9}
    raw = {"kind": "HorizontalPodAutoscaler", "metadata": {"name": "a"}, "spec": spec}
    scaler, _ = load({**raw, "apiVersion": f"autoscaling/{version}"})
    assert isinstance(scaler, HorizontalPodAutoscaler)
    assert (scaler.spec.scale_target_ref.name, scaler.spec.min_replicas, scaler.spec.max_replicas) == (
        "web",
        2,
        9,
    )


def test_limit_ranges_and_quotas_have_their_amounts() -> None:
    limits = [{"type": "Container", "defaultRequest": {"cpu": "100m"}, "max": {"memory": "1Gi"}}]
    limit_range, _ = load(
        {"apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": "a"}, "spec": {"limits": limits}}
    )
    assert isinstance(limit_range, LimitRange)
    assert limit_range.spec.limits[0].default_request["cpu"].milli_value() == 100
    scope = {"operator": "In", "scopeName": "PriorityClass", "values": ["high"]}
    spec = {"hard": {"pods": "10"}, "scopeSelector": {"matchExpressions": [scope]}}
    quota, _ = load({"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "a"}, "spec": spec})
    assert isinstance(quota, ResourceQuota)
    assert quota.spec.hard["pods"].value() == 10
    assert quota.spec.scope_selector is not None
    assert quota.spec.scope_selector.match_expressions[0].values == ("high",)
