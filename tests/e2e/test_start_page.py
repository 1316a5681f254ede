"""The start page: a question in one click, one's own clusters among many, an import that fails."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.clusters import MANY_REASONS, workload
from tests.e2e.steps import wait_for_end
from tests.e2e.test_accessibility import faults

pytestmark = pytest.mark.browser

SIZES = {"wide": {"width": 1440, "height": 900}, "narrow": {"width": 390, "height": 844}}


def is_within(page: Page) -> bool:
    """Returns whether nothing of a page lies beside the screen."""
    width = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    return bool(width[0] <= width[1])


def import_by_api(page: Page, name: str, text: str) -> None:
    answer = page.request.post(
        f"/api/v1/clusters/import?name={name}", headers={"Content-Type": "application/yaml"}, data=text
    )
    assert answer.status == 201


@pytest.mark.parametrize(("size", "theme"), [("wide", "light"), ("narrow", "dark")])
def test_a_question_is_a_run_in_one_click(new_page: Callable[..., Page], size: str, theme: str) -> None:
    page = new_page(viewport=SIZES[size], color_scheme=theme, reduced_motion="reduce")
    page.goto("/")
    first = page.get_by_role("button", name="Why does the eighth replica not fit nine nodes?", exact=True)
    expect(
        page.get_by_role("img", name=re.compile("^9 nodes by zone.*8 pods wait below$")).first
    ).to_be_visible()
    assert is_within(page)
    # As who has no cluster sees it; others of these tests have left some.
    page.locator(".start").evaluate(
        "start => { start.querySelector('.shelf')?.remove(); start.classList.add('is-new'); }"
    )
    assert is_within(page)
    assert faults(page) == []
    first.click()
    page.wait_for_url(re.compile(r"/runs/\w+/\?pod=edge/edge-proxy-7$"))
    wait_for_end(page)
    story = page.get_by_role("article", name="edge/edge-proxy-7")
    if size == "wide":
        expect(story).to_contain_text("is unschedulable")
    expect(page.locator("sp-status")).to_contain_text("1 of 8 pods stays pending")


def test_a_question_with_a_scenario_opens_at_the_node_it_is_about(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="The zone is gone: what now?", exact=True).click()
    page.wait_for_url(re.compile(r"/runs/\w+/\?node=b-1$"))
    expect(page.locator("sp-cycles ol")).to_have_attribute("aria-label", "Cycles, 18", timeout=30_000)
    expect(page.get_by_role("article", name="b-1")).to_contain_text("Who came and went")


def test_a_question_about_what_is_refused_says_so_on_top(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="A drain that never ends: what holds it up?", exact=True).click()
    page.wait_for_url(re.compile(r"/runs/\w+/\?node=node-1"))
    wait_for_end(page)
    verdict = page.locator("sp-status .verdict")
    expect(verdict).to_contain_text(
        "Drain node-1 cannot finish: 1 pod is held by PodDisruptionBudget shop/db"
    )
    expect(page.locator("sp-status")).to_contain_text("All 5 pods are placed")
    verdict.get_by_role("button", name="log").click()
    expect(page.get_by_role("list", name="Events, 1")).to_contain_text("EvictionRefused")


@pytest.mark.parametrize(("size", "theme"), [("wide", "dark"), ("narrow", "light")])
def test_one_cluster_among_many_is_found_and_tells_what_was_odd(
    new_page: Callable[..., Page], size: str, theme: str
) -> None:
    page = new_page(viewport=SIZES[size], color_scheme=theme, reduced_motion="reduce")
    for index in range(8):
        import_by_api(page, f"{size}-{index}", json.dumps(workload(index, index)))
    import_by_api(page, f"{size}-large", json.dumps(workload(130, 9)))
    odd = workload(2, 2)
    odd["items"][2]["spec"]["nodeName"] = "gone"
    import_by_api(page, f"{size}-odd-{'long-name-' * 6}", json.dumps(odd))
    page.goto("/")
    cards = page.get_by_role("list", name="Clusters").get_by_role("listitem")
    page.get_by_label("Find by name").fill(f"{size}-")
    expect(cards).to_have_count(10)
    expect(page).to_have_url(re.compile(rf"\?find={size}-$"))
    page.get_by_role("combobox", name="order").select_option("largest first")
    expect(cards.first).to_contain_text(f"{size}-large")
    expect(cards.first).to_contain_text("9 of 9 pods pending")
    assert is_within(page)
    assert faults(page) == []
    page.reload()
    expect(cards.first).to_contain_text(f"{size}-large")
    page.get_by_label("Find by name").fill("no such name")
    expect(page.locator("[data-shelf]")).to_contain_text("No cluster has “no such name” in its name")
    page.get_by_label("Find by name").fill(f"{size}-odd")
    expect(cards).to_have_count(1)
    cards.get_by_role("link", name="1 thing looks odd").click()
    page.wait_for_url(re.compile(r"/clusters/\w+/#import$"))
    expect(page.get_by_role("list", name="What looks odd")).to_be_in_viewport()


def test_an_import_that_got_no_answer_is_tried_again(page: Page, allowed: list[str]) -> None:
    allowed.append("ERR_FAILED")
    asked = []

    def fail_once(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) == 1:
            route.abort()
        else:
            route.continue_()

    page.route(re.compile("/clusters/import"), fail_once)
    page.goto("/")
    page.get_by_label("Redact").check()
    transfer = page.evaluate_handle(
        "text => { const data = new DataTransfer(); data.items.add(new File([text], 'dump.yaml')); return data; }",
        MANY_REASONS,
    )
    page.dispatch_event("h1", "dragenter", {"dataTransfer": transfer})
    expect(page.locator(".drop-over")).to_contain_text("It will be redacted")
    page.dispatch_event("h1", "drop", {"dataTransfer": transfer})
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("The server did not answer. Is it still running?")
    expect(alert).to_contain_text("Nothing was stored.")
    assert faults(page) == []
    alert.get_by_role("button", name="Try again").click()
    page.wait_for_url(re.compile(r"/clusters/\w+/$"))
    expect(page.get_by_role("region", name="Import")).to_contain_text("Redacted")
    assert len(asked) == 2
