"""What is exported is read back as it was, by us and by anything that reads YAML."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.api import Source, export, load_manifests

FORMATS = ("json", "yaml")
POD: dict[str, Any] = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "web", "namespace": "shop", "resourceVersion": "17", "generation": 3},
    "spec": {"containers": [{"name": "main", "image": "img:1", "command": ["sh"]}], "dnsPolicy": "Default"},
}
TRICKY = [
    "1e3",
    "0o7",
    "on",
    "No",
    "null",
    "~",
    "12:30:45",
    "1_000",
    "0x1F",
    ".5",
    "",
    " a",
    "a: b",
    "# x",
    "é\n\t",
]


@pytest.mark.parametrize("format_", FORMATS)
def test_objects_come_back_with_the_fields_we_do_not_read(format_: Any) -> None:
    text = export([POD], format_, captured_at="2026-11-30T12:00:00Z")
    loaded = load_manifests([Source("x", text)])
    (item,) = loaded.objects
    expected = {**POD, "metadata": {"name": "web", "namespace": "shop"}}
    assert item.raw == expected
    assert loaded.captured_at == "2026-11-30T12:00:00Z"
    again = export([item.raw], format_, captured_at=loaded.captured_at)
    assert yaml.safe_load(again) == yaml.safe_load(text)


@pytest.mark.parametrize("text", TRICKY)
def test_texts_that_look_like_something_else_are_quoted(text: str) -> None:
    pod = {**POD, "metadata": {"name": "a", "annotations": {"note": text}}}
    written = export([pod], "yaml").decode()
    assert yaml.safe_load(written)["items"][0]["metadata"]["annotations"]["note"] == text
    assert f"note: {text}\n" not in written


@given(st.dictionaries(st.text(max_size=9), st.text(st.characters(exclude_categories=["Cs"]), max_size=9)))
def test_any_annotation_comes_back(annotations: dict[str, str]) -> None:
    pod = {**POD, "metadata": {"name": "a", "annotations": annotations}}
    for format_ in FORMATS:
        (item,) = load_manifests([Source("x", export([pod], format_))]).objects  # type: ignore[arg-type]
        assert item.raw["metadata"].get("annotations", {}) == annotations


def test_json_is_what_kubectl_get_prints() -> None:
    document = json.loads(export([POD], "json"))
    assert (document["apiVersion"], document["kind"]) == ("v1", "List")
    assert list(document["items"][0]) == ["apiVersion", "kind", "metadata", "spec"]


@pytest.mark.parametrize("captured_at", ["", "2026-11-30T12:00:00Z"])
@pytest.mark.parametrize("number", [0, 1, 3])
def test_the_pieces_make_one_text_that_is_as_if_written_at_once(number: int, captured_at: str) -> None:
    objects = [{**POD, "metadata": {"name": f"web-{index}"}} for index in range(number)]
    metadata = {"capturedAt": captured_at} if captured_at else {}
    document = {"apiVersion": "v1", "kind": "List", "metadata": metadata, "items": objects}
    assert export(objects, "json", captured_at=captured_at).decode() == json.dumps(document, indent=2) + "\n"
    text = export(objects, "yaml", captured_at=captured_at).decode()
    assert yaml.safe_load(text) == document
    assert text.splitlines()[-1] != ""
