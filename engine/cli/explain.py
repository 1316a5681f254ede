"""``playground explain``: why a pod has no node and what would make it fit, or why it is where it is.

A pod that has a node in the cluster is asked about as if it had none. With --node: why not there?
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

import msgspec

from engine.cli.options import add_cluster, add_manifests, add_server
from engine.cli.reading import load_cluster, read_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scheduler_core.checks import PodStory


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
    parser.add_argument("--format", choices=("text", "json"), default="text")
    add_server(parser)


def execute(options: argparse.Namespace) -> int:
    """Explains the pod."""
    story = _story_there(options) if options.server else _story_here(options)
    if options.format == "json":
        sys.stdout.write(msgspec.json.format(msgspec.json.encode(story), indent=2).decode() + "\n")
    else:
        sys.stdout.write("".join(f"{line}\n" for line in _lines(story)))
    return 0


def _story_here(options: argparse.Namespace) -> PodStory:
    from scheduler_core.checks import Setup, explain_pod
    from scheduler_core.config import load_config
    from scheduler_core.simulator import DEFAULT

    files = [*(options.cluster or ()), *(options.files or ())]
    loaded = load_cluster(options, files or ["-"])
    config = load_config(read_text(options.config) or loaded.scheduler_config, options.config or "config")
    objects = [item.object for item in loaded.objects]
    return explain_pod(Setup(config, DEFAULT), objects, options.pod, node=options.node, seed=options.seed)


def _story_there(options: argparse.Namespace) -> PodStory:
    from engine.cli.check import texts_of
    from engine.cli.there import plan_there
    from scheduler_core.checks import PodStory

    manifests = texts_of(options.files or ())
    story: PodStory = plan_there(
        options, "explain", PodStory, pod=options.pod, node=options.node, manifests=manifests
    )
    return story


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
