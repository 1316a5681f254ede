"""Input that would cost too much is refused before it does."""

from __future__ import annotations

import json

import pytest

from scheduler_core.api import DEFAULT_LIMITS, FieldError, Limits, ManifestError, Source, load_manifests

POD = '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p%d"}}'


def refusal(text: str | bytes, limits: Limits = DEFAULT_LIMITS) -> FieldError:
    with pytest.raises(ManifestError) as caught:
        load_manifests([Source("dump", text)], limits=limits, skip_invalid=True)
    (error,) = [error for error in caught.value.errors if error.type == "Limit"]
    assert error.file == "dump"
    return error


def test_more_bytes_than_allowed_are_not_read_at_all() -> None:
    error = refusal(b"\0" * 101, Limits(bytes=100))
    assert error.message == "101 bytes are more than the 100 that are read at most"


def test_an_alias_bomb_is_refused() -> None:
    bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n"
    bomb += "".join(f"a{i}: &a{i} [{','.join(f'*a{i - 1}' for _ in range(9))}]\n" for i in range(1, 10))
    assert len(bomb) < 500
    error = refusal(bomb)
    assert error.message == "aliases repeat more than 16777216 bytes in one document"
    assert error.line == 7


def test_one_large_text_repeated_by_aliases_is_refused() -> None:
    text = "a: &a " + "x" * 100_000 + "\nb: [" + ", ".join("*a" for _ in range(1000)) + "]\n"
    assert refusal(text).line == 2


@pytest.mark.parametrize("text", ["[" * 300 + "]" * 300, "- " * 300 + "x\n", "{a: " * 300 + "}" * 300])
def test_deep_nesting_is_refused(text: str) -> None:
    assert refusal(text).message == "more than 200 maps and lists in each other"


def test_deep_nesting_in_an_item_of_a_list_is_refused_at_the_item() -> None:
    deep = "[" * 300 + "]" * 300
    error = refusal('{"kind":"List","items":[\n{"a":' + deep + "}]}")
    assert (error.line, error.column) == (2, 1)


def test_brackets_without_end_are_refused() -> None:
    assert refusal("[" * 100_000).type == "Limit"


@pytest.mark.parametrize(
    "text", ["a: %s\n", '{"a": "%s"}', '{"kind":"List","items":[{"a":"%s"}]}', '{"%s": 1}']
)
def test_a_text_longer_than_allowed_is_refused(text: str) -> None:
    assert refusal(text % ("x" * 2001), Limits(scalar=2000)).message == "a text is longer than 2000 bytes"


def test_as_many_texts_as_one_likes_are_no_long_text() -> None:
    pod = json.dumps(
        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": "p", "labels": {f"l{i}": "x" * 50 for i in range(60)}},
        }
    )
    assert len(load_manifests([Source("dump", pod)], limits=Limits(scalar=2000)).objects) == 1


@pytest.mark.parametrize("form", ["json", "yaml"])
def test_more_objects_than_allowed_are_refused(form: str) -> None:
    pods = [POD % i for i in range(11)]
    text = (
        '{"kind":"List","items":[' + ",".join(pods) + "]}"
        if form == "json"
        else "---\n" + "\n---\n".join(pods)
    )
    assert refusal(text, Limits(objects=10)).message == "more than 10 objects"
    assert len(load_manifests([Source("dump", text)], limits=Limits(objects=11)).objects) == 11


def test_items_that_are_no_objects_count_too() -> None:
    text = '{"kind":"List","items":[' + ",".join(["{}"] * 11) + "]}"
    assert refusal(text, Limits(objects=10)).message == "more than 10 objects"


@pytest.mark.parametrize("text", ["[" + "1," * 60 + "1]", "---\n" + "- 1\n" * 60])
def test_more_values_than_allowed_are_refused(text: str) -> None:
    assert refusal(text, Limits(nodes=50)).message == "more than 50 values"


def test_of_more_errors_than_anyone_reads_the_rest_is_counted() -> None:
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "labels": []}}
    text = json.dumps({"kind": "List", "apiVersion": "v1", "items": [pod] * 2500}, indent=1)
    with pytest.raises(ManifestError) as caught:
        load_manifests([Source("dump", text)])
    errors = caught.value.errors
    assert len(errors) == 1001
    assert errors[-1].message == "1500 more errors are not listed"
    assert (errors[0].line, errors[999].line) == (10, 10 + 999 * 8)


def test_one_object_s_errors_are_listed_up_to_a_hundred() -> None:
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "p", "labels": {f"l{i}": i for i in range(5000)}},
    }
    with pytest.raises(ManifestError) as caught:
        load_manifests([Source("dump", json.dumps(pod))])
    assert len(caught.value.errors) == 100


@pytest.mark.parametrize("text", ["{%s}", "---\n{%s}"])
def test_repeated_keys_are_listed_up_to_a_hundred(text: str) -> None:
    with pytest.raises(ManifestError) as caught:
        load_manifests([Source("dump", text % ",".join(['"a": 1'] * 5000))])
    assert len(caught.value.errors) == 100


def test_reading_stops_after_a_hundred_documents_that_are_no_yaml() -> None:
    error = refusal("a: [\n---\n" * 100_000)
    assert error.message == "100 documents cannot be read; the rest was not tried"
