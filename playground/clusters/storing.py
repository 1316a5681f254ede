"""Rows into the tables: a cluster is not to be seen until its revision is named in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.imports import ObjectRow, Summary
from playground.models import Cluster, ClusterRevision, Node, Pod, Profile, Resource
from playground.models.fields import EncodedJSON

BATCH_ROWS = 500


def store_rows(revision: ClusterRevision, rows: Iterable[ObjectRow]) -> None:
    """Stores objects of a revision.

    Args:
        revision: saved.
        rows: in any number of portions.
    """
    nodes: list[Node] = []
    pods: list[Pod] = []
    others: list[Resource] = []
    for row in rows:
        shared = {"revision": revision, "position": row.position, "name": row.name, "object": row.object}
        if row.kind == "Node":
            nodes.append(Node(**shared, item=EncodedJSON(row.item)))
        elif row.kind == "Pod":
            pods.append(
                Pod(
                    **shared,
                    namespace=row.namespace,
                    node_name=row.node,
                    phase=row.phase,
                    item=EncodedJSON(row.item),
                )
            )
        else:
            others.append(
                Resource(**shared, kind=row.kind, api_version=row.api_version, namespace=row.namespace)
            )
    Node.objects.bulk_create(nodes, batch_size=BATCH_ROWS)
    Pod.objects.bulk_create(pods, batch_size=BATCH_ROWS)
    Resource.objects.bulk_create(others, batch_size=BATCH_ROWS)


def describe(revision: ClusterRevision, summary: Summary) -> None:
    """Fills in what is told of a revision besides its objects; does not save it.

    Args:
        revision: the revision.
        summary: of its import.
    """
    revision.digest = summary.digest
    revision.counts = summary.counts
    revision.kinds = summary.kinds
    revision.card = summary.card
    revision.skipped = [{"kind": kind, "count": count} for kind, count in sorted(summary.skipped.items())]
    revision.warnings = summary.warnings
    revision.errors = summary.errors
    revision.report = summary.report
    revision.captured_at = summary.captured_at[:64]
    revision.is_redacted = summary.is_redacted


def show(cluster: Cluster, revision: ClusterRevision, scheduler_config: str) -> None:
    """Makes a cluster visible, with the configuration that came with it.

    Args:
        cluster: saved.
        revision: complete.
        scheduler_config: JSON, or nothing.
    """
    cluster.revision = revision
    if scheduler_config:
        cluster.profile = Profile.objects.create(
            workspace_id=cluster.workspace_id, name=f"of {cluster.name}"[:200], config=scheduler_config
        )
    cluster.save()


def delete_cluster(cluster_ids: Sequence[str]) -> None:
    """Deletes clusters with all that belongs to them; such as are not there are none.

    Args:
        cluster_ids: their identifiers.
    """
    Cluster.objects.filter(id__in=cluster_ids).delete()
