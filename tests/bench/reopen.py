"""Of `make bench-page`: how long a finished run of 4,000 cycles on 5,000 nodes takes to show its verdict when it is
opened again, its cluster's page to show the map, and a cycle's detail beside one that was looked at.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from playwright.sync_api import Page

from tests.bench.make_workload import case
from tests.e2e.steps import import_files

NODES, PENDING = 5000, 4000
TIMES = 3
MINUTES = 60_000
CYCLE, STEPS = 2500, 8
KEYS_FROM, REST_MS = 700, 600

SEEN = """([selector]) => new Promise(done => {
  const told = () => done(performance.now());
  const look = () => requestAnimationFrame(document.querySelector(selector) ? told : look);
  look();
})"""
COMPLETE = """() => new Promise(done => {
  const look = () => document.querySelector('sp-run').complete ? done() : requestAnimationFrame(look);
  look();
})"""
STEP_ON = """() => new Promise(done => {
  const run = document.querySelector('sp-run');
  const start = performance.now();
  run.player.stepCycle(1);
  const shown = `sp-cycle .cycle[aria-label="Cycle ${run.store.cycle}"] .points-box`;
  const look = () => document.querySelector(shown) ? done(performance.now() - start) : requestAnimationFrame(look);
  requestAnimationFrame(look);
})"""
VERDICT = "sp-status .verdict:not(.working)"
MAP = "sp-map .rings"


def measure_reopening(page: Page, folder: Path, say: Callable[[str, str], None]) -> None:
    """Imports and runs a cluster, opens both pages anew several times, and steps from cycle to cycle.

    Args:
        page: of the served application, its timeout long.
        folder: for the dump.
        say: takes what was measured and the figure.
    """
    dump = folder / "reopened.json"
    objects = case(NODES, PENDING, "plain")["objects"]
    dump.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}))
    import_files(page, dump)
    cluster = page.url
    page.locator("[data-run]").click()
    page.wait_for_url(re.compile(r"/runs/\w+/"), timeout=5 * MINUTES)
    run = page.url.split("?")[0]
    page.evaluate(SEEN, [VERDICT])
    page.evaluate(SEEN, [MAP])
    page.evaluate(COMPLETE)
    for what, address, selector in (
        ("a finished run, opened: its verdict", run, VERDICT),
        ("the cluster's page: its map", cluster, MAP),
    ):
        took = [opened(page, address, selector) for _ in range(TIMES)]
        say(what, f"{median(took) / 1000:.2f} s (median of {TIMES}; {max(took) / 1000:.2f} s at most)")
    took = [opened(page, run, MAP) for _ in range(TIMES)]
    say("a finished run, opened: its map", f"{median(took) / 1000:.2f} s")
    measure_steps(page, run, say)
    measure_keys(page, run, say)


def opened(page: Page, address: str, selector: str) -> float:
    """Opens a page; returns the milliseconds until something of it is drawn."""
    page.goto("about:blank")
    page.goto(address, wait_until="commit")
    shown: float = page.evaluate(SEEN, [selector])
    return shown


def measure_steps(page: Page, run: str, say: Callable[[str, str], None]) -> None:
    """Asks the API for a cycle's detail, then for its neighbours one after the other."""
    host, _, name = run.partition("/runs/")
    root = f"{host}/api/v1/runs/{name.strip('/')}/cycles"
    say("a detail with nothing kept", f"{seconds_to_detail(page, root, CYCLE) * 1000:,.0f} ms")
    for what, cycles in (
        ("the next cycle's", range(CYCLE + 1, CYCLE + 1 + STEPS)),
        ("the cycle's before", range(CYCLE - 1, CYCLE - 1 - STEPS, -1)),
        ("one 1,000 cycles before", (CYCLE - 1000,)),
    ):
        took = sorted(seconds_to_detail(page, root, cycle) * 1000 for cycle in cycles)
        say(f"   then {what}, median and longest", f"{median(took):,.0f} ms, {took[-1]:,.0f} ms")


def seconds_to_detail(page: Page, root: str, cycle: int) -> float:
    """From the question to the whole answer."""
    start = time.perf_counter()
    answer = page.request.get(f"{root}/{cycle}", headers={"Prefer": "wait=60"})
    assert answer.status == 200, answer.text()
    assert answer.json()["cycle"] == cycle
    return time.perf_counter() - start


def measure_keys(page: Page, run: str, say: Callable[[str, str], None]) -> None:
    """Steps from cycle to cycle on the page, resting on each as a reader does."""
    page.goto(f"{run}?cycle={KEYS_FROM}")
    page.evaluate(COMPLETE)
    page.locator("sp-cycle .points-box").wait_for()
    took = []
    for _ in range(STEPS):
        page.wait_for_timeout(REST_MS)
        took.append(page.evaluate(STEP_ON))
    took.sort()
    say(
        "   a step on the page, to its verdicts, median and longest",
        f"{median(took):,.0f} ms, {took[-1]:,.0f} ms",
    )
