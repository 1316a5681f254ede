"""How bodies are read and what is answered: JSON, whatever Accept says; manifests stay bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser, JSONParser
from rest_framework.utils.mediatypes import media_type_matches


class AlwaysJSON(BaseContentNegotiation):
    """One representation: nothing to negotiate, no 406."""

    def select_parser(self, request: Any, parsers: Any) -> Any:
        content_type = request.content_type or "application/octet-stream"
        fits = (parser for parser in parsers if media_type_matches(parser.media_type, content_type))
        return next(fits, None)

    def select_renderer(
        self, request: Any, renderers: Any, format_suffix: str | None = None
    ) -> tuple[Any, str]:
        return renderers[0], renderers[0].media_type


class StrictJSONParser(JSONParser):
    """JSON; nesting that exhausts the stack, and texts that cannot be written, are bad requests."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        try:
            data = super().parse(stream, media_type, parser_context)
            json.dumps(data, ensure_ascii=False).encode()
        except RecursionError as error:
            raise ParseError("The JSON is nested too deeply.") from error
        except UnicodeEncodeError as error:
            raise ParseError("The JSON holds half of a surrogate pair, which is no text.") from error
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
