"""A check: what is asked, as plain data, and the same made ready to try."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from scheduler_core.api.decode import decode_object
from scheduler_core.api.limits import DEFAULT_LIMITS
from scheduler_core.api.manifest import Loaded, Source, load_manifests
from scheduler_core.api.meta import Time, parse_time
from scheduler_core.checks.change import Change
from scheduler_core.checks.expectation_rules import MAX_ORDERS, deletion_problem
from scheduler_core.checks.reading import load_expectations
from scheduler_core.checks.world import Setup
from scheduler_core.config import load_config
from scheduler_core.config.duration import Duration
from scheduler_core.errors import INVALID, REQUIRED, FieldError, ManifestError
from scheduler_core.simulator.options import DEFAULT

if TYPE_CHECKING:
    from scheduler_core.api.kinds import KubeObject
    from scheduler_core.api.limits import Limits
    from scheduler_core.checks.expectations import Expectations

_MICROSECONDS = 1_000_000
_NANOS = 1_000_000_000


class NamedText(msgspec.Struct, frozen=True, kw_only=True):
    """A text and what to call it."""

    name: str
    text: str


class CheckInput(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """All that a check is made of.

    Args:
        name: for the reports' titles.
        manifests: as they were written; documents of kind Expectations among them count as expectations.
        deletions: "Kind/namespace/name", or "Kind/name" of what is in no namespace.
        cluster: the objects of the cluster, plain.
        captured_at: when they were read from it, RFC 3339, or empty.
        checked_at: now, RFC 3339; needed where the age matters.
        config: a KubeSchedulerConfiguration; empty: the default one.
        config_name: what to call it in errors.
        expectations: documents of kind Expectations; none at all: ``allScheduled``.
        orders: instead of what the expectations say.
        baseline: likewise.
        max_snapshot_age: likewise, as Go writes durations ("24h").
        seed: for ties between nodes.
    """

    name: str = ""
    manifests: tuple[NamedText, ...] = ()
    deletions: tuple[str, ...] = ()
    cluster: tuple[dict[str, Any], ...] = ()
    captured_at: str = ""
    checked_at: str = ""
    config: str = ""
    config_name: str = "config"
    expectations: tuple[NamedText, ...] = ()
    orders: int | None = None
    baseline: bool | None = None
    max_snapshot_age: str | None = None
    seed: int = 0


class Check(NamedTuple):
    """A check that is ready: everything read, nothing tried yet.

    Args:
        cluster: typed objects.
        loaded: the manifests as read.
        change: the same with their places.
        orders: in how many orders it is tried.
        captured_at: of the cluster, or None.
        checked_at: now, or None.
        max_age_seconds: how old the cluster may be, or None.
    """

    name: str
    cluster: tuple[KubeObject, ...]
    loaded: Loaded
    change: Change
    expectations: Expectations
    setup: Setup
    orders: int
    baseline: bool
    captured_at: Time | None
    checked_at: Time | None
    max_age_seconds: float | None
    seed: int

    @property
    def age_seconds(self) -> float | None:
        """How old the cluster's data are, if that can be told."""
        if self.captured_at is None or self.checked_at is None:
            return None
        return (self.checked_at - self.captured_at) / _MICROSECONDS

    @property
    def is_too_old(self) -> bool:
        """Whether the data are older than they may be, or of unknown age where that matters."""
        if self.max_age_seconds is None:
            return False
        return self.age_seconds is None or self.age_seconds > self.max_age_seconds


def read_check(
    asked: CheckInput, *, cluster: Iterable[KubeObject] | None = None, limits: Limits = DEFAULT_LIMITS
) -> Check:
    """Reads all of a check.

    Args:
        asked: the check.
        cluster: typed objects, instead of the plain ones.
        limits: of the manifests.

    Raises:
        ManifestError: with all that is wrong.
    """
    errors = list(_option_errors(asked))
    manifests = tuple(Source(each.name, each.text) for each in asked.manifests)
    documents = tuple(Source(each.name, each.text) for each in asked.expectations)
    loaded, expectations, config = Loaded([], (), {}, ()), None, None
    try:
        expectations = load_expectations([*documents], among_manifests=False) if documents else None
    except ManifestError as wrong:
        errors += wrong.errors
    try:
        beside = load_expectations(manifests, among_manifests=True) if expectations is None else None
        expectations = expectations or beside
        loaded = _load(manifests, limits)
    except ManifestError as wrong:
        errors += wrong.errors
    try:
        config = load_config(asked.config, asked.config_name)
    except ManifestError as wrong:
        errors += wrong.errors
    if errors or config is None or expectations is None:
        raise ManifestError(errors)
    if not loaded.objects and not asked.deletions:
        message = "nothing to check: neither a manifest nor an object to delete"
        raise ManifestError([FieldError(field="manifests", type=REQUIRED, message=message)])
    objects = tuple(cluster) if cluster is not None else tuple(map(decode_object, asked.cluster))
    max_age = asked.max_snapshot_age
    return Check(
        name=asked.name,
        cluster=objects,
        loaded=loaded,
        change=Change(
            tuple(loaded.objects), tuple(map(_full_deletion, asked.deletions)), loaded.origins, manifests
        ),
        expectations=expectations,
        setup=Setup(config, DEFAULT),
        orders=asked.orders if asked.orders is not None else expectations.orders,
        baseline=asked.baseline if asked.baseline is not None else expectations.baseline,
        captured_at=parse_time(asked.captured_at) if asked.captured_at else None,
        checked_at=parse_time(asked.checked_at) if asked.checked_at else None,
        max_age_seconds=Duration.from_json(max_age) / _NANOS
        if max_age
        else expectations.max_snapshot_age_seconds,
        seed=asked.seed,
    )


def _load(manifests: tuple[Source, ...], limits: Limits) -> Loaded:
    """Reads the manifests; a file that holds nothing but expectations is none."""
    loaded = load_manifests(manifests, limits=limits) if manifests else Loaded([], (), {}, ())
    skipped = {kind: number for kind, number in loaded.skipped.items() if kind != "Expectations"}
    return msgspec.structs.replace(loaded, skipped=skipped)


def _full_deletion(text: str) -> str:
    kind, *rest = text.split("/")
    namespaced = len(rest) == 1 and not deletion_problem(f"{kind}/default/{rest[0]}")
    return f"{kind}/default/{rest[0]}" if namespaced else text


def _option_errors(asked: CheckInput) -> Iterable[FieldError]:
    if asked.orders is not None and not 1 <= asked.orders <= MAX_ORDERS:
        message = f"must be between 1 and {MAX_ORDERS}"
        yield FieldError(field="orders", value=str(asked.orders), message=message, quoted=False)
    for field, value in (("capturedAt", asked.captured_at), ("checkedAt", asked.checked_at)):
        try:
            if value:
                parse_time(value)
        except ValueError as error:
            yield FieldError(field=field, value=value, message=str(error))
    if asked.max_snapshot_age:
        try:
            if Duration.from_json(asked.max_snapshot_age) <= 0:
                message = "must be greater than 0"
                yield FieldError(field="maxSnapshotAge", value=asked.max_snapshot_age, message=message)
        except ValueError as error:
            yield FieldError(field="maxSnapshotAge", value=asked.max_snapshot_age, message=str(error))
    for index, text in enumerate(asked.deletions):
        if problem := deletion_problem(text):
            yield FieldError(field=f"deletions[{index}]", value=text, type=INVALID, message=problem)
