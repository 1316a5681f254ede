"""Reads texts as the tests need it: from sources with fixed names, for their objects or their errors."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.api import FieldError, Loaded, ManifestError, Source, load_manifests

NODE = "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n"
POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\n"


def load(*texts: str | bytes, **options: Any) -> Loaded:
    names = ["dump.yaml", "second.yaml", "third.yaml"]
    return load_manifests([Source(name, text) for name, text in zip(names, texts, strict=False)], **options)


def refused(*texts: str | bytes, **options: Any) -> tuple[FieldError, ...]:
    with pytest.raises(ManifestError) as caught:
        load(*texts, **options)
    return caught.value.errors


def keys(loaded: Loaded) -> list[str]:
    return [obj.key for obj in loaded.objects]
