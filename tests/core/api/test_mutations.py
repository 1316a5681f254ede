"""Whatever is done to a manifest, what comes of it are objects or located errors, never a traceback.

A few hundred by default; `make mutations` tries ten thousand. Seeds of what once went wrong are kept here.
"""

from __future__ import annotations

import os
from random import Random

from hypothesis import example, given, settings
from hypothesis import strategies as st

from scheduler_core.api import FieldError, KubeObject, ManifestError, Source, import_report, load_manifests
from scheduler_core.api.redaction import Redaction
from tests.core.api.mutate import mutated

WITHOUT_A_MESSAGE = ("Required value", "Duplicate value", "Not found")
EXAMPLES = int(os.environ.get("MUTATIONS", "300"))


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.integers(0, 2**48))
@example(0)
def test_a_mutated_manifest_gives_objects_or_located_errors(seed: int) -> None:
    data = mutated(Random(seed))
    for strict in (False, True):
        errors, objects = read(data, strict=strict)
        assert bool(errors) != bool(objects)
        for error in errors:
            assert error.file == "m"
            assert error.line is not None, error
            assert error.message or error.type in WITHOUT_A_MESSAGE, error
            assert "\n" not in error.sentence()
        redaction = Redaction(objects)
        assert all(redaction.redacted(obj) for obj in objects)


def test_the_mutations_hit_every_kind_of_error() -> None:
    types = {error.type for seed in range(300) for error in read(mutated(Random(seed)), strict=True)[0]}
    assert types >= {
        "Decode",
        "Syntax",
        "Invalid value",
        "Required value",
        "Duplicate value",
        "Unsupported value",
    }


def read(data: bytes, *, strict: bool) -> tuple[tuple[FieldError, ...], list[KubeObject]]:
    try:
        loaded = load_manifests([Source("m", data)], strict=strict)
    except ManifestError as refusal:
        return refusal.errors, []
    import_report(loaded)
    return (), [item.object for item in loaded.objects]
