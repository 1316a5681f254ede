"""A small service for tests of extenders: answers by verb, and keeps what it was asked."""

from __future__ import annotations

import json
from typing import Any

from scheduler_core.config import Extender
from scheduler_core.config.duration import Duration
from scheduler_core.config.types import ExtenderManagedResource
from scheduler_core.extender.errors import TransportError
from scheduler_core.extender.extender import HTTPExtender

URL = "http://extender.example/api"


class Service:
    """A transport; an answer may be an HTTP status instead, or a message of the transport's."""

    def __init__(self, **answers: Any) -> None:
        self.answers = answers
        self.asked: list[tuple[str, Any, float]] = []

    def __call__(self, address: str, payload: bytes, timeout: float) -> bytes:
        self.asked.append((address, json.loads(payload), timeout))
        answer = self.answers[address.rsplit("/", 1)[1]]
        if isinstance(answer, int):
            raise TransportError("status", answer)
        if isinstance(answer, str):
            raise TransportError(answer)
        return json.dumps(answer).encode()


def config(**fields: Any) -> Extender:
    """An extender's configuration; ``managed``: names of resources, ``seconds``: its timeout."""
    managed = tuple(ExtenderManagedResource(name=name) for name in fields.pop("managed", ()))
    timeout = Duration(int(fields.pop("seconds", 0) * 1_000_000_000))
    return Extender(**{"url_prefix": URL, "managed_resources": managed, "http_timeout": timeout, **fields})


def extender(service: Service, **fields: Any) -> HTTPExtender:
    """An extender that asks ``service``."""
    return HTTPExtender(config(**fields), service)
