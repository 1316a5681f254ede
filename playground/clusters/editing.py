"""Changes objects of a cluster: what is written is judged as the API server would, and makes a new revision.

A revision never changes; the rows that stay are copied inside the database.
"""

from __future__ import annotations

import dataclasses
import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Any, Literal, TypeAlias

from django.db import connection, transaction
from django.db.models import Max, QuerySet

from engine.imports import ObjectRow, items, picture, rows
from engine.imports.waiting import WORKLOADS
from playground.clusters.storing import store_rows
from playground.models import Cluster, ClusterRevision, Node, Pod, Resource
from scheduler_core.api import LoadedObject, Source, decode_json_object, load_manifests
from scheduler_core.api.pod import FINAL_PHASES
from scheduler_core.errors import INVALID, FieldError, ManifestError

MODELS: tuple[type[Node | Pod | Resource], ...] = (Node, Pod, Resource)
ITERATED_ROWS = 2000


class RevisionMoved(Exception):
    """Somebody else has changed the cluster in the meantime."""


class ObjectMissing(Exception):
    """There is no object with this key."""


class ObjectExists(Exception):
    """There is an object with this key already."""


@dataclasses.dataclass(frozen=True)
class Put:
    """Objects to be there.

    Args:
        text: YAML or JSON, one or more objects.
        name: of the text, for errors.
        key: if set, the one object must be this one, as "Pod/default/web".
        mode: whether an object of this name may, must not, or must be there already.
    """

    text: bytes | str
    name: str = "body"
    key: str = ""
    mode: Literal["any", "create", "replace"] = "any"


@dataclasses.dataclass(frozen=True)
class Delete:
    """An object not to be there any more.

    Args:
        key: as "Pod/default/web" or "Node/n1".
    """

    key: str


Change: TypeAlias = Put | Delete


def revise(cluster: Cluster, changes: Sequence[Change], *, expected: str = "") -> ClusterRevision:
    """Applies changes in their order to the newest revision and makes the result the newest.

    All or nothing. Unknown fields are errors, and so is all that the API server would refuse. A change that changes
    nothing, or leads back to a former content, makes no new revision.

    Args:
        cluster: saved; its `revision` is set to the result.
        changes: what to do.
        expected: the beginning of the digest that the newest revision must have, or nothing.

    Raises:
        ManifestError: what is written is wrong, all errors of all texts with their places.
        ObjectMissing, ObjectExists: with the key.
        RevisionMoved: the newest revision is another than expected.
    """
    read = _read_all(changes)
    with transaction.atomic():
        locked = Cluster.objects.select_for_update(of=("self",)).select_related("revision").get(id=cluster.id)
        base = locked.revision
        assert base is not None
        if expected and not base.digest.startswith(expected):
            raise RevisionMoved(base.digest)
        draft = _Draft(base)
        for change, objects in zip(changes, read, strict=True):
            if isinstance(change, Delete):
                draft.delete(change.key)
            for each in objects:
                draft.put(each, change.mode if isinstance(change, Put) else "any")
        cluster.revision = locked.revision = draft.save(locked)
        locked.save(update_fields=["revision"])
    return cluster.revision


def _read_all(changes: Iterable[Change]) -> list[list[LoadedObject]]:
    read: list[list[LoadedObject]] = []
    errors: list[FieldError] = []
    for change in changes:
        read.append([])
        if isinstance(change, Delete):
            continue
        try:
            read[-1] = _read(change)
        except ManifestError as wrong:
            errors.extend(wrong.errors)
    if errors:
        raise ManifestError(errors)
    return read


def _read(put: Put) -> list[LoadedObject]:
    objects = load_manifests([Source(put.name, put.text)], strict=True).objects
    if put.key and [each.key for each in objects] != [put.key]:
        raise ManifestError([_mismatch(put, objects)])
    return objects


def _mismatch(put: Put, objects: list[LoadedObject]) -> FieldError:
    """What the API server says where the object is not the one of the address."""
    if len(objects) != 1:
        message = f"expected one object, {put.key}; there are {len(objects)}"
        return FieldError(file=put.name, type=INVALID, message=message)
    (found,) = objects
    wanted_kind, *wanted = put.key.split("/")
    field, value, message = "kind", found.kind, f"the address names a {wanted_kind}"
    if found.kind == wanted_kind:
        field, value = "metadata.namespace", found.namespace
        message = "the namespace of the provided object does not match the namespace sent on the request"
        if found.name != wanted[-1]:
            field, value = "metadata.name", found.name
            message = (
                f"the name of the object ({found.name}) does not match the name on the URL ({wanted[-1]})"
            )
    return FieldError(file=put.name, document=1, field=field, value=value, type=INVALID, message=message)


class _Draft:
    """A revision in the making: what is taken out of the base, and what is put in, by key."""

    def __init__(self, base: ClusterRevision) -> None:
        self._base = base
        self._next = max(_last_position(base), -1) + 1
        self._out: dict[str, Node | Pod | Resource] = {}
        self._in: dict[str, tuple[int, LoadedObject]] = {}
        self._gone: set[str] = set()

    def delete(self, key: str) -> None:
        if not self._is_there(key):
            raise ObjectMissing(key)
        self._in.pop(key, None)
        self._gone.add(key)

    def put(self, each: LoadedObject, mode: str) -> None:
        is_there = self._is_there(each.key)
        if mode == "create" and is_there:
            raise ObjectExists(each.key)
        if mode == "replace" and not is_there:
            raise ObjectMissing(each.key)
        before = self._in.get(each.key)
        position = before[0] if before else None
        if position is None and each.key in self._out and each.key not in self._gone:
            position = self._out[each.key].position
        if position is None:
            position, self._next = self._next, self._next + 1
        self._in[each.key] = (position, each)
        self._gone.discard(each.key)

    def _is_there(self, key: str) -> bool:
        if key in self._in:
            return True
        if key not in self._out:
            found = find(self._base, key)
            if found is None:
                return False
            self._out[key] = found
        return key not in self._gone

    def save(self, cluster: Cluster) -> ClusterRevision:
        """Writes the revision, unless there is one with the same content."""
        base = self._base
        revision = ClusterRevision.objects.create(
            cluster=cluster,
            skipped=base.skipped,
            warnings=base.warnings,
            report=base.report,
            captured_at=base.captured_at,
            is_redacted=base.is_redacted,
        )
        for model in MODELS:
            left_out = [row.pk for row in self._out.values() if isinstance(row, model)]
            _copy(model, base, revision, left_out)
        made = [rows.row_of(position, each) for position, each in self._in.values()]
        store_rows(revision, made)
        revision.digest = rows.digest_of(text for _, text in texts_of(revision))
        if same := cluster.revisions.filter(digest=revision.digest).first():
            revision.delete()
            return same
        self._count_pods_anew(revision, made)
        _summarize(revision, self._kinds())
        revision.save()
        return revision

    def _kinds(self) -> dict[str, int]:
        kinds = Counter(self._base.kinds)
        kinds.subtract(key.split("/")[0] for key in self._out)
        kinds.update(each.kind for _, each in self._in.values())
        return {kind: count for kind, count in sorted(kinds.items()) if count > 0}

    def _count_pods_anew(self, revision: ClusterRevision, made: list[ObjectRow]) -> None:
        """Adds up what their pods ask of the nodes that were touched, or whose pods were."""
        touched = {row.node for row in made if row.kind == "Pod"}
        touched |= {row.name for row in made if row.kind == "Node"}
        touched |= {row.node_name for row in self._out.values() if isinstance(row, Pod)}
        touched.discard("")
        nodes = list(Node.objects.filter(revision=revision, name__in=touched))
        for node in nodes:
            node.item = {**node.item, "requested": {}, "num_pods": 0}
        pods = Pod.objects.filter(revision=revision, node_name__in=touched)
        items.add_pods([node.item for node in nodes], list(pods.values_list("item", flat=True)))
        Node.objects.bulk_update(nodes, ["item"])


def find(revision: ClusterRevision, key: str) -> Node | Pod | Resource | None:
    """Returns the row of an object, None where there is none.

    Args:
        revision: where to look.
        key: as "Pod/default/web" or "Node/n1".
    """
    kind, *names = key.split("/")
    if len(names) not in (1, 2):
        return None
    namespace, name = ["", *names][-2:]
    if kind == "Node":
        return None if namespace else Node.objects.filter(revision=revision, name=name).first()
    if kind == "Pod":
        return Pod.objects.filter(revision=revision, namespace=namespace, name=name).first()
    return Resource.objects.filter(revision=revision, kind=kind, namespace=namespace, name=name).first()


def texts_of(revision: ClusterRevision) -> Iterator[tuple[int, str]]:
    """Yields position and canonical JSON of a revision's objects in their order.

    Args:
        revision: the revision.
    """
    parts = (
        model.objects.filter(revision=revision)
        .order_by("position")
        .values_list("position", "object")
        .iterator(chunk_size=ITERATED_ROWS)
        for model in MODELS
    )
    return heapq.merge(*parts, key=itemgetter(0))


def _last_position(revision: ClusterRevision) -> int:
    found = (
        model.objects.filter(revision=revision).aggregate(last=Max("position"))["last"] for model in MODELS
    )
    return max((position for position in found if position is not None), default=-1)


def _copy(
    model: type[Node | Pod | Resource], base: ClusterRevision, revision: ClusterRevision, left_out: list[int]
) -> None:
    """Copies the rows of a table from one revision to another, without reading them."""
    quote = connection.ops.quote_name
    table = quote(model._meta.db_table)
    columns = [quote(str(field.column)) for field in model._meta.concrete_fields if not field.primary_key]
    revision_column, key = quote("revision_id"), quote("id")
    copied = ", ".join("%s" if column == revision_column else column for column in columns)
    excluded = f" AND {key} NOT IN ({', '.join(['%s'] * len(left_out))})" if left_out else ""
    statement = (
        f"INSERT INTO {table} ({', '.join(columns)}) SELECT {copied} FROM {table} "
        f"WHERE {revision_column} = %s{excluded}"
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, [revision.pk, base.pk, *left_out])


def _summarize(revision: ClusterRevision, kinds: dict[str, int]) -> None:
    """Counts what is in a revision, by questions to the database."""
    pods: QuerySet[Any] = Pod.objects.filter(revision=revision)
    live = pods.exclude(phase__in=FINAL_PHASES)
    num_bound = live.exclude(node_name="").count()
    nodes = Node.objects.filter(revision=revision)
    revision.kinds = kinds
    revision.counts = {
        "nodes": nodes.count(),
        "pods": pods.count(),
        "bound": num_bound,
        "pending": live.count() - num_bound,
        "other": Resource.objects.filter(revision=revision).count(),
    }
    revision.card = _card(revision, live, revision.counts)


def _card(revision: ClusterRevision, live: QuerySet[Any], counts: dict[str, int]) -> dict[str, Any]:
    """Returns what an import of the same objects would put on their cluster's card."""
    nodes = Node.objects.filter(revision=revision)
    drawn = nodes.filter(pk__in=picture.sampled(list(nodes.values_list("pk", flat=True))))
    is_boxes = counts["nodes"] <= picture.MAX_BOXES
    bound = live.exclude(node_name="").values_list("item", flat=True) if is_boxes else ()
    workloads = Resource.objects.filter(revision=revision, kind__in=WORKLOADS)
    told = (live.filter(node_name="") if counts["pods"] else workloads).values_list("object", flat=True)
    objects = (decode_json_object(text.encode()) for text in told.iterator(chunk_size=ITERATED_ROWS))
    return rows.card_of(list(drawn.values_list("item", flat=True)), bound, counts, objects)
