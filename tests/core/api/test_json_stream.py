"""A stream gives the objects and errors that the same text gives in one piece."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from scheduler_core.api import DEFAULT_LIMITS, Limits, Loaded, ManifestError, Source, load_manifests

NODE = {
    "apiVersion": "v1",
    "kind": "Node",
    "metadata": {"name": "n1"},
    "status": {"allocatable": {"cpu": "1"}},
}
POD = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "p", "annotations": {"a": "é"}},
    "spec": {"x": '}]"{'},
}
BAD = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "bad"}, "spec": {"priority": "high"}}
SNAPSHOT = {"apiVersion": "playground/v1", "kind": "Snapshot", "capturedAt": "2026-11-30T12:00:00Z"}


def listed(*items: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "items": list(items), "kind": "List", "metadata": {"resourceVersion": ""}}


TEXTS = {
    "kubectl": json.dumps(listed(NODE, POD), indent=4),
    "compact": json.dumps(listed(NODE, POD), separators=(",", ":"), ensure_ascii=False),
    "a list of one kind": '{"kind":"NodeList","apiVersion":"v1","metadata":{},"items":[{"metadata":{"name":"a"}}]}',
    "in a row": "\n".join(json.dumps(each) for each in (SNAPSHOT, NODE, listed(POD))),
    "no items": json.dumps(listed()),
    "an exported list": json.dumps({**listed(NODE), "metadata": {"capturedAt": "2026-11-30T12:00:00Z"}}),
    "a wrong object": json.dumps(listed(NODE, BAD, POD), indent=4),
    "one object twice": json.dumps(listed(NODE, NODE), indent=4),
    "a key twice": '{"kind":"List","apiVersion":"v1","items":[\n{"kind":"Node","kind":"Node"}]}',
    "cut off": json.dumps(listed(NODE, POD), indent=4)[:-40],
    "no JSON": '{"kind":"List","items":[{]}',
}


def pieces(text: str, size: int) -> Iterator[bytes]:
    data = text.encode()
    return (data[start : start + size] for start in range(0, len(data), size))


def read(source: Any, limits: Limits = DEFAULT_LIMITS) -> tuple[Loaded | None, list[tuple[Any, ...]]]:
    try:
        return load_manifests([Source("x.json", source)], limits=limits), []
    except ManifestError as refusal:
        return None, [(error.line, error.type, error.field, error.object) for error in refusal.errors]


@pytest.mark.parametrize("size", [1, 7, 4096])
@pytest.mark.parametrize("name", TEXTS)
def test_a_stream_gives_what_the_text_gives(name: str, size: int) -> None:
    whole, errors = read(TEXTS[name])
    streamed, streamed_errors = read(pieces(TEXTS[name], size))
    if name in ("cut off", "no JSON"):
        assert [error[1] for error in streamed_errors] == ["Syntax"]
        return
    assert streamed_errors == errors
    if whole is not None:
        assert streamed is not None
        assert streamed.objects == whole.objects
        assert streamed.captured_at == whole.captured_at


def test_the_limits_hold_for_a_stream_too() -> None:
    text = json.dumps(listed(*[{**NODE, "metadata": {"name": f"n{n}"}} for n in range(20)]))
    for limits in (Limits(bytes=500), Limits(objects=10), Limits(depth=2), Limits(scalar=3)):
        _, ((_, type_, *_),) = read(pieces(text, 64), limits)
        assert type_ == "Limit"
    _, ((_, type_, *_),) = read(iter([b'{"a":' * 100_000]))
    assert type_ in ("Limit", "Syntax")


def test_an_error_deep_in_a_stream_has_its_line() -> None:
    text = json.dumps(listed(*[{**NODE, "metadata": {"name": f"n{n}"}} for n in range(300)], BAD), indent=1)
    line = text[: text.index('"priority"')].count("\n") + 1
    _, ((found, *_),) = read(pieces(text, 1000))
    assert found == line
