"""A cycle explained, a pod's story, a node's story: at desk and phone width."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.clusters import MANY_REASONS, SOFT, workload
from tests.e2e.conftest import NARROW, WIDE, Finished
from tests.e2e.steps import look_at
from tests.e2e.test_accessibility import faults

pytestmark = pytest.mark.browser


@pytest.fixture(params=[WIDE, NARROW], ids=["1440", "390"])
def sized(request: pytest.FixtureRequest, new_page: Callable[..., Page]) -> Page:
    """A page at either width."""
    return new_page(viewport=request.param, reduced_motion="reduce")


def show(page: Page, address: str) -> None:
    """Opens a part of a run, and the panel with the details where only one fits."""
    look_at(page, address)
    show_details(page)


def show_details(page: Page) -> None:
    """Shows the panel with the details, where only one fits."""
    if page.viewport_size == NARROW:
        page.get_by_role("tab", name="Cycle").first.click()


def fits_the_width(page: Page) -> None:
    """Nothing makes the page wider than the window."""
    size = page.viewport_size
    assert size is not None
    assert page.evaluate("document.documentElement.scrollWidth") == size["width"]


def rows(table: Locator) -> Locator:
    return table.locator("tbody tr")


def test_each_extension_point_tells_what_its_plugins_did(sized: Page, finished: Finished) -> None:
    show(sized, finished("eighth-replica") + "?cycle=8")
    points = sized.get_by_role("region", name="Extension points")
    expect(points.locator(".point")).to_have_count(10)
    expect(points.locator(".point.refused").first).to_contain_text("Filter 0 of 9 fit")
    expect(points.get_by_role("button", name="PreScore")).to_be_disabled()
    points.get_by_role("button", name="Filter 0 of 9 fit").click()
    panel = points.locator(".point-panel")
    expect(panel.locator("li", has_text="NodePorts refused 7")).to_be_visible()
    expect(panel.locator("li", has_text="skipped:")).to_contain_text("InterPodAffinity")
    fits_the_width(sized)
    points.get_by_role("button", name="Filter 0 of 9 fit").click()
    expect(panel).to_have_count(0)
    show(sized, finished("eighth-replica") + "?cycle=1&point=Bind")
    expect(panel).to_contain_text(re.compile(r"DefaultBinder\s+still to come"))
    show(sized, finished("eighth-replica") + "?pod=edge/edge-proxy-0&tab=cycle&point=Bind")
    expect(panel).to_contain_text(re.compile(r"DefaultBinder\s+bound the pod to worker-8 at t 0\.\d+ s"))


def test_each_part_of_the_message_leads_to_its_nodes(sized: Page, finished: Finished) -> None:
    show(sized, finished("eighth-replica") + "?cycle=8")
    message = sized.get_by_role("region", name="Event message")
    expect(message).to_contain_text("0/9 nodes are available: 1 node(s) had untolerated taint")
    verdicts = sized.locator(".verdicts")
    expect(rows(verdicts)).to_have_count(9)
    message.get_by_role("button", name="1 node(s) were unschedulable").click()
    expect(rows(verdicts)).to_have_count(1)
    expect(rows(verdicts).first).to_contain_text("worker-6")
    expect(sized).to_have_url(re.compile(r"reason="))
    sized.reload()
    show_details(sized)
    expect(rows(verdicts)).to_have_count(1)
    sized.get_by_role("button", name=re.compile("^only: node\\(s\\) were unschedulable")).click()
    expect(rows(verdicts)).to_have_count(9)


def test_every_plugin_is_asked_for_its_own_verdict(sized: Page, finished: Finished) -> None:
    show(sized, finished("eighth-replica") + "?cycle=8")
    verdicts = sized.locator(".verdicts")
    control = rows(verdicts).filter(has_text="control-1")
    expect(control.get_by_role("gridcell", name="NodePorts did not look at control-1")).to_be_attached()
    sized.get_by_role("button", name="every plugin").click()
    expect(control.get_by_role("gridcell", name="NodePorts lets control-1 pass")).to_be_attached()
    expect(rows(verdicts).filter(has_text="worker-5")).to_contain_text(
        re.compile(r"port 443/TCP is held by edge/edge-proxy-\d")
    )


def test_scores_are_told_as_the_formula_that_adds_up(sized: Page, finished: Finished) -> None:
    show(sized, finished("eighth-replica") + "?cycle=1")
    scores = sized.get_by_role("region", name="Scores")
    expect(scores).to_contain_text("tied nodes one is drawn")
    first = scores.locator("tbody tr").first
    first.get_by_role("button").click()
    formula = scores.locator(".formula-sum")
    text = formula.inner_text()
    parts, total = text.split(" = ")
    numbers = [int(part.rsplit(" ", 1)[1].replace(",", "")) for part in parts.split(" + ")]
    assert sum(numbers) == int(total.replace(",", ""))
    expect(first.locator(".total")).to_contain_text(total)
    fits_the_width(sized)


def test_preemption_shows_its_candidates_and_the_criterion_that_decided(
    sized: Page, finished: Finished
) -> None:
    show(sized, finished("who-is-evicted") + "?cycle=1")
    preemption = sized.get_by_role("region", name="Preemption")
    expect(preemption).to_contain_text("Deleting pods makes room on 3 nodes")
    expect(rows(preemption.locator(".candidates"))).to_have_count(3)
    expect(preemption.locator("th.decides")).to_contain_text("started decided")
    expect(preemption.locator("tbody tr.row-chosen")).to_contain_text("batch-2-2")
    expect(sized.get_by_role("region", name="What would make it fit")).to_contain_text(
        "Wait: node-2 is promised to the pod once default/batch-2-2 is gone"
    )
    fits_the_width(sized)


def test_a_pods_story_is_a_time_line_that_moves_the_playhead(sized: Page, finished: Finished) -> None:
    show(sized, finished("who-is-evicted") + "?pod=default/payment-0")
    spans = sized.get_by_role("region", name="Time line").locator(".span")
    expect(spans.first).to_contain_text("active")
    expect(spans.last).to_contain_text("bound")
    expect(spans.last.get_by_role("button")).to_have_attribute("aria-current", "step")
    spans.filter(has_text="cycle 1").get_by_role("button").click()
    expect(sized).to_have_url(re.compile(r"[?&]cycle=1(&|$)"))
    expect(sized.get_by_role("article", name="default/payment-0")).to_contain_text("Of cycle 1, attempt 1")
    fits_the_width(sized)


def test_why_not_this_node_is_answered_with_numbers_and_what_would_help(
    sized: Page, finished: Finished
) -> None:
    show(sized, finished(text=MANY_REASONS) + "?pod=default/db-2")
    story = sized.get_by_role("article", name="default/db-2")
    expect(story.get_by_role("region", name="Waits for")).to_contain_text("Node add")
    story.get_by_label("Why not", exact=True).fill("node-a1")
    story.get_by_role("button", name="Ask").click()
    answer = story.locator(".answer")
    expect(answer).to_contain_text(
        "default/db-0 with app=db in topology.kubernetes.io/zone=zone-a", timeout=15_000
    )
    expect(answer).to_contain_text("cpu: needs 2, free 1 of 4, short by 1")
    expect(answer.locator(".remedies li")).to_have_count(2)
    story.get_by_label("Why not", exact=True).fill("nowhere")
    story.get_by_role("button", name="Ask").click()
    expect(answer).to_contain_text("There is no node nowhere")
    fits_the_width(sized)


def test_spread_and_labels_are_told_in_tables(sized: Page, finished: Finished) -> None:
    run = finished(text=MANY_REASONS)
    show(sized, f"{run}?pod=default/web-4")
    counted = sized.get_by_role("region", name="What plugins counted")
    expect(rows(counted.locator("table"))).to_have_count(3)
    expect(rows(counted.locator("table")).last).to_contain_text(re.compile(r"zone-a\s*2\s*3"))
    expect(sized.get_by_role("region", name="What would make it fit")).to_contain_text(
        "Allow a skew of 2 over topology.kubernetes.io/zone (maxSkew is 1)"
    )
    show(sized, f"{run}?pod=default/gpu")
    expect(rows(counted.locator("table")).filter(has_text="accelerator exists")).to_contain_text("0 of 4")
    show(sized, finished(text=SOFT) + "?cycle=1")
    scores = sized.get_by_role("region", name="Scores")
    expect(scores).to_contain_text("ScheduleAnyway")
    expect(rows(scores.locator(".counted"))).to_have_text(
        [re.compile(r"zone-b\s*0\s*0\.00"), re.compile(r"zone-a\s*1\s*1\.39")]
    )
    fits_the_width(sized)
    assert faults(sized) == []


def test_a_nodes_story_says_who_came_and_who_was_refused(sized: Page, finished: Finished) -> None:
    show(sized, finished("eighth-replica") + "?cycle=8&node=worker-5")
    node = sized.get_by_role("article", name="worker-5")
    expect(node.get_by_role("region", name="The pod and this node")).to_contain_text(
        re.compile(r"worker-5 is refused by NodePorts: port 443/TCP is held by edge/edge-proxy-\d")
    )
    expect(node.get_by_role("region", name="Who came and went")).to_contain_text("was bound here")
    expect(node.get_by_role("region", name="Refused here")).to_contain_text("edge/edge-proxy-7")
    fits_the_width(sized)
    assert faults(sized) == []


def test_five_hundred_nodes_read_as_easily_as_three(sized: Page, finished: Finished) -> None:
    run = finished(text=json.dumps(workload(500, 60)))
    show(sized, f"{run}?cycle=30")
    verdicts = sized.locator(".verdicts")
    expect(verdicts).to_be_visible(timeout=60_000)
    assert rows(verdicts).count() < 16
    expect(sized.locator(".sample")).to_contain_text("of 500 nodes were looked at")
    expect(sized.locator(".sample-strip")).to_be_visible()
    group = rows(verdicts).filter(has_text="not looked at")
    group.get_by_role("button").click()
    expect(sized.locator(".verdicts .members")).to_contain_text("more")
    fits_the_width(sized)
    show(sized, f"{run}?cycle=30&node=node-0009")
    refused = sized.get_by_role("region", name="Refused here")
    expect(refused).to_contain_text("taint", timeout=60_000)
    refused.get_by_role("button", name="Look further back").click()
    expect(refused).to_have_attribute("aria-busy", "false", timeout=60_000)
    expect(refused.get_by_role("button", name="Look further back")).to_have_count(0)
