"""The figures of the page: the first event after the click, the end of a run of 500 pods on 100 nodes.

Aims on a quiet machine: 500 ms and 3 s. Here the best of three runs may be four times that, for others may be at
work beside it; what was measured is logged (`pytest --log-cli-level=INFO`).
"""

from __future__ import annotations

import json
import logging
import time
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.clusters import write_workload
from tests.e2e.steps import import_files, wait_for_end

log = logging.getLogger(__name__)
pytestmark = [pytest.mark.browser, pytest.mark.serial]

FIRST_EVENT_MS = 500
END_MS = 3000
SLACK = 4
RUNS = 3


def test_the_first_event_and_the_end_come_soon_after_the_click(page: Page, tmp_path: Path) -> None:
    arrived: list[float] = []

    def note(frame: str | bytes) -> None:
        if "events" in json.loads(frame):
            arrived.append(time.perf_counter())

    page.on("websocket", lambda socket: socket.on("framereceived", note))
    import_files(page, write_workload(tmp_path, 100, 500))
    cluster = page.url
    first, end = [], []
    for _ in range(RUNS):
        page.goto(cluster)
        expect(page.locator("sp-map .chip").first).to_be_visible()
        arrived.clear()
        clicked = time.perf_counter()
        page.locator("[data-run]").click(no_wait_after=True)
        wait_for_end(page)
        end.append((time.perf_counter() - clicked) * 1000)
        first.append((arrived[0] - clicked) * 1000)
        expect(page.locator("sp-status")).to_contain_text("All 500 pods are placed")
    log.info("first event %.0f ms, end %.0f ms after the click", min(first), min(end))
    assert min(first) <= FIRST_EVENT_MS * SLACK
    assert min(end) <= END_MS * SLACK
