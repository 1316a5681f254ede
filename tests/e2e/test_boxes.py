"""On every page, from a phone to a wide screen: room for sections, no sideways scroll, what is cut can be read."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import APIRequestContext, Page, Playwright, expect

pytestmark = pytest.mark.browser

LONG = Path(__file__).parents[1] / "inputs/faults/pages/long.json"
WIDTHS = (390, 1280, 1440, 2560)
HEIGHT = 900
#: Pixels: a section that is narrower cannot be read.
NARROWEST = 200
ADDRESSES = {
    "start": "/",
    "cluster": "/clusters/{cluster}/",
    "what-if": "/clusters/{cluster}/what-if/",
    "run": "/runs/{run}/",
    "compare": "/runs/{run}/compare/{other}/",
    "profiles": "/profiles/",
    "new profile": "/profiles/new/",
    "checks": "/checks/",
    "new check": "/checks/new/",
    "reference": "/api/v1/docs",
}
#: What is wrong with the boxes of a page, each as a few words.
FAULTS = """(narrowest) => {
  const wrong = [];
  const name = (each) =>
    `${each.localName}${each.id ? `#${each.id}` : ""}.${each.getAttribute("class") ?? ""}`.slice(0, 60);
  const shown = (each) =>
    each.checkVisibility({ visibilityProperty: true }) &&
    !each.closest(".visually-hidden, [aria-hidden=true]");
  for (const each of document.querySelectorAll("main section, main details.sheet, main aside")) {
    const { width } = each.getBoundingClientRect();
    if (shown(each) && width < narrowest) wrong.push(`${name(each)} is ${Math.round(width)} px wide`);
  }
  const beyond = document.documentElement.scrollWidth - innerWidth;
  if (beyond > 0) wrong.push(`the page scrolls ${beyond} px sideways`);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const seen = new Set();
  while (texts.nextNode()) {
    if (!texts.currentNode.data.trim()) continue;
    for (let box = texts.currentNode.parentElement; box && box !== document.body; box = box.parentElement) {
      const style = getComputedStyle(box);
      if (["auto", "scroll"].includes(style.overflowX)) break;
      if (!["hidden", "clip"].includes(style.overflowX) || seen.has(box)) continue;
      seen.add(box);
      if (box.scrollWidth <= box.clientWidth + 1 || !shown(box)) continue;
      const readable = box.closest("[title]") || box.closest("summary") || box.querySelector("[title]");
      if (!readable) wrong.push(`${name(box)} cuts “${box.textContent.trim().slice(0, 60)}”`);
    }
  }
  return [...new Set(wrong)];
}"""


@pytest.fixture(scope="module")
def places(playwright: Playwright, address: str) -> dict[str, str]:
    """Gives what the addresses name: a cluster of long names and two runs of it."""
    api = playwright.request.new_context(
        base_url=f"{address}/api/v1/", extra_http_headers={"Prefer": "wait=60"}, timeout=90_000
    )
    found = _made(api)
    api.dispose()
    return found


def _made(api: APIRequestContext) -> dict[str, str]:
    data, headers = LONG.read_bytes(), {"Content-Type": "application/json"}
    cluster = api.post("clusters/import", data=data, headers=headers).json()["id"]
    first, second = (api.post("runs", data={"cluster": cluster}).json() for _ in range(2))
    assert [first["status"], second["status"]] == ["finished", "finished"]
    return {"cluster": cluster, "run": first["id"], "other": second["id"]}


@pytest.mark.parametrize("name", ADDRESSES)
def test_sections_have_room_and_what_is_cut_can_be_read(
    new_page: Callable[..., Page], places: dict[str, str], name: str
) -> None:
    page = new_page(reduced_motion="reduce")
    page.goto(ADDRESSES[name].format(**places), wait_until="networkidle")
    expect(page.locator("main")).to_be_visible()
    found = {}
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": HEIGHT})
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        found[width] = page.evaluate(FAULTS, NARROWEST)
    assert found == {width: [] for width in WIDTHS}


def test_pods_left_are_one_chip_for_each_owner_and_reason(page: Page, places: dict[str, str]) -> None:
    page.goto(ADDRESSES["run"].format(**places))
    chips = page.locator("sp-status .left-pod")
    expect(chips).to_have_count(1)
    expect(chips).to_contain_text("× 6")
    expect(chips.locator(".why")).to_have_text("12 Insufficient cpu")
    expect(chips).to_have_attribute("title", re.compile("-00000, .*-00005: 12 Insufficient cpu$"))
    chips.click()
    expect(page.get_by_role("article", name="payments-reconciliation-batch-5fddcf7688-00000")).to_be_visible()


def test_a_row_of_the_log_shows_which_pod_and_why_in_full(page: Page, places: dict[str, str]) -> None:
    page.goto(ADDRESSES["run"].format(**places) + "?log=events&q=PodUnschedulable")
    reasons = page.locator("sp-log .what")
    expect(reasons).to_have_text(["12 Insufficient cpu"] * 6)
    assert reasons.evaluate_all("(all) => all.every((each) => each.scrollWidth <= each.clientWidth)")
    tails = page.locator("sp-log .name.split > :last-child")
    expect(tails).to_have_text([f"-0000{number}" for number in range(6)])
