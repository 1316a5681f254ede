"""From the text of a KubeSchedulerConfiguration to what the scheduler uses, everything wrong listed at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

import msgspec

from scheduler_core.api.decode import convert, describe
from scheduler_core.api.documents import NotText, read_documents, to_utf8
from scheduler_core.api.explain import Fault, explain, unknown_field, unknown_fields
from scheduler_core.api.field_path import format_path
from scheduler_core.api.limits import Limits
from scheduler_core.api.located import LocatedFault, Origin, Text, place_faults, text_of
from scheduler_core.api.meta import KubeStruct
from scheduler_core.api.problems import Document, LimitExceeded, Problem
from scheduler_core.config.defaults import merge_plugins, missing_args
from scheduler_core.config.notes import notes_on
from scheduler_core.config.plugin_args import PLUGIN_ARGS, NodeResourcesFitArgs, PluginArgs, default_args
from scheduler_core.config.types import (
    API_VERSION,
    KIND,
    KubeSchedulerConfiguration,
    KubeSchedulerProfile,
    PluginConfig,
    Profile,
    SchedulerConfiguration,
)
from scheduler_core.config.validation import validate_configuration
from scheduler_core.config.validation_args import validate_args, validate_fit
from scheduler_core.errors import DECODE, DUPLICATE, LIMIT, REQUIRED, START, FieldError, ManifestError

LIMITS = Limits(bytes=2**20, depth=64, nodes=100_000, expansion=2**20)
DEFAULT_SCHEDULER_NAME = "default-scheduler"

_S = TypeVar("_S", bound=KubeStruct)


def load_config(text: str | bytes | None, file: str = "config") -> SchedulerConfiguration:
    """Reads a KubeSchedulerConfiguration as YAML or JSON; nothing at all means the defaults.

    Raises:
        ManifestError: with all that is wrong, each error with its place.
    """
    if text and len(text) > LIMITS.bytes:
        message = f"{len(text)} bytes are more than the {LIMITS.bytes} that are read at most"
        raise ManifestError([FieldError(file=file, type=LIMIT, message=message)])
    source = _Source(file)
    value = source.read(text or "")
    reader = _Reader(value, file)
    if not source.faults:
        config = reader.read()
        if config is not None:
            return config
    origin = Origin(0, source.document, ())
    faults = [*source.faults, *(LocatedFault(origin, fault) for fault in reader.faults)]
    raise ManifestError(place_faults(faults, [Text(file, source.data)]))


class _Source:
    """The text, of which one document is read."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.data = b""
        self.document = 1
        self.faults: list[LocatedFault] = []

    def read(self, text: str | bytes) -> Any:
        """Returns the value of the only document, None where there is none."""
        value = None
        try:
            self.data = to_utf8(text)
            for document in read_documents(self.data, LIMITS):
                self._note(document)
                if document.value is None:
                    continue
                if value is not None:
                    self._add(
                        document.number, Fault((), "", DECODE, "expected one document, here is another")
                    )
                    break
                value, self.document = _whole(document), document.number
        except (NotText, LimitExceeded) as error:
            self._add(error.problem.document, error.problem)
        return value

    def _note(self, document: Document) -> None:
        for problem in document.problems:
            self._add(document.number, problem)

    def _add(self, document: int, fault: Fault | Problem) -> None:
        self.faults.append(LocatedFault(Origin(0, document, ()), fault))


class _Reader:
    """One call's state: what is wrong."""

    def __init__(self, value: Any, file: str) -> None:
        self.value = value
        self.file = file
        self.faults: list[Fault] = []

    def read(self) -> SchedulerConfiguration | None:
        """Returns the configuration, or None where something is wrong."""
        written = KubeSchedulerConfiguration()
        if self.value is not None:
            self.faults.extend(_check_type(self.value))
            if self.faults:
                return None
            decoded = self._decode(self.value, KubeSchedulerConfiguration, ())
            if decoded is None:
                return None
            written = decoded
        profiles = self._profiles(written.profiles or (KubeSchedulerProfile(),))
        self.faults.extend(validate_configuration(written, profiles))
        if self.faults:
            return None
        notes = () if self.value is None else tuple(notes_on(self.value, written))
        return SchedulerConfiguration(
            profiles=profiles,
            extenders=written.extenders,
            percentage_of_nodes_to_score=written.percentage_of_nodes_to_score,
            pod_initial_backoff_seconds=written.pod_initial_backoff_seconds,
            pod_max_backoff_seconds=written.pod_max_backoff_seconds,
            parallelism=written.parallelism,
            notes=notes,
        )

    def _decode(self, value: Any, type_: type[_S], path: tuple[str | int, ...]) -> _S | None:
        """Returns a value as a type, strictly: unknown fields are faults too."""
        before = len(self.faults)
        self.faults.extend(unknown_field((*path, *unknown)) for unknown in unknown_fields(value, type_))
        try:
            decoded = convert(value, type_)
        except msgspec.ValidationError as error:
            faults = list(explain(value, type_)) or [Fault((), "", DECODE, str(error))]
            self.faults.extend(fault._replace(path=(*path, *fault.path)) for fault in faults)
            return None
        return decoded if len(self.faults) == before else None

    def _profiles(self, written: tuple[KubeSchedulerProfile, ...]) -> tuple[Profile, ...]:
        only = len(written) == 1
        profiles = []
        for index, profile in enumerate(written):
            name = profile.scheduler_name
            if name is None:
                name = DEFAULT_SCHEDULER_NAME if only else ""
            plugins = merge_plugins(profile.plugins)
            args = self._plugin_config(profile.plugin_config, index, name)
            args.update(missing_args(plugins, args))
            profiles.append(
                Profile(
                    scheduler_name=name,
                    percentage_of_nodes_to_score=profile.percentage_of_nodes_to_score,
                    plugins=plugins,
                    plugin_config=args,
                    field=f"profiles[{index}]",
                    file=self.file,
                )
            )
        return tuple(profiles)

    def _plugin_config(
        self, written: tuple[PluginConfig, ...], profile: int, scheduler: str
    ) -> dict[str, Any]:
        configs: dict[str, Any] = {}
        for index, entry in enumerate(written):
            path = ("profiles", profile, "pluginConfig", index)
            if entry.name in configs:
                self.faults.append(Fault(path, entry.name, DUPLICATE, ""))
            configs[entry.name] = self._args(entry, (*path, "args"), scheduler)
        return configs

    def _args(self, entry: PluginConfig, path: tuple[str | int, ...], scheduler: str) -> Any:
        """Returns the arguments of a plugin; those of plugins that are not in the tree stay as they are."""
        type_ = PLUGIN_ARGS.get(entry.name)
        if type_ is None:
            return entry.args
        value = {} if entry.args is None else entry.args
        if isinstance(value, dict) and value.get("kind", f"{entry.name}Args") != f"{entry.name}Args":
            group = API_VERSION.partition("/")[0]
            expected, given = f"{entry.name}Args.{group}", f"{value['kind']}.{group}"
            message = f"args for plugin {entry.name} were not of type {expected}, got {given}"
            self.faults.append(Fault((*path, "kind"), value["kind"], DECODE, message))
            return None
        decoded = self._decode(value, type_, path)
        if decoded is None:
            return None
        args = default_args(decoded)
        self._validate_args(entry.name, args, path, scheduler)
        return args

    def _validate_args(
        self, plugin: str, args: PluginArgs, path: tuple[str | int, ...], scheduler: str
    ) -> None:
        for fault in validate_args(args):
            self.faults.append(fault._replace(path=(*path, *fault.path)))
        if isinstance(args, NodeResourcesFitArgs):
            for fault in validate_fit(args):
                words = _start_words(fault, plugin, scheduler)
                self.faults.append(Fault((*path, *fault.path), fault.value, START, words))


def _whole(document: Document) -> Any:
    """Returns the document's value, also where it has items to be read one by one."""
    if document.items is None:
        return document.value
    return {**document.value, "items": [item.value for item in document.items]}


def _check_type(value: Any) -> Iterator[Fault]:
    if not isinstance(value, dict):
        yield Fault((), value, DECODE, f"expected a {KIND}, got {describe(value)}")
        return
    kind, api_version = value.get("kind", ""), value.get("apiVersion", "")
    if not kind:
        yield Fault(("kind",), "", REQUIRED, "Object 'Kind' is missing")
    elif not api_version:
        yield Fault(("apiVersion",), "", REQUIRED, "Object 'apiVersion' is missing")
    elif (kind, api_version) != (KIND, API_VERSION):
        name, wrong = ("kind", kind) if kind != KIND else ("apiVersion", api_version)
        yield Fault((name,), wrong, DECODE, f'no kind "{kind}" is registered for version "{api_version}"')


def _start_words(fault: Fault, plugin: str, scheduler: str) -> str:
    error = FieldError(
        field=fault.field or format_path(fault.path),
        value=text_of(fault.value),
        type=fault.type,
        message=fault.message,
        quoted=isinstance(fault.value, str),
    )
    profile = f"creating profile for scheduler name {scheduler}"
    return f'scheduler: initializing profiles: {profile}: initializing plugin "{plugin}": {error.words()}'
