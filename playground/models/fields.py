"""Identifiers and the two ways in which JSON is stored."""

from __future__ import annotations

import json
import secrets
import zlib
from typing import Any

from django.db import models

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
ID_LENGTH = 16


def new_id() -> str:
    """Returns an identifier of 80 random bits that says nothing and can be read aloud."""
    return "".join(secrets.choice(ALPHABET) for _ in range(ID_LENGTH))


class IdField(models.CharField):
    """The primary key of what has an address of its own."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.update(max_length=ID_LENGTH, primary_key=True, default=new_id, editable=False)
        super().__init__(*args, **kwargs)


def storable(text: str) -> str:
    """Returns a text that every database takes: NUL and halves of surrogate pairs become question marks.

    Args:
        text: anything.
    """
    return text.replace("\0", "?").encode("utf-8", "replace").decode()


class NameField(models.CharField):
    """A name to list and look for; the object itself says how it is really written, however long."""

    def get_prep_value(self, value: Any) -> Any:
        prepared = super().get_prep_value(value)
        return storable(prepared)[: self.max_length] if isinstance(prepared, str) else prepared


class MessageField(models.TextField):
    """A sentence that may quote what a user sent."""

    def get_prep_value(self, value: Any) -> Any:
        prepared = super().get_prep_value(value)
        return storable(prepared) if isinstance(prepared, str) else prepared


class EncodedJSON(str):
    """A text that is JSON already, ASCII, to be stored as it is."""

    __slots__ = ()


class JSONTextField(models.TextField):
    """JSON as ASCII text: users' input may hold NUL and lone surrogates, which PostgreSQL's jsonb refuses."""

    _pyi_private_set_type: Any
    _pyi_private_get_type: Any

    def from_db_value(self, value: str | None, expression: object, connection: object) -> Any:
        return None if value is None else json.loads(value)

    def get_prep_value(self, value: Any) -> str | None:
        if value is None or isinstance(value, EncodedJSON):
            return value
        return json.dumps(value, separators=(",", ":"))

    def value_to_string(self, obj: models.Model) -> str:
        return json.dumps(self.value_from_object(obj))


class CompressedField(models.BinaryField):
    """Bytes, kept compressed; fast rather than small."""

    _pyi_private_set_type: bytes
    _pyi_private_get_type: bytes

    def from_db_value(
        self, value: bytes | memoryview | None, expression: object, connection: object
    ) -> bytes | None:
        return None if value is None else zlib.decompress(value)

    def get_db_prep_value(self, value: bytes | None, connection: Any, prepared: bool = False) -> Any:
        packed = None if value is None else zlib.compress(value, 1)
        return super().get_db_prep_value(packed, connection, prepared)
