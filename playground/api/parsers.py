"""How bodies are read and what is answered: JSON; manifests stay bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any

from rest_framework.exceptions import NotAcceptable, ParseError
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import BaseParser, JSONParser
from rest_framework.request import Request
from rest_framework.utils.mediatypes import media_type_matches


class Negotiation(DefaultContentNegotiation):
    """By Accept alone; a client that takes nothing of what there is gets 406 with the list."""

    def select_parser(self, request: Any, parsers: Any) -> Any:
        content_type = request.content_type or "application/octet-stream"
        fits = (parser for parser in parsers if media_type_matches(parser.media_type, content_type))
        return next(fits, None)

    def select_renderer(
        self, request: Any, renderers: Any, format_suffix: str | None = None
    ) -> tuple[Any, str]:
        if not request.headers.get("Accept", "").strip():
            return renderers[0], renderers[0].media_type
        try:
            return super().select_renderer(request, renderers, format_suffix)
        except NotAcceptable as error:
            offered = ", ".join(renderer.media_type for renderer in renderers)
            raise NotAcceptable(f"Accept allows none of what can be sent: {offered}.") from error


class StrictJSONParser(JSONParser):
    """JSON; nesting that exhausts the stack, and texts that cannot be written, are bad requests."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        try:
            data = super().parse(stream, media_type, parser_context)
            json.dumps(data, ensure_ascii=False, allow_nan=False).encode()
        except RecursionError as error:
            raise ParseError("The JSON is nested too deeply.") from error
        except UnicodeEncodeError as error:
            raise ParseError("The JSON holds half of a surrogate pair, which is no text.") from error
        except ValueError as error:
            raise ParseError("The JSON holds a number that is too large.") from error
        return data


class RawManifestParser(BaseParser):
    """The body as bytes: what it is, the core finds out."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        return stream.read()


MANIFEST_TYPES = (
    "application/json",
    "application/yaml",
    "application/x-yaml",
    "text/yaml",
    "text/x-yaml",
    "text/vnd.yaml",
    "application/vnd.yaml",
    "text/plain",
    "application/octet-stream",
    "application/gzip",
    "application/x-gzip",
    "application/zip",
    "application/x-tar",
    "application/x-www-form-urlencoded",  # what `curl --data-binary @file` says if nobody tells it otherwise
)

RAW_PARSERS = [
    type(f"RawParser{index}", (RawManifestParser,), {"media_type": media_type})
    for index, media_type in enumerate(MANIFEST_TYPES)
]

JSON_PATCHES = [
    type("MergePatchParser", (StrictJSONParser,), {"media_type": "application/merge-patch+json"}),
    type("JSONPatchParser", (StrictJSONParser,), {"media_type": "application/json-patch+json"}),
]


def body_of(request: Request) -> bytes:
    """Returns a body that a raw parser has read; nothing where there was none.

    Args:
        request: of a view with `RAW_PARSERS`.
    """
    data: Any = request.data
    return data if isinstance(data, bytes) else b""
