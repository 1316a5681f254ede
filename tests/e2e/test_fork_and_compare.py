"""Fork a run into another future, and two runs side by side."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.clusters import workload
from tests.e2e.steps import wait_for_end
from tests.e2e.test_accessibility import faults

pytestmark = pytest.mark.browser
NewPage = Callable[..., Page]
HEADERS = {"Prefer": "wait=60"}
CORDON = [{"kind": "cordon", "nodes": ["node-0001", "node-0004"]}]


def answer(page: Page, address: str, path: str, body: Any) -> dict[str, Any]:
    """What the API answers to a POST."""
    sent = page.request.post(
        f"{address}/api/v1/{path}",
        data=json.dumps(body),
        headers={**HEADERS, "Content-Type": "application/json"},
    )
    assert sent.ok, sent.text()
    found: dict[str, Any] = sent.json()
    return found


@pytest.fixture(params=[390, 1440])
def width(request: pytest.FixtureRequest) -> int:
    found: int = request.param
    return found


@pytest.fixture
def run(page: Page, address: str, width: int) -> dict[str, Any]:
    """A finished run of twelve nodes and forty pods."""
    page.set_viewport_size({"width": width, "height": 900})
    cluster = answer(page, address, "clusters/import?name=twelve", workload(12, 40))["id"]
    return answer(page, address, "runs", {"cluster": cluster, "name": "as it is"})


def test_an_edit_goes_into_the_past_and_the_fork_is_named_kept_and_deleted(
    page: Page, run: dict[str, Any], allowed: list[str], new_page: NewPage
) -> None:
    page.goto(f"/runs/{run['id']}/?cycle=20")
    expect(page.locator(".readout strong")).to_have_text("20")
    page.keyboard.press("f")
    dialog = page.get_by_role("dialog", name="Fork this run")
    expect(dialog.locator(".fork-words")).to_contain_text(
        re.compile(r"cycle 20, t = 0\.0\d\d s: .* is decided anew")
    )
    expect(dialog.locator(".fork-words")).to_contain_text("Cycles 1 to 19 stay as they are.")
    dialog.get_by_label("Change", exact=True).fill("node-0004")
    dialog.get_by_role("button", name="Cordon", exact=True).click()
    expect(dialog.locator(".edits li")).to_have_text(re.compile("Cordon node-0004"))
    dialog.get_by_label("Cycle", exact=True).fill("10")
    expect(dialog.locator(".fork-words")).to_contain_text("Cycles 1 to 9 stay as they are.")
    # Going past the field of the time leaves the choice; a cycle that is none is said and not forked.
    page.keyboard.press("Tab")
    expect(dialog.get_by_label("Virtual time in seconds")).to_be_focused()
    expect(dialog.get_by_label("before cycle")).to_be_checked()
    expect(dialog.locator(".fork-words")).to_contain_text("cycle 10")
    for wrong in ("0", "999", "1.5"):
        dialog.get_by_label("Cycle", exact=True).fill(wrong)
        expect(dialog.locator(".fork-words")).to_have_text(
            f"There is no cycle {wrong}: give a whole number from 1 to 40."
        )
    dialog.get_by_role("button", name="Fork", exact=True).click()
    expect(dialog.get_by_label("Cycle", exact=True)).to_be_focused()
    assert faults(page) == []
    dialog.get_by_label("Cycle", exact=True).fill("10")
    assert faults(page) == []
    dialog.get_by_role("button", name="Fork", exact=True).click()
    page.wait_for_url(lambda url: "/runs/" in url and run["id"] not in url)
    wait_for_end(page)
    page.locator(".crumb-run").click()
    card = page.get_by_role("dialog", name="This run")
    expect(card.locator(".family strong")).to_have_text("Cordon node-0004")
    expect(card.get_by_role("link", name="as it is")).to_be_visible()
    card.get_by_label("Name").fill("without node 4")
    card.get_by_label("Note").fill("asked by the night shift")
    card.get_by_label("Keep it").check()
    expect(card.get_by_role("status")).to_have_text("Saved.")
    assert faults(page) == []
    allowed.append("409 (Conflict)")
    card.get_by_role("button", name="Delete").click()
    card.get_by_role("button", name="Delete it for good").click()
    expect(card.get_by_role("status")).to_have_text("This run is kept. Let it go first, then delete it.")
    _a_prefix_in_use_stays(new_page(), run["id"])
    card.get_by_label("Keep it").uncheck()
    expect(card.get_by_role("status")).to_have_text("Saved.")
    card.get_by_role("button", name="Delete").click()
    card.get_by_role("button", name="Delete it for good").click()
    page.wait_for_url(re.compile(r"/clusters/\w+/$"))
    expect(page.locator(".family-run")).to_have_count(1)


def _a_prefix_in_use_stays(page: Page, run: str) -> None:
    page.goto(f"/runs/{run}/")
    page.locator(".crumb-run").click()
    card = page.get_by_role("dialog", name="This run")
    card.get_by_role("button", name="Delete").click()
    card.get_by_role("button", name="Delete it for good").click()
    expect(card.get_by_role("status")).to_contain_text("Other runs were forked from this one: without node 4")


@pytest.mark.parametrize("width", [1440])
def test_the_what_if_opens_with_what_is_selected(page: Page, run: dict[str, Any]) -> None:
    page.goto(f"/runs/{run['id']}/?node=node-0003")
    expect(page.locator("sp-node")).to_contain_text("node-0003")
    page.keyboard.press("e")
    page.wait_for_url(re.compile(r"/clusters/\w+/what-if/\?node=node-0003"))


def test_two_runs_are_compared_with_one_playhead(
    page: Page, address: str, run: dict[str, Any], width: int
) -> None:
    fork = answer(page, address, f"runs/{run['id']}/fork", {"cycle": 15, "edits": CORDON})
    page.goto(f"/runs/{fork['id']}/")
    page.get_by_role("button", name="Compare", exact=True).click()
    page.get_by_role("dialog", name="Compare with").get_by_role("link").first.click()
    page.wait_for_url(re.compile(rf"/runs/{run['id']}/compare/{fork['id']}/"))
    expect(page.locator(".compare-words")).to_have_text(re.compile(r"\d+ moved"))
    moved = int(re.findall(r"(\d+) moved", page.locator(".compare-words").inner_text())[0])
    expect(page.get_by_label("Moved").locator(".what-if-title .num")).to_have_text(str(moved))
    expect(page.locator(".ribbon-legend")).to_contain_text("on another node")
    # The cycle that parts them is opened: both playheads go there, and each map paints what differs.
    page.locator("#parting-title button").click()
    cycle = re.findall(r"cycle (\d+)", page.locator("#parting-title").inner_text())[0]
    for side in ("before", "after"):
        expect(page.locator(f"sp-twin-line[side={side}]")).to_contain_text(f"cycle {cycle} / 40")
    expect(page.locator(".ribbon-standing")).to_contain_text("on another node")
    expect(page.locator("sp-run[beside=before] .v-changed").first).to_be_visible()
    expect(page.locator("sp-run[beside=after] .v-changed").first).to_be_visible()
    expect(page.locator(".parting-table").first).to_contain_text("NodeUnschedulable")
    # One scrubber moves both, by cycle and by time; the address keeps the place.
    page.get_by_role("slider", name="Cycles of both runs").fill("3")
    for side in ("before", "after"):
        expect(page.locator(f"sp-twin-line[side={side}]")).to_contain_text("cycle 3 / 40")
    expect(page.locator(".ribbon-kind")).to_have_text("alike")
    page.get_by_role("button", name="Next difference").click()
    expect(page).to_have_url(re.compile(rf"cycle={cycle}"))
    page.get_by_label("Scrub over").select_option("time")
    page.get_by_label("Virtual time of both runs").fill("0")
    expect(page.locator("sp-twin-line").first).to_contain_text(re.compile(r"cycle [01] / 40"))
    page.locator(".ribbon-box").click(position={"x": 5, "y": 10})
    expect(page.locator("sp-twin-line").first).to_contain_text(re.compile(r"cycle [12] / 40"))
    # A pod selected anywhere is selected in both.
    page.get_by_label("Moved").get_by_role("button").first.click()
    expect(page.locator("sp-run[beside=before] .legend-pod")).to_be_visible()
    expect(page.locator("sp-run[beside=after] .legend-pod")).to_be_visible()
    assert faults(page) == []


AS_MADE_BEFORE_THE_RUNS = """
document.addEventListener("readystatechange", () => {
  for (const place of document.querySelectorAll("[data-outcome]")) {
    if (document.readyState === "interactive") place.textContent = "waits for its turn";
  }
});
"""


def test_runs_that_cannot_tell_much_are_compared_too(
    new_page: NewPage, address: str, run: dict[str, Any], width: int, allowed: list[str]
) -> None:
    page = new_page(viewport={"width": width, "height": 900}, color_scheme="dark")
    page.add_init_script(AS_MADE_BEFORE_THE_RUNS)
    page.goto(f"/runs/{run['id']}/compare/{run['id']}/")
    expect(page.locator("[data-outcome]")).to_have_text(
        [re.compile(r"^All 40 pods are placed, 40 cycles$")] * 2
    )
    expect(page.locator(".compare-words")).to_have_text(
        re.compile("The two runs are the same, event by event")
    )
    expect(page.locator(".notice")).to_have_text(
        "A run beside itself is always the same: choose another one."
    )
    assert faults(page) == []
    bare = answer(page, address, "clusters/import?name=bare", workload(1, 0))["id"]
    empty = answer(page, address, "runs", {"cluster": bare})["id"]
    page.goto(f"/runs/{empty}/compare/{run['id']}/")
    expect(page.locator(".compare-words")).to_contain_text("40 new")
    expect(page.locator(".notice")).to_contain_text("different clusters")
    expect(page.locator(".ribbon-legend")).to_contain_text("40 only in B")
    page.goto(f"/runs/{empty}/compare/{empty}/")
    expect(page.locator("sp-ribbon")).to_contain_text("Neither run had anything to place.")
    allowed.append("404 (Not Found)")
    page.goto(f"/runs/{run['id']}/compare/0123456789abcdef/")
    expect(page.get_by_role("heading")).to_have_text("There is nothing here")
