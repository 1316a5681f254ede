"""Errors that point at the place in the input where they arose."""

from __future__ import annotations

import json
from collections.abc import Iterable

import msgspec

REQUIRED = "Required value"
INVALID = "Invalid value"
NOT_SUPPORTED = "Unsupported value"
DUPLICATE = "Duplicate value"
FORBIDDEN = "Forbidden"
NOT_FOUND = "Not found"
TOO_LONG = "Too long"
TOO_MANY = "Too many"
DECODE = "Decode"
SYNTAX = "Syntax"
LIMIT = "Limit"
START = "Start"

_WITHOUT_VALUE = (REQUIRED, FORBIDDEN, TOO_LONG)
_WITH_VALUE = (INVALID, NOT_SUPPORTED, DUPLICATE, NOT_FOUND)


class FieldError(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is wrong, where it stands and why.

    Args:
        file: name of the source as the caller gave it.
        document: number of the document in the source, from 1; 0 when the source as a whole is meant.
        line: line in the source, from 1.
        column: column in that line, from 1.
        field: path of the field as Kubernetes writes it, relative to the object.
        value: the wrong value as text, cut when long.
        type: Kubernetes' word for the kind of error ("Invalid value"), or Decode, Syntax, Limit, or Start for what is
            valid on paper, but a scheduler refuses to start with.
        message: the cause, in Kubernetes' words where it has some.
        object: the object meant, as "Kind namespace/name".
        container: name of the container meant, if the field is inside one.
        quoted: whether the value is a text, not a number or a structure.
        hint: what to do about it, in our words.
    """

    file: str = ""
    document: int = 0
    line: int | None = None
    column: int | None = None
    field: str = ""
    value: str = ""
    type: str = INVALID
    message: str = ""
    object: str = ""
    container: str = ""
    quoted: bool = True
    hint: str = ""

    def words(self) -> str:
        """Returns the error without its place, as Kubernetes words it."""
        if self.type not in _WITHOUT_VALUE and self.type not in _WITH_VALUE:
            return self.message
        parts = [self.field, self.type]
        if self.type in _WITH_VALUE:
            parts.append(self._shown_value())
        if self.message:
            parts.append(self.message)
        return ": ".join(parts)

    def _shown_value(self) -> str:
        return json.dumps(self.value, ensure_ascii=False) if self.quoted else self.value

    def place(self) -> str:
        """Returns "file:line:column", as far as known."""
        parts = [self.file] if self.file else []
        if self.line is not None:
            parts.append(str(self.line))
            if self.column is not None:
                parts.append(str(self.column))
        place = ":".join(parts)
        if self.document > 1:
            return f"{place} (document {self.document})" if place else f"document {self.document}"
        return place

    def sentence(self) -> str:
        """Returns the error as one line for people to read."""
        subject = self.object
        if self.container:
            subject += f", container {self.container}"
        head = ": ".join(part for part in (self.place(), subject, self.field) if part)
        cause = self.type
        if self.value or self.type in (DECODE, INVALID):
            cause += f": {self._shown_value()}"
        if self.message:
            cause += f": {self.message}"
        if self.hint:
            cause += f" ({self.hint})"
        return f"{head}: {cause}" if head else cause


class ManifestError(Exception):
    """The input was refused; `errors` says everything that is wrong with it."""

    def __init__(self, errors: Iterable[FieldError]) -> None:
        self.errors: tuple[FieldError, ...] = tuple(errors)
        super().__init__(self.errors)

    def __str__(self) -> str:
        return "\n".join(error.sentence() for error in self.errors)
