"""Expectations from text: every fault at once, each with file, line and field."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec
from msgspec import inspect

from scheduler_core.api.decode import convert, describe
from scheduler_core.api.documents import NotText, read_documents, to_utf8
from scheduler_core.api.explain import Fault, explain, unknown_fields
from scheduler_core.api.field_path import FieldPath, format_path
from scheduler_core.api.limits import DEFAULT_LIMITS
from scheduler_core.api.located import LocatedFault, Origin, Text, place_faults
from scheduler_core.api.manifest import Source
from scheduler_core.api.positions import locate
from scheduler_core.api.problems import LimitExceeded, Problem
from scheduler_core.checks.expectation_rules import faults_of
from scheduler_core.checks.expectations import (
    API_VERSION,
    DEFAULT,
    KIND,
    Expectation,
    Expectations,
    ExpectationsDocument,
    Expected,
    Place,
)
from scheduler_core.errors import DECODE, NOT_SUPPORTED, ManifestError

_NANOS: Final = 1_000_000_000
_MARK: Final = KIND.encode()


def load_expectations(sources: Iterable[Source], *, among_manifests: bool = False) -> Expectations:
    """Reads documents of kind Expectations; several are taken together.

    Args:
        sources: the texts.
        among_manifests: other documents are passed over instead of refused.

    Raises:
        ManifestError: with all that is wrong.
    """
    reading = _Reading(among_manifests)
    for source in sources:
        reading.read(source)
    if reading.faults:
        raise ManifestError(place_faults(reading.faults, reading.texts))
    return reading.result()


class _Reading:
    """One call's state."""

    def __init__(self, among_manifests: bool) -> None:
        self.among_manifests = among_manifests
        self.texts: list[Text] = []
        self.faults: list[LocatedFault] = []
        self.documents: list[tuple[Origin, ExpectationsDocument]] = []

    def read(self, source: Source) -> None:
        """Reads one source as far as it goes."""
        if not isinstance(source.text, str | bytes):
            return  # a dump that is too large to hold
        if self.among_manifests and not _may_hold_expectations(source.text):
            return
        index = len(self.texts)
        self.texts.append(Text(source.name, b""))
        try:
            data = to_utf8(source.text)
            self.texts[index] = Text(source.name, data)
            for document in read_documents(data, DEFAULT_LIMITS):
                for problem in document.problems:
                    self._problem(index, problem)
                value = document.value if document.items is None else {"kind": "List"}
                if value is not None:
                    self._take(value, Origin(index, document.number, ()))
        except NotText as error:
            self._problem(index, error.problem)
        except LimitExceeded as error:
            self._problem(index, error.problem)

    def _problem(self, index: int, problem: Problem) -> None:
        if not self.among_manifests:  # else whoever reads the manifests tells it
            self.faults.append(LocatedFault(Origin(index, problem.document, ()), problem))

    def _take(self, value: Any, origin: Origin) -> None:
        kind = value.get("kind") if isinstance(value, dict) else None
        if kind != KIND or not isinstance(value, dict):
            if not self.among_manifests:
                self._fault(origin, _not_expectations(value))
            return
        if value.get("apiVersion") != API_VERSION:
            message = f'supported values: "{API_VERSION}"'
            self._fault(origin, Fault(("apiVersion",), value.get("apiVersion", ""), NOT_SUPPORTED, message))
            return
        faults = [*explain(value, ExpectationsDocument), *_unknown(value)]
        if not faults:
            try:
                document = convert(value, ExpectationsDocument)
            except msgspec.ValidationError as error:
                faults = [Fault((), "", DECODE, str(error))]
            else:
                faults = list(faults_of(document))
                self.documents.append((origin, document))
        for fault in faults:
            self._fault(origin, fault)

    def _fault(self, origin: Origin, fault: Fault) -> None:
        self.faults.append(LocatedFault(origin, fault, KIND))

    def result(self) -> Expectations:
        """Returns all documents as one."""
        specs = [document.spec for _, document in self.documents]
        ages = [spec.max_snapshot_age for spec in specs if spec.max_snapshot_age is not None]
        items = tuple(self._items())
        return Expectations(
            items or DEFAULT.items,
            orders=max([spec.orders for spec in specs if spec.orders is not None], default=1),
            baseline=any(spec.baseline for spec in specs),
            max_snapshot_age_seconds=min(ages) / _NANOS if ages else None,
        )

    def _items(self) -> Iterator[Expected]:
        several = len(self.documents) > 1
        for number, (origin, document) in enumerate(self.documents, start=1):
            items = document.spec.expectations
            paths: dict[FieldPath, Expectation] = {
                ("spec", "expectations", index): item for index, item in enumerate(items)
            }
            text = self.texts[origin.source]
            places = locate(text.data, {origin.document: paths})
            for path, item in paths.items():
                (type_,) = item.given()
                place = places.get((origin.document, path))
                name = f"{type_}[{path[-1]}]"
                yield Expected(
                    id=f"{number}.{name}" if several else name,
                    type=type_,
                    name=item.name,
                    expectation=_only(item),
                    place=Place(text.name, *place) if place else None,
                )


def _may_hold_expectations(text: str | bytes) -> bool:
    return _MARK in text if isinstance(text, bytes) else KIND in text


def _only(item: Expectation) -> Any:
    return next(
        value
        for name in item.__struct_fields__
        if name != "name" and (value := getattr(item, name)) is not None
    )


def _not_expectations(value: Any) -> Fault:
    if not isinstance(value, dict):
        return Fault((), value, DECODE, f"expected an object of kind {KIND}, got {describe(value)}")
    message = f"expected apiVersion {API_VERSION}, kind {KIND}; manifests belong to -f"
    return Fault(("kind",), value.get("kind", ""), DECODE, message)


def _unknown(value: dict[str, Any]) -> Iterator[Fault]:
    """Yields the fields that are not known, each with those that could be meant."""
    for path in unknown_fields(value, ExpectationsDocument):
        known = _known_at(path[:-1])
        near = difflib.get_close_matches(str(path[-1]), known, n=1)
        hint = f', did you mean "{near[0]}"?' if near else f"; known here: {', '.join(known)}"
        yield Fault(path, path[-1], DECODE, f'unknown field "{format_path(path)}"{hint}')


def _known_at(path: Sequence[str | int]) -> list[str]:
    info: Any = inspect.type_info(ExpectationsDocument)
    for part in path:
        if isinstance(info, inspect.UnionType):
            info = next(member for member in info.types if not isinstance(member, inspect.NoneType))
        if isinstance(part, int):
            info = info.item_type
        else:
            info = next(field.type for field in info.fields if field.encode_name == part)
    if isinstance(info, inspect.UnionType):
        info = next(member for member in info.types if not isinstance(member, inspect.NoneType))
    return [field.encode_name for field in info.fields]
