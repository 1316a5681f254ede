"""Makes a cluster from manifests: all or nothing, in one transaction."""

from __future__ import annotations

import dataclasses
import hashlib
from collections import Counter
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Any

import msgspec
from django.db import transaction

from playground.clusters import items
from playground.models import Cluster, ClusterRevision, Node, Pod, Resource
from playground.models.fields import storable
from scheduler_core.api import node, pod
from scheduler_core.api.collect import LoadedObject
from scheduler_core.api.defaulting import default_object
from scheduler_core.api.manifest import Loaded, Source, load_manifests
from scheduler_core.api.report import workload_notes

BATCH_ROWS = 2000


@dataclasses.dataclass(frozen=True)
class Labels:
    """What a cluster is called besides its objects."""

    name: str = ""
    example: str = ""
    question: str = ""
    description: str = ""


def import_cluster(
    workspace_id: str, sources: Sequence[Source], labels: Labels, *, skip_invalid: bool = False
) -> Cluster:
    """Reads manifests and stores them as a new cluster with its first revision.

    Args:
        workspace_id: whose it is.
        sources: names and texts.
        labels: the cluster's name and the like; without a name one is made from the sources.
        skip_invalid: leaves out what is wrong instead of refusing all.

    Raises:
        ManifestError: everything that is wrong; nothing was stored.
    """
    loaded = load_manifests(sources, skip_invalid=skip_invalid)
    rows = Rows(loaded)
    with transaction.atomic():
        cluster = Cluster.objects.create(
            workspace_id=workspace_id,
            name=labels.name or name_of(sources),
            example=labels.example,
            question=labels.question,
            description=labels.description,
        )
        cluster.revision = rows.save(cluster)
        cluster.save(update_fields=["revision"])
    return cluster


def name_of(sources: Sequence[Source]) -> str:
    """Returns a name for a cluster that was given none.

    Args:
        sources: what it is made from.
    """
    stems = [PurePosixPath(source.name).stem for source in sources if source.name]
    if not stems:
        return "Pasted cluster"
    more = f" and {len(stems) - 1} more" if len(stems) > 1 else ""
    return clean_name(stems[0])[:180] + more


def clean_name(text: str) -> str:
    """Returns a text that every database takes: printable characters, at most 200.

    Args:
        text: from a user.
    """
    kept = "".join(letter if letter.isprintable() else " " for letter in text)
    return storable(kept).strip()[:200] or "Cluster"


class Rows:
    """The rows of a revision, not yet saved."""

    def __init__(self, loaded: Loaded) -> None:
        self._loaded = loaded
        self._texts: list[bytes] = [each.canonical for each in loaded.objects]
        self._nodes: list[tuple[int, dict[str, Any]]] = []
        self._pods: list[tuple[int, dict[str, Any]]] = []
        self._others: list[tuple[int, LoadedObject]] = []
        for position, each in enumerate(loaded.objects):
            typed = default_object(each.object)
            if isinstance(typed, node.Node):
                self._nodes.append((position, items.node_item(typed)))
            elif isinstance(typed, pod.Pod):
                self._pods.append((position, items.pod_item(typed)))
            else:
                self._others.append((position, each))
        items.add_pods((item for _, item in self._nodes), (item for _, item in self._pods))

    def save(self, cluster: Cluster) -> ClusterRevision:
        """Stores the revision and its objects.

        Args:
            cluster: saved.
        """
        revision = ClusterRevision.objects.create(cluster=cluster, **self._columns())
        Node.objects.bulk_create(
            (
                Node(revision=revision, name=item["name"], item=item, **self._text(at))
                for at, item in self._nodes
            ),
            batch_size=BATCH_ROWS,
        )
        Pod.objects.bulk_create(
            (self._pod(revision, at, item) for at, item in self._pods), batch_size=BATCH_ROWS
        )
        Resource.objects.bulk_create(
            (self._resource(revision, at, each) for at, each in self._others), batch_size=BATCH_ROWS
        )
        return revision

    def _columns(self) -> dict[str, Any]:
        digest = hashlib.sha256()
        for text in self._texts:
            digest.update(text)
            digest.update(b"\n")
        kinds = Counter(each.kind for each in self._loaded.objects)
        nodes, pods = [item for _, item in self._nodes], [item for _, item in self._pods]
        return {
            "digest": digest.hexdigest(),
            "counts": items.counts_of(nodes, pods, len(self._texts)),
            "kinds": dict(kinds),
            "card": items.card_of(nodes, pods),
            "skipped": [{"kind": kind, "count": n} for kind, n in sorted(self._loaded.skipped.items())],
            "warnings": [*workload_notes(kinds), *self._loaded.warnings],
            "errors": [
                {**msgspec.to_builtins(error), "sentence": error.sentence()} for error in self._loaded.errors
            ],
        }

    def _text(self, position: int) -> dict[str, Any]:
        return {"position": position, "object": self._texts[position].decode()}

    def _pod(self, revision: ClusterRevision, position: int, item: dict[str, Any]) -> Pod:
        return Pod(
            revision=revision,
            namespace=item["namespace"],
            name=item["name"],
            node_name=item["node"] or "",
            phase=item["phase"],
            item=item,
            **self._text(position),
        )

    def _resource(self, revision: ClusterRevision, position: int, each: LoadedObject) -> Resource:
        return Resource(
            revision=revision,
            kind=each.kind,
            api_version=each.object.api_version,
            namespace=each.namespace,
            name=each.name,
            **self._text(position),
        )
