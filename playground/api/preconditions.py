"""If-Match and If-None-Match on what is changed."""

from __future__ import annotations

import hashlib

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from playground.api.errors import PreconditionError

IF_MATCH = OpenApiParameter(
    "If-Match",
    str,
    OpenApiParameter.HEADER,
    description="the object's ETag: refuse (412) where it has changed",
)
IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match", str, OpenApiParameter.HEADER, description="`*`: refuse (412) where it exists"
)


def etag_of(text: str | bytes) -> str:
    """Returns the entity tag of an object: a name made from its content.

    Args:
        text: its canonical JSON.
    """
    data = text.encode() if isinstance(text, str) else text
    return f'"{hashlib.sha256(data).hexdigest()[:32]}"'


def check_preconditions(request: Request, key: str, text: str | None) -> None:
    """Holds a change against If-Match and If-None-Match.

    Args:
        request: of the change.
        key: of the object.
        text: the object as it is now, None where it is not.

    Raises:
        PreconditionError: a condition does not hold.
    """
    wanted, unwanted = request.headers.get("If-Match"), request.headers.get("If-None-Match")
    etag = "" if text is None else etag_of(text)
    if wanted is not None and not _names(wanted, etag):
        state = f"its ETag is {etag}" if text is not None else "it does not exist"
        raise PreconditionError(f"{key} is not what If-Match says: {state}.")
    if unwanted is not None and _names(unwanted, etag):
        raise PreconditionError(f"{key} exists, which If-None-Match forbids.")


def _names(header: str, etag: str) -> bool:
    """Returns whether a list of tags names this one. Packing marks a tag as weak; the content is the same."""
    tags = [tag.strip().removeprefix("W/") for tag in header.split(",")]
    return bool(etag) and ("*" in tags or etag in tags)
