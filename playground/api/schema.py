"""How the API describes itself: what every operation has in common is added here, once."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.conf import settings
from drf_spectacular.openapi import AutoSchema
from rest_framework import serializers

from playground.api.errors import ProblemSerializer
from playground.api.fields import NOT_BLANK_PATTERN, TEXT_PATTERN, KnownFields
from playground.api.links import links_of
from playground.models.fields import ALPHABET, ID_LENGTH
from playground.problems import PROBLEM_JSON

Operation = dict[str, Any]

ID_SCHEMA = {"type": "string", "pattern": f"^[{ALPHABET}]{{{ID_LENGTH}}}$"}
ALWAYS = (400, 401, 403, 406, 429)
WITH_BODY = (413, 415, 422)
TEXT = {"type": "string"}
RATE_HEADERS = {
    "RateLimit": {"description": "what is left in this window, where there are limits", "schema": TEXT},
    "RateLimit-Policy": {"description": "the limit and its window", "schema": TEXT},
}
PROBLEM_HEADERS = {
    401: {"WWW-Authenticate": {"description": "how to show who asks", "schema": TEXT, "required": True}},
    429: {
        "Retry-After": {
            "description": "seconds",
            "schema": {"type": "integer", "minimum": 1},
            "required": True,
        }
    },
}
ETAG = {"ETag": {"description": "names what was answered; for If-None-Match", "schema": TEXT}}


class ProblemSchema(AutoSchema):
    """Notes that an operation can fail; `finish` says how."""

    def _get_response_bodies(self, direction: Any = "response") -> Any:
        bodies = super()._get_response_bodies(direction)
        bodies["4XX"] = self._get_response_for_code(ProblemSerializer, "4XX", [PROBLEM_JSON], direction)
        return bodies

    def _map_basic_serializer(self, serializer: Any, direction: Any) -> Any:
        shape = super()._map_basic_serializer(serializer, direction)
        if direction == "request" and isinstance(serializer, KnownFields):
            shape["additionalProperties"] = False
            if serializer.at_least_one:
                shape["minProperties"] = 1
        return shape

    def _map_serializer_field(self, field: Any, direction: Any, bypass_extensions: bool = False) -> Any:
        shape = super()._map_serializer_field(field, direction, bypass_extensions)
        has_own = isinstance(field, serializers.RegexField)
        is_text = (
            isinstance(field, serializers.CharField) and not has_own and "string" in shape.get("type", ())
        )
        if direction == "request" and is_text and not {"pattern", "format", "enum"} & set(shape):
            shape["pattern"] = TEXT_PATTERN if field.allow_blank else NOT_BLANK_PATTERN
        return shape


def finish(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Adds to every operation the errors it can answer, what identifiers look like, and whether a token is needed.

    Args:
        result: the whole schema.
        generator: of drf-spectacular, not used.
        request: not used.
        public: not used.
    """
    problems: dict[str, Any] = {}
    for path, methods in result["paths"].items():
        for method, operation in methods.items():
            for parameter in operation.get("parameters", ()):
                if parameter["in"] == "path" and parameter["name"].rpartition("_")[2] in ("id", "with"):
                    parameter["schema"] = ID_SCHEMA
                elif parameter["in"] == "query" and parameter["schema"] == TEXT:
                    parameter["schema"] = TEXT | {"pattern": TEXT_PATTERN}
            _tell_errors(path, method, operation, problems)
            if not settings.LOGIN_REQUIRED:
                operation["security"] = [*operation.get("security", ()), {}]
    result["components"]["responses"] = dict(sorted(problems.items()))
    result["tags"] = [{"name": name, "description": words} for name, words in TAGS.items()]
    return result


def _tell_errors(path: str, method: str, operation: Operation, problems: dict[str, Any]) -> None:
    responses = operation["responses"]
    shape = responses.pop("4XX")
    codes = {*ALWAYS, *(int(code) for code in responses if code[0] == "4")}
    names = {parameter["name"] for parameter in operation.get("parameters", ())}
    if "{" in path:
        codes.add(404)
    if "requestBody" in operation:
        operation["requestBody"]["required"] = True
        codes.update(WITH_BODY)
    if names & {"If-Match", "If-None-Match"}:
        codes.add(412)
    for code in sorted(codes):
        name = HTTPStatus(code).phrase.title().replace(" ", "").replace("-", "")
        described = responses.get(str(code), {}).get("description")
        problems[name] = {
            "description": HTTPStatus(code).phrase,
            "content": shape["content"],
            "headers": RATE_HEADERS | PROBLEM_HEADERS.get(code, {}),
        }
        responses[str(code)] = {"$ref": f"#/components/responses/{name}"}
        if described:
            responses[str(code)]["description"] = described
    for code, response in responses.items():
        if code[0] == "2":
            response["headers"] = {
                **response.get("headers", {}),
                **RATE_HEADERS,
                **(ETAG if method == "get" else {}),
            }
            if code != "202" and (links := links_of(operation["operationId"])):
                response["links"] = links
    operation["responses"] = dict(sorted(responses.items()))


TAGS = {
    "clusters": "What was imported or written. A cluster is a name and a list of immutable revisions.",
    "objects": "A revision's Kubernetes objects. Each change of one makes a new revision.",
    "profiles": "KubeSchedulerConfigurations kept by name.",
    "scenarios": "Lists of edits with virtual times, kept by name.",
    "runs": "A revision, a profile, edits and options, frozen, and what came of them.",
    "traces": "What happened in a run: events, cycles, placements.",
    "checks": "Manifests against a cluster with expectations, and the verdict.",
    "plans": "Questions of capacity: what fits, what is missing, what could go, what would help.",
    "jobs": "Work that takes longer than a request.",
    "tokens": "What programs show instead of a login.",
}
