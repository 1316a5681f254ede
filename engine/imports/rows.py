"""The rows of a revision: what is stored of each object, and of all together."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from engine.imports import items
from engine.imports.picture import picture_of, sampled
from engine.imports.waiting import message_of, reasons_of, replicas_wanted
from scheduler_core.api import Loaded, Node, Pod, default_object, import_report, workload_notes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from scheduler_core.api import FieldError, KubeObject, LoadedObject


class ObjectRow(NamedTuple):
    """One object as it is stored.

    Args:
        position: place in the input; the order of nodes matters.
        kind: its kind.
        api_version: of its kind.
        namespace: empty for kinds that live in none.
        name: its name.
        node: a pod's node, or nothing.
        phase: of a pod.
        item: nodes and pods as lists show them, as JSON; nothing for other kinds.
        object: canonical JSON.
    """

    position: int
    kind: str
    api_version: str
    namespace: str
    name: str
    node: str
    phase: str
    item: str
    object: str


class Summary(msgspec.Struct, kw_only=True):
    """What is stored of a revision besides its objects.

    Args:
        digest: SHA-256 over the canonical objects in order.
        counts: nodes, pods, bound, pending, other.
        kinds: number of objects by kind.
        card: what a small picture of the cluster needs.
        skipped: number of objects by kind that scheduling does not read.
        warnings: what was taken differently from how it was written.
        errors: what was left out because it is wrong, located.
        report: what the import filled in and found suspicious.
        captured_at: when the objects were read from a cluster, if they say so.
        is_redacted: whether all names are made up.
        scheduler_config: the configuration that came with the objects, or nothing.
    """

    digest: str
    counts: dict[str, int]
    kinds: dict[str, int]
    card: dict[str, Any]
    skipped: dict[str, int] = {}
    warnings: list[str] = []
    errors: list[dict[str, Any]] = []
    report: dict[str, Any] = {}
    captured_at: str = ""
    is_redacted: bool = False
    scheduler_config: str = ""


def rows_of(loaded: Loaded, tell: Callable[[int], None]) -> tuple[list[ObjectRow], Summary]:
    """Returns the rows of a cluster.

    Args:
        loaded: what was read.
        tell: is told how many rows are made.
    """
    shown: list[dict[str, Any] | None] = []
    for number, each in enumerate(loaded.objects):
        tell(number)
        shown.append(_item_of(each))
    pairs = list(zip(loaded.objects, shown, strict=True))
    nodes = [item for each, item in pairs if each.kind == "Node" and item]
    pods = [item for each, item in pairs if each.kind == "Pod" and item]
    items.add_pods(nodes, pods)
    rows = [_row(position, each, item) for position, (each, item) in enumerate(pairs)]
    kinds = Counter(each.kind for each in loaded.objects)
    counts = items.counts_of(nodes, pods, len(rows))
    summary = Summary(
        digest=digest_of(row.object for row in rows),
        counts=counts,
        kinds=dict(kinds),
        card=card_of(sampled(nodes), pods, counts, (each.object for each in loaded.objects)),
        skipped=loaded.skipped,
        warnings=[*workload_notes(kinds), *loaded.warnings],
        errors=[error_item(error) for error in loaded.errors],
        report=report_item(loaded),
        captured_at=loaded.captured_at,
        scheduler_config=loaded.scheduler_config,
    )
    return rows, summary


def card_of(
    nodes: Sequence[Mapping[str, Any]],
    pods: Iterable[Mapping[str, Any]],
    counts: Mapping[str, int],
    objects: Iterable[KubeObject],
) -> dict[str, Any]:
    """Returns what a small picture of a cluster and the words below it need.

    Args:
        nodes: items of those that are drawn, with their pods added.
        pods: items; only those with a node matter, and only where nodes are drawn as boxes.
        counts: of the whole cluster.
        objects: those that tell why a pod has no node, and what makes pods where there are none yet.
    """
    told = list(objects)
    num_wanted = 0 if counts["pods"] else replicas_wanted(told, counts["nodes"])
    return {
        "picture": picture_of(nodes, pods, counts["pending"], num_wanted),
        "why": reasons_of(message_of(each) for each in told if isinstance(each, Pod)),
        "wanted": num_wanted,
    }


def row_of(position: int, each: LoadedObject) -> ObjectRow:
    """Returns the row of one object; a node's does not count its pods.

    Args:
        position: where it stands in its cluster.
        each: the object.
    """
    return _row(position, each, _item_of(each))


def _item_of(each: LoadedObject) -> dict[str, Any] | None:
    typed = default_object(each.object)
    if isinstance(typed, Node):
        return items.node_item(typed)
    return items.pod_item(typed) if isinstance(typed, Pod) else None


def _row(position: int, each: LoadedObject, item: dict[str, Any] | None) -> ObjectRow:
    is_pod = each.kind == "Pod" and item is not None
    return ObjectRow(
        position=position,
        kind=each.kind,
        api_version=each.object.api_version,
        namespace=each.namespace,
        name=each.name,
        node=(item["node"] or "") if is_pod and item else "",
        phase=item["phase"] if is_pod and item else "",
        item=items.encode(item) if item else "",
        object=each.canonical.decode(),
    )


def digest_of(texts: Iterable[str]) -> str:
    """Returns the name that a revision has by its content.

    Args:
        texts: its objects as canonical JSON, in their order.
    """
    digest = hashlib.sha256()
    for text in texts:
        digest.update(text.encode())
        digest.update(b"\n")
    return digest.hexdigest()


def error_item(error: FieldError) -> dict[str, Any]:
    """Returns a located error as plain values, with its sentence."""
    return {**msgspec.to_builtins(error), "sentence": error.sentence()}


def report_item(loaded: Loaded) -> dict[str, Any]:
    """Returns the report of an import as plain values, each finding with its sentence."""
    report = import_report(loaded)
    plain: dict[str, Any] = msgspec.to_builtins(report)
    for finding, item in zip(report.suspicious, plain["suspicious"], strict=True):
        item["sentence"] = finding.sentence()
    return plain
