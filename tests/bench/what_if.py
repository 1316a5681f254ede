"""What an edit of a what-if takes, from the click to the painted difference, and its parts: of `make bench-page`."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import httpx
from playwright.sync_api import Page, expect

from engine.what_if import WhatIfAsked, WhatIfs
from scheduler_core.api import KubeObject, decode_object
from scheduler_core.config import load_config
from scheduler_core.simulator import DEFAULT, Simulator
from tests.bench.make_workload import case

NODES, PODS, PENDING, EDITS = 100, 500, 20, 30
BEFORE = 200
"""Pods that a workload has besides those that are asked for."""
CLICKS = ("Cordon", "Lose", "Remove", "Add", "Drain so")

CLICK = """([name, label]) => new Promise(done => {
  const run = document.querySelector('sp-run');
  run.desk.stack.clear();
  run.selectNode(name);
  requestAnimationFrame(() => setTimeout(() => {
    const form = document.querySelector('sp-change [name=force]');
    form.checked = true;
    const all = [...document.querySelectorAll('sp-change button')];
    const button = all.find(each => each.textContent.trim() === label);
    const start = performance.now();
    run.desk.answered.addEventListener('painted', () => {
      done({ all: performance.now() - start, answer: run.desk.took, words: run.desk.answer.changes.text });
    }, { once: true });
    button.click();
  }, 50));
})"""

Say = Callable[[str, str], None]


def measure_edits(page: Page, address: str, say: Say, nodes: int = NODES, pods: int = PODS) -> None:
    """Measures edits on the page, the question by itself, and the engine by itself.

    Args:
        page: a page at the application.
        address: of the application.
        say: prints a figure.
        nodes: of the cluster.
        pods: of the cluster, all bound but a few.
    """
    objects = settled(nodes, pods)
    names = [each["metadata"]["name"] for each in objects if each["kind"] == "Node"]
    with httpx.Client(base_url=f"{address}/api/v1/", timeout=300) as client:
        body = json.dumps({"apiVersion": "v1", "kind": "List", "items": objects})
        headers = {"Content-Type": "application/json", "Prefer": "wait=60"}
        cluster = client.post("clusters/import", content=body, headers=headers).json()["id"]
        on_page(page, f"/clusters/{cluster}/what-if/", names, say)
        took = [asked(client, cluster, name) for name in names[:EDITS]]
        say("   the question by itself, without a browser, p50 and p95", spread(took))
    say("   the engine by itself, processor time, p50 and p95", spread(in_process(objects, names[:EDITS])))


def settled(nodes: int, pods: int) -> list[dict[str, Any]]:
    """Returns a cluster whose pods are bound, but for a few."""
    objects: list[dict[str, Any]] = case(nodes, max(1, pods - BEFORE), "mixed")["objects"]
    simulator = Simulator(load_config(""))
    simulator.load([decode_object(each) for each in objects])
    placed = simulator.run().placements
    found = [each for each in objects if each["kind"] == "Pod" and not each["spec"].get("nodeName")]
    for each in found[PENDING:]:
        node = placed.get(f"{each['metadata'].get('namespace', 'default')}/{each['metadata']['name']}")
        if node:
            each["spec"]["nodeName"] = node
    return objects


def on_page(page: Page, path: str, names: list[str], say: Say) -> None:
    """Clicks, and waits for the second frame after the answer."""
    page.goto(path)
    expect(page.locator(".what-if-verdict:not(.asking)")).to_be_visible(timeout=300_000)
    client = page.context.new_cdp_session(page)
    client.send("Performance.setTimeDomain", {"timeDomain": "threadTicks"})
    client.send("Performance.enable")
    figures = []
    for number in range(EDITS + 2):
        if number == 2:  # the first ones warm up
            begun = task_ms(client)
        figures.append(page.evaluate(CLICK, [names[number % len(names)], CLICKS[number % len(CLICKS)]]))
    used = (task_ms(client) - begun) / EDITS
    figures = figures[2:]
    say(
        f"what if, {len(names)} nodes: click to painted, p50 and p95 of {EDITS}",
        spread([each["all"] for each in figures]),
    )
    say("   … from the question to the answer", spread([each["answer"] for each in figures]))
    say("   … drawing it", spread([each["all"] - each["answer"] for each in figures]))
    say("   the page's main thread, processor time of an edit", f"{used:.0f} ms")


def task_ms(client: Any) -> float:
    """The processor time of the page's main thread so far."""
    metrics = client.send("Performance.getMetrics")["metrics"]
    return float(next(each["value"] for each in metrics if each["name"] == "TaskDuration")) * 1000


def asked(client: httpx.Client, cluster: str, node: str) -> float:
    """Asks one question; returns milliseconds."""
    edits = [{"kind": "drain", "nodes": [node], "force": True}]
    started = time.perf_counter()
    answer = client.post(
        "plans",
        json={"cluster": cluster, "question": "what-if", "edits": edits},
        headers={"Prefer": "wait=60"},
    )
    assert answer.status_code == 200, answer.text
    return (time.perf_counter() - started) * 1000


def in_process(objects: list[dict[str, Any]], names: list[str]) -> list[float]:
    """Answers in this process, as a fork of a loaded one does; milliseconds of processor time."""
    cluster: list[KubeObject] = [decode_object(each) for each in objects]
    prepared = WhatIfs(cluster, load_config(""), DEFAULT, lambda: False)
    took = []
    for name in names:
        prepared.get_ready()
        started = time.process_time()
        prepared.answer(
            WhatIfAsked(edits=({"kind": "drain", "nodes": [name], "force": True},)), lambda: False
        )
        took.append((time.process_time() - started) * 1000)
    return took


def spread(values: list[float]) -> str:
    """The median and the 95th percentile of milliseconds."""
    ordered = sorted(values)
    return f"{median(ordered):.0f} ms, {ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]:.0f} ms"
