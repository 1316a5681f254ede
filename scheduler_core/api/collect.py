"""The objects of many documents: Lists taken apart, objects read, everything wrong noted with its place."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import msgspec

from scheduler_core.api.canonical import canonical
from scheduler_core.api.decode import convert_object, describe
from scheduler_core.api.explain import Fault, explain, unknown_field, unknown_fields
from scheduler_core.api.field_path import FieldPath, without
from scheduler_core.api.foreign import (
    SIMULATOR_CONFIG,
    SIMULATOR_LISTS,
    SNAPSHOT,
    captured_at,
    is_simulator_export,
    read_old_version,
)
from scheduler_core.api.json_stream import StreamedItem
from scheduler_core.api.kinds import KindInfo, KubeObject, Untyped, find_kind, is_served, object_key
from scheduler_core.api.limits import MAX_PROBLEMS, Limits
from scheduler_core.api.located import LocatedFault, Origin
from scheduler_core.api.problems import Document, LimitExceeded
from scheduler_core.api.progress import Progress
from scheduler_core.api.scrubbing import scrub
from scheduler_core.api.unknown import UnknownFields
from scheduler_core.api.validation import validate, validate_import
from scheduler_core.errors import DECODE, DUPLICATE, REQUIRED

DEFAULT_NAMESPACE = "default"
_LIST = "List"
_ITEMS = "items"
_MAX_PREFIX = 58  # Of a generateName; what is longer is cut, so that the name can be a label.
_SUFFIX_LETTERS = "bcdfghjklmnpqrstvwxz2456789"


class LoadedObject(msgspec.Struct, frozen=True, gc=False):
    """One object that was read.

    Args:
        kind: its kind.
        namespace: its namespace, "default" where none is given, empty for kinds that live in none.
        name: its name.
        object: the typed object as it was written, without defaults.
        canonical: the scrubbed object as canonical JSON.
    """

    kind: str
    namespace: str
    name: str
    object: KubeObject
    canonical: bytes

    @property
    def key(self) -> str:
        """The object's name in its cluster: "Pod/default/web"."""
        return object_key(self.kind, self.namespace, self.name)

    @property
    def raw(self) -> dict[str, Any]:
        """The scrubbed object as plain values, made anew at each call."""
        result: dict[str, Any] = msgspec.json.decode(self.canonical)
        return result


class Collector:
    """Takes documents, keeps objects and faults."""

    def __init__(self, limits: Limits, *, strict: bool = False, progress: Progress | None = None) -> None:
        self.limits = limits
        self.progress = progress or Progress()
        self.strict = strict
        self.objects: list[LoadedObject] = []
        self.faults: list[LocatedFault] = []
        self.unlisted = 0
        self.skipped: Counter[str] = Counter()
        self.warnings: list[str] = []
        self.seen = 0
        self.has_empty_list = False
        self.item_type = ("", "")
        self.scheduler_config = ""
        self.captured_at = ""
        self._unknown = UnknownFields()
        self.origins: dict[str, Origin] = {}

    def add(self, source: int, document: Document) -> None:
        """Reads a document of a source; an empty one is passed over.

        Raises:
            LimitExceeded: when there are too many objects.
        """
        origin = Origin(source, document.number, ())
        for problem in document.problems:
            self.note(LocatedFault(origin, problem))
        value = document.value
        if document.items is not None:
            value = {**value, _ITEMS: self._without_faulty(origin, document.items)}
        if value is not None:
            self._add_value(value, origin, {})

    def add_streamed(self, source: int, streamed: StreamedItem) -> None:
        """Reads one object of a stream; places are told from where its text begins.

        Raises:
            LimitExceeded: when there are too many objects.
        """
        origin = Origin(source, streamed.document, ())
        for problem in streamed.item.problems:
            self.note(LocatedFault(origin, problem))
        value = streamed.item.value
        if value is None:
            return
        kind = str((streamed.header or {}).get("kind", "")).removesuffix(_LIST)
        inherited = (
            {"kind": kind, "apiVersion": streamed.header["apiVersion"]} if kind and streamed.header else {}
        )
        self._add_value(value, origin, inherited)

    def move_faults(self, first: int, text: int) -> None:
        """Has the faults from the given one on belong to another text, as its first document."""
        self.faults[first:] = [
            fault._replace(origin=fault.origin._replace(source=text, document=1))
            for fault in self.faults[first:]
        ]

    def all_warnings(self) -> tuple[str, ...]:
        """Returns what was taken differently from how it was written."""
        return (*self.warnings, *self._unknown.warnings())

    def note(self, fault: LocatedFault) -> None:
        """Keeps a fault, or counts it when enough are kept."""
        if len(self.faults) < self.limits.errors:
            self.faults.append(fault)
        else:
            self.unlisted += 1

    def _without_faulty(self, origin: Origin, items: Iterable[Any]) -> Iterator[Any]:
        for index, item in enumerate(items):
            place = origin._replace(path=(_ITEMS, index))
            for problem in item.problems:
                self.note(LocatedFault(place, problem))
            yield item.value

    def _add_value(self, value: Any, origin: Origin, inherited: dict[str, str]) -> None:
        self.seen += 1
        self.progress.objects = self.seen
        if self.seen > self.limits.objects:
            raise LimitExceeded(f"more than {self.limits.objects} objects", origin.document)
        if not isinstance(value, dict):
            self._fault(
                origin, Fault((), value, DECODE, f"expected a Kubernetes object, got {describe(value)}")
            )
            return
        value = {**inherited, **value}
        kind, api_version = value.get("kind", ""), value.get("apiVersion", "")
        if isinstance(kind, str) and kind in (SNAPSHOT, _LIST):
            self.captured_at = captured_at(value) or self.captured_at
            if kind == SNAPSHOT:
                return
        items = value.get(_ITEMS)
        has_items = isinstance(items, list | Iterator)
        if isinstance(kind, str) and kind.endswith(_LIST) and items is not None:
            if has_items:
                self._add_list(kind, api_version, items, origin)
            else:
                message = f"expected a list, got {describe(items)}"
                self._fault(origin, Fault((_ITEMS,), items, DECODE, message))
            return
        if has_items:
            value[_ITEMS] = list(items)
            if not kind and (self.item_type[1] or _has_kinds(value[_ITEMS])):
                self._add_list(self.item_type[1], self.item_type[0], value[_ITEMS], origin)
                return
        if not kind and not api_version and is_simulator_export(value):
            self._add_simulator_export(value, origin)
            return
        if not self._has_type(value, kind, api_version, origin):
            return
        if _is_list(kind, api_version):
            self.has_empty_list = True
        else:
            self._add_object(value, kind, api_version, origin)

    def _add_list(self, kind: str, api_version: Any, items: Iterable[Any], origin: Origin) -> None:
        """Reads the items of a list; those of a list of one kind may leave their kind out."""
        self.seen -= 1  # Its items count.
        element = kind.removesuffix(_LIST)
        inherited = {"kind": element, "apiVersion": api_version} if element else {}
        is_empty = True
        for index, item in enumerate(items):
            if item is not None:
                is_empty = False
                self._add_value(item, origin._replace(path=(*origin.path, _ITEMS, index)), inherited)
        self.has_empty_list = self.has_empty_list or (is_empty and _is_list(kind or _LIST, api_version))

    def _add_simulator_export(self, value: dict[str, Any], origin: Origin) -> None:
        """Reads the lists of an export of kube-scheduler-simulator, whose items do not say what they are."""
        for field, (api_version, kind) in SIMULATOR_LISTS.items():
            inherited = {"kind": kind, "apiVersion": api_version}
            for index, item in enumerate(value.get(field, ())):
                self._add_value(item, origin._replace(path=(*origin.path, field, index)), inherited)
        self.has_empty_list = self.has_empty_list or not any(value.get(field) for field in SIMULATOR_LISTS)
        if isinstance(value.get(SIMULATOR_CONFIG), dict):
            self.scheduler_config = canonical(value[SIMULATOR_CONFIG]).decode()

    def _has_type(self, value: dict[str, Any], kind: Any, api_version: Any, origin: Origin) -> bool:
        for name, given, words in (("kind", kind, "Kind"), ("apiVersion", api_version, "apiVersion")):
            if not isinstance(given, str):
                self._fault(
                    origin, Fault((name,), given, DECODE, f"expected a string, got {describe(given)}")
                )
                return False
            if not given:
                self._fault(
                    origin, Fault((name,), "", REQUIRED, f"Object '{words}' is missing"), _label(value, "")
                )
                return False
        if kind == "Status":
            message = value.get("message", "no object")
            self._fault(
                origin, Fault(("kind",), kind, DECODE, f"a Status is an answer, not an object: {message}")
            )
            return False
        return True

    def _add_object(self, value: dict[str, Any], kind: str, api_version: str, origin: Origin) -> None:
        info = find_kind(api_version, kind)
        if info is None:
            self.skipped[kind] += 1
            return
        if not is_served(info, api_version):
            message = f'no kind "{kind}" is registered for version "{api_version}"'
            self._fault(
                origin, Fault(("apiVersion",), api_version, DECODE, message), _label(value, info.kind)
            )
            return
        scrub(value)
        if note := read_old_version(value):
            self.warnings.append(f"{_label(value, kind)}: {note}")
        faults, typed = self._read(value, info)
        if typed is None or faults:
            for fault in faults:
                label = _label(value, kind)
                self._fault(origin, fault, label, _container(value, fault.path))
            return
        self._keep(value, info, typed, origin)

    def _read(self, value: dict[str, Any], info: KindInfo) -> tuple[list[Fault], KubeObject | None]:
        try:
            typed = convert_object(value, info.type)
        except msgspec.ValidationError as error:
            faults = list(islice(explain(value, info.type), MAX_PROBLEMS))
            faults.extend(self._read_rest(value, info, [fault.path for fault in faults]))
            return faults or [Fault((), "", DECODE, str(error))], None
        faults = self._rules(typed, value)
        if self.strict and info.type is not Untyped:
            for path in islice(unknown_fields(value, info.type), MAX_PROBLEMS):
                faults.append(unknown_field(path))
        elif not self.strict:
            self._unknown.look(value, info.kind, info.type, _label(value, info.kind))
        return faults, typed

    def _read_rest(self, value: dict[str, Any], info: KindInfo, wrong: list[FieldPath]) -> list[Fault]:
        """Judges an object without the fields that could not be read, so that nothing waits for their repair."""
        rest = without(value, wrong)
        try:
            typed = convert_object(rest, info.type)
        except msgspec.ValidationError:
            return []
        faults = self._rules(typed, rest)
        return [fault for fault in faults if not any(fault.path[: len(path)] == path for path in wrong)]

    def _rules(self, typed: KubeObject, value: dict[str, Any]) -> list[Fault]:
        rules = validate(typed, value) if self.strict else validate_import(typed)
        return list(islice(rules, MAX_PROBLEMS))

    def _keep(self, value: dict[str, Any], info: KindInfo, typed: KubeObject, origin: Origin) -> None:
        name = typed.metadata.name
        if not name:
            name = _generated_name(typed.metadata.generate_name, value, self.seen)
            value["metadata"] = {**value["metadata"], "name": name}
            typed = convert_object(value, info.type)
            self.warnings.append(f"{info.kind} with generateName is called {name!r} here")
        namespace = (typed.metadata.namespace or DEFAULT_NAMESPACE) if info.namespaced else ""
        key = object_key(info.kind, namespace, name)
        first = self.origins.setdefault(key, origin)
        if first is not origin:
            fault = Fault(("metadata", "name"), name, DUPLICATE, "")
            self.note(LocatedFault(origin, fault, _label(value, info.kind), "", first))
            return
        self.objects.append(LoadedObject(info.kind, namespace, name, typed, canonical(value)))

    def _fault(self, origin: Origin, fault: Fault, label: str = "", container: str = "") -> None:
        self.note(LocatedFault(origin, fault, label, container))


def _has_kinds(items: list[Any]) -> bool:
    """Returns whether every item of a list without a kind says its own."""
    return bool(items) and all(isinstance(item, dict) and "kind" in item for item in items)


def _is_list(kind: str, api_version: str) -> bool:
    """Returns whether an object without items is a List that has none."""
    element = kind.removesuffix(_LIST)
    return kind == _LIST or (element != kind and find_kind(api_version, element) is not None)


def _label(value: dict[str, Any], kind: str) -> str:
    metadata = value.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    parts = [metadata.get("namespace"), metadata.get("name") or metadata.get("generateName")]
    name = "/".join(part for part in parts if isinstance(part, str) and part)
    return f"{kind} {name}".strip()


def _container(value: dict[str, Any], path: FieldPath) -> str:
    """Returns the name of the container a path leads into, if any."""
    holder: Any = value
    for part in path:
        if isinstance(part, int) and isinstance(holder, list) and part < len(holder):
            holder = holder[part]
            if isinstance(holder, dict) and "image" in holder and isinstance(holder.get("name"), str):
                return str(holder["name"])
        else:
            holder = holder.get(part) if isinstance(holder, dict) else None
    return ""


def _generated_name(prefix: str, value: dict[str, Any], number: int) -> str:
    digest = hashlib.sha256(canonical(value) + str(number).encode()).digest()
    return prefix[:_MAX_PREFIX] + "".join(_SUFFIX_LETTERS[byte % len(_SUFFIX_LETTERS)] for byte in digest[:5])
