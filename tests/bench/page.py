"""`make bench-page`: what the run page costs a browser, with 5,000 nodes and 20,000 pods, measured in Chromium; and how
long an edit of a what-if takes on 100 nodes with 500 pods (`ARGS=--what-if`: only that), and pages that are opened
again and cycles beside one another on 5,000 nodes (`ARGS=--reopen`: only that).

The cluster is imported and run on the served application, then looked at: what scrubbing costs per frame (all work
of the page's main thread, script, style, layout and paint, between two frames; by the thread's own clock and by the
wall), how long a seek takes anywhere, what the page keeps in memory, and whether 2,000 events a second are taken as
they come.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import tempfile
import time
from bisect import bisect_right
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, WebSocketRoute, expect, sync_playwright

from tests.bench.make_workload import case
from tests.bench.reopen import measure_reopening
from tests.bench.what_if import measure_edits
from tests.e2e.steps import import_files
from tests.needs import CHROMIUM_ARGS, chromium
from tests.serve import served

NODES, PODS = 5000, 20_000
FRAMES = 300
SEEKS = 60
RATE, FRAME_SECONDS, FEED_SECONDS = 2000, 0.1, 15
MINUTES = 60_000
MARK = "bench-frame"
CATEGORIES = ["toplevel", "blink.user_timing"]

SCRUB = """([frames, mark]) => new Promise(done => {
  const slider = document.querySelector('sp-scrubber input[type=range]');
  let frame = 0;
  const step = () => {
    performance.mark(mark);
    if (frame++ >= frames) return done();
    slider.value = String(Math.round(Number(slider.max) * Math.abs(Math.sin(frame / frames * Math.PI * 3))));
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})"""
SEEK = """places => new Promise(done => {
  const { store } = document.querySelector('sp-run');
  const took = places.map(share => {
    const start = performance.now();
    store.seek(Math.round(share * store.lastSeq));
    return performance.now() - start;
  });
  store.follow();
  done(took);
})"""


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.page", description=__doc__)
    parser.add_argument("--nodes", type=int, default=NODES)
    parser.add_argument("--pods", type=int, default=PODS)
    parser.add_argument("--what-if", action="store_true", help="only what an edit of a what-if takes")
    parser.add_argument(
        "--reopen", action="store_true", help="only pages opened again, and steps from cycle to cycle"
    )
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as var,
        served(Path(var)) as address,
        sync_playwright() as playwright,
    ):
        dump = Path(var) / "cluster.json"
        objects = case(options.nodes, options.pods, "plain")["objects"]
        dump.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}))
        browser = playwright.chromium.launch(executable_path=chromium(), args=CHROMIUM_ARGS)
        page = browser.new_page(base_url=address, viewport={"width": 1440, "height": 900})
        page.set_default_timeout(5 * MINUTES)
        if not (options.what_if or options.reopen):
            run_it(page, dump)
            measure(browser, page)
            feed(browser, address, page.url)
        if not options.what_if:
            measure_reopening(page, Path(var), say)
        if not options.reopen:
            measure_edits(page, address, say)
        browser.close()
    say("load of the machine", f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


def say(what: str, figure: str) -> None:
    """Prints a figure."""
    print(f"{what:58} {figure}", flush=True)


def run_it(page: Page, dump: Path) -> None:
    """Imports and runs, and opens the run as one that has ended."""
    import_files(page, dump)
    page.locator("[data-run]").click()
    page.wait_for_url(re.compile(r"/runs/\w+/"), timeout=5 * MINUTES)
    wait_for_end(page)
    start = time.perf_counter()
    page.goto(page.url)
    wait_for_end(page)
    events = page.evaluate("document.querySelector('sp-run').store.lastSeq")
    took = time.perf_counter() - start
    say("opened, all events read", f"{took:.1f} s, {events:,} events, {events / took:,.0f}/s")


def wait_for_end(page: Page) -> None:
    """Waits until all events are there."""
    expect(page.locator("sp-run[data-read]")).to_be_attached(timeout=5 * MINUTES)
    expect(page.locator("sp-status .verdict:not(.working)")).to_be_visible(timeout=5 * MINUTES)
    expect(page.locator("sp-map .rings")).to_be_visible(timeout=5 * MINUTES)
    page.wait_for_timeout(2000)


def measure(browser: Browser, page: Page) -> None:
    """Memory, seeks and the cost of scrubbing, once warm."""
    page.evaluate(SCRUB, [FRAMES // 2, "warm"])
    draw = random.Random(1)
    took = sorted(page.evaluate(SEEK, [draw.random() for _ in range(SEEKS)]))
    say("a seek anywhere, median and longest of 60", f"{took[len(took) // 2]:.1f} ms, {took[-1]:.1f} ms")
    for title in ("scrubbing", "scrubbing, once more"):
        frames = scrubbed(browser, page)
        by_thread = sorted(thread for thread, _wall in frames)
        by_wall = sorted(wall for _thread, wall in frames)
        say(
            f"{title}: a frame by the thread's clock, p50 and p95",
            f"{at(by_thread, 0.5)}, {at(by_thread, 0.95)}",
        )
        say(f"{title}: a frame by the wall, p50 and p95", f"{at(by_wall, 0.5)}, {at(by_wall, 0.95)}")
    client = page.context.new_cdp_session(page)
    client.send("HeapProfiler.collectGarbage")
    heap = client.send("Runtime.getHeapUsage")
    parts = {
        name: heap.get(name, 0) / 1e6 for name in ("usedSize", "embedderHeapUsedSize", "backingStorageSize")
    }
    say("memory: script, page, arrays", ", ".join(f"{size:.0f} MB" for size in parts.values()))


def at(values: list[float], share: float) -> str:
    """A percentile of sorted milliseconds."""
    return f"{values[min(len(values) - 1, int(len(values) * share))]:.1f} ms"


def scrubbed(browser: Browser, page: Page) -> list[tuple[float, float]]:
    """Scrubs; returns milliseconds of the main thread per frame, by its own clock and by the wall."""
    browser.start_tracing(page=page, categories=CATEGORIES)
    page.evaluate(SCRUB, [FRAMES, MARK])
    events: list[dict[str, Any]] = json.loads(browser.stop_tracing())["traceEvents"]
    marks = [event for event in events if event.get("name") == MARK]
    thread = (marks[0]["pid"], marks[0]["tid"])
    begins = sorted(event["ts"] for event in marks)
    frames = [(0.0, 0.0)] * len(begins)
    end = 0
    tasks = (event for event in events if event.get("ph") == "X" and (event["pid"], event["tid"]) == thread)
    for task in sorted(
        (event for event in tasks if event["name"].endswith("RunTask")), key=lambda each: each["ts"]
    ):
        if task["ts"] < end:  # a task inside another one
            continue
        end = task["ts"] + task["dur"]
        frame = bisect_right(begins, end) - 1
        if frame >= 0:
            by_thread, by_wall = frames[frame]
            frames[frame] = (by_thread + task.get("tdur", 0) / 1000, by_wall + task["dur"] / 1000)
    return frames[2:-1]


def feed(browser: Browser, address: str, url: str) -> None:
    """Feeds the run's events to a page at a fixed rate; says how far it fell behind."""
    lines = events_of(browser, url)
    page = browser.new_page(base_url=address, viewport={"width": 1440, "height": 900})
    behind: list[int] = []
    sent = acknowledged = 0
    routes: list[WebSocketRoute] = []

    def take(message: str | bytes) -> None:
        nonlocal acknowledged
        acknowledged = max(acknowledged, json.loads(message).get("ack", 0))

    def stand_in(route: WebSocketRoute) -> None:
        routes.append(route)
        route.on_message(take)

    page.route_web_socket(re.compile("/ws/runs/"), stand_in)
    page.goto(url)
    expect(page.locator("sp-map .rings")).to_be_visible(timeout=5 * MINUTES)
    step = int(RATE * FRAME_SECONDS)
    start = time.perf_counter()
    for number in range(min(len(lines) // step, int(FEED_SECONDS / FRAME_SECONDS))):
        events = lines[sent : sent + step]
        routes[-1].send(json.dumps({"events": events, "first_seq": sent + 1, "last_seq": sent + step}))
        sent += step
        rest = start + (number + 1) * FRAME_SECONDS - time.perf_counter()
        page.wait_for_timeout(max(1, rest * 1000))
        behind.append(sent - acknowledged)
    rate = sent / (time.perf_counter() - start)
    worst = sorted(behind)[int(len(behind) * 0.95)]
    say(
        f"{RATE:,} events/s fed for {FEED_SECONDS} s: taken", f"{acknowledged:,} of {sent:,} at {rate:,.0f}/s"
    )
    say("   of those sent, not taken yet, p95", f"{worst:,} events")
    page.close()


def events_of(browser: Browser, url: str) -> list[dict[str, Any]]:
    """Reads the run's first events by the API."""
    context = browser.new_context()
    host, _, run = url.partition("/runs/")
    run = run.split("/")[0]
    events: list[dict[str, Any]] = []
    while len(events) < RATE * FEED_SECONDS:
        answer = context.request.get(
            f"{host}/api/v1/runs/{run}/events?after={len(events)}&limit=20000"
        ).json()
        if not answer["events"]:
            break
        events += answer["events"]
    context.close()
    return events


if __name__ == "__main__":
    main()
