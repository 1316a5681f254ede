"""JSON Schema (2020-12) of expectations and verdicts; published in docs/reference."""

from __future__ import annotations

from typing import Any

import msgspec

from scheduler_core.api.meta import Time
from scheduler_core.api.quantity import Quantity
from scheduler_core.checks.expectations import API_VERSION, KIND, TYPES, ExpectationsDocument
from scheduler_core.checks.verdict import Verdict
from scheduler_core.checks.warning_kinds import WARNING_KINDS
from scheduler_core.config.duration import Duration

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def verdict_schema() -> dict[str, Any]:
    """Returns the schema of a verdict."""
    schema = msgspec.json.schema(Verdict)
    return {"$schema": _DIALECT, "title": "Verdict of a check, playground/v1", **schema}


def expectations_schema() -> dict[str, Any]:
    """Returns the schema of a document of kind Expectations; unknown fields are refused as the reader does."""
    schema = msgspec.json.schema(ExpectationsDocument, schema_hook=_special)
    definitions = schema["$defs"]
    for definition in definitions.values():
        if definition.get("type") == "object" and "properties" in definition:
            definition["additionalProperties"] = definition.get("title") == "ObjectMeta"
    document = definitions["ExpectationsDocument"]
    document["required"] = ["apiVersion", "kind", "spec"]
    document["properties"]["apiVersion"] = {"const": API_VERSION}
    document["properties"]["kind"] = {"const": KIND}
    definitions["Expectation"]["oneOf"] = [{"required": [name]} for name in TYPES]
    definitions["NoWarnings"]["properties"]["kinds"]["items"] = {"enum": list(WARNING_KINDS)}
    return {"$schema": _DIALECT, "title": "Expectations, playground/v1", **schema}


def _special(type_: type) -> dict[str, Any]:
    if type_ is Duration:
        return {
            "type": "string",
            "examples": ["30s", "24h"],
            "pattern": "^[-+]?([0-9.]+(ns|us|µs|μs|ms|s|m|h))+$|^0$",
        }
    if type_ is Quantity:
        return {"type": ["string", "number"], "examples": ["500m", "2Gi"]}
    if type_ is Time:
        return {"type": "string", "format": "date-time"}
    raise NotImplementedError
