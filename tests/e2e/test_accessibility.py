"""axe finds nothing on any page, in either theme."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.e2e.conftest import Finished
from tests.e2e.steps import import_files, run
from tests.needs import ROOT

pytestmark = pytest.mark.browser

RULES = "['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']"
AXE = ROOT / "frontend" / "node_modules" / "axe-core" / "axe.min.js"


def faults(page: Page) -> list[str]:
    """Returns what axe finds on the page as it stands."""
    if not AXE.exists():
        pytest.skip("needs axe: `npm ci` in frontend/ (make setup)")
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    found = page.evaluate(f"axe.run(document, {{ runOnly: {RULES}, resultTypes: ['violations'] }})")
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
    new_page: Callable[..., Page], finished: Finished, theme: str, width: int
) -> None:
    page = new_page(color_scheme=theme, reduced_motion="reduce", viewport={"width": width, "height": 844})
    address = finished("eighth-replica")
    for view, panels in {
        "board=charts&log=events": ("Queue", "Map", "Log", "Cycle"),
        "board=stream": ("Map",),
        "colour=stranded&by=kubernetes.io/os": ("Map",),
        "pod=edge/edge-proxy-7": ("Cycle",),
    }.items():
        page.goto(f"{address}?{view}&cycle=8&break=tie")
        page.locator("sp-queue .queue-foot").wait_for(state="attached")
        page.locator("sp-detail article").first.wait_for(state="attached")
        tabs = page.get_by_role("tablist", name="Panels")
        for panel in panels if tabs.is_visible() else [""]:  # a wide page shows all
            if panel:
                tabs.get_by_role("tab", name=panel).click()
            assert faults(page) == [], (view, panel)
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
