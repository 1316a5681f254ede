"""The recorded validation cases of pods and nodes: refused with the same fields, types and messages."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from scheduler_core.api import FieldError, ManifestError, Source, load_manifests

CASES = Path(__file__).resolve().parents[2] / "conformance" / "cases" / "validation.jsonl.gz"
TYPES = {
    "FieldValueInvalid": "Invalid value",
    "FieldValueRequired": "Required value",
    "FieldValueNotSupported": "Unsupported value",
    "FieldValueDuplicate": "Duplicate value",
    "FieldValueForbidden": "Forbidden",
    "FieldValueNotFound": "Not found",
}


def cases() -> list[Any]:
    with gzip.open(CASES, "rt", encoding="utf-8") as lines:
        read = [json.loads(line) for line in lines]
    return [pytest.param(case, id=case["name"]) for case in read if "object" in case]


def errors_of(case: dict[str, Any]) -> tuple[FieldError, ...]:
    try:
        load_manifests([Source("case.json", json.dumps(case["object"]))], strict=True)
    except ManifestError as refusal:
        return refusal.errors
    return ()


@pytest.mark.parametrize("case", cases())
def test_a_written_object_is_refused_in_the_api_server_s_words(case: dict[str, Any]) -> None:
    errors, expected = errors_of(case), case["expected"]
    decode_error = expected.get("decodeError")
    if decode_error is None:
        said = sorted((error.field, error.words(), error.type) for error in errors)
        assert said == [
            (error["field"], error["message"], TYPES[error["type"]]) for error in expected["errors"]
        ]
        assert all(error.line is not None for error in errors)
        return
    (error,) = errors
    assert error.line is not None
    unmarshal = re.fullmatch(
        r"json: cannot unmarshal \w+ into Go struct field \w+\.(\S+) of type \S+", decode_error
    )
    if unmarshal is not None:
        # Go's path has no indexes, and of a map only its own name.
        assert re.sub(r"\[[^]]*\]", "", error.field) == unmarshal[1]
        assert error.message.startswith("expected ")
    else:
        assert decode_error == error.message or decode_error.startswith(f"{error.message} in ")
