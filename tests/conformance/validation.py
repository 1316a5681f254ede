"""The recorded cases of validation: what Kubernetes says of an object or a configuration, and what we say."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from scheduler_core.api import ManifestError, Source, load_manifests
from scheduler_core.config import load_config
from tests.conformance.compare import CASES, Difference

if TYPE_CHECKING:
    from scheduler_core.errors import FieldError
    from tests.conformance.compare import Case

FILE: Final = CASES / "validation.jsonl.gz"
TYPES: Final = {
    "FieldValueDuplicate": "Duplicate value",
    "FieldValueForbidden": "Forbidden",
    "FieldValueInvalid": "Invalid value",
    "FieldValueNotFound": "Not found",
    "FieldValueNotSupported": "Unsupported value",
    "FieldValueRequired": "Required value",
    "FieldValueTooLong": "Too long",
    "FieldValueTooMany": "Too many",
}
_UNMARSHAL: Final = re.compile(r"json: cannot unmarshal \w+ into Go struct field \w+\.(\S+) of type \S+")


def is_validation(case: Case) -> bool:
    """Whether a case says what is wrong with something, instead of what was scheduled."""
    expected = case.get("expected")
    return isinstance(expected, dict) and "errors" in expected and ("config" in case) != ("object" in case)


def kind_of(case: Case) -> str:
    """The kind of a case of validation: by what is validated."""
    return f"validation-{case['name'].split('-')[0]}"


def errors_of(case: Case) -> tuple[FieldError, ...]:
    """What we say of a case's object or configuration."""
    try:
        if "config" in case:
            load_config(case["config"])
        else:
            load_manifests([Source("case.json", json.dumps(case["object"]))], strict=True)
    except ManifestError as refusal:
        return refusal.errors
    return ()


def compare_validation(case: Case) -> list[Difference]:
    """Lists what we say otherwise than Kubernetes."""
    errors, expected = errors_of(case), case["expected"]
    theirs: list[Any]
    if "decodeError" in expected:
        ours: list[Any] = [f"{error.field}: {error.message}" for error in errors]
        theirs = [expected["decodeError"]]
        agrees = len(errors) == 1 and _is_same_cause(errors[0], expected["decodeError"])
        return [] if agrees else [Difference(0, "", "decodeError", ours, theirs)]
    if "startError" in expected:
        ours = [[error.type, error.message] for error in errors]
        theirs = [["Start", expected["startError"]]]
    else:
        ours = sorted([error.field, error.words(), error.type] for error in errors)
        theirs = [[error["field"], error["message"], TYPES[error["type"]]] for error in expected["errors"]]
    return [] if ours == theirs else [Difference(0, "", "errors", ours, theirs)]


def _is_same_cause(error: FieldError, decode_error: str) -> bool:
    """Whether ours, which says where it is, names the cause of theirs."""
    if error.line is None:
        return False
    unmarshal = _UNMARSHAL.search(decode_error)
    if unmarshal is not None:
        # Go's path has no indexes, and of a map only its own name.
        field = re.sub(r"\[[^]]*\]", "", error.field)
        return field == unmarshal[1] and error.message.startswith("expected ")
    return decode_error == error.message or decode_error.startswith(f"{error.message} in ")
