"""What a report of a run says: outcome, who waits and why, who refused most, how full the nodes are at the end."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from playground.models import CycleSummary, Run
from playground.runs import story

MAX_CYCLES = 2000
MAX_ROWS = 2000
MAX_NODES = 500
RESOURCES = ("cpu", "memory", "pods")


def report_of(run: Run) -> dict[str, Any]:
    """Returns what the report's template shows.

    Args:
        run: with its revision and cluster.
    """
    outcome = story.outcome_of(run.id)
    placements = json.loads(outcome.placements) if outcome else {}
    pending = json.loads(outcome.pending) if outcome else []
    told = _told(story.event_lines(run.id))
    before = _nodes_before(run)
    nodes = _nodes(run, placements, told["gone"])
    cycles = CycleSummary.objects.filter(run_id=run.id)
    return {
        "run": run,
        "cluster": run.cluster,
        "placements": list(placements.items())[:MAX_ROWS],
        "more_placements": max(0, len(placements) - MAX_ROWS),
        "num_on_nodes": run.num_bound,
        "num_placed": sum(before.get(pod) != node for pod, node in placements.items()),
        "pending": pending[:MAX_ROWS],
        "more_pending": max(0, len(pending) - MAX_ROWS),
        "refusals": told["refusals"].most_common(),
        "victims": told["victims"],
        "end_seconds": told["end_us"] / 1e6,
        "nodes": nodes[:MAX_NODES],
        "more_nodes": max(0, len(nodes) - MAX_NODES),
        "totals": _totals(nodes),
        "resources": RESOURCES,
        "cycles": list(cycles.values("cycle", "t_us", "pod", "attempt", "result", "node")[:MAX_CYCLES]),
        "more_cycles": max(0, cycles.count() - MAX_CYCLES),
    }


def _told(lines: Iterable[bytes]) -> dict[str, Any]:
    """Returns what only the events say."""
    refusals: Counter[str] = Counter()
    victims: list[dict[str, str]] = []
    gone: set[str] = set()
    end_us = 0
    for line in lines:
        event = json.loads(line)
        end_us = event["t_us"]
        if event["type"] == "NodesFiltered":
            refusals.update(event.get("rejected", {}))
        elif event["type"] == "VictimsSelected":
            victims.append(
                {"pod": event["pod"], "node": event["node"], "victims": ", ".join(event["victims"])}
            )
        elif event["type"] in ("PodDeleted", "PodFinished"):
            gone.add(event["pod"])
    return {"refusals": refusals, "victims": victims, "gone": gone, "end_us": end_us}


def _nodes_before(run: Run) -> dict[str, str]:
    items = run.revision.pods.values_list("item", flat=True).iterator()
    return {f"{pod['namespace']}/{pod['name']}": pod["node"] for pod in items}


def _nodes(run: Run, placements: Mapping[str, str], gone: set[str]) -> list[dict[str, Any]]:
    """Returns the nodes with what is requested on them at the end, by name."""
    used: dict[str, Counter[str]] = {}
    for pod in run.revision.pods.values_list("item", flat=True).iterator():
        name = f"{pod['namespace']}/{pod['name']}"
        node = placements.get(name) or pod["node"]
        if not node or name in gone or pod["phase"] in ("Succeeded", "Failed"):
            continue
        taken = used.setdefault(node, Counter())
        taken.update(pod["requests"])
        taken["pods"] += 1
    nodes = run.revision.nodes.values_list("item", flat=True).iterator()
    return sorted(
        (
            {
                "name": node["name"],
                "zone": node["zone"],
                "shares": [
                    _share(used.get(node["name"], Counter()), node["allocatable"], name) for name in RESOURCES
                ],
            }
            for node in nodes
        ),
        key=lambda node: str(node["name"]),
    )


def _share(used: Mapping[str, int], allocatable: Mapping[str, int], resource: str) -> dict[str, Any]:
    taken, there = used.get(resource, 0), allocatable.get(resource, 0)
    percent = round(100 * taken / there) if there else 0
    return {"resource": resource, "used": taken, "all": there, "percent": percent, "width": min(100, percent)}


def _totals(nodes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    totals = []
    for index, resource in enumerate(RESOURCES):
        taken = sum(node["shares"][index]["used"] for node in nodes)
        there = sum(node["shares"][index]["all"] for node in nodes)
        totals.append(_share({resource: taken}, {resource: there}, resource))
    return totals
