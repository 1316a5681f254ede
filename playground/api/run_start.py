"""Starting runs: a question is frozen, stored and handed to a worker."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.db import transaction

from playground.api.fields import MAX_NAME
from playground.models import Check, Cluster, ClusterRevision, Profile, Run, Scenario
from playground.tasks import dispatch_run

MAX_TOLD = 20


def start_run(
    cluster: Cluster,
    *,
    revision: ClusterRevision | None = None,
    profile: Profile | None = None,
    scenario: Scenario | None = None,
    edits: list[dict[str, Any]] | None = None,
    question: dict[str, Any] | None = None,
    options: dict[str, Any] | None = None,
    name: str = "",
) -> Run:
    """Freezes a question as a run and hands it to a worker.

    Args:
        cluster: what is run.
        revision: of the cluster; the newest by default.
        profile: a configuration to copy.
        scenario: edits, question and options to copy.
        edits: more edits, after those of the scenario.
        question: instead of the scenario's.
        options: overrides of SimulatorOptions and of the scenario's; the engine checks them.
        name: for people.
    """
    frozen = revision or cluster.revision
    assert frozen is not None
    all_edits = [*(scenario.edits if scenario else ()), *(edits or ())]
    return _begin(
        workspace_id=cluster.workspace_id,
        cluster=cluster,
        revision=frozen,
        profile=profile,
        scenario=scenario,
        config=profile.config if profile else None,
        edits=all_edits,
        told=_told(all_edits),
        question=question or (scenario.question if scenario else None),
        options={**(scenario.options if scenario else {}), **(options or {})},
        name=name,
    )


def start_fork(parent: Run, fork: dict[str, Any], edits: list[dict[str, Any]], name: str) -> Run:
    """Makes a run that shares its beginning with another.

    Args:
        parent: the other run.
        fork: the shared part, as `shared_part` gives it.
        edits: what happens differently from there.
        name: for people.
    """
    return _begin(
        workspace_id=parent.workspace_id,
        cluster_id=parent.cluster_id,
        revision_id=parent.revision_id,
        profile_id=parent.profile_id,
        scenario_id=parent.scenario_id,
        parent=parent,
        config=parent.config,
        edits=[*parent.edits, *edits],
        told=_told(edits),
        question=parent.question,
        options=parent.options,
        fork=fork,
        name=name,
    )


def start_proof(check: Check, config: str, edits: list[dict[str, Any]], options: dict[str, Any]) -> Run:
    """Makes the run that shows what a check says.

    Args:
        check: with its verdict.
        config: what the check was made with; empty: the default.
        edits: the check's change.
        options: overrides of SimulatorOptions.
    """
    return _begin(
        workspace_id=check.workspace_id,
        cluster_id=check.cluster_id,
        revision_id=check.revision_id,
        profile_id=check.profile_id,
        config=config or None,
        edits=edits,
        told=_told(edits),
        options=options,
        name=name_of_proof(check),
    )


def name_of_proof(check: Check) -> str:
    """Returns what the run of a check is called."""
    return f"Check {check.name}".strip()[:MAX_NAME]


def start_again(run: Run) -> Run:
    """Makes a run that asks the same of the cluster as it is now: same edits, question, options and configuration.

    Args:
        run: the one that was made before, with its cluster.
    """
    return _begin(
        workspace_id=run.workspace_id,
        cluster_id=run.cluster_id,
        revision_id=run.cluster.revision_id,
        profile_id=run.profile_id,
        scenario_id=run.scenario_id,
        config=run.config,
        edits=run.edits,
        told=_told(run.edits),
        question=run.question,
        options=run.options,
    )


def _told(edits: list[dict[str, Any]]) -> list[str]:
    """Returns edits as sentences, the first of many."""
    if not edits:
        return []
    from engine.scenarios import sentences  # loads the simulator: not at start

    told = sentences(edits[:MAX_TOLD])
    return [*told, f"and {len(edits) - MAX_TOLD} more"] if len(edits) > MAX_TOLD else told


def _begin(**columns: Any) -> Run:
    with transaction.atomic():
        run = Run.objects.create(**columns)
        transaction.on_commit(partial(dispatch_run, run.id))
    return run
