"""The digest of what a template says beyond the fields that are read."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from scheduler_core.api import Redaction, Source, canonical, decode_object, export, load_manifests
from scheduler_core.api.unread import UNREAD, unread_fields

CONTAINER = {"name": "main", "image": "app:1", "env": [{"name": "TOKEN", "value": "hunter2"}]}
SPEC: dict[str, Any] = {"containers": [CONTAINER], "serviceAccountName": "web"}


def deployment(name: str = "web", **spec: Any) -> dict[str, Any]:
    template = {"metadata": {"labels": {"app": name}}, "spec": {**SPEC, **spec}}
    body = {"selector": {"matchLabels": {"app": name}}, "template": template}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name}, "spec": body}


def loaded(*objects: dict[str, Any]) -> list[dict[str, Any]]:
    text = canonical({"apiVersion": "v1", "kind": "List", "items": list(copy.deepcopy(objects))})
    return [item.raw for item in load_manifests([Source("dump", text)]).objects]


def mark(raw: dict[str, Any]) -> str:
    return str(raw["spec"]["template"]["metadata"]["annotations"].get(UNREAD, ""))


def of(**spec: Any) -> str:
    return mark(loaded(deployment(**spec))[0])


def with_container(**fields: Any) -> str:
    return of(containers=[{**CONTAINER, **fields}])


def test_templates_that_differ_in_what_is_not_read_have_other_digests() -> None:
    marks = [
        of(),
        with_container(env=[{"name": "TOKEN", "value": "hunter3"}]),
        with_container(command=["a"]),
        with_container(args=["a"]),
        with_container(livenessProbe={"exec": {"command": ["a"]}}),
        of(serviceAccountName="other"),
        of(volumes=[{"name": "a", "configMap": {"name": "one"}}]),
        of(volumes=[{"name": "a", "configMap": {"name": "two"}}]),
    ]
    assert len({text.partition("-")[0] for text in marks}) == len(marks)
    assert {len(text) for text in marks} == {17}


def test_what_is_read_is_not_in_it() -> None:
    assert with_container(image="app:2", resources={"requests": {"cpu": "1"}}) == of() == of(priority=7)


def test_what_the_api_server_fills_in_is_not_in_it() -> None:
    stored = {
        **CONTAINER,
        "imagePullPolicy": "IfNotPresent",
        "terminationMessagePath": "/dev/termination-log",
        "terminationMessagePolicy": "File",
        "readinessProbe": {"httpGet": {"path": "/", "port": 80, "scheme": "HTTP"}, "timeoutSeconds": 1,
                           "periodSeconds": 10, "successThreshold": 1, "failureThreshold": 3},
    }  # fmt: skip
    volumes = [{"name": "a", "secret": {"secretName": "s", "defaultMode": 420}}]
    full = of(
        containers=[stored],
        volumes=volumes,
        dnsPolicy="ClusterFirst",
        securityContext={},
        serviceAccount="web",
    )
    written = {**CONTAINER, "readinessProbe": {"httpGet": {"port": 80}}}
    assert full == of(containers=[written], volumes=[{"name": "a", "secret": {"secretName": "s"}}])
    assert full != of(containers=[{**written, "imagePullPolicy": "Always"}], volumes=volumes)


def test_a_template_with_nothing_else_has_none() -> None:
    plain = deployment(containers=[{"name": "main", "image": "app:1"}])
    del plain["spec"]["template"]["spec"]["serviceAccountName"]
    (raw,) = loaded(plain)
    assert "annotations" not in raw["spec"]["template"]["metadata"]
    assert unread_fields(raw["spec"]["template"]) == {}


def test_it_stays_when_what_is_stored_is_read_again_and_goes_along_with_a_change() -> None:
    first = loaded(deployment())
    assert b"hunter2" not in canonical(first[0])
    again = loaded(*first)
    assert again == first
    text = export(first, "yaml")
    assert mark(load_manifests([Source("again", text)]).objects[0].raw) == mark(first[0])
    changed = copy.deepcopy(first[0])
    changed["spec"]["template"]["spec"]["containers"][0]["command"] = ["a"]
    assert mark(loaded(changed)[0]) != mark(first[0])
    changed = copy.deepcopy(first[0])
    changed["spec"]["template"]["spec"]["containers"][0]["env"][0]["value"] = "new"
    assert mark(loaded(changed)[0]) != mark(first[0])


def test_a_revision_and_its_set_have_the_same() -> None:
    body = {**deployment()["spec"], "serviceName": "web"}
    stateful_set = {"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "web"}, "spec": body}
    data = {"spec": {"template": {"$patch": "replace", **deployment()["spec"]["template"]}}}
    named = {"metadata": {"name": "web-1"}, "data": data, "revision": 1}
    revision = {"apiVersion": "apps/v1", "kind": "ControllerRevision", **named}
    one, two = loaded(stateful_set, revision)
    assert mark(one) == mark({"spec": two["data"]["spec"]})


def test_redaction_keeps_which_are_equal_and_tells_nothing_else() -> None:
    typed = [
        decode_object(raw) for raw in loaded(deployment("a"), deployment("b"), deployment("c", hostPID=True))
    ]
    redaction = Redaction(typed)
    marks = [mark(raw) for raw in map(redaction.redacted, typed) if raw is not None]
    assert marks[0] == marks[1] != marks[2]
    assert mark(loaded(deployment("a"))[0]) not in marks


@pytest.mark.parametrize("metadata", [[], "text", {"annotations": 3}, {"annotations": {UNREAD: 1}}])
def test_a_template_of_another_shape_is_left_to_the_types(metadata: Any) -> None:
    raw = deployment()
    raw["spec"]["template"]["metadata"] = metadata
    text = canonical({"apiVersion": "v1", "kind": "List", "items": [raw, deployment("other")]})
    result = load_manifests([Source("dump", text)], skip_invalid=True)
    assert [item.name for item in result.objects] == ["other"]
    assert result.errors
