"""Reading manifests: forms of input, lists, what is passed over."""

from __future__ import annotations

import json

import pytest

from scheduler_core.api import Node, Pod, Untyped, canonical
from tests.core.api.reading import NODE, POD, keys, load


def test_documents_of_several_sources_are_read_in_order() -> None:
    loaded = load(NODE + "---\n" + POD, "apiVersion: v1\nkind: Pod\nmetadata: {name: api, namespace: shop}\n")
    assert keys(loaded) == ["Node/n1", "Pod/default/web", "Pod/shop/api"]
    assert isinstance(loaded.objects[0].object, Node)
    assert isinstance(loaded.objects[1].object, Pod)


def test_the_namespace_is_default_only_in_the_key() -> None:
    (web,) = load(POD).objects
    assert (web.namespace, web.object.metadata.namespace) == ("default", "")
    assert "namespace" not in web.raw["metadata"]


def test_a_node_s_namespace_is_no_part_of_its_key() -> None:
    assert keys(load(NODE.replace("n1", "n1, namespace: x"))) == ["Node/n1"]


def test_json_is_read_too_as_text_as_bytes_and_several_in_a_row() -> None:
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"}}
    other = {**pod, "metadata": {"name": "api"}}
    assert keys(load(json.dumps(pod))) == ["Pod/default/web"]
    assert keys(load(f"  {json.dumps(pod)}\n{json.dumps(other)}\n".encode())) == [
        "Pod/default/web",
        "Pod/default/api",
    ]


def test_a_yaml_flow_map_is_yaml() -> None:
    assert keys(load("{apiVersion: v1, kind: Pod, metadata: {name: web}}")) == ["Pod/default/web"]


def test_json_documents_between_yaml_separators_are_yaml() -> None:
    pod = json.dumps({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"}})
    assert keys(load(f"{pod}\n---\n{NODE}")) == ["Pod/default/web", "Node/n1"]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_and_windows_line_ends_do_not_matter(encoding: str) -> None:
    assert keys(load(NODE.replace("\n", "\r\n").encode(encoding))) == ["Node/n1"]


@pytest.mark.parametrize("form", ["yaml", "json"])
def test_lists_in_lists_are_taken_apart(form: str) -> None:
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"}}
    inner = {"apiVersion": "v1", "kind": "List", "items": [{**pod, "metadata": {"name": "api"}}, None]}
    text = json.dumps(
        {
            "kind": "List",
            "apiVersion": "v1",
            "items": [pod, inner, {"kind": "NodeList", "apiVersion": "v1", "items": None}],
        }
    )
    loaded = load(text if form == "json" else "---\n" + text)
    assert keys(loaded) == ["Pod/default/web", "Pod/default/api"]


def test_items_of_a_list_of_one_kind_may_leave_their_kind_out() -> None:
    text = json.dumps({"kind": "NodeList", "apiVersion": "v1", "items": [{"metadata": {"name": "n1"}}]})
    loaded = load(text)
    assert keys(loaded) == ["Node/n1"]
    assert loaded.objects[0].raw == {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1"}}


def test_a_list_without_a_kind_is_one_where_its_items_have_theirs() -> None:
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"}}
    assert keys(load(json.dumps({"items": [pod]}))) == ["Pod/default/web"]


def test_items_of_an_object_are_no_list() -> None:
    gateway = {"apiVersion": "example.com/v1", "kind": "Gateway", "items": [{"kind": "Pod"}]}
    assert load(NODE, json.dumps(gateway)).skipped == {"Gateway": 1}


def test_kinds_that_scheduling_does_not_read_are_counted() -> None:
    config_map = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {password: hunter2}\n"
    secret = {
        "kind": "SecretList",
        "apiVersion": "v1",
        "items": [{"metadata": {"name": "s"}}, {"metadata": {"name": "t"}}],
    }
    knative = "apiVersion: serving.knative.dev/v1\nkind: Service\nmetadata: {name: k}\n"
    loaded = load(f"{NODE}---\n{config_map}---\n{knative}---\n{json.dumps(secret)}")
    assert loaded.skipped == {"ConfigMap": 1, "Secret": 2, "Service": 1}
    assert keys(loaded) == ["Node/n1"]


def test_kinds_without_a_type_are_kept_as_they_came() -> None:
    claim = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"name": "c"},
        "spec": {"a": [1]},
    }
    (loaded,) = load(json.dumps(claim)).objects
    assert isinstance(loaded.object, Untyped)
    assert loaded.object.content == claim
    assert loaded.raw == claim


def test_older_versions_of_a_kind_are_read() -> None:
    assert keys(load("apiVersion: extensions/v1beta1\nkind: Deployment\nmetadata: {name: d}\n")) == [
        "Deployment/default/d"
    ]


def test_null_is_absent_but_an_absent_selector_is_not_an_empty_one() -> None:
    term = "{topologyKey: zone, labelSelector: %s}"
    terms = f"requiredDuringSchedulingIgnoredDuringExecution: [{term % 'null'}, {term % '{}'}]"
    spec = f"spec: {{tolerations: null, affinity: {{podAntiAffinity: {{{terms}}}}}}}\n"
    (loaded,) = load(POD + spec).objects
    pod = loaded.object
    assert isinstance(pod, Pod)
    assert pod.spec.affinity is not None
    assert pod.spec.affinity.pod_anti_affinity is not None
    absent, empty = pod.spec.affinity.pod_anti_affinity.required_during_scheduling_ignored_during_execution
    assert absent.label_selector is None
    assert empty.label_selector is not None
    assert "tolerations" not in loaded.raw["spec"]


def test_a_generated_name_is_the_same_each_time() -> None:
    text = POD.replace("name: web", "generateName: job-")
    first, second = load(text), load(text)
    assert first.objects[0].name.startswith("job-")
    assert len(first.objects[0].name) == len("job-") + 5
    assert keys(first) == keys(second)
    assert first.objects[0].object.metadata.name == first.objects[0].name
    assert first.warnings == (f"Pod with generateName is called '{first.objects[0].name}' here",)


def test_the_canonical_form_is_the_raw_object() -> None:
    (loaded,) = load(POD).objects
    assert loaded.canonical == canonical(loaded.raw)
    assert loaded.canonical == b'{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"}}'
