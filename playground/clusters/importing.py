"""Makes a cluster from files: all or nothing. Large imports are jobs, `playground/jobs/imports.py`."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from django.db import transaction

from engine.imports import ImportOptions, read_cluster
from playground.clusters.heads import heads_of
from playground.clusters.storing import describe, show, store_rows
from playground.models import Cluster, ClusterRevision
from playground.models.fields import storable

File = tuple[str, bytes]
MAX_HEAD = 4096


@dataclasses.dataclass(frozen=True)
class Labels:
    """What a cluster is called besides its objects."""

    name: str = ""
    example: str = ""
    question: str = ""
    description: str = ""


def labels_of(files: Sequence[File], name: str) -> Labels:
    """Returns what a cluster is called: by a file that begins with a question, as the examples do, its question.

    Args:
        files: names and contents.
        name: that the user gave, or nothing.
    """
    if len(files) != 1:
        return Labels(name)
    top = files[0][1][:MAX_HEAD].decode("utf-8", "replace")
    heads, description = heads_of(top)
    if not heads["question"]:
        return Labels(name)
    return Labels(name, question=clean_name(heads["question"]), description=storable(description))


def import_cluster(
    workspace_id: str,
    files: Sequence[File],
    labels: Labels,
    options: ImportOptions | None = None,
    *,
    scheduler_config: str = "",
) -> Cluster:
    """Reads files and stores them as a new cluster with its first revision, in one transaction.

    Args:
        workspace_id: whose it is.
        files: names and contents: manifests, archives, support bundles.
        labels: the cluster's name and the like; without a name one is made from the files.
        options: how to import.
        scheduler_config: what it is scheduled with, where the files bring none.

    Raises:
        ManifestError: everything that is wrong; nothing was stored.
    """
    imported = read_cluster(files, options or ImportOptions())
    with transaction.atomic():
        cluster = Cluster.objects.create(
            workspace_id=workspace_id,
            name=labels.name or clean_name(imported.name),
            example=labels.example,
            question=labels.question,
            description=labels.description,
        )
        revision = ClusterRevision(cluster=cluster)
        describe(revision, imported.summary)
        revision.save()
        store_rows(revision, imported.rows)
        show(cluster, revision, imported.summary.scheduler_config or scheduler_config)
    return cluster


def clean_name(text: str) -> str:
    """Returns a text that every database takes: printable characters, at most 200.

    Args:
        text: from a user.
    """
    kept = "".join(letter if letter.isprintable() else " " for letter in text)
    return storable(kept).strip()[:200] or "Cluster"
