"""The tables; import them from here."""

from __future__ import annotations

from playground.models.check import Check, Outcome
from playground.models.claimable import CLAIMABLE, OPEN, Claimable, WorkStatus
from playground.models.cluster import Cluster, ClusterRevision
from playground.models.idempotency import IdempotentAnswer
from playground.models.job import Job, JobInput
from playground.models.node import Node
from playground.models.pod import Pod
from playground.models.profile import Profile
from playground.models.quota import Quota
from playground.models.resource import Resource
from playground.models.run import Run, RunOutcome, RunStatus
from playground.models.scenario import Scenario
from playground.models.token import AccessToken, Scope, allows
from playground.models.trace import CycleDetail, CycleSummary, DetailStatus, EventChunk
from playground.models.workspace import Workspace, workspace_of

__all__ = [
    "CLAIMABLE",
    "OPEN",
    "AccessToken",
    "Check",
    "Claimable",
    "Cluster",
    "ClusterRevision",
    "CycleDetail",
    "CycleSummary",
    "DetailStatus",
    "EventChunk",
    "IdempotentAnswer",
    "Job",
    "JobInput",
    "Node",
    "Outcome",
    "Pod",
    "Profile",
    "Quota",
    "Resource",
    "Run",
    "RunOutcome",
    "RunStatus",
    "Scenario",
    "Scope",
    "WorkStatus",
    "Workspace",
    "allows",
    "workspace_of",
]
