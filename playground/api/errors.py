"""Every error under /api as problem details, whatever raised it."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

import msgspec
import structlog
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse
from django.views import defaults
from rest_framework import serializers, status
from rest_framework.exceptions import (
    APIException,
    MethodNotAllowed,
    NotAuthenticated,
    Throttled,
    UnsupportedMediaType,
    ValidationError,
)
from rest_framework.response import Response
from rest_framework.views import set_rollback

from playground.problems import PROBLEM_JSON, problem, problem_response
from scheduler_core.errors import FieldError, ManifestError

log = structlog.get_logger(__name__)

REFUSED = "The input was refused; nothing was stored."


class FieldErrorSerializer(serializers.Serializer[Any]):
    """One thing that is wrong, where it stands and why."""

    file = serializers.CharField()
    document = serializers.IntegerField(help_text="from 1; 0 means the source as a whole")
    line = serializers.IntegerField(allow_null=True)
    column = serializers.IntegerField(allow_null=True)
    field = serializers.CharField()
    value = serializers.CharField()
    type = serializers.CharField()
    message = serializers.CharField()
    object = serializers.CharField(required=False)
    container = serializers.CharField(required=False)
    hint = serializers.CharField(required=False, help_text="what to do about it")
    sentence = serializers.CharField(required=False)


class ProblemSerializer(serializers.Serializer[Any]):
    """Problem details (RFC 9457)."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    errors = FieldErrorSerializer(many=True)  # type: ignore[assignment]


class BadParameterError(APIException):
    """A parameter of the address is not what it must be."""

    status_code = status.HTTP_400_BAD_REQUEST


class ConflictError(APIException):
    """The thing is not in a state for this."""

    status_code = status.HTTP_409_CONFLICT


class PreconditionError(APIException):
    """If-Match or If-None-Match does not hold."""

    status_code = status.HTTP_412_PRECONDITION_FAILED


class UnprocessableError(APIException):
    """It can be read, but it cannot be done."""

    status_code = status.HTTP_422_UNPROCESSABLE_ENTITY
    errors: list[dict[str, Any]] = []

    @classmethod
    def of(cls, field: str, message: str) -> UnprocessableError:
        """Returns the error of one field.

        Args:
            field: as Kubernetes writes paths.
            message: what is wrong with it.
        """
        error = cls(f"{field}: {message}")
        error.errors = list(_flat(ValidationError(message).detail, field))
        return error


def error_item(error: FieldError) -> dict[str, Any]:
    """Returns a located error as the API tells it, with its sentence.

    Args:
        error: of the core.
    """
    return {**msgspec.to_builtins(error), "sentence": error.sentence()}


def as_problem(error: Exception, context: dict[str, Any]) -> Response | None:
    """Turns what a view raised into a response; DRF calls it.

    Args:
        error: the exception.
        context: the view and its arguments.
    """
    headers: dict[str, str] = {}
    set_rollback()
    if isinstance(error, ManifestError):
        body = problem(422, REFUSED, [error_item(each) for each in error.errors])
    elif isinstance(error, ValidationError):
        errors = list(_flat(error.detail))
        body = problem(400, " ".join(dict.fromkeys(each["message"] for each in errors)), errors)
    elif isinstance(error, APIException):
        body = problem(error.status_code, words_of(error, context), getattr(error, "errors", ()))
        headers = headers_of(error)
    elif isinstance(error, Http404):
        body = problem(404, "There is nothing with this identifier.")
    elif isinstance(error, RequestDataTooBig):
        body = problem(413, "The body is larger than what is taken at once.")
    elif isinstance(error, SuspiciousOperation | RecursionError | UnicodeError):
        body = problem(400, f"The request cannot be read: {error}")
    elif isinstance(error, PermissionDenied):
        body = problem(403, str(error) or "Not allowed.")
    else:
        return None
    return Response(body, status=body["status"], content_type=PROBLEM_JSON, headers=headers)


def words_of(error: APIException, context: dict[str, Any]) -> str:
    """Returns what an error says, with what would have been right.

    Args:
        error: of DRF or ours.
        context: the view and the request.
    """
    if isinstance(error, NotAuthenticated):
        return "This needs a login or a token: send `Authorization: Bearer spp_…`."
    if isinstance(error, MethodNotAllowed):
        allowed = ", ".join(context["view"].allowed_methods)
        return f"{context['request'].method} is not possible here; {allowed} are."
    if isinstance(error, UnsupportedMediaType):
        types = ", ".join(dict.fromkeys(parser.media_type for parser in context["view"].parser_classes))
        sent = context["request"].content_type or "without a type"
        return f"The body must be {types}, not {sent[:100]}."
    if isinstance(error, Throttled):
        return f"Too many requests: the next is taken in {wait_of(error)} s."
    return str(error.detail)


def headers_of(error: APIException) -> dict[str, str]:
    """Returns the headers that go with an error.

    Args:
        error: of DRF or ours.
    """
    headers = dict(getattr(error, "headers", {}))
    if getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = error.auth_header  # type: ignore[attr-defined]
    if isinstance(error, Throttled):
        headers["Retry-After"] = str(wait_of(error))
    return headers


def wait_of(error: Throttled) -> int:
    """Returns after how many seconds to come again."""
    return max(1, int(getattr(error, "wait", None) or 1))


def _flat(detail: Any, field: str = "") -> Any:
    """Yields DRF's nested errors as located errors, with field paths as Kubernetes writes them."""
    if isinstance(detail, dict):
        for name, inner in detail.items():
            if isinstance(name, int):
                place = f"{field}[{name}]"
            else:
                place = field if name == "non_field_errors" else f"{field}.{name}" if field else str(name)
            yield from _flat(inner, place)
    elif isinstance(detail, list):
        for index, inner in enumerate(detail):
            yield from _flat(inner, f"{field}[{index}]" if isinstance(inner, dict) else field)
    else:
        message = f"{field}: {detail}" if field else str(detail)
        yield {
            "file": "", "document": 0, "line": None, "column": None, "field": field, "value": "",
            "type": "Required value" if detail.code == "required" else "Invalid value",
            "message": message, "sentence": message,
        }  # fmt: skip


def _is_api(request: HttpRequest) -> bool:
    return request.path.startswith("/api")


def handler400(request: HttpRequest, exception: Exception, *args: object) -> HttpResponse:
    """Answers a request that Django itself found wrong, as one for a host that is not ours."""
    if _is_api(request):
        return problem_response(
            HTTPStatus.BAD_REQUEST, "The request is malformed, or its Host is not this server."
        )
    return defaults.bad_request(request, exception)


def handler403(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answers what is not allowed."""
    if _is_api(request):
        return problem_response(HTTPStatus.FORBIDDEN, "Not allowed.")
    return defaults.permission_denied(request, exception)


def handler404(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answers an address that nothing has."""
    if _is_api(request):
        return problem_response(HTTPStatus.NOT_FOUND, "Nothing has this address.")
    return defaults.page_not_found(request, exception)


def handler500(request: HttpRequest) -> HttpResponse:
    """Answers after an error of ours; the log has it."""
    if _is_api(request):
        return problem_response(
            HTTPStatus.INTERNAL_SERVER_ERROR, "The server made an error; its log says which."
        )
    return defaults.server_error(request)
