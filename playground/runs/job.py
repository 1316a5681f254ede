"""What the engine is asked: the frozen run as one JSON frame, its objects as the texts that are stored."""

from __future__ import annotations

import base64
import json
from typing import Any

from django.conf import settings

from playground.models import ClusterRevision, Node, Pod, Resource, Run


def objects_of(revision: ClusterRevision | int) -> list[tuple[int, str]]:
    """Returns (position, canonical JSON) of a revision's objects in their order.

    Args:
        revision: the revision or its key.
    """
    rows: list[tuple[int, str]] = []
    for model in (Node, Pod, Resource):
        found = model.objects.filter(revision=revision).values_list("position", "object")
        rows.extend(found.iterator(chunk_size=5000))
    rows.sort(key=lambda row: row[0])
    return rows


def job_of(
    run: Run, details: Any, tape: bytes = b"", recorded: bytes = b"", begun: dict[str, Any] | None = None
) -> bytes:
    """Returns the payload of the job frame.

    Args:
        run: the run.
        details: "auto", "none" or {"cycle": n}.
        tape: what extenders answered in the run that is replayed: then nobody is asked again.
        recorded: events of the run that is replayed: what it decided is taken over.
        begun: what an earlier attempt has stored: num_events, digest.
    """
    question: dict[str, Any] = {"config": run.config, "options": run.options, "details": details}
    if tape:
        question["extenders"] = {"tape": tape.decode()}
    else:
        question["extenders"] = {"hosts": settings.EXTENDER_HOSTS, "private": settings.EXTENDER_PRIVATE}
    question |= {"edits": run.edits, "question": run.question, "fork": run.fork, "begun": begun}
    if recorded:
        question["recorded"] = base64.b64encode(recorded).decode()
    head = json.dumps(question)[:-1]
    objects = ",".join(text for _position, text in objects_of(run.revision_id))
    return f'{head},"objects":[{objects}]}}'.encode()
