from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from scheduler_core.api import decode_json_object, decode_object
from tests.bench.make_workload import case

POD = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": {"containers": [{"name": "c"}]}}


@pytest.mark.parametrize(
    "raw",
    [
        *case(1, 5, "mixed")["objects"],
        {**POD, "metadata": {"name": "a", "labels": None, "annotations": {"note": "null and void"}}},
        {**POD, "metadata": {"name": "a", "creationTimestamp": "2026-01-02T03:04:05Z"}},
        {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "w"}, "size": 3},
    ],
)
def test_a_text_gives_the_object_that_its_plain_form_gives(raw: dict[str, Any]) -> None:
    assert decode_json_object(json.dumps(raw).encode()) == decode_object(raw)


def test_a_text_with_a_fault_is_refused_where_it_is() -> None:
    wrong = json.dumps({**POD, "spec": {"containers": [{"name": 3}]}}).encode()
    with pytest.raises(msgspec.ValidationError, match=r"\$\.spec\.containers\[0\]\.name"):
        decode_json_object(wrong)
