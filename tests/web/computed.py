"""Runs and checks that are over, made here and now: the engine's own functions in this process, no worker."""

from __future__ import annotations

import io
from typing import Any

import msgspec

from engine.checking import run_check
from engine.frames import REFUSED, RESULT, Frame, read_frame
from engine.process import Job, run_job
from playground.models import Check, Cluster, Profile, Run, Scenario
from playground.runs.claim import claim
from playground.runs.job import job_of
from playground.runs.sink import DatabaseSink
from scheduler_core.checks import CheckInput, NamedText, encode_verdict


class NeverCancelled:
    """What tells the engine whether to go on."""

    is_cancelled = False


def compute(run: Run) -> Run:
    """Computes a run that waits and stores it as its worker would."""
    claimed = claim(run.id)
    assert claimed is not None
    out = io.BytesIO()
    run_job(msgspec.json.decode(job_of(run, "auto"), type=Job), out, NeverCancelled())  # type: ignore[arg-type]
    out.seek(0)
    frames: list[Frame] = []
    while (frame := read_frame(out)) is not None:
        frames.append(frame)
    sink = DatabaseSink(claimed)
    sink.store([frame for frame in frames if frame.kind not in (RESULT, REFUSED)])
    sink.finish(*frames[-1])
    run.refresh_from_db()
    return run


def check(cluster: Cluster, manifest: str) -> Check:
    """Makes a check of a cluster's newest revision."""
    asked = CheckInput(name="c", manifests=(NamedText(name="web.yaml", text=manifest),))
    verdict = run_check(asked, workers=1)
    plain: dict[str, Any] = msgspec.to_builtins(asked)
    return Check.objects.create(
        workspace_id=cluster.workspace_id,
        cluster=cluster,
        revision=cluster.revision,
        name="c",
        outcome=verdict.outcome,
        counts=msgspec.to_builtins(verdict.counts),
        question=msgspec.json.encode({name: plain[name] for name in plain if name != "cluster"}),
        verdict=encode_verdict(verdict),
        created_at=cluster.created_at,
    )


def profile(workspace_id: str) -> Profile:
    config = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"
    return Profile.objects.create(workspace_id=workspace_id, name="plain", config=config)


def scenario(workspace_id: str) -> Scenario:
    return Scenario.objects.create(workspace_id=workspace_id, name="nothing", edits=[])
