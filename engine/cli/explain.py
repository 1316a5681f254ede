"""``playground explain``: why a pod has no node and what would make it fit, or why it is where it is.

A pod that has a node in the cluster is asked about as if it had none. With --node: why not there? With --repair: the
cheapest changes that make a pending pod fit, each proven by a run.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

import msgspec

from engine.cli.capacity import repair_lines
from engine.cli.options import Progress, add_cluster, add_manifests, add_server
from engine.cli.reading import load_cluster, read_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scheduler_core.api import Loaded
    from scheduler_core.checks import PodStory
    from scheduler_core.planning import Repairs


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    parser.add_argument(
        "pod",
        metavar="POD",
        help="namespace/name, a name that only one pod has, or a workload: Deployment/shop/web",
    )
    add_manifests(parser, positional=False)
    add_cluster(parser)
    parser.add_argument("--node", default="", metavar="NAME", help="ask about this node")
    parser.add_argument("--repair", action="store_true", help="try what would make it fit, each by a run")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    add_server(parser)


def execute(options: argparse.Namespace) -> int:
    """Explains the pod."""
    story, repairs = _ask_there(options) if options.server else _ask_here(options)
    if options.format == "json":
        told = {
            **msgspec.to_builtins(story),
            **({"repairs": msgspec.to_builtins(repairs)} if repairs else {}),
        }
        sys.stdout.write(msgspec.json.format(msgspec.json.encode(told), indent=2).decode() + "\n")
    else:
        lines = [*_lines(story), *(["", "Proven by runs:", *repair_lines(repairs)] if repairs else [])]
        sys.stdout.write("".join(f"{line}\n" for line in lines))
    return 0


def _ask_here(options: argparse.Namespace) -> tuple[PodStory, Repairs | None]:
    from scheduler_core.checks import Setup, explain_pod
    from scheduler_core.config import load_config
    from scheduler_core.simulator import DEFAULT

    files = [*(options.cluster or ()), *(options.files or ())]
    loaded = load_cluster(options, files or ["-"])
    config = read_text(options.config) or loaded.scheduler_config
    setup = Setup(load_config(config, options.config or "config"), DEFAULT)
    objects = [item.object for item in loaded.objects]
    story = explain_pod(setup, objects, options.pod, node=options.node, seed=options.seed)
    return story, _repairs_here(story, loaded, config, options.seed) if options.repair else None


def _repairs_here(story: PodStory, loaded: Loaded, config: str, seed: int) -> Repairs:
    from engine.planning import PlanningJob, answer
    from scheduler_core.simulator import SimulatorOptions

    progress = Progress()
    job = PlanningJob(
        question="repairs",
        objects=tuple(item.raw for item in loaded.objects),
        config=config or None,
        options=SimulatorOptions(seed=seed),
        **_asked(story),
    )
    try:
        found: Any = answer(
            job, lambda done, total, unit: progress.tell(f"{done} of {total} {unit}"), lambda: False
        )
    finally:
        progress.clear()
    repairs: Repairs = found
    return repairs


def _asked(story: PodStory) -> dict[str, Any]:
    """The pod, and where it has a node, the question of a run in which it has none."""
    return {"pod": story.pod, **({"ask": {"ask": "reschedule", "pods": [story.pod]}} if story.was_on else {})}


def _ask_there(options: argparse.Namespace) -> tuple[PodStory, Repairs | None]:
    from engine.cli.check import texts_of
    from engine.cli.there import plan_there
    from scheduler_core.checks import PodStory
    from scheduler_core.errors import SYNTAX, FieldError, ManifestError
    from scheduler_core.planning import Repairs

    manifests = texts_of(options.files or ())
    if manifests and options.repair:
        message = "with --server it is asked of the cluster as it is there: without -f"
        raise ManifestError([FieldError(field="--repair", type=SYNTAX, message=message)])
    story: PodStory = plan_there(
        options, "explain", PodStory, pod=options.pod, node=options.node, manifests=manifests
    )
    return story, plan_there(options, "repairs", Repairs, **_asked(story)) if options.repair else None


def _lines(story: PodStory) -> Iterator[str]:
    if story.was_on:
        yield f"{story.pod} runs on {story.was_on}. Asked about as if it had no node:"
    if story.outcome == "placed":
        yield f"{story.pod} goes to {story.node}."
    elif story.outcome == "not tried":
        yield f"{story.pod} is not tried: it is held back by its scheduling gates, or no profile has its schedulerName."
    else:
        yield f"{story.pod} has no node: {story.message}"
    if story.answer is not None:
        yield ""
        yield story.answer.text
        if story.answer.preemption:
            yield story.answer.preemption
    if story.refusals:
        yield ""
        yield "Refused:" if story.outcome == "pending" else "Nodes that refuse it:"
        for refusal in story.refusals:
            yield f"  {refusal.plugin or 'PreFilter'}: {refusal.text}"
    remedies = story.answer.remedies if story.answer is not None and story.answer.remedies else story.remedies
    if remedies:
        together = story.answer is not None and len(remedies) > 1 and remedies is not story.remedies
        yield ""
        yield "Would help, all together:" if together else "Would help, any of:"
        for remedy in remedies:
            yield f"  {remedy.text}"
