"""`Idempotency-Key`: a request that is sent again with the same key does nothing again and gets the same answer."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Any

import msgspec
from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework import status
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.encoders import JSONEncoder

from playground.api.errors import BadParameterError
from playground.models import IdempotentAnswer, workspace_of
from playground.models.idempotency import KEY_LENGTH

KEPT_HEADERS = ("Location", "ETag", "Retry-After")
IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "pattern": r"^[!-~]{1,255}$", "maxLength": KEY_LENGTH},
    OpenApiParameter.HEADER,
    description="Sent again with the same key and the same body, the request does nothing again and is answered "
    "as the first time, for 24 hours. With another body it is refused (422).",
)


class KeyReusedError(APIException):
    """The key stands for another request."""

    status_code = status.HTTP_422_UNPROCESSABLE_ENTITY
    default_detail = "This Idempotency-Key was used for another request: take a new key for each."


def idempotent(method: Callable[..., Response]) -> Callable[..., Response]:
    """Makes a view's method that creates something heed the Idempotency-Key.

    Work and answer are stored in one transaction: either both are there or neither, and of two requests with the
    same key that come at once the second waits for the first.

    Args:
        method: of a view; what it raises or answers from 400 on is not kept, for then nothing was done.
    """

    @wraps(method)
    def keyed(view: Any, request: Request, *args: Any, **kwargs: Any) -> Response:
        key = request.headers.get("Idempotency-Key")
        if key is None:
            return method(view, request, *args, **kwargs)
        if not 1 <= len(key) <= KEY_LENGTH or not all("!" <= letter <= "~" for letter in key):
            raise BadParameterError("Idempotency-Key must be 1 to 255 printable ASCII characters.")
        workspace_id, digest = workspace_of(request.user), digest_of(request)
        with transaction.atomic():
            kept, is_new = _claim(workspace_id, key, digest)
            if not is_new:
                return _again(kept, digest)
            response = method(view, request, *args, **kwargs)
            if response.status_code < 400:
                kept.status = response.status_code
                kept.body = msgspec.json.encode(response.data, enc_hook=JSONEncoder().default)
                kept.headers = {name: response[name] for name in KEPT_HEADERS if name in response}
                kept.save(update_fields=["status", "body", "headers"])
            else:
                kept.delete()
        return response

    return keyed


def _claim(workspace_id: str, key: str, digest: str) -> tuple[IdempotentAnswer, bool]:
    expired = timezone.now() - timedelta(hours=settings.IDEMPOTENCY_HOURS)
    IdempotentAnswer.objects.filter(created_at__lt=expired).delete()
    try:
        with transaction.atomic():
            return IdempotentAnswer.objects.create(workspace_id=workspace_id, key=key, digest=digest), True
    except IntegrityError:
        return IdempotentAnswer.objects.get(workspace_id=workspace_id, key=key), False


def _again(kept: IdempotentAnswer, digest: str) -> Response:
    if kept.digest != digest:
        raise KeyReusedError
    headers = {**kept.headers, "Idempotency-Replayed": "true"}
    return Response(msgspec.json.decode(kept.body), status=kept.status, headers=headers)


def digest_of(request: Request) -> str:
    """Returns the SHA-256 over what a request asks: method, address and body.

    A form is taken field by field, for each sending draws another boundary.

    Args:
        request: whose body is read here or was read by DRF.
    """
    digest = hashlib.sha256(f"{request.method} {request.get_full_path()}\n".encode())
    if request.content_type.startswith("multipart/"):
        form: Any = request.data
        for name, values in sorted(form.lists()):
            for value in values:
                content = value.read() if hasattr(value, "read") else str(value).encode()
                digest.update(f"{name} {getattr(value, 'name', '')} {len(content)}\n".encode())
                digest.update(content)
                if hasattr(value, "seek"):
                    value.seek(0)
    else:
        digest.update(request._request.body)
    return digest.hexdigest()
