"""The only way from manifest text to objects, for the form, the API, the command line and the tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from scheduler_core.api.collect import Collector, LoadedObject
from scheduler_core.api.documents import NotText, read_documents, to_utf8
from scheduler_core.api.json_stream import BrokenStream, stream_json
from scheduler_core.api.limits import DEFAULT_LIMITS, Limits
from scheduler_core.api.located import LocatedFault, Origin, Text, place_faults
from scheduler_core.api.problems import LimitExceeded, Problem
from scheduler_core.api.progress import Progress
from scheduler_core.errors import LIMIT, REQUIRED, TOO_MANY, FieldError, ManifestError

NOTHING_FOUND = "no Kubernetes object found"


class Source(NamedTuple):
    """A text to read and what to call it.

    Args:
        name: for errors.
        text: the manifests, or the pieces of a JSON text that is too large to hold.
        api_version: of the items of a list that does not say what it holds.
        kind: of these items.
    """

    name: str
    text: str | bytes | Iterator[bytes]
    api_version: str = ""
    kind: str = ""


class Loaded(msgspec.Struct, frozen=True):
    """What came of reading.

    Args:
        objects: in the order of the input.
        errors: what was left out because it is wrong; empty unless `skip_invalid`.
        skipped: how many objects of each kind were left out because their kind is not read.
        warnings: what was taken differently from how it was written.
        scheduler_config: the KubeSchedulerConfiguration that came with the objects, as JSON, or an empty text.
        captured_at: when the objects were read from a cluster, as RFC 3339, or an empty text.
        origins: where each object stands, by its key.
    """

    objects: list[LoadedObject]
    errors: tuple[FieldError, ...]
    skipped: dict[str, int]
    warnings: tuple[str, ...]
    scheduler_config: str = ""
    captured_at: str = ""
    origins: dict[str, Origin] = {}


def load_manifests(
    sources: Iterable[Source],
    *,
    skip_invalid: bool = False,
    limits: Limits = DEFAULT_LIMITS,
    strict: bool = False,
    progress: Progress | None = None,
) -> Loaded:
    """Reads YAML or JSON texts with any number of documents and Lists into objects.

    All or nothing: anything wrong refuses the whole, with every error listed at once. A List without items is a
    cluster without objects; a text without any object or List is an error.

    Args:
        sources: the texts.
        skip_invalid: leaves out what is wrong and takes the rest.
        limits: how much is read at most.
        strict: fields that Kubernetes does not know are errors.
        progress: is told how far reading is.

    Raises:
        ManifestError: with all that is wrong, each error with its place.
    """
    texts = list(sources)
    total = sum(len(source.text) for source in texts if isinstance(source.text, str | bytes))
    if total > limits.bytes:
        message = f"{total} bytes are more than the {limits.bytes} that are read at most"
        raise ManifestError([FieldError(file=texts[0].name, type=LIMIT, message=message)])
    reading = _Reading(texts, limits, strict, progress or Progress())
    reading.read()
    errors = reading.errors()
    fatal = any(error.type == LIMIT for error in errors) or not reading.collector.objects
    if errors and (fatal or not skip_invalid):
        raise ManifestError(errors)
    collector = reading.collector
    return Loaded(
        objects=collector.objects,
        errors=errors,
        skipped=dict(sorted(collector.skipped.items())),
        warnings=collector.all_warnings(),
        scheduler_config=collector.scheduler_config,
        captured_at=collector.captured_at,
        origins=collector.origins,
    )


def decode_text(name: str, data: bytes) -> str:
    """Returns a file's bytes as text.

    Raises:
        ManifestError: they are none.
    """
    try:
        return to_utf8(data).decode()
    except NotText as error:
        fault = LocatedFault(Origin(0, error.problem.document, ()), error.problem)
        raise ManifestError(place_faults([fault], [Text(name, b"")])) from None


class _Reading:
    """One call's state."""

    def __init__(self, sources: Sequence[Source], limits: Limits, strict: bool, progress: Progress) -> None:
        self.sources = sources
        self.limits = limits
        self.progress = progress
        self.collector = Collector(limits, strict=strict, progress=progress)
        self.texts: list[Text] = []

    def read(self) -> None:
        """Reads every source as far as it goes."""
        self.texts = [Text(source.name, b"") for source in self.sources]
        for index, source in enumerate(self.sources):
            if not isinstance(source.text, str | bytes):
                if not self._read_stream(index, source.text):
                    return
                continue
            try:
                self.texts[index] = Text(source.name, to_utf8(source.text))
            except NotText as error:
                self._text_fault(index, error.problem)
                continue
            try:
                self._read_source(index)
            except LimitExceeded as error:
                self._text_fault(index, error.problem)
                return
            self.progress.finish(len(source.text))
        collector = self.collector
        if self.sources and not (collector.objects or collector.faults or collector.has_empty_list):
            self._text_fault(0, Problem(REQUIRED, self._nothing_found(), 0, 1, 1))

    def _read_source(self, index: int) -> None:
        found = False
        self.collector.item_type = self.sources[index][2:]
        for document in read_documents(self.texts[index].data, self.limits, self.progress):
            found = found or document.value is not None or bool(document.problems)
            self.collector.add(index, document)
        if not found:
            self._text_fault(index, Problem(REQUIRED, NOTHING_FOUND, 0, 1, 1))

    def _read_stream(self, index: int, chunks: Iterator[bytes]) -> bool:
        """Reads a large source; of its text only what holds a fault is kept. Returns whether to go on."""
        collector = self.collector
        try:
            for streamed in stream_json(chunks, self.limits):
                known = len(collector.faults)
                collector.add_streamed(index, streamed)
                if len(collector.faults) > known:
                    self.texts.append(Text(self.sources[index].name, streamed.text, streamed.line))
                    collector.move_faults(known, len(self.texts) - 1)
        except BrokenStream as error:
            self._text_fault(index, error.problem)
        except LimitExceeded as error:
            self._text_fault(index, error.problem)
            return False
        return True

    def _nothing_found(self) -> str:
        skipped = self.collector.skipped
        if not skipped:
            return NOTHING_FOUND
        kinds = ", ".join(f"{kind} ({count})" for kind, count in sorted(skipped.items()))
        return f"{NOTHING_FOUND} of a kind that scheduling reads; passed over: {kinds}"

    def errors(self) -> tuple[FieldError, ...]:
        """Returns everything wrong, and how much more there is when it is too much to list."""
        errors = place_faults(self.collector.faults, self.texts)
        unlisted = self.collector.unlisted
        if unlisted:
            more = FieldError(
                file=errors[-1].file, type=TOO_MANY, message=f"{unlisted} more errors are not listed"
            )
            errors = (*errors, more)
        return errors

    def _text_fault(self, index: int, problem: Problem) -> None:
        self.collector.faults.append(LocatedFault(Origin(index, problem.document, ()), problem))
