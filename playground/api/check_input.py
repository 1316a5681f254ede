"""What a check is asked: JSON or a form with files, judged as a whole before anything is stored."""

from __future__ import annotations

import re
from typing import Any

import msgspec
from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request

from playground.api.fields import MAX_NAME, NOT_BLANK_PATTERN, TEXT_PATTERN, AnyText, KnownFields
from playground.models import ClusterRevision, Profile

MAX_TEXTS = 1000
AT_MOST: Any = {"max_length": MAX_TEXTS}
MAX_TEXT = 2 << 20
MAX_ORDERS = 10_000
MAX_SEED = 2**53 - 1
FILE_FIELDS = ("manifests", "expectations")
_FILES = {"type": "array", "items": {"type": "string", "format": "binary"}}
_WORD = {"type": "string", "pattern": NOT_BLANK_PATTERN, "maxLength": 64}
FORM = {
    "type": "object",
    "properties": {
        "cluster": _WORD,
        "manifests": {**_FILES, "minItems": 1},
        "expectations": _FILES,
        "deletions": {"type": "array", "items": {**_WORD, "maxLength": 800}},
        "revision": {"type": "string", "pattern": "^[0-9a-f]{1,64}$"},
        "profile": _WORD,
        "name": {"type": "string", "pattern": TEXT_PATTERN, "maxLength": MAX_NAME},
        "max_snapshot_age": {**_WORD, "maxLength": 40},
        "captured_at": {"type": "string", "format": "date-time"},
        "orders": {"type": "integer", "minimum": 1, "maximum": MAX_ORDERS},
        "seed": {"type": "integer", "minimum": 0, "maximum": MAX_SEED},
        "baseline": {"type": "boolean"},
    },
    "required": ["cluster", "manifests"],
    "additionalProperties": False,
}
"""The same as a form, for `curl -F manifests=@web.yaml`."""


class NamedTextSerializer(KnownFields):
    """A text and what to call it in errors and reports."""

    name = serializers.CharField(max_length=300)
    text = AnyText(max_length=MAX_TEXT, trim_whitespace=False, allow_blank=True)


class DeletionsField(serializers.ListField):
    """Objects that a change deletes."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            child=serializers.CharField(max_length=800), max_length=MAX_TEXTS,
            help_text="`Kind/namespace/name`, or `Kind/name` of what lives in no namespace", **kwargs,
        )  # fmt: skip


class NewCheckSerializer(KnownFields):
    """Manifests and deletions, against a cluster, with expectations."""

    cluster = serializers.CharField(max_length=64)
    revision = serializers.RegexField(
        r"^[0-9a-f]{1,64}$", required=False, help_text="the first digits of its name; else the newest"
    )
    profile = serializers.CharField(max_length=64, required=False, allow_null=True, default=None)
    name = serializers.CharField(max_length=MAX_NAME, required=False, allow_blank=True, default="")
    manifests = NamedTextSerializer(many=True, required=False, default=list, **AT_MOST)
    deletions = DeletionsField(required=False, default=list)
    expectations = NamedTextSerializer(
        many=True, required=False, default=list, **AT_MOST,
        help_text="documents of kind Expectations; none: all pods of the manifests are scheduled",
    )  # fmt: skip
    orders = serializers.IntegerField(
        min_value=1, max_value=MAX_ORDERS, required=False, allow_null=True, default=None,
        help_text="in how many orders of arrival it is tried; else what the expectations say",
    )  # fmt: skip
    baseline = serializers.BooleanField(
        required=False, allow_null=True, default=None, help_text="only what got worse counts"
    )
    max_snapshot_age = serializers.CharField(
        max_length=40, required=False, allow_null=True, default=None, help_text="as `24h`; older: too-old"
    )
    captured_at = serializers.DateTimeField(
        required=False, allow_null=True, default=None, help_text="when the cluster was so; else as it says"
    )
    seed = serializers.IntegerField(min_value=0, max_value=MAX_SEED, required=False, default=0)


def body_of_check(request: Request) -> Any:
    """Returns the body as JSON values; of a form, files become named texts.

    Args:
        request: JSON or multipart/form-data.
    """
    data: Any = request.data
    if not request.content_type.startswith("multipart/"):
        return data
    body: dict[str, Any] = {name: data.get(name) for name in data if name not in FILE_FIELDS}
    for name in FILE_FIELDS:
        files = request.FILES.getlist(name)
        body[name] = [
            {"name": file.name or name, "text": file.read().decode("utf-8", "replace")} for file in files
        ]
    if "deletions" in data:
        body["deletions"] = data.getlist("deletions")
    for name in ("orders", "seed"):
        if name in body and re.fullmatch(r"[0-9]{1,16}", body[name]):
            body[name] = int(body[name])
    if body.get("baseline") in ("true", "false"):
        body["baseline"] = body["baseline"] == "true"
    return body


def question_bytes(wanted: dict[str, Any], revision: ClusterRevision, profile: Profile | None) -> bytes:
    """Returns a check as it is stored and handed to the engine, without the cluster's objects.

    Args:
        wanted: validated.
        revision: what it is held against.
        profile: whose configuration is copied.

    Raises:
        ManifestError: with all that is wrong in its texts.
    """
    from scheduler_core.checks import CheckInput, NamedText, read_check  # loads the simulator: not at start

    captured = wanted["captured_at"]
    asked = CheckInput(
        name=wanted["name"],
        manifests=tuple(NamedText(**each) for each in wanted["manifests"]),
        deletions=tuple(wanted["deletions"]),
        captured_at=rfc3339(captured) if captured else revision.captured_at,
        checked_at=rfc3339(timezone.now()),
        config=profile.config if profile else "",
        config_name=profile.name if profile else "config",
        expectations=tuple(NamedText(**each) for each in wanted["expectations"]),
        orders=wanted["orders"],
        baseline=wanted["baseline"],
        max_snapshot_age=wanted["max_snapshot_age"],
        seed=wanted["seed"],
    )
    read_check(asked)
    plain = msgspec.to_builtins(asked)
    del plain["cluster"]
    return msgspec.json.encode(plain)


def rfc3339(time: Any) -> str:
    """Returns a time as Kubernetes writes it, to the second, in UTC."""
    return str(time.astimezone(timezone.get_fixed_timezone(0)).strftime("%Y-%m-%dT%H:%M:%SZ"))
