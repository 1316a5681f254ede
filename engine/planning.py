"""Questions about a cluster, asked of the engine's process: capacity, repairs, what-ifs, a pod, a change …"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, Literal

import msgspec
from msgspec.structs import replace

from engine import frames
from engine.telling import Telling
from engine.what_if import WhatIfAsked, WhatIfs
from scheduler_core.api import (
    FieldError,
    KubeObject,
    ManifestError,
    Pod,
    Source,
    decode_object,
    default_object,
    load_manifests,
)
from scheduler_core.checks import (
    Cancelled,
    CheckInput,
    Difference,
    NamedText,
    PodStory,
    Setup,
    difference,
    explain_pod,
    read_check,
    stoppable,
)
from scheduler_core.config import SchedulerConfiguration, load_config
from scheduler_core.planning import (
    Template,
    after_edits,
    capacity,
    growth,
    removals,
    repairs,
    template_of,
)
from scheduler_core.simulator import DEFAULT, SimulatorOptions, read_edits, read_question

MAX_PODS: Final = 100_000
MAX_NODES: Final = 5_000
DOING: Final = {
    "capacity": "Placing pods",
    "growth": "Adding nodes",
    "removals": "Trying to take nodes away",
    "repairs": "Trying changes",
    "what-if": "Running it",
    "explain": "Asking where the pod goes",
    "diff": "Trying the change",
}
"""What is done for each question, in words."""


class TemplateWanted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A pod to place again and again: as a plain object, or one of the cluster by its namespace/name.

    A workload as a plain object stands for one of its pods.
    """

    pod: dict[str, Any] | None = None
    like: str = ""
    count: int = 1


class PlanningJob(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What is asked.

    Args:
        question: ``capacity``: how many more of ``templates`` fit; ``growth``: how many nodes like ``model`` are
            needed; ``removals``: which nodes could go; ``repairs``: what would make ``pod`` fit;
            ``what-if``: what ``edits``, ``ask`` and ``other_config`` change; ``explain``: why ``pod`` is where it
            is, or has no node; ``diff``: what ``manifests`` and ``deletions`` move
        objects: the cluster, as plain objects
        config: a KubeSchedulerConfiguration's text
        options: those of SimulatorOptions that are not default
        templates: of capacity
        model: a node's name, of growth
        pod: as namespace/name, of repairs; of explain also a name that only one pod has, or a workload
        node: of explain, the node that is asked about
        manifests: of diff what is applied, of explain what the cluster has besides
        deletions: of diff, as Kind/namespace/name
        edits: of a scenario, as plain JSON; capacity, growth, removals and repairs are asked after them
        ask: the question of the run with the edits, as plain JSON
        other_config: the configuration of the run with the edits, where it is another
        limit: how many pods, or nodes, are tried at most; None for 10,000 pods, 1,000 new nodes, 20 to 200 that may go
    """

    question: Literal["capacity", "growth", "removals", "repairs", "what-if", "explain", "diff"]
    objects: tuple[dict[str, Any], ...]
    config: str | None = None
    options: SimulatorOptions = SimulatorOptions()
    templates: tuple[TemplateWanted, ...] = ()
    model: str = ""
    pod: str = ""
    node: str = ""
    manifests: tuple[NamedText, ...] = ()
    deletions: tuple[str, ...] = ()
    edits: tuple[dict[str, Any], ...] = ()
    ask: dict[str, Any] | None = None
    other_config: str | None = None
    limit: int | None = None


Progress = Callable[[int, int | None, str], None]
"""(done, of how many if known, unit)"""
SoFar = Callable[[msgspec.Struct], None]
"""What is known of the answer by then."""


def answer(
    job: PlanningJob,
    progress: Progress,
    is_cancelled: Callable[[], bool],
    so_far: SoFar = lambda found: None,
) -> msgspec.Struct:
    """Answers a question: a Capacity, a Growth, Removals, Repairs, an Answer of a what-if, a PodStory or a Difference.

    Raises:
        ManifestError: the question names what is not there, or asks for too much
    """
    config = load_config(job.config or "")
    cluster = [decode_object(raw) for raw in job.objects]
    if job.question == "what-if":
        asked = WhatIfAsked(edits=job.edits, ask=job.ask, other_config=job.other_config)
        return WhatIfs(cluster, config, job.options, is_cancelled).answer(asked, is_cancelled)
    if job.question == "repairs":
        return _repairs(job, cluster, config, progress, is_cancelled, so_far)
    if job.question == "explain":
        return _explain(job, cluster, config, is_cancelled)
    if job.question == "diff":
        return _diff(job, cluster, is_cancelled)
    if job.question == "growth":
        return _growth(job, cluster, config, progress, is_cancelled)
    if job.question == "removals":
        return removals(
            cluster,
            config,
            job.options,
            edits=read_edits(job.edits, objects=cluster),
            question=read_question(job.ask),
            limit=None if job.limit is None else _within(job.limit, MAX_NODES, MAX_NODES),
            progress=lambda done, total: progress(done, total, "nodes"),
            so_far=so_far,
            is_cancelled=is_cancelled,
        )
    cluster = after_edits(
        cluster,
        read_edits(job.edits, objects=cluster),
        config,
        job.options,
        question=read_question(job.ask),
        is_cancelled=is_cancelled,
    )
    templates = [_template(wanted, cluster, index) for index, wanted in enumerate(job.templates)]
    if not templates:
        raise _refusal("templates", "Required value", "which pod is to be placed again and again")
    return capacity(
        cluster,
        templates,
        config,
        job.options,
        limit=_within(job.limit, 10_000, MAX_PODS),
        progress=lambda pods: progress(pods, None, "pods"),
        is_cancelled=is_cancelled,
    )


def run_planning(payload: bytes, stdout: frames.Writable, is_cancelled: Callable[[], bool]) -> int:
    """Answers what a PLAN frame asks; the answer is the last frame."""
    job = msgspec.json.decode(payload, type=PlanningJob)
    telling = Telling(stdout, is_cancelled)
    told: dict[str, Any] = {"done": 0, "total": None, "unit": "", "text": DOING[job.question], "so_far": None}

    def progress(done: int, total: int | None, unit: str) -> None:
        told.update(done=done, total=total, unit=unit)
        telling.tell(told)

    def so_far(found: msgspec.Struct) -> None:
        told["so_far"] = found

    telling.tell(told)
    found: msgspec.Struct | None = None
    with suppress(Cancelled):
        found = answer(job, progress, telling.is_cancelled, so_far)
    status = "cancelled" if is_cancelled() else "finished"
    end = {"status": status, "question": job.question, "answer": found}
    frames.write_frame(stdout, frames.RESULT, msgspec.json.encode(end))
    return 0


def _growth(
    job: PlanningJob,
    cluster: list[KubeObject],
    config: SchedulerConfiguration,
    progress: Progress,
    is_cancelled: Callable[[], bool],
) -> msgspec.Struct:
    try:
        return growth(
            cluster,
            job.model,
            config,
            job.options,
            edits=read_edits(job.edits, objects=cluster),
            question=read_question(job.ask),
            limit=_within(job.limit, 1_000, MAX_NODES),
            progress=lambda nodes: progress(nodes, None, "nodes"),
            is_cancelled=is_cancelled,
        )
    except KeyError:
        raise _refusal("model", "Not found", f"there is no node {job.model!r}", job.model) from None


def _repairs(
    job: PlanningJob,
    cluster: list[KubeObject],
    config: SchedulerConfiguration,
    progress: Progress,
    is_cancelled: Callable[[], bool],
    so_far: SoFar,
) -> msgspec.Struct:
    try:
        return repairs(
            cluster,
            job.pod,
            config,
            job.options,
            edits=read_edits(job.edits, objects=cluster),
            question=read_question(job.ask),
            so_far=so_far,
            progress=lambda done, total: progress(done, total, "changes"),
            is_cancelled=is_cancelled,
        )
    except KeyError:
        raise _refusal("pod", "Not found", f"there is no pod {job.pod!r}", job.pod) from None


def _explain(
    job: PlanningJob,
    cluster: list[KubeObject],
    config: SchedulerConfiguration,
    is_cancelled: Callable[[], bool],
) -> PodStory:
    added = [
        item.object
        for item in load_manifests([Source(each.name, each.text) for each in job.manifests]).objects
    ]
    named = {_name(each) for each in added}
    objects = [*(each for each in cluster if _name(each) not in named), *added]
    setup = Setup(config, DEFAULT, is_cancelled)
    return explain_pod(setup, objects, job.pod, node=job.node, seed=job.options.seed)


def _name(object_: KubeObject) -> tuple[str, str, str]:
    return object_.kind, object_.metadata.namespace, object_.metadata.name


def _diff(job: PlanningJob, cluster: list[KubeObject], is_cancelled: Callable[[], bool]) -> Difference:
    asked = CheckInput(
        manifests=job.manifests,
        deletions=job.deletions,
        config=job.config or "",
        seed=job.options.seed,
    )
    return difference(stoppable(read_check(asked, cluster=cluster), is_cancelled))


def _template(wanted: TemplateWanted, cluster: list[KubeObject], index: int) -> Template:
    field = f"templates[{index}]"
    if not 1 <= wanted.count <= MAX_PODS:
        raise _refusal(f"{field}.count", "Invalid value", f"must be from 1 to {MAX_PODS}", wanted.count)
    if wanted.pod is not None:
        return Template(_pod_of(_written(wanted.pod, f"{field}.pod"), f"{field}.pod"), wanted.count)
    for object_ in cluster:
        if (
            isinstance(object_, Pod)
            and wanted.like == f"{object_.metadata.namespace or 'default'}/{object_.metadata.name}"
        ):
            return Template(object_, wanted.count)
    raise _refusal(f"{field}.like", "Not found", f"there is no pod {wanted.like!r}", wanted.like)


def _written(raw: dict[str, Any], field: str) -> KubeObject:
    """Reads a plain object as manifests are read; what is wrong with it is located in the field."""
    try:
        objects = load_manifests([Source("question", msgspec.json.encode(raw))]).objects
    except ManifestError as wrong:
        raise ManifestError(
            [
                replace(
                    error,
                    field=".".join(filter(None, (field, error.field))),
                    document=0,
                    line=None,
                    column=None,
                )
                for error in wrong.errors
            ]
        ) from None
    if len(objects) != 1:
        raise _refusal(field, "Invalid value", f"expected one object, got {len(objects)}", raw["kind"])
    return default_object(objects[0].object)


def _pod_of(written: KubeObject, field: str) -> Pod:
    pod = template_of(written)
    if pod is None:
        message = f"expected a Pod or a workload, got a {written.kind}"
        raise _refusal(field, "Invalid value", message, written.kind)
    if written.kind == "DaemonSet":
        message = "a DaemonSet puts one pod on each node: apply it as a change to see which nodes take it"
        raise _refusal(field, "Invalid value", message, written.kind)
    if not pod.spec.containers:
        raise _refusal(field, "Required value", f"the {written.kind} has no containers")
    return pod


def _within(limit: int | None, usual: int, most: int) -> int:
    if limit is None:
        return usual
    if not 1 <= limit <= most:
        raise _refusal("limit", "Invalid value", f"must be from 1 to {most}", limit)
    return limit


def _refusal(field: str, type_: str, message: str, value: object = "") -> ManifestError:
    error = FieldError(file="question", field=field, type=type_, value=str(value), message=message)
    return ManifestError([error])
