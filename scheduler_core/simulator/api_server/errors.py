"""What the API server answers when it refuses, in its own words.

Source: apimachinery/pkg/api/errors/errors.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scheduler_core.api.kinds import KINDS, find_kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scheduler_core.api.kinds import KubeObject
    from scheduler_core.errors import FieldError

_GROUPS: Final = {info.kind: info.groups[0] for info in KINDS}


class ApiError(Exception):
    """A refusal.

    Args:
        reason: ``NotFound``, ``AlreadyExists``, ``Conflict``, ``Forbidden``, ``Invalid`` or ``TooManyRequests``
        code: of HTTP
        message: the API server's text
        errors: the fields meant, where it is about fields
        cause: what else it says of the reason, such as which disruption budget
    """

    def __init__(
        self, reason: str, code: int, message: str, errors: Sequence[FieldError] = (), cause: str = ""
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.code = code
        self.message = message
        self.errors = tuple(errors)
        self.cause = cause


def plural(kind: str) -> str:
    """Returns the resource of a kind: "Pod" is "pods", "PriorityClass" is "priorityclasses"."""
    name = kind.lower()
    if name.endswith("s"):
        return f"{name}es"
    return f"{name[:-1]}ies" if name.endswith("y") else f"{name}s"


def resource_of(kind: str) -> str:
    """Returns the resource with its group, as messages name it: "deployments.apps"."""
    group = _GROUPS.get(kind, "")
    return f"{plural(kind)}.{group}" if group else plural(kind)


def not_found(kind: str, name: str) -> ApiError:
    """There is no such object."""
    return ApiError("NotFound", 404, f'{resource_of(kind)} "{name}" not found')


def already_exists(kind: str, name: str) -> ApiError:
    """There is such an object."""
    return ApiError("AlreadyExists", 409, f'{resource_of(kind)} "{name}" already exists')


def conflict(kind: str, name: str, why: str = "") -> ApiError:
    """The object is another one by now."""
    why = why or (
        "the object has been modified; please apply your changes to the latest version and try again"
    )
    return ApiError("Conflict", 409, f'Operation cannot be fulfilled on {resource_of(kind)} "{name}": {why}')


def forbidden(kind: str, name: str, why: str, *, reason: str = "Forbidden") -> ApiError:
    """Admission refused."""
    subject = f'{resource_of(kind)} "{name}"' if name else resource_of(kind)
    return ApiError(reason, 403, f"{subject} is forbidden: {why}")


def invalid(object_: KubeObject, errors: Sequence[FieldError]) -> ApiError:
    """Fields are wrong."""
    info = find_kind(object_.api_version, object_.kind)
    group = info.groups[0] if info else ""
    kind = f"{object_.kind}.{group}" if group else object_.kind
    words = [error.words() for error in errors]
    text = words[0] if len(words) == 1 else f"[{', '.join(words)}]"
    return ApiError("Invalid", 422, f'{kind} "{object_.metadata.name}" is invalid: {text}', errors)


def too_many_requests(message: str, cause: str = "") -> ApiError:
    """Not now."""
    return ApiError("TooManyRequests", 429, message, cause=cause)
