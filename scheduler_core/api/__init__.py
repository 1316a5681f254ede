"""Kubernetes objects: read from text, typed, with the API server's defaults and rules; a door of the core."""

from __future__ import annotations

from scheduler_core.api.canonical import canonical
from scheduler_core.api.collect import LoadedObject
from scheduler_core.api.decode import decode_json_object, decode_object, encode_object
from scheduler_core.api.defaulting import default_object
from scheduler_core.api.export import Format, export, export_pieces
from scheduler_core.api.kinds import KINDS, KindInfo, KubeObject, Untyped, find_kind, object_key
from scheduler_core.api.limits import DEFAULT_LIMITS, Limits
from scheduler_core.api.manifest import Loaded, Source, decode_text, load_manifests
from scheduler_core.api.meta import ObjectMeta, Time, parse_time
from scheduler_core.api.node import Node
from scheduler_core.api.pod import Pod
from scheduler_core.api.pod_resources import pod_requests, to_ints
from scheduler_core.api.policy import Namespace, PodDisruptionBudget, PriorityClass
from scheduler_core.api.progress import Progress
from scheduler_core.api.quantity import Quantity, QuantityError, parse_quantity
from scheduler_core.api.redaction import Redaction
from scheduler_core.api.report import ImportReport, import_report, workload_notes
from scheduler_core.api.schema import manifest_schema
from scheduler_core.api.scrubbing import scrubbed_edit
from scheduler_core.errors import FieldError, ManifestError

__all__ = [
    "DEFAULT_LIMITS",
    "KINDS",
    "FieldError",
    "Format",
    "ImportReport",
    "KindInfo",
    "KubeObject",
    "Limits",
    "Loaded",
    "LoadedObject",
    "ManifestError",
    "Namespace",
    "Node",
    "ObjectMeta",
    "Pod",
    "PodDisruptionBudget",
    "PriorityClass",
    "Progress",
    "Quantity",
    "QuantityError",
    "Redaction",
    "Source",
    "Time",
    "Untyped",
    "canonical",
    "decode_json_object",
    "decode_object",
    "decode_text",
    "default_object",
    "encode_object",
    "export",
    "export_pieces",
    "find_kind",
    "import_report",
    "load_manifests",
    "manifest_schema",
    "object_key",
    "parse_quantity",
    "parse_time",
    "pod_requests",
    "scrubbed_edit",
    "to_ints",
    "workload_notes",
]
