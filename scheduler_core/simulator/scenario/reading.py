"""From the text of a scenario, or from plain edits, to typed ones; all that is wrong is listed with its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec

from scheduler_core.api.decode import convert, describe, without_nulls
from scheduler_core.api.documents import NotText, read_documents, to_utf8
from scheduler_core.api.explain import Fault, explain, unknown_field, unknown_fields
from scheduler_core.api.field_path import format_path
from scheduler_core.api.limits import Limits
from scheduler_core.api.located import LocatedFault, Origin, Text, place_faults, text_of
from scheduler_core.api.meta import KubeStruct, ObjectMeta
from scheduler_core.api.problems import LimitExceeded
from scheduler_core.api.quantity import Quantity
from scheduler_core.config.duration import Duration
from scheduler_core.errors import DECODE, INVALID, LIMIT, NOT_SUPPORTED, REQUIRED, FieldError, ManifestError
from scheduler_core.simulator.questions import QUESTIONS, Question
from scheduler_core.simulator.scenario.checks import check_edit
from scheduler_core.simulator.scenario.cluster_checks import check_against
from scheduler_core.simulator.scenario.edits import EDITS, AnyEdit

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scheduler_core.api.field_path import FieldPath
    from scheduler_core.api.kinds import KubeObject

LIMITS: Final = Limits(bytes=64 * 2**20)
MAX_EDITS: Final = 100_000
API_VERSION: Final = "playground/v1"
KIND: Final = "Scenario"

_S = TypeVar("_S", bound=KubeStruct)


class _Written(KubeStruct, frozen=True, kw_only=True):
    """A scenario as it is written; edits are read one by one."""

    other_fields = frozenset()

    api_version: str = API_VERSION
    kind: str = KIND
    metadata: ObjectMeta = ObjectMeta()
    question: dict[str, Any] = {}
    horizon: Duration | None = None
    controllers: str | tuple[str, ...] | None = None
    edits: tuple[dict[str, Any], ...] = ()


class Scenario(msgspec.Struct, frozen=True, kw_only=True):
    """Edits as they are written, the question they come with, and what a run is to be otherwise.

    ``horizon_us``, ``controllers`` and ``epoch_us`` (the wall clock at t = 0, microseconds since 1970) are None where
    the scenario leaves them to the run's options.
    """

    name: str = ""
    edits: tuple[AnyEdit, ...] = ()
    question: Question = Question()
    horizon_us: int | None = None
    controllers: Any = None
    epoch_us: int | None = None


def read_scenario(
    text: str | bytes, file: str = "scenario", *, objects: Iterable[KubeObject] | None = None
) -> Scenario:
    """Reads a scenario as YAML or JSON.

    Args:
        text: one document.
        file: what to call it.
        objects: the cluster it is for; what an edit names has to be there, or to be made by an edit before it.

    Raises:
        ManifestError: with all that is wrong, each error with its place.
    """
    if len(text) > LIMITS.bytes:
        message = f"{len(text)} bytes are more than the {LIMITS.bytes} that are read at most"
        raise ManifestError([FieldError(file=file, type=LIMIT, message=message)])
    data, faults = b"", []
    value, number = None, 1
    try:
        data = to_utf8(text)
        for document in read_documents(data, LIMITS, keep_nulls=True):
            faults += [LocatedFault(Origin(0, document.number, ()), it) for it in document.problems]
            if document.value is None:
                continue
            if value is not None:
                wrong = Fault((), "", DECODE, "expected one document, here is another")
                faults.append(LocatedFault(Origin(0, document.number, ()), wrong))
                break
            value, number = document.value, document.number
            if document.items is not None:
                value = {**value, "items": list(document.items)}
    except (NotText, LimitExceeded) as error:
        faults.append(LocatedFault(Origin(0, error.problem.document, ()), error.problem))
    if not faults:
        reader = _Reader()
        scenario = reader.read(value, objects)
        if scenario is not None:
            return scenario
        faults = [LocatedFault(Origin(0, number, ()), fault) for fault in reader.faults]
    raise ManifestError(place_faults(faults, [Text(file, data)]))


def read_edits(raw: Sequence[Any], *, objects: Iterable[KubeObject] | None = None) -> tuple[AnyEdit, ...]:
    """Reads edits that are plain JSON values.

    Raises:
        ManifestError: with all that is wrong; fields are such as ``edits[2].replicas``.
    """
    reader = _Reader()
    edits = reader.read_edits(raw, objects)
    if reader.faults:
        raise ManifestError(field_errors(reader.faults))
    return edits


def edit_schema() -> dict[str, Any]:
    """Returns the JSON Schema (2020-12) of an edit, for OpenAPI: ``anyOf`` the kinds, which are in ``$defs``."""
    return msgspec.json.schema(AnyEdit, schema_hook=_schema_of)


def _schema_of(type_: Any) -> dict[str, Any]:
    if issubclass(type_, Duration):
        return {"type": "string", "examples": ["1m30s"], "description": "A duration as Go writes it."}
    if issubclass(type_, Quantity):
        return {"type": "string", "examples": ["500m", "1Gi"], "description": "A quantity."}
    raise NotImplementedError(type_)


def read_question(raw: Any | None) -> Question:
    """Reads a question that is a plain JSON value; none at all is to continue.

    Raises:
        ManifestError: with all that is wrong; fields are such as ``question.ask``.
    """
    reader = _Reader()
    question = reader.read_question({} if raw is None else raw)
    if question is None:
        raise ManifestError(field_errors(reader.faults))
    return question


def field_errors(faults: Iterable[Fault]) -> list[FieldError]:
    """Returns faults of plain values, for which there is no text to point at, as errors."""
    return [
        FieldError(
            field=fault.field or format_path(fault.path),
            value=text_of(fault.value),
            type=fault.type,
            message=fault.message,
            quoted=isinstance(fault.value, str),
        )
        for fault in faults
    ]


class _Reader:
    """One call's state: what is wrong."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def read(self, value: Any, objects: Iterable[KubeObject] | None) -> Scenario | None:
        """Returns the scenario, or None where something is wrong."""
        if not isinstance(value, dict):
            found = "nothing" if value is None else describe(value)
            self.faults.append(Fault((), "", DECODE, f"expected a {KIND}, got {found}"))
            return None
        edits = value.get("edits")
        value = without_nulls(value)
        if isinstance(edits, list):
            value["edits"] = [_but_for_patches(edit) for edit in edits if edit is not None]
        if value.get("kind") != KIND:
            self.faults.append(
                Fault(("kind",), str(value.get("kind", "")), NOT_SUPPORTED, f'supported values: "{KIND}"')
            )
            return None
        written = self._decode(value, _Written, ())
        if written is None:
            return None
        if written.api_version != API_VERSION:
            message = f'supported values: "{API_VERSION}"'
            self.faults.append(Fault(("apiVersion",), written.api_version, NOT_SUPPORTED, message))
        controllers = written.controllers
        if isinstance(controllers, str) and controllers not in ("all", "off"):
            message = 'supported values: "all", "off", or a list of names'
            self.faults.append(Fault(("controllers",), controllers, NOT_SUPPORTED, message))
        if written.horizon is not None and written.horizon <= 0:
            message = "must be greater than zero"
            self.faults.append(Fault(("horizon",), str(written.horizon), INVALID, message))
        edits = self.read_edits(written.edits, objects)
        question = self.read_question(written.question)
        if self.faults or question is None:
            return None
        return Scenario(
            name=written.metadata.name,
            edits=edits,
            question=question,
            horizon_us=None if written.horizon is None else int(written.horizon) // 1000,
            controllers=controllers,
        )

    def read_question(self, value: Any) -> Question | None:
        """Returns the question, or None where something is wrong."""
        if not isinstance(value, dict):
            self.faults.append(Fault(("question",), "", DECODE, f"expected an object, got {describe(value)}"))
            return None
        asked = value.get("ask", "continue")
        if asked not in QUESTIONS:
            supported = ", ".join(f'"{word}"' for word in QUESTIONS)
            message = f"supported values: {supported}"
            self.faults.append(Fault(("question", "ask"), str(asked), NOT_SUPPORTED, message))
            return None
        return self._decode(without_nulls(value), Question, ("question",))

    def read_edits(self, raw: Sequence[Any], objects: Iterable[KubeObject] | None) -> tuple[AnyEdit, ...]:
        """Returns the edits as they are written; those of one time are done in that order."""
        if len(raw) > MAX_EDITS:
            message = f"{len(raw)} edits are more than the {MAX_EDITS} that a scenario has at most"
            self.faults.append(Fault(("edits",), "", LIMIT, message))
            return ()
        numbered: list[tuple[int, AnyEdit]] = []
        for index, value in enumerate(raw):
            edit = self._edit(_but_for_patches(value), ("edits", index))
            if edit is not None:
                numbered.append((index, edit))
        if objects is not None and not self.faults:
            in_time = sorted(numbered, key=lambda pair: pair[1].at_us)
            for index, fault in check_against(in_time, objects):
                self.faults.append(fault._replace(path=("edits", index, *fault.path)))
        return tuple(edit for _, edit in numbered)

    def _edit(self, value: Any, path: FieldPath) -> AnyEdit | None:
        if not isinstance(value, dict):
            self.faults.append(Fault(path, "", DECODE, f"expected an edit, got {describe(value)}"))
            return None
        type_ = EDITS.get(str(value.get("kind", "")))
        if type_ is None:
            supported = ", ".join(f'"{kind}"' for kind in sorted(EDITS))
            kind, message = str(value.get("kind", "")), f"supported values: {supported}"
            self.faults.append(Fault((*path, "kind"), kind, NOT_SUPPORTED, message))
            return None
        edit: AnyEdit | None = self._decode(value, type_, path)
        if edit is None:
            return None
        faults = [fault._replace(path=(*path, *fault.path)) for fault in check_edit(edit)]
        self.faults.extend(faults)
        return None if faults else edit

    def _decode(self, value: Any, type_: type[_S], path: FieldPath) -> _S | None:
        """Returns a value as a type, strictly: unknown fields are faults too."""
        before = len(self.faults)
        self.faults += [unknown_field((*path, *it)) for it in unknown_fields(value, type_)]
        self.faults += [
            Fault((*path, name), "", REQUIRED, "") for name in _required(type_) if name not in value
        ]
        self.faults += [it._replace(path=(*path, *it.path)) for it in explain(value, type_)]
        if len(self.faults) > before:
            return None
        try:
            return convert(value, type_)
        except msgspec.ValidationError as error:
            self.faults.append(Fault(path, "", DECODE, str(error)))
            return None


def _but_for_patches(value: Any) -> Any:
    """Returns an edit in which what is null is absent, but for a merge patch, where null takes a field away."""
    plain = without_nulls(value)
    if isinstance(value, dict) and value.get("kind") == "mergePatch" and isinstance(value.get("patch"), dict):
        plain["patch"] = value["patch"]
    return plain


def _required(type_: type[KubeStruct]) -> list[str]:
    return [field.encode_name for field in msgspec.structs.fields(type_) if field.required]
