"""Wrong expectations and options are told at once, each with file, line and field."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator

from scheduler_core.api import ManifestError, Source
from scheduler_core.checks import CheckInput, NamedText, expectations_schema, load_expectations, read_check
from scheduler_core.checks.expectations import TYPES
from tests.core.checks.asking import asked, expectations, node, pod

HEAD = "apiVersion: playground/v1\nkind: Expectations\n"
GOOD = """\
spec:
  orders: 20
  baseline: true
  maxSnapshotAge: 24h
  expectations:
  - name: all come up
    allScheduled: {within: 30s}
  - scheduled: {workloads: [Deployment/shop/web, StatefulSet/db], within: 1m30s}
  - noPreemption: {priorityAtLeast: 1000}
  - noneNewlyPending: {}
  - maxSkew: {topologyKey: zone, maxSkew: 1, selector: {matchLabels: {app: web}}, namespace: shop}
  - headroom:
      resources: {cpu: "4", memory: 8Gi}
      per: topology.kubernetes.io/zone
      pod: {requests: {cpu: 500m}, nodeSelector: {disk: ssd}, tolerations: [{operator: Exists}]}
      count: 2
  - survivesLoss: {topologyKey: topology.kubernetes.io/zone}
  - rollingUpdate: {workloads: [Deployment/shop/web]}
  - daemonSetGrowth: {requests: {cpu: 100m}}
  - quotasHold: {}
  - noWarnings: {kinds: [NoRequests, UnknownField]}
"""


def sentences(text: str) -> list[str]:
    with pytest.raises(ManifestError) as refused:
        load_expectations([Source("expect.yaml", text)])
    return [error.sentence() for error in refused.value.errors]


def test_every_expectation_is_read_and_valid_by_the_published_schema() -> None:
    import yaml

    found = load_expectations([Source("expect.yaml", HEAD + GOOD)])
    assert {item.type for item in found.items} == set(TYPES)
    assert (found.orders, found.baseline, found.max_snapshot_age_seconds) == (20, True, 86400)
    assert [(item.id, item.name, item.place and item.place.line) for item in found.items[:2]] == [
        ("allScheduled[0]", "all come up", 8),
        ("scheduled[1]", "", 10),
    ]
    Draft202012Validator(expectations_schema()).validate(yaml.safe_load(HEAD + GOOD))


def test_json_is_read_too() -> None:
    document = {
        "apiVersion": "playground/v1",
        "kind": "Expectations",
        "spec": {"expectations": [{"quotasHold": {}}]},
    }
    found = load_expectations([Source("expect.json", json.dumps(document))])
    assert [item.type for item in found.items] == ["quotasHold"]


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        (
            "spec: {expectations: [{maxSkw: {}}]}",
            'expect.yaml:3:32: Expectations: spec.expectations[0].maxSkw: Decode: "maxSkw": unknown field "spec.',
        ),
        (
            "spec:\n  order: 3\n",
            'expect.yaml:4:10: Expectations: spec.order: Decode: "order": unknown field "spec.order", did you mean ',
        ),
        ("spec: {expectations: [{}]}", "3:23: Expectations: spec.expectations[0]: Required value: must specify one of"),
        (
            "spec: {expectations: [{quotasHold: {}, noWarnings: {}}]}",
            "noWarnings: Forbidden: may not specify more than 1 expectation: there is quotasHold already",
        ),
        ("spec: {orders: 0}", "spec.orders: Invalid value: 0: must be between 1 and 10000"),
        ("spec: {orders: many}", 'spec.orders: Decode: "many": expected an integer (int32), got a string'),
        ("spec: {maxSnapshotAge: 7d}", 'spec.maxSnapshotAge: Decode: "7d": time: invalid duration "7d"'),
        ("spec: {expectations: [{maxSkew: {}}]}", "maxSkew.topologyKey: Required value: can not be empty"),
        ("spec: {expectations: [{headroom: {}}]}", "headroom: Required value: must specify one of: resources, pod"),
        ("spec: {expectations: [{headroom: {resources: {cpu: -1}}}]}", "headroom.resources[cpu]: Invalid value"),
        (
            "spec: {expectations: [{scheduled: {workloads: [web]}}]}",
            'workloads[0]: Invalid value: "web": expected "Kind/namespace/name", or "Kind/name" in the name',
        ),
        (
            "spec: {expectations: [{rollingUpdate: {workloads: [Job/a]}}]}",
            'workloads[0]: Unsupported value: "Job/a": supported kinds: DaemonSet, Deployment, StatefulSet',
        ),
        (
            "spec: {expectations: [{noWarnings: {kinds: [Typo]}}]}",
            'kinds[0]: Unsupported value: "Typo": supported values: "UnknownField", ',
        ),
        (
            "spec: {expectations: [{name: a, quotasHold: {}}, {name: a, noWarnings: {}}]}",
            'spec.expectations[1].name: Duplicate value: "a"',
        ),
        (
            "spec: {expectations: [{scheduled: {selector: {matchExpressions: [{key: a, operator: Near}]}}}]}",
            '"Near" is not a valid label selector operator',
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_place(spec: str, sentence: str) -> None:
    (told,) = sentences(HEAD + spec)
    assert told.startswith("expect.yaml:")
    assert sentence in told


@pytest.mark.parametrize(
    "spec",
    [
        "{order: 1}",
        "{expectations: [{}]}",
        "{expectations: [{maxSkw: {}}]}",
        "{expectations: [{headroom: {cpu: 1}}]}",
        "{expectations: [{quotasHold: {}, noWarnings: {}}]}",
        "{expectations: [{noWarnings: {kinds: [Typo]}}]}",
    ],
)
def test_the_published_schema_refuses_what_the_reader_refuses(spec: str) -> None:
    import yaml

    assert not Draft202012Validator(expectations_schema()).is_valid(yaml.safe_load(f"{HEAD}spec: {spec}"))
    assert sentences(f"{HEAD}spec: {spec}")


def test_all_faults_come_at_once() -> None:
    assert (
        len(sentences(HEAD + "spec: {orders: 0, maxSnapshotAge: 0s, expectations: [{}, {headroom: {}}]}"))
        == 4
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("kind: Pod\n", 'kind: Decode: "Pod": expected apiVersion playground/v1, kind Expectations; '),
        ("apiVersion: v2\nkind: Expectations\n", 'Unsupported value: "v2": supported values: "playground/v1"'),
        ("a: [", "Syntax"),
        ("- 1\n", "expected an object of kind Expectations, got a list"),
    ],
)  # fmt: skip
def test_what_is_no_expectation_is_refused(text: str, sentence: str) -> None:
    assert sentence in sentences(text)[0]


def test_expectations_among_the_manifests_count_and_are_no_warning() -> None:
    text = (
        expectations({"quotasHold": {}})
        + "---\n"
        + "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a}]}\n"
    )
    check = read_check(asked(text, [node("node-a")]))
    assert [item.type for item in check.expectations.items] == ["quotasHold"]
    assert check.loaded.skipped == {}


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"orders": 0}, "orders: Invalid value: 0: must be between 1 and 10000"),
        ({"captured_at": "yesterday"}, 'capturedAt: Invalid value: "yesterday": parsing time "yesterday"'),
        ({"max_snapshot_age": "7d"}, 'maxSnapshotAge: Invalid value: "7d": time: invalid duration "7d"'),
        ({"deletions": ("web",)}, 'deletions[0]: Invalid value: "web": expected "Kind/namespace/name"'),
        ({"deletions": ("Thing/a",)}, 'no kind "Thing" is read here'),
        ({"deletions": ("Node/default/a",)}, "a Node is in no namespace: write Node/a"),
        ({"config": "kind: [", "config_name": "sched.yaml"}, "sched.yaml:"),
    ],
)
def test_wrong_options_are_told(options: dict[str, object], sentence: str) -> None:
    with pytest.raises(ManifestError) as refused:
        read_check(asked([pod("a")], **options))
    assert sentence in str(refused.value)


def test_nothing_to_check_is_refused() -> None:
    with pytest.raises(ManifestError) as refused:
        read_check(CheckInput())
    assert "nothing to check: neither a manifest nor an object to delete" in str(refused.value)


def test_wrong_manifests_and_wrong_expectations_are_told_together() -> None:
    wrong = CheckInput(
        manifests=(NamedText(name="a.yaml", text="apiVersion: v1\nkind: Pod\nmetadata: {}\n"),),
        expectations=(NamedText(name="e.yaml", text=HEAD + "spec: {orders: 0}"),),
        seed=0,
        orders=99999,
    )
    with pytest.raises(ManifestError) as refused:
        read_check(wrong)
    assert [error.file for error in refused.value.errors] == ["", "e.yaml", "a.yaml"]
