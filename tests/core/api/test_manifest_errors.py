"""What is refused, and where it stands."""

from __future__ import annotations

import json

import pytest

from scheduler_core.api import load_manifests
from tests.core.api.reading import NODE, POD, keys, load, refused


def test_all_errors_are_listed_at_once_each_with_its_place() -> None:
    bad = (
        "spec:\n"
        "  nodeName: 7\n"
        "  containers:\n"
        "  - name: main\n"
        "    image: app:1\n"
        "    resources:\n"
        "      requests: {cpu: lots, memory: -1}\n"
    )
    errors = refused(NODE + "---\n" + POD + bad, "kind: Pod\n")
    assert [
        (error.file, error.document, error.line, error.column, error.field, error.type) for error in errors
    ] == [
        ("dump.yaml", 2, 9, 13, "spec.nodeName", "Decode"),
        ("dump.yaml", 2, 14, 23, "spec.containers[0].resources.requests[cpu]", "Decode"),
        ("dump.yaml", 2, 14, 37, "spec.containers[0].resources.requests[memory]", "Invalid value"),
        ("second.yaml", 1, 1, 1, "apiVersion", "Required value"),
    ]
    assert errors[1].object == "Pod web"
    assert errors[1].container == "main"
    assert errors[1].value == "lots"
    assert errors[1].sentence() == (
        "dump.yaml:14:23 (document 2): Pod web, container main: spec.containers[0].resources.requests[cpu]: "
        'Decode: "lots": quantities must match the regular expression '
        "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
    )


def test_rules_are_checked_on_what_has_the_right_types() -> None:
    resources = "{requests: {cpu: '-1'}, limits: {memory: -1Gi}}"
    spec = f"spec: {{containers: [{{name: main, resources: {resources}}}], overhead: {{cpu: -1}}}}\n"
    node = "status: {capacity: {cpu: -4}}\n"
    errors = refused(NODE + node + "---\n" + POD + spec)
    assert [error.words() for error in errors] == [
        'status.capacity.cpu: Invalid value: "-4": must be greater than or equal to 0',
        'spec.containers[0].resources.requests[cpu]: Invalid value: "-1": must be greater than or equal to 0',
        'spec.containers[0].resources.limits[memory]: Invalid value: "-1Gi": must be greater than or equal to 0',
        'spec.overhead.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0',
    ]


def test_an_object_without_a_name_is_refused_where_its_metadata_stands() -> None:
    (error,) = refused("apiVersion: v1\nkind: Node\nmetadata:\n  labels: {a: b}\n")
    assert (error.line, error.column, error.field) == (4, 3, "metadata.name")
    assert error.words() == "metadata.name: Required value: name or generateName is required"


@pytest.mark.parametrize(
    ("spec", "field", "message"),
    [
        ("nodeName: 7", "spec.nodeName", "expected a string, got a number: quote it"),
        ("nodeSelector: {gpu: yes}", "spec.nodeSelector[gpu]", "expected a string, got a boolean: quote it"),
        ("priority: high", "spec.priority", "expected an integer (int32), got a string"),
        ("priority: 1.5", "spec.priority", "expected an integer (int32), got a number"),
        (
            "priority: 3000000000",
            "spec.priority",
            "expected an integer (int32), the number is out of its range",
        ),
        ("hostNetwork: 'true'", "spec.hostNetwork", "expected a boolean, got a string"),
        ("containers: {a: b}", "spec.containers", "expected a list, got an object"),
        ("containers: [web]", "spec.containers[0]", "expected an object, got a string"),
        ("affinity: []", "spec.affinity", "expected an object, got a list"),
        ("tolerations: none", "spec.tolerations", "expected a list, got a string"),
        ("overhead: [1]", "spec.overhead", "expected an object, got a list"),
    ],
)
def test_an_error_of_type_says_what_was_expected(spec: str, field: str, message: str) -> None:
    (error,) = refused(f"{POD}spec: {{{spec}}}\n")
    assert (error.field, error.message, error.type) == (field, message, "Decode")
    assert error.line == 4


def test_skip_invalid_takes_the_rest_and_tells_what_was_left_out() -> None:
    loaded = load(
        f"{NODE}---\n{POD}spec: []\n---\na: 'b\n---\n{POD.replace('web', 'api')}", skip_invalid=True
    )
    assert keys(loaded) == ["Node/n1", "Pod/default/api"]
    assert [error.type for error in loaded.errors] == ["Decode", "Syntax"]


def test_nothing_left_is_an_error_also_with_skip_invalid() -> None:
    (error,) = refused(f"{POD}spec: []\n", skip_invalid=True)
    assert error.field == "spec"


@pytest.mark.parametrize("form", ["yaml", "json"])
def test_the_same_object_twice_names_both_places(form: str) -> None:
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web", "namespace": "default"}}
    pods = json.dumps({"kind": "List", "apiVersion": "v1", "items": [pod]}, indent=1)
    second = POD if form == "yaml" else pods
    (error,) = refused(f"{NODE}---\n{POD}", second)
    assert error.words() == 'metadata.name: Duplicate value: "web": already defined at dump.yaml:5'
    assert (error.file, error.line) == ("second.yaml", 3 if form == "yaml" else 9)


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        (
            "a: 1\n\tb: 2\n",
            2,
            1,
            "found a tab character that violates indentation: YAML takes blanks, not tabs, for indentation",
        ),
        (
            "a: b: c\n",
            1,
            5,
            "mapping values are not allowed in this context: quote a value that has a colon and a blank in it",
        ),
        ("a: *x\n", 1, 4, "unknown anchor 'x' referenced"),
        ("a: &x [*x]\n", 1, 8, "anchor 'x' contains itself"),
        ("a: {<<: 1}\n", 1, 9, "map merge requires map or sequence of maps as the value"),
        ("? {a: b}\n: c\n", 1, 3, "a map or list cannot be a key"),
        ("a: \x07\n", 1, 4, "control characters are not allowed: U+0007"),
        ('{"a": yes}', 1, 7, "JSON is malformed: invalid character"),
        ('{"a": 1', 1, 8, "Input data was truncated"),
        ('{"a": 1}}', 1, 9, "JSON is malformed: invalid character"),
    ],
)
def test_a_fault_of_the_text_is_placed(text: str, line: int, column: int, message: str) -> None:
    error = refused(text)[-1]
    assert (error.line, error.column, error.message, error.type) == (line, column, message, "Syntax")


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("a: 1\nb:\n  c: 1\n  c: 2\n", 4, 3),
        ('{"a": 1,\n "a": 2}', 2, 2),
        ('{"a" : 1, "a": 2}', 1, 11),
        ('{"kind":"List","items":[{},\n{"b":{"c":1,"c":":"}}]}', 2, 13),
        ('{"kind":"List","kind":"List","items":[]}', 1, 16),
    ],
)
def test_a_repeated_key_is_placed(text: str, line: int, column: int) -> None:
    error = refused(text)[-1]
    assert (error.line, error.column, error.type) == (line, column, "Duplicate value")
    assert "stands twice in the same map" in error.message


def test_a_key_after_a_merge_is_no_repetition() -> None:
    text = "metadata:\n  labels: &l {a: '1', b: '2'}\n  annotations: {<<: *l, a: '3'}\n"
    (loaded,) = load(
        "apiVersion: v1\nkind: Pod\n" + text.replace("metadata:\n", "metadata:\n  name: web\n")
    ).objects
    assert loaded.raw["metadata"]["annotations"] == {"a": "3", "b": "2"}


def test_later_documents_are_still_read_after_a_fault() -> None:
    errors = refused(f"a: [1\n---\n{POD}spec: []\n---\nb: 'c\n---\n{NODE}kind: Pod\n")
    assert [(error.document, error.line, error.type) for error in errors] == [
        (1, 2, "Syntax"),
        (2, 6, "Decode"),
        (3, 9, "Syntax"),
        (4, 13, "Duplicate value"),
    ]


@pytest.mark.parametrize("text", ["", "# nothing\n", "---\n---\nnull\n", "\ufeff", "   \n"])
def test_a_source_without_an_object_is_refused(text: str) -> None:
    (error,) = refused(NODE, text)
    assert (error.file, error.line, error.message) == ("second.yaml", 1, "no Kubernetes object found")


def test_an_empty_list_is_nothing_wrong_beside_other_objects() -> None:
    empty = '{"kind": "PodList", "apiVersion": "v1", "items": []}'
    assert keys(load(NODE, empty)) == ["Node/n1"]


@pytest.mark.parametrize(
    "text",
    [
        '{"kind": "PodList", "apiVersion": "v1", "items": []}',
        '{"kind": "List", "apiVersion": "v1", "items": [], "metadata": {"resourceVersion": ""}}',
        "kind: List\napiVersion: v1\nitems:\n",
        "kind: List\napiVersion: v1\nitems: [null]\n",
        '{"nodes": [], "pods": [], "namespaces": []}',
    ],
)
def test_a_list_of_nothing_is_a_cluster_of_nothing(text: str) -> None:
    assert keys(load(text)) == []


def test_a_list_of_nothing_of_a_kind_that_is_not_read_is_nothing_found() -> None:
    (error,) = refused('{"kind": "WidgetList", "apiVersion": "example.com/v1", "items": []}')
    assert error.message == "no Kubernetes object found"


def test_only_kinds_that_are_not_read_are_nothing_found() -> None:
    (error,) = refused("apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n")
    assert (
        error.message == "no Kubernetes object found of a kind that scheduling reads; passed over: Secret (1)"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("just words\n", "expected a Kubernetes object, got a string"),
        ("[1, 2]", "expected a Kubernetes object, got a list"),
        ('"text"', "expected a Kubernetes object, got a string"),
        ("replicas: 3\n", "Object 'Kind' is missing"),
        ("kind: Pod\n", "Object 'apiVersion' is missing"),
        (
            '{"metadata": {}, "items": [{"metadata": {"name": "a"}}, {"metadata": {"name": "b"}}]}',
            "Object 'Kind' is missing",
        ),
        ("kind: [Pod]\n", "expected a string, got a list"),
        ("apiVersion: v2\nkind: Pod\nmetadata: {name: a}\n", 'no kind "Pod" is registered for version "v2"'),
        (
            "apiVersion: v1\nkind: Status\nstatus: Failure\nmessage: pods is forbidden\n",
            "a Status is an answer, not an object: pods is forbidden",
        ),
        ("apiVersion: v1\nkind: PodList\nitems: {a: b}\n", "expected a list, got an object"),
    ],
)
def test_what_is_no_object_is_refused(text: str, message: str) -> None:
    (error,) = refused(text)
    assert error.message == message
    assert error.line is not None


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\x1f\x8b\x08\x00", "the file is a gzip archive, not a manifest: unpack it first"),
        (b"PK\x03\x04", "the file is a zip archive, not a manifest: unpack it first"),
        (b"\x7fELF\x02\x01\xff\xfe", "the file is not UTF-8 text; is it a binary?"),
        (b"a: b\n\0", "the file is a binary: it has a zero byte"),
    ],
)
def test_a_binary_is_refused(data: bytes, message: str) -> None:
    (error,) = refused(data)
    assert (error.message, error.type) == (message, "Syntax")
    assert error.line is not None


def test_strict_reading_refuses_fields_that_kubernetes_does_not_know() -> None:
    container = "{name: a, image: b, resource: {}, env: []}"
    text = f"{POD}spec: {{nodename: n1, dnsPolicy: Default, containers: [{container}]}}\n"
    assert load(text).errors == ()
    assert [error.message for error in refused(text, strict=True)] == [
        'strict decoding error: unknown field "spec.nodename"',
        'strict decoding error: unknown field "spec.containers[0].resource"',
    ]


def test_no_sources_are_nothing() -> None:
    assert load_manifests([]).objects == []


def test_a_field_that_came_by_a_merge_is_placed_at_what_it_would_be_in() -> None:
    text = (
        "apiVersion: v1\nkind: List\nitems:\n"
        "- apiVersion: v1\n  kind: Node\n  metadata: {name: n, labels: &l {a: '1'}}\n"
        "- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: web\n  spec:\n"
        "    priority: x\n    nodeSelector: {<<: *l, b: 2}\n"
    )
    priority, selector = refused(text)
    assert (priority.line, priority.column) == (12, 15)
    assert (selector.line, selector.column, selector.field) == (13, 31, "spec.nodeSelector[b]")


def test_what_cannot_be_read_does_not_hide_what_else_is_wrong() -> None:
    text = """\
apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers:
  - name: main
    resources: {requests: {cpu: abc, memory: -1}}
  - name: 5
    resources: {requests: {cpu: -3}}
"""
    assert [(error.line, error.field) for error in refused(text)] == [
        (7, "spec.containers[0].resources.requests[cpu]"),
        (7, "spec.containers[0].resources.requests[memory]"),
        (8, "spec.containers[1].name"),
        (9, "spec.containers[1].resources.requests[cpu]"),
    ]


def test_a_tab_is_called_a_tab() -> None:
    (error,) = refused("a:\n\tb: 1\n")
    assert (error.line, error.column) == (2, 1)
    assert error.message.endswith("YAML takes blanks, not tabs, for indentation")
