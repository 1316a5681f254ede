"""From a dump to the reason why a pod waits, through the browser."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.clusters import write_workload
from tests.e2e.conftest import Finished
from tests.e2e.steps import import_files, look_at, run, wait_for_end
from tests.needs import outside

pytestmark = pytest.mark.browser
Example = Callable[[str], Path]


def test_a_dump_becomes_a_cluster_with_a_map_and_tables(page: Page, example: Example) -> None:
    import_files(page, example("four-reasons"))
    expect(page.locator("sp-map .node-name")).to_have_count(3)
    expect(page.get_by_role("heading", name="eu-west-a")).to_be_visible()
    expect(page.locator("sp-tables[kind=nodes] tbody tr:not(.pad)")).to_have_count(3)
    expect(page.locator("sp-tables[kind=pods]")).to_contain_text("simulation")


def test_events_arrive_live_through_the_socket(page: Page, tmp_path: Path) -> None:
    import_files(page, write_workload(tmp_path, 100, 500))
    frames: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(str(frame))))
    page.locator("[data-run]").click()
    expect(page.locator("sp-cycles .cycle-row").first).to_be_visible(timeout=30_000)
    wait_for_end(page)
    seqs = [event["seq"] for frame in frames for event in json.loads(frame).get("events", [])]
    assert seqs == list(range(1, len(seqs) + 1))
    assert len([frame for frame in frames if "events" in json.loads(frame)]) > 1
    expect(page.locator("sp-status")).to_contain_text("All 500 pods are placed")
    expect(page.locator("sp-cycles ol")).to_have_attribute("aria-label", "Cycles, 500")


def test_a_cycle_opens_with_verdicts_scores_and_the_chosen_node(page: Page, finished: Finished) -> None:
    look_at(page, finished("eighth-replica"))
    page.locator("sp-cycles .cycle-row").first.click()
    cycle = page.get_by_role("article", name="Cycle 1")
    expect(cycle.locator(".verdicts tbody tr:not(.members)")).to_have_count(9)
    expect(cycle.locator(".verdicts .row-chosen .name")).to_have_attribute("title", "worker-8")
    expect(cycle.locator(".verdicts .row-final").first).to_contain_text("untolerated taint")
    scores = cycle.get_by_role("region", name="Scores")
    expect(scores.locator("tbody tr").first).to_contain_text("worker-8")
    scores.get_by_role("button", name="raw").click()
    expect(scores.get_by_role("button", name="raw")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("sp-map .v-chosen")).to_contain_text("worker-8")


def test_a_pending_pod_says_why_node_by_node(page: Page, finished: Finished) -> None:
    look_at(page, finished("four-reasons"))
    expect(page.locator("sp-status")).to_contain_text("4 of 5 pods stay pending")
    page.locator("sp-queue .pod-row", has_text="simulation").click()
    story = page.get_by_role("article", name="default/simulation")
    expect(story).to_contain_text("is unschedulable")
    expect(story.locator(".explanation")).to_contain_text(
        re.compile(r"3 nodes lack cpu: .* of 4\):\s+node-1\s+node-2")
    )
    rows = story.locator(".verdicts tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.first).to_contain_text("Insufficient cpu")
    expect(rows.first.locator(".need")).to_have_text(re.compile(r"cpu: needs 6, free \S+, short \S+"))
    expect(story.get_by_role("region", name="Event message")).to_contain_text(
        "0/3 nodes are available: 3 Insufficient cpu"
    )
    expect(page.locator("sp-map .v-final")).to_have_count(3)


def test_every_view_has_an_address_and_back_works(page: Page, finished: Finished) -> None:
    look_at(page, finished("eighth-replica"))
    page.locator("sp-cycles .cycle-row").nth(2).click()
    expect(page).to_have_url(re.compile(r"\?cycle=3$"))
    page.locator("sp-map .node-name", has_text="worker-5").click()
    expect(page).to_have_url(re.compile(r"node=worker-5"))
    expect(page.get_by_role("article", name="worker-5")).to_contain_text("worker-5 was chosen")
    page.go_back()
    expect(page.get_by_role("article", name="Cycle 3")).to_be_visible()
    address = page.url
    page.goto("/")
    page.goto(address)
    expect(page.get_by_role("article", name="Cycle 3")).to_contain_text("edge/edge-proxy-2")
    expect(page.locator(".readout")).to_contain_text("cycle 3 / 8")


def test_preemption_names_its_victims(page: Page, finished: Finished) -> None:
    look_at(page, finished("who-is-evicted"))
    page.locator("sp-cycles .cycle-row").first.click()
    expect(page.locator(".candidates .row-chosen")).to_contain_text(
        re.compile(r"node-\d.*batch-\d-\d", re.DOTALL)
    )
    expect(page.locator("sp-queue .queue-foot")).to_contain_text("1 gone")
    expect(page.locator("sp-status .verdict")).to_have_text(re.compile("The pod is placed"))
    expect(page.locator("sp-status")).to_contain_text(
        re.compile(r"1 pod of priority -10 preempted for default/payment-0:\s+batch-\d-\d")
    )


def test_the_outside_dumps_import_and_explain_themselves(page: Page) -> None:
    import_files(page, outside("dumps/seven-nodes.json"), outside("dumps/pending-pods.json"))
    expect(page.locator("sp-map .node-name")).to_have_count(7)
    run(page)
    page.locator("sp-queue .pod-row, sp-status .left-pod").first.click()
    story = page.locator("sp-why article")
    expect(story.locator(".verdicts tbody tr")).to_have_count(7)
    expect(story.get_by_role("region", name="Event message")).to_contain_text("0/7 nodes are available")
