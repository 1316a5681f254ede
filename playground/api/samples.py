"""A small example of what a schema describes, for the commands on the reference page."""

from __future__ import annotations

from typing import Any

MAX_DEPTH = 4


def sample_of(document: dict[str, Any], schema: dict[str, Any], depth: int = 0) -> Any:
    """Returns a value of a schema: its required fields, or the first few; None for what is not JSON.

    Args:
        document: where references lead.
        schema: of JSON Schema.
        depth: how far down this is.
    """
    while "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    if "allOf" in schema or "oneOf" in schema:
        return sample_of(document, (schema.get("allOf") or schema["oneOf"])[0], depth)
    for known in ("example", "default", "const"):
        if schema.get(known) is not None:
            return schema[known]
    if schema.get("examples"):
        return schema["examples"][0]
    if schema.get("enum"):
        return schema["enum"][0]
    kind = schema.get("type")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object" and depth < MAX_DEPTH:
        properties = schema.get("properties", {})
        wanted = (
            schema.get("required")
            or [name for name in properties if not properties[name].get("readOnly")][:2]
        )
        return {
            name: sample_of(document, properties[name], depth + 1)
            for name in wanted
            if name in properties and not properties[name].get("readOnly")
        }
    if kind == "array":
        inner = sample_of(document, schema.get("items", {}), depth + 1) if depth < MAX_DEPTH else None
        return [] if inner is None else [inner]
    plain = {"string": "…", "integer": schema.get("minimum", 0), "number": 0, "boolean": True, "object": {}}
    return None if schema.get("format") == "binary" else plain.get(kind or "")
