"""Large imports: read in an engine process, stored portion by portion, seen only when complete."""

from __future__ import annotations

from typing import Any

import msgspec
from django.db import transaction

from engine.frames import IMPORT, ROWS
from engine.imports import ImportOptions, Summary
from engine.imports.wire import pack_import, unpack_rows
from playground.clusters.importing import clean_name
from playground.clusters.storing import delete_cluster, describe, show, store_rows
from playground.jobs.work import Work
from playground.models import Cluster, ClusterRevision
from playground.models.fields import new_id
from playground.runs.sink import Frame

KIND = "import"


def question_of(name: str, options: ImportOptions) -> dict[str, Any]:
    """Returns what an import job is asked.

    Args:
        name: what to call the cluster; nothing: after its files.
        options: how to import.
    """
    return {"name": name, "options": msgspec.to_builtins(options)}


def run(work: Work) -> None:
    """Imports the job's files; its result is `{"cluster": id}`.

    Args:
        work: the attempt.
    """
    job = work.job
    options = msgspec.convert(job.question["options"], ImportOptions)
    work.tell("Reading the files")
    storing = Storing(work)
    payload = pack_import(list(work.inputs()), options)
    last = work.drive(IMPORT, payload, storing.hear)
    storing.finish(job.question["name"] or clean_name(last["name"]), last["summary"])


def clean(scratch: dict[str, Any]) -> None:
    """Deletes what of a cluster was stored.

    Args:
        scratch: as `run` left it.
    """
    if scratch:
        delete_cluster([scratch["cluster"]])


class Storing:
    """A cluster that is being stored and not yet to be seen."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._revision: ClusterRevision | None = None
        self._stored = 0

    def revision(self) -> ClusterRevision:
        """Returns the revision to store into; the first call makes it."""
        if self._revision is None:
            cluster_id = new_id()
            self._work.leave({"cluster": cluster_id})
            with transaction.atomic():
                cluster = Cluster.objects.create(
                    id=cluster_id, workspace_id=self._work.job.workspace_id, name="(being imported)"
                )
                self._revision = ClusterRevision.objects.create(cluster=cluster)
        return self._revision

    def hear(self, frame: Frame) -> None:
        """Stores the rows of a frame."""
        if frame[0] != ROWS:
            return
        portion = unpack_rows(frame[1])
        store_rows(self.revision(), portion.rows)
        self._stored += len(portion.rows)
        self._work.tell("Storing", done=self._stored, total=portion.total, unit="objects")

    def finish(self, name: str, plain: dict[str, Any]) -> None:
        """Makes the cluster visible and ends the job, both or neither.

        Args:
            name: of the cluster.
            plain: the summary as JSON values.
        """
        summary = msgspec.convert(plain, Summary)
        revision = self.revision()
        cluster = revision.cluster
        cluster.name = name
        describe(revision, summary)
        with transaction.atomic():
            revision.save()
            show(cluster, revision, summary.scheduler_config)
            self._work.finish({"cluster": cluster.id})
