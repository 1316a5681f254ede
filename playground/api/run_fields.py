"""The shapes of runs: what is sent, what is answered."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from playground.api.errors import FieldErrorSerializer
from playground.api.fields import KnownFields, NameText, PlainObject
from playground.api.scenarios import EditsField
from playground.models import Run
from playground.runs.repeat import repeat_command

MAX_NOTE = 2000


class ProgressSerializer(serializers.Serializer[Any]):
    """How far a run is."""

    cycles = serializers.IntegerField(required=False)
    bound = serializers.IntegerField(required=False)
    pending = serializers.IntegerField(required=False)
    t_us = serializers.IntegerField(required=False, help_text="virtual microseconds")


class SharedPartSerializer(serializers.Serializer[Any]):
    """What a fork has in common with its parent."""

    num_cycles = serializers.IntegerField(help_text="cycles that began before it")
    num_events = serializers.IntegerField(help_text="events that are the same, from the first on")
    num_edits = serializers.IntegerField(help_text="edits that are the parent's")
    t_us = serializers.IntegerField(help_text="when it begins, in virtual microseconds")


class LineSerializer(serializers.Serializer[Any]):
    """A sentence about the outcome of a run."""

    text = serializers.CharField()
    tone = serializers.ChoiceField(choices=("good", "plain", "warning", "bad"), required=False)
    pods = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="those it is about, as namespace/name"
    )
    event = serializers.CharField(required=False, help_text="the type of event in the log that tells more")


class RunSerializer(serializers.ModelSerializer[Run]):
    """A run and how far it is."""

    cluster = serializers.CharField(source="cluster_id")
    profile = serializers.CharField(source="profile_id", allow_null=True)
    scenario = serializers.CharField(source="scenario_id", allow_null=True)
    revision = serializers.CharField(source="revision.name")
    progress = ProgressSerializer()
    errors = FieldErrorSerializer(many=True)  # type: ignore[assignment]
    options = serializers.DictField()
    parent = serializers.CharField(  # type: ignore[assignment]
        source="parent_id", allow_null=True, help_text="the run it was forked from"
    )
    told = serializers.ListField(
        child=serializers.CharField(), read_only=True, help_text="its own edits as sentences"
    )
    fork = SharedPartSerializer(allow_null=True, help_text="what it shares with its parent")
    notes = serializers.ListField(
        child=serializers.CharField(), read_only=True, help_text="what the configuration sets without effect"
    )

    headline = LineSerializer(
        many=True, read_only=True, help_text="what it came to, the most important first"
    )

    class Meta:
        model = Run
        fields = [
            *(
                "id",
                "name",
                "note",
                "kept",
                "told",
                "parent",
                "fork",
                "cluster",
                "revision",
                "profile",
                "scenario",
                "options",
                "status",
                "progress",
                "last_seq",
            ),
            *(
                "num_cycles",
                "num_bound",
                "num_pending",
                "headline",
                "digest",
                "engine_version",
                "notes",
                "errors",
                "message",
            ),
            *("created_at", "started_at", "finished_at"),
        ]


class NewRunSerializer(KnownFields):
    """What to run."""

    cluster = serializers.CharField(max_length=64)
    revision = serializers.RegexField(
        r"^[0-9a-f]{1,64}$", required=False, help_text="the first digits of its name; else the newest"
    )
    profile = serializers.CharField(max_length=64, required=False, allow_null=True, default=None)
    scenario = serializers.CharField(max_length=64, required=False, allow_null=True, default=None)
    edits = EditsField(required=False, default=list)
    question = PlainObject(
        required=False, allow_null=True, default=None,
        help_text="`ask`: `continue` (place what is pending; the default), `reschedule` (with `pods`, `nodes`, "
        "`namespaces`, `selector` or `owners`), or `replan` (all from nothing)",
    )  # fmt: skip
    options = PlainObject(required=False, default=dict, help_text="overrides of SimulatorOptions")
    name = NameText(required=False, default="")


class RunChangeSerializer(KnownFields):
    """What of a run can be changed."""

    at_least_one = True
    name = NameText(required=False, allow_blank=True)
    note = serializers.CharField(
        required=False, allow_blank=True, max_length=MAX_NOTE, help_text="what people want to remember of it"
    )
    kept = serializers.BooleanField(required=False, help_text="not deleted before it is let go")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs:
            raise serializers.ValidationError("Give a `name`, a `note` or `kept`.")
        return attrs


class RunReadSerializer(RunSerializer):
    """A run with all it was asked."""

    edits = serializers.ListField(child=serializers.DictField())
    question = serializers.DictField(allow_null=True)
    config = serializers.CharField(allow_null=True, help_text="the profile's text, as it was copied")
    repeat = serializers.SerializerMethodField(help_text="lines for the shell that repeat it elsewhere")

    class Meta(RunSerializer.Meta):
        fields = [*RunSerializer.Meta.fields, "edits", "question", "config", "repeat"]

    def get_repeat(self, run: Run) -> str:
        """Returns the command that repeats the run."""
        return repeat_command(run, self.context["request"].build_absolute_uri("/").rstrip("/"))
