"""axe finds nothing on any page, in either theme."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.e2e.steps import import_files, run
from tests.needs import ROOT

pytestmark = [pytest.mark.browser, pytest.mark.serial]

RULES = "['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']"
AXE = ROOT / "frontend" / "node_modules" / "axe-core" / "axe.min.js"


def faults(page: Page) -> list[str]:
    """Returns what axe finds on the page as it stands."""
    if not AXE.exists():
        pytest.skip("needs axe: `npm ci` in frontend/ (make setup)")
    page.evaluate(AXE.read_text())
    found = page.evaluate(f"axe.run(document, {{ runOnly: {RULES} }})")
    return [f"{fault['id']}: {fault['nodes'][0]['target']}" for fault in found["violations"]]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(new_page: Callable[..., Page], example: Callable[[str], Path], theme: str) -> None:
    page = new_page(color_scheme=theme, reduced_motion="reduce")
    page.goto("/")
    assert faults(page) == []
    import_files(page, example("four-reasons"))
    page.locator("sp-map .node-name").first.wait_for()
    assert faults(page) == []
    run(page)
    page.locator(".verdicts").wait_for()
    assert faults(page) == []
    page.locator("sp-status .left-pod", has_text="simulation").click()
    page.locator("sp-why .verdicts").wait_for()
    assert faults(page) == []
    page.locator("sp-map .node-name").first.click()
    page.locator("sp-node .resources").wait_for()
    assert faults(page) == []


@pytest.mark.parametrize(("theme", "width"), [("light", 1440), ("dark", 390)])
def test_axe_finds_nothing_in_the_run_page_s_views(
    new_page: Callable[..., Page], example: Callable[[str], Path], theme: str, width: int
) -> None:
    page = new_page(color_scheme=theme, reduced_motion="reduce", viewport={"width": width, "height": 844})
    import_files(page, example("eighth-replica"))
    run(page)
    address = page.url
    for view in (
        "board=stream",
        "board=charts&log=events",
        "colour=stranded&by=kubernetes.io/os",
        "pod=edge/edge-proxy-7",
    ):
        page.goto(f"{address}?{view}&cycle=8&break=tie")
        page.locator("sp-queue .queue-foot").wait_for(state="attached")
        page.locator("sp-detail article").first.wait_for(state="attached")
        for panel in page.get_by_role("tablist", name="Panels").get_by_role("tab").all():
            if panel.is_visible():
                panel.click()
                assert faults(page) == [], (view, panel.inner_text())
        assert faults(page) == [], view
    for opened, keys in {
        ".palette[open]": ["Control+k"],
        ".glossary[open]": ["g", "w"],
        ".tour-card": ["g", "t"],
    }.items():
        for key in keys:
            page.keyboard.press(key)
        page.locator(opened).wait_for()
        assert faults(page) == [], opened
        page.keyboard.press("Escape")
        page.locator(opened).wait_for(state="detached" if opened == ".tour-card" else "hidden")
    page.get_by_role("button", name="Export", exact=True).click()
    assert faults(page) == [], "export"
