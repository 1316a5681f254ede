"""What serializers share: names that every database takes, bounded JSON, no field that nobody knows."""

from __future__ import annotations

import json
from typing import Any

from django.core.validators import ProhibitNullCharactersValidator
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from scheduler_core.api.decode import describe

MAX_NAME = 200
TEXT_PATTERN = r"^[^\x00]*$"
NOT_BLANK_PATTERN = r"^[^\x00]*[^\x00\s][^\x00]*$"
PRINTABLE = r"^[^\x00-\x1f\x7f]*[^\x00-\x1f\x7f\s][^\x00-\x1f\x7f]*$"


class NameText(serializers.RegexField):
    """A name for people: one line, not blank, at most 200 characters."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("max_length", MAX_NAME)
        message = "must be one line that is not blank, without control characters"
        kwargs.setdefault("error_messages", {"invalid": message})
        super().__init__(PRINTABLE, **kwargs)


class AnyText(serializers.CharField):
    """A text that the core judges, NUL bytes included: it says in which line they are."""

    def run_validators(self, value: Any) -> None:
        self.validators = [
            each for each in self.validators if not isinstance(each, ProhibitNullCharactersValidator)
        ]
        super().run_validators(value)


@extend_schema_field(OpenApiTypes.OBJECT)
class PlainObject(serializers.JSONField):
    """A JSON object of a bounded size; what is in it, the core judges.

    Args:
        max_bytes: of its text.
    """

    def __init__(self, *, max_bytes: int = 64 << 10, **kwargs: Any) -> None:
        self.max_bytes = max_bytes
        super().__init__(**kwargs)

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, dict):
            raise serializers.ValidationError(f"must be an object, not {describe(data)}")
        if len(json.dumps(data)) > self.max_bytes:
            raise serializers.ValidationError(f"is larger than {self.max_bytes >> 10} KiB")
        return data


class KnownFields(serializers.Serializer[Any]):
    """A body whose fields are all known and of their type: what is misspelled or quoted is an error, not guessed."""

    at_least_one = False
    """Whether a body without any field is wrong."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict):
            data = {name: _as_whole(value) for name, value in data.items()}
            known = {name: field for name, field in self.fields.items() if not field.read_only}
            wrong = {
                name: f"There is no such field; there are {', '.join(known) or 'none'}."
                for name in sorted(set(data) - set(known))
            }
            for name, field in known.items():
                wanted = next((words for kind, type_, words in TYPES if isinstance(field, kind)), None)
                if wanted and not _fits(field, data.get(name)):
                    wrong[name] = f"must be {wanted}, not {describe(data[name])}"
            if wrong:
                raise serializers.ValidationError({name: [words] for name, words in wrong.items()})
        return super().to_internal_value(data)


TYPES: tuple[tuple[Any, type, str], ...] = (
    (serializers.CharField, str, "a string"),
    (serializers.BooleanField, bool, "true or false"),
    (serializers.IntegerField, int, "a whole number"),
)


def _as_whole(value: Any) -> Any:
    """Returns a number without a fraction as an integer: to JSON 5 and 5.0 are the same."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _fits(field: Any, value: Any) -> bool:
    """Returns whether a JSON value has the type of a field; DRF itself would take "3" for 3."""
    if value is None:
        return True
    type_ = next(type_ for kind, type_, _words in TYPES if isinstance(field, kind))
    return isinstance(value, type_) and (type_ is bool or not isinstance(value, bool))
