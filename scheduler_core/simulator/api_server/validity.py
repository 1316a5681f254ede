"""Whether a plain object is one that the API server would take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from scheduler_core.api.decode import convert_object, encode_object, without_nulls
from scheduler_core.api.explain import explain
from scheduler_core.api.field_path import format_path
from scheduler_core.api.kinds import Untyped, find_kind
from scheduler_core.api.located import text_of
from scheduler_core.api.validation import validate
from scheduler_core.errors import FieldError
from scheduler_core.simulator.api_server.errors import ApiError, invalid

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scheduler_core.api.explain import Fault
    from scheduler_core.api.kinds import KubeObject


def checked(raw: Mapping[str, Any]) -> KubeObject:
    """Returns the typed object of a new one.

    Raises:
        ApiError: it cannot be decoded (BadRequest), or a field is wrong (Invalid).
    """
    object_, errors = judged(raw)
    if errors:
        raise invalid(object_, errors)
    return object_


def judged(raw: Mapping[str, Any], old: KubeObject | None = None) -> tuple[KubeObject, list[FieldError]]:
    """Returns the typed object and what is wrong with it that was not wrong with the old one already.

    Raises:
        ApiError: it cannot be decoded.
    """
    value = without_nulls(raw)
    info = find_kind(value.get("apiVersion", ""), value.get("kind", ""))
    type_ = info.type if info else Untyped
    try:
        object_ = convert_object(value, type_)
    except msgspec.ValidationError as wrong:
        errors = _errors(explain(value, type_))
        text = "; ".join(f"{error.field}: {error.message}" for error in errors) or str(wrong)
        raise ApiError("BadRequest", 400, text, errors) from None
    known = set() if old is None else set(_errors(validate(old, encode_object(old))))
    return object_, [error for error in _errors(validate(object_, value)) if error not in known]


def _errors(faults: Iterable[Fault]) -> list[FieldError]:
    return [
        FieldError(
            field=fault.field or format_path(fault.path),
            value=text_of(fault.value),
            type=fault.type,
            message=fault.message,
            quoted=isinstance(fault.value, str),
        )
        for fault in faults
    ]
