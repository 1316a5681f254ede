"""Pages by limit and offset, and numbers in addresses that are numbers or an error."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework.pagination import LimitOffsetPagination
from rest_framework.request import Request

from playground.api.errors import BadParameterError

MAX_NUMBER = 2**53 - 1
MAX_OFFSET = 2**31


def int_parameter(request: Request, name: str, default: int, *, low: int = 0, high: int = MAX_NUMBER) -> int:
    """Returns a number from the address.

    Args:
        request: the request.
        name: the parameter.
        default: where it is absent.
        low: the smallest allowed.
        high: the largest allowed.

    Raises:
        BadParameterError: it is no decimal number in that range.
    """
    text = request.query_params.get(name)
    if text is None:
        return default
    is_number = text.isascii() and text.isdigit() and len(text) <= 16
    if not is_number or not low <= int(text) <= high:
        raise BadParameterError(f"{name} must be a whole number from {low} to {high}, not {text[:50]!r}.")
    return int(text)


def bool_parameter(request: Request, name: str, default: str = "") -> bool | None:
    """Returns a truth value from the address, None where it is absent.

    Args:
        request: the request.
        name: the parameter.
        default: the text to take where it is absent, as from a form.

    Raises:
        BadParameterError: it is none of true, false, 1, 0.
    """
    text = request.query_params.get(name, default)
    if not text and name not in request.query_params:
        return None
    if text.lower() not in ("true", "false", "1", "0", "on"):
        raise BadParameterError(f"{name} must be true or false, not {text[:50]!r}.")
    return text.lower() in ("true", "1", "on")


def choice_parameter(request: Request, name: str, choices: Sequence[str]) -> str:
    """Returns one of several words from the address, nothing where it is absent.

    Args:
        request: the request.
        name: the parameter.
        choices: what it may be.

    Raises:
        BadParameterError: it is none of them.
    """
    text = request.query_params.get(name)
    if text is None:
        return ""
    if text not in choices:
        raise BadParameterError(f"{name} must be one of {', '.join(choices)}, not {text[:50]!r}.")
    return text


def number(name: str, description: str, *, low: int = 0, high: int = MAX_NUMBER) -> OpenApiParameter:
    """Returns how the schema tells of a number in an address.

    Args:
        name: the parameter.
        description: what it is for.
        low: the smallest allowed.
        high: the largest allowed.
    """
    bounds = {"type": "integer", "minimum": low, "maximum": high}
    return OpenApiParameter(name, bounds, description=description)


class Pages(LimitOffsetPagination):
    """`?limit=&offset=`; a wrong number is an error, not the default."""

    default_limit = 100
    max_limit = 5000

    def get_limit(self, request: Request) -> int | None:
        return int_parameter(request, "limit", self.default_limit, low=1, high=self.max_limit)

    def get_offset(self, request: Request) -> int:
        return int_parameter(request, "offset", 0, high=MAX_OFFSET)

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """Returns how the schema tells of both numbers."""
        return [
            {
                "name": name,
                "in": "query",
                "description": words,
                "schema": {"type": "integer", "minimum": low, "maximum": high, "default": default},
            }
            for name, words, low, high, default in (
                ("limit", "how many at most", 1, self.max_limit, self.default_limit),
                ("offset", "how many to pass over", 0, MAX_OFFSET, 0),
            )
        ]


class ObjectPages(Pages):
    """Nodes and pods come in larger pages."""

    default_limit = 500
