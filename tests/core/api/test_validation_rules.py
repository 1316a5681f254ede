"""Rules that no recorded case shows, and what an import takes although it could not be written so."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.api import ManifestError, Source, canonical, load_manifests

CONTAINER = {"name": "main", "image": "img:1"}


def pod(**spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "web"},
        "spec": {"containers": [CONTAINER], **spec},
    }


def deployment(labels: dict[str, str], **spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web"},
        "spec": {
            "selector": {"matchLabels": {"app": "web"}},
            "template": {"metadata": {"labels": labels}, "spec": {"containers": [CONTAINER], **spec}},
        },
    }


def said(raw: dict[str, Any]) -> list[str]:
    try:
        load_manifests([Source("x.json", canonical(raw))], strict=True)
    except ManifestError as refusal:
        return sorted(error.words() for error in refusal.errors)
    return []


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        (
            {"nodeName": "n1", "schedulingGates": [{"name": "a.io/x"}]},
            "spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared",
        ),
        (
            {
                "tolerations": [
                    {"key": "a", "operator": "Exists", "effect": "NoSchedule", "tolerationSeconds": 5}
                ]
            },
            (
                'spec.tolerations[0].effect: Invalid value: "NoSchedule": '
                "effect must be 'NoExecute' when `tolerationSeconds` is set"
            ),
        ),
        (
            {"containers": [{**CONTAINER, "ports": [{"containerPort": 70000}]}]},
            (
                "spec.containers[0].ports[0].containerPort: Invalid value: 70000: "
                "must be between 1 and 65535, inclusive"
            ),
        ),
        (
            {"containers": [{**CONTAINER, "ports": [{"containerPort": 1, "hostPort": 9}] * 2}]},
            'spec.containers[0].ports[1].hostPort: Duplicate value: "TCP//9"',
        ),
        (
            {"containers": [{**CONTAINER, "resources": {"limits": {"hugepages-2Mi": "2Mi"}}}]},
            "spec.containers[0].resources: Forbidden: HugePages require cpu or memory",
        ),
        (
            {"containers": [{**CONTAINER, "resources": {"claims": [{"name": "gpu"}]}}]},
            (
                'spec.containers[0].resources.claims[0]: Not found: "gpu": '
                "must be one of the names in pod.spec.resourceClaims which is empty"
            ),
        ),
        (
            {
                "topologySpreadConstraints": [
                    {
                        "maxSkew": 1,
                        "topologyKey": "zone",
                        "whenUnsatisfiable": "ScheduleAnyway",
                        "minDomains": 2,
                    }
                ]
            },
            (
                "spec.topologySpreadConstraints[0].minDomains: Invalid value: 2: "
                "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway"
            ),
        ),
        (
            {
                "topologySpreadConstraints": [
                    {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}
                ]
                * 2
            },
            (
                "spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}: "
                'Duplicate value: "{zone, DoNotSchedule}"'
            ),
        ),
        (
            {"resourceClaims": [{"name": "gpu"}]},
            (
                'spec.resourceClaims[0]: Invalid value: {"name":"gpu"}: '
                "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"
            ),
        ),
    ],
)
def test_a_pod_s_rules(spec: dict[str, Any], expected: str) -> None:
    assert expected in said(pod(**spec))


def test_preferred_node_affinity_may_have_values_that_are_no_labels() -> None:
    term = {"matchExpressions": [{"key": "a", "operator": "In", "values": ["no label"]}]}
    preferred = [{"weight": 1, "preference": term}]
    affinity = {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": preferred}}
    assert said(pod(affinity=affinity)) == []


def test_a_template_is_judged_like_a_pod_below_the_workload() -> None:
    bad = {"containers": [{"name": "main"}], "restartPolicy": "Never"}
    assert said(deployment({"app": "web", "x y": "z"}, **bad)) == [
        (
            'spec.template.labels: Invalid value: "x y": name part must consist of alphanumeric characters, '
            "'-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or "
            "'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
        ),
        "spec.template.spec.containers[0].image: Required value",
        'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
    ]


def test_a_workload_selects_its_own_pods() -> None:
    assert said(deployment({"app": "other"})) == [
        (
            'spec.template.metadata.labels: Invalid value: {"app":"other"}: '
            "`selector` does not match template `labels`"
        )
    ]


def test_an_import_takes_what_some_api_server_has_taken() -> None:
    odd = pod(tolerations=[{"operator": "Equal"}], containers=[{"name": "Main_1"}])
    assert said(odd)
    assert len(load_manifests([Source("dump.json", canonical(odd))]).objects) == 1


LABEL = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end "
    "with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
)
SUBDOMAIN = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start "
    "and end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
).replace("\\\\", "\\")
DNS_1035 = "a DNS-1035 label must consist of"


@pytest.mark.parametrize(
    ("api_version", "kind", "name", "expected"),
    [
        ("v1", "Pod", "Web", SUBDOMAIN),
        ("v1", "Pod", "n\0", SUBDOMAIN),
        ("v1", "Pod", "p" * 254, "must be no more than 253 characters"),
        ("v1", "Pod", "p" * 253, ""),
        ("v1", "Node", "node.example.com", ""),
        ("v1", "Node", "node_1", SUBDOMAIN),
        ("v1", "Namespace", "a.b", LABEL),
        ("v1", "Namespace", "n" * 64, "must be no more than 63 characters"),
        ("v1", "Service", "1st", DNS_1035),
        ("v1", "PersistentVolume", "pv.1", ""),
        ("apps/v1", "StatefulSet", "db.main", LABEL),
        ("apps/v1", "Deployment", "web.main", ""),
        ("batch/v1", "CronJob", "c" * 60, ""),
        ("policy/v1", "PodDisruptionBudget", "My_Budget", ""),
        ("policy/v1", "PodDisruptionBudget", "a/b", "may not contain '/'"),
        ("policy/v1", "PodDisruptionBudget", "..", "may not be '..'"),
        ("storage.k8s.io/v1", "CSIDriver", "Driver.Example.com", ""),
        ("storage.k8s.io/v1", "CSIDriver", "d" * 64, "may not be more than 63 bytes"),
        ("resource.k8s.io/v1", "DeviceClass", "GPU", SUBDOMAIN),
    ],
)
def test_a_name_that_no_api_server_takes_is_refused_on_import_too(
    api_version: str, kind: str, name: str, expected: str
) -> None:
    raw = {"apiVersion": api_version, "kind": kind, "metadata": {"name": name}, "spec": {}}
    try:
        load_manifests([Source("x.json", canonical(raw))])
    except ManifestError as refusal:
        errors = refusal.errors
    else:
        errors = ()
    if not expected:
        assert errors == ()
        return
    (error,) = errors
    assert (error.field, error.line, error.value) == (
        "metadata.name",
        1,
        name[:199] + "…" if len(name) > 200 else name,
    )
    assert error.message.startswith(expected)


def test_a_namespace_and_a_prefix_are_names_as_well() -> None:
    raw = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"generateName": "Web-", "namespace": "a.b"},
        "spec": {"containers": [CONTAINER]},
    }
    with pytest.raises(ManifestError) as caught:
        load_manifests([Source("x.json", canonical(raw))])
    assert [error.field for error in caught.value.errors] == ["metadata.generateName", "metadata.namespace"]


def test_a_long_prefix_leaves_room_for_the_letters_behind_it() -> None:
    raw = {"apiVersion": "v1", "kind": "Node", "metadata": {"generateName": "n" * 80}}
    (loaded,) = load_manifests([Source("x.json", canonical(raw))]).objects
    assert loaded.name.startswith("n" * 58)
    assert len(loaded.name) == 63
