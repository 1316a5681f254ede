"""The schema, made once for each process, and as plain data for the reference page."""

from __future__ import annotations

import json
from functools import lru_cache
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from playground.api.samples import sample_of

Schema = dict[str, Any]


def schema() -> Schema:
    """Returns the OpenAPI document of this API."""
    return _schema(settings.LOGIN_REQUIRED)


@lru_cache
def _schema(login_required: bool) -> Schema:
    made: Schema = SchemaGenerator().get_schema(request=None, public=True)
    return made


@lru_cache
def _schema_bytes(login_required: bool) -> bytes:
    return json.dumps(_schema(login_required)).encode()


class SchemaRead(APIView):
    """The OpenAPI document."""

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponse:
        """Answers OpenAPI 3.1 as JSON."""
        return HttpResponse(_schema_bytes(settings.LOGIN_REQUIRED), content_type="application/json")


@lru_cache
def reference(login_required: bool) -> dict[str, Any]:
    """Returns what the reference page shows: operations by noun, and the shapes they speak of.

    Args:
        login_required: whether examples show a token.
    """
    document = _schema(login_required)
    groups: dict[str, list[dict[str, Any]]] = {tag["name"]: [] for tag in document["tags"]}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            described = _operation(document, path, method, operation, login_required)
            groups.setdefault(operation["tags"][0], []).append(described)
    words = {tag["name"]: tag["description"] for tag in document["tags"]}
    shapes = document["components"]["schemas"]
    return {
        "groups": [
            {"name": name, "description": words.get(name, ""), "operations": operations}
            for name, operations in groups.items()
            if operations
        ],
        "shapes": [_shape(name, shape) for name, shape in sorted(shapes.items())],
    }


def _operation(
    document: Schema, path: str, method: str, operation: Schema, login_required: bool
) -> dict[str, Any]:
    bodies = operation.get("requestBody", {}).get("content", {})
    summary = operation.get("summary") or operation["operationId"].replace("_", " ")
    return {
        "id": operation["operationId"],
        "method": method.upper(),
        "path": path.removeprefix("/api/v1"),
        "summary": summary,
        "description": operation.get("description", ""),
        "parameters": [
            {
                "name": each["name"],
                "place": each["in"],
                "required": each.get("required", False),
                "type": type_of(each.get("schema", {})),
                "description": each.get("description", ""),
            }
            for each in operation.get("parameters", ())
        ],
        "bodies": [
            {"media": media, "type": type_of(each.get("schema", {}))} for media, each in bodies.items()
        ],
        "responses": [_response(document, code, each) for code, each in operation["responses"].items()],
        "curl": curl_of(document, path, method, bodies, login_required=login_required),
    }


def _response(document: Schema, code: str, response: Schema) -> dict[str, Any]:
    if "$ref" in response:
        found = document["components"]["responses"][response["$ref"].rpartition("/")[2]]
        response = {**found, **response}
    content = response.get("content", {})
    return {
        "code": code,
        "is_problem": code[0] == "4",
        "description": response.get("description") or HTTPStatus(int(code)).phrase,
        "bodies": [
            {"media": media, "type": type_of(each.get("schema", {}))} for media, each in content.items()
        ],
    }


def _shape(name: str, shape: Schema) -> dict[str, Any]:
    required = set(shape.get("required", ()))
    return {
        "name": name,
        "description": shape.get("description", ""),
        "type": type_of(shape) if "properties" not in shape else None,
        "fields": [
            {
                "name": field,
                "required": field in required,
                "type": type_of(each),
                "description": each.get("description", ""),
            }
            for field, each in shape.get("properties", {}).items()
        ],
    }


def type_of(schema: Schema) -> dict[str, Any]:
    """Returns a type in words: `text`, the shape it links to, and what bounds it.

    Args:
        schema: of JSON Schema.
    """
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return {"text": name, "shape": name, "bounds": ""}
    for joined in ("oneOf", "anyOf", "allOf"):
        if joined in schema:
            parts = [type_of(each) for each in schema[joined]]
            shape = next((part["shape"] for part in parts if part["shape"]), "")
            return {
                "text": " or ".join(dict.fromkeys(part["text"] for part in parts)),
                "shape": shape,
                "bounds": "",
            }
    kinds = schema.get("type", "any")
    kinds = kinds if isinstance(kinds, list) else [kinds]
    if "array" in kinds:
        inner = type_of(schema.get("items", {}))
        return {**inner, "text": f"list of {inner['text']}"}
    inner_map = schema.get("additionalProperties")
    if "object" in kinds and isinstance(inner_map, dict) and inner_map:
        inner = type_of(inner_map)
        return {**inner, "text": f"map to {inner['text']}"}
    text = " or ".join(kinds)
    if schema.get("format") == "date-time":
        text = text.replace("string", "time (RFC 3339)")
    return {"text": text, "shape": "", "bounds": _bounds(schema)}


def _bounds(schema: Schema) -> str:
    parts = []
    if "enum" in schema:
        parts.append(", ".join(str(value) for value in schema["enum"] if value is not None))
    if "minimum" in schema and "maximum" in schema:
        parts.append(f"{schema['minimum']}…{schema['maximum']}")
    if "default" in schema and schema["default"] is not None:
        parts.append(f"default {json.dumps(schema['default'])}")
    return "; ".join(parts)


def curl_of(document: Schema, path: str, method: str, bodies: Schema, *, login_required: bool) -> str:
    """Returns a command to copy.

    Args:
        document: the whole schema.
        path: with its variables in braces.
        method: in lower case.
        bodies: media type → schema of the body.
        login_required: whether it shows a token.
    """
    parts = ["curl"]
    if method != "get":
        parts.append(f"-X {method.upper()}")
    if login_required:
        parts.append('-H "Authorization: Bearer $TOKEN"')
    media = next(iter(bodies), "")
    if media == "multipart/form-data":
        parts.append("-F file=@cluster.yaml")
    elif media:
        parts.append(f'-H "Content-Type: {media}"')
        body = sample_of(document, bodies[media].get("schema", {}))
        parts.append(
            "--data-binary @object.yaml" if body is None else f"-d '{json.dumps(body, ensure_ascii=False)}'"
        )
    return " ".join([*parts, f'"$SERVER{path}"'])
