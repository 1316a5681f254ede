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
