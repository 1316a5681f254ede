"""Uploads → rows: unpacked, read, judged and, where wanted, under other names."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Any, Final, NamedTuple

import msgspec
import yaml

from engine.imports.rows import ObjectRow, Summary, rows_of
from engine.sources import read_uploads
from scheduler_core.api import (
    DEFAULT_LIMITS,
    Limits,
    Loaded,
    LoadedObject,
    ManifestError,
    Progress,
    Redaction,
    Source,
    canonical,
    decode_object,
    load_manifests,
)
from scheduler_core.config import load_config

REDACTED_NAME: Final = "Redacted cluster"
LEFT_OUT: Final = "left out for they are wrong, and not listed for the names in them: {}"
PASTED_NAME: Final = "Pasted cluster"
_CONFIG_NAME: Final = "the configuration that came with it"


class ImportOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How to import.

    Args:
        skip_invalid: leaves out what is wrong and takes the rest.
        redact: gives everything other names, so that it does not tell whose cluster it is.
        limits: how much is read at most.
    """

    skip_invalid: bool = False
    redact: bool = False
    limits: Limits = DEFAULT_LIMITS


class Imported(NamedTuple):
    """A cluster ready to be stored: a name for it, its rows, and what is to be told of it."""

    name: str
    rows: list[ObjectRow]
    summary: Summary


class Stage:
    """What is being done and how far it is; written by the reader, looked at by whoever tells it."""

    def __init__(self) -> None:
        self.text = "Unpacking"
        self.total: int | None = None
        self.done = 0
        self.unit = ""
        self.progress: Progress | None = None

    def begin(self, text: str, total: int | None, unit: str) -> None:
        """Goes on to the next thing."""
        self.text, self.done, self.total, self.unit = text, 0, total, unit

    def as_progress(self) -> dict[str, Any]:
        """Returns the stage as jobs tell it."""
        text, done = self.text, self.done
        if self.progress is not None and self.unit == "bytes":
            done = self.progress.bytes
            if self.progress.objects > 1:
                text = f"{text}: {self.progress.objects:,} objects"
        total = self.total
        return {"text": text, "done": min(done, total) if total else done, "total": total, "unit": self.unit}


def read_cluster(
    files: Iterable[tuple[str, bytes]], options: ImportOptions, stage: Stage | None = None
) -> Imported:
    """Reads the manifests in files, archives and support bundles.

    Args:
        files: names and contents.
        options: how.
        stage: is kept up to date with how far it is.

    Raises:
        ManifestError: with all that is wrong.
    """
    stage = stage or Stage()
    named = list(files)
    sources = read_uploads(named, max_bytes=options.limits.bytes)
    loaded = _load(sources, options, stage)
    loaded, notes = _with_good_config(loaded)
    if options.redact:
        stage.begin("Renaming", None, "")
        loaded = redact(loaded)
    stage.begin("Preparing", len(loaded.objects), "objects")

    def tell(number: int) -> None:
        stage.done = number

    rows, summary = rows_of(loaded, tell)
    summary.warnings = [*notes, *summary.warnings]
    summary.is_redacted = options.redact
    name = REDACTED_NAME if options.redact else name_of([name for name, _ in named])
    return Imported(name, rows, summary)


def _load(sources: list[Source], options: ImportOptions, stage: Stage) -> Loaded:
    stage.progress = Progress()
    size = sum(len(source.text) for source in sources if isinstance(source.text, str | bytes))
    stage.begin("Reading", size, "bytes")
    return load_manifests(
        sources, skip_invalid=options.skip_invalid, limits=options.limits, progress=stage.progress
    )


def _with_good_config(loaded: Loaded) -> tuple[Loaded, list[str]]:
    """Drops a configuration that no scheduler would start with, and says why."""
    if not loaded.scheduler_config:
        return loaded, []
    try:
        load_config(loaded.scheduler_config, _CONFIG_NAME)
    except ManifestError as wrong:
        notes = [f"{_CONFIG_NAME} is not taken: {error.words()}" for error in wrong.errors[:3]]
        return msgspec.structs.replace(loaded, scheduler_config=""), notes
    return loaded, []


def redact(loaded: Loaded) -> Loaded:
    """Returns a cluster under other names; what would tell the old ones is left out.

    Objects of dynamic resource allocation hold expressions that cannot be renamed: they are counted as skipped.
    Errors are counted, not listed.
    """
    objects = [item.object for item in loaded.objects]
    keep = _texts(yaml.safe_load(loaded.scheduler_config)) if loaded.scheduler_config else ()
    redaction = Redaction(objects, keep=keep)
    kept: list[LoadedObject] = []
    skipped = dict(loaded.skipped)
    for item in loaded.objects:
        raw = redaction.redacted(item.object)
        if raw is None:
            skipped[item.kind] = skipped.get(item.kind, 0) + 1
            continue
        typed = decode_object(raw)
        metadata = typed.metadata
        namespace = (metadata.namespace or "default") if item.namespace else ""
        kept.append(LoadedObject(item.kind, namespace, metadata.name, typed, canonical(raw)))
    warnings = (LEFT_OUT.format(len(loaded.errors)),) if loaded.errors else ()
    return msgspec.structs.replace(loaded, objects=kept, errors=(), skipped=skipped, warnings=warnings)


def _texts(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _texts(key)
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def name_of(files: list[str]) -> str:
    """Returns a name for a cluster that was given none.

    Args:
        files: what it is made from.
    """
    folders = {PurePosixPath(name).parts[0] for name in files if len(PurePosixPath(name).parts) > 1}
    if len(files) > 1 and len(folders) == 1 and all("/" in name for name in files):
        return folders.pop()[:180]
    stems = [_stem(name) for name in files if name]
    if not stems:
        return PASTED_NAME
    more = f" and {len(stems) - 1} more" if len(stems) > 1 else ""
    return stems[0][:180] + more


def _stem(name: str) -> str:
    path = PurePosixPath(name.replace("\\", "/"))
    return path.name.removesuffix(path.suffix).removesuffix(".tar") or path.name
