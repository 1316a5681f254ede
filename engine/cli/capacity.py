"""``playground capacity``: how much more fits, what is missing, what could go, what would make a pod fit.

With manifests (-f) or --like: how many more of these pods fit, and what stops the next one; several are placed in
rounds, workloads in the ratio of their replicas. --needed: how many nodes of a kind are needed for what is pending.
--spare: which nodes could go. --repair: the cheapest changes that make a pending pod fit. Each answer is a run's.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

import msgspec

from engine.cli.options import FILES_HELP, Progress, add_cluster, add_server
from engine.cli.reading import load, load_cluster, read_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scheduler_core.api import KubeObject
    from scheduler_core.planning import Capacity, Growth, Removals, Repairs


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    add_cluster(parser)
    asked = parser.add_mutually_exclusive_group(required=True)
    asked.add_argument("-f", dest="files", action="append", metavar="FILE", help=FILES_HELP)
    asked.add_argument(
        "--like",
        action="append",
        metavar="POD",
        help="a pod of the cluster, as namespace/name; may be repeated",
    )
    asked.add_argument("--needed", metavar="NODE", help="how many nodes like this one are needed")
    asked.add_argument("--spare", action="store_true", help="which nodes could go without anything pending")
    asked.add_argument("--repair", metavar="POD", help="what would make this pod fit, as namespace/name")
    parser.add_argument("--limit", type=int, metavar="N", help="try at most so many pods, or nodes")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    add_server(parser)


def execute(options: argparse.Namespace) -> int:
    """Answers the question."""
    question, asked = _question(options)
    if options.server:
        from engine.cli.there import plan_there
        from scheduler_core import planning

        type_ = getattr(planning, question.title())
        found: Any = plan_there(options, question, type_, limit=options.limit, **asked)
    else:
        found = _answer_here(options, question, asked)
    if options.format == "json":
        sys.stdout.write(msgspec.json.format(msgspec.json.encode(found), indent=2).decode() + "\n")
    else:
        sys.stdout.write("".join(f"{line}\n" for line in _LINES[question](found)))
    return 0


def _answer_here(options: argparse.Namespace, question: Any, asked: dict[str, Any]) -> Any:
    from engine.planning import (  # with the whole core: once the usage was judged
        PlanningJob,
        TemplateWanted,
        answer,
    )
    from scheduler_core.simulator import SimulatorOptions

    loaded = load_cluster(options, options.cluster or ["-"])
    progress = Progress()

    def tell(done: int, total: int | None, unit: str) -> None:
        progress.tell(f"{done} of {total} {unit}" if total else f"{done} {unit}")

    job = PlanningJob(
        question=question,
        objects=tuple(item.raw for item in loaded.objects),
        config=read_text(options.config) or loaded.scheduler_config or None,
        options=SimulatorOptions(seed=options.seed),
        limit=options.limit,
        **{**asked, "templates": msgspec.convert(asked.get("templates", ()), tuple[TemplateWanted, ...])},
    )
    try:
        return answer(job, tell, lambda: False)
    finally:
        progress.clear()


def _question(options: argparse.Namespace) -> tuple[Any, dict[str, Any]]:
    if options.needed:
        return "growth", {"model": options.needed}
    if options.repair:
        return "repairs", {"pod": options.repair}
    if options.spare:
        return "removals", {}
    templates = _templates(options.files) if options.files else [{"like": pod} for pod in options.like]
    return "capacity", {"templates": templates}


def _templates(files: Sequence[str]) -> list[dict[str, Any]]:
    from scheduler_core.api import encode_object
    from scheduler_core.planning import round_of

    written: list[KubeObject] = [item.object for item in load(files, strict=True).objects]
    return [{"pod": encode_object(each), "count": count} for each, count in round_of(written)]


def _capacity(found: Capacity) -> Iterator[str]:
    yield found.text
    if found.placements:
        yield ""
    for node, pods in sorted(found.placements.items(), key=lambda place: (-place[1], place[0])):
        yield f"  {node}  {pods}"


def _growth(found: Growth) -> Iterator[str]:
    yield found.text
    for pod in found.pending:
        yield f"  {pod.pod}  {pod.message}"


def _removals(found: Removals) -> Iterator[str]:
    yield found.text
    for name in found.together:
        yield f"  {name}"
    for removal in found.nodes:
        if removal.held_by:
            yield f"  not {removal.node}: {removal.held_by}"
        for gone in removal.evicted[:1]:
            yield f"  not {removal.node}: {gone} would be gone"
        for pod in removal.newly_pending[:1]:
            yield f"  not {removal.node}: {pod.pod} would stay pending: {pod.message}"


def repair_lines(found: Repairs) -> Iterator[str]:
    """What makes a pod fit, the best first; where nothing does, what is in the way."""
    if not found.repairs:
        yield found.text
    if found.warning:
        yield found.warning
    for number, repair in enumerate(found.repairs, start=1):
        yield f"{number}. {repair.text}"
    for obstacle in found.in_the_way:
        yield f"  {obstacle.text}"
    if found.note:
        yield found.note


_LINES: dict[str, Any] = {
    "capacity": _capacity,
    "growth": _growth,
    "removals": _removals,
    "repairs": repair_lines,
}
