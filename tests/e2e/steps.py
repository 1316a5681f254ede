"""What a person does, named."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect


def import_files(page: Page, *files: Path) -> None:
    """Chooses files on the start page and waits for the cluster's page."""
    page.goto("/")
    page.get_by_label("Files with manifests").set_input_files([str(path) for path in files])
    page.wait_for_url(re.compile(r"/clusters/\w+/$"))


def import_text(page: Page, text: str) -> None:
    """Pastes manifests into the start page's field."""
    page.goto("/")
    page.get_by_label("Manifests", exact=True).fill(text)
    page.get_by_role("button", name="Import").click()


def run(page: Page) -> None:
    """Presses Run and waits until the outcome stands there."""
    page.locator("[data-run]").click()
    page.wait_for_url(re.compile(r"/runs/\w+/"))
    wait_for_end(page)


def wait_for_end(page: Page) -> None:
    """Waits until the outcome stands there and all of the run is read."""
    expect(page.locator("sp-run[data-read]")).to_be_attached(timeout=30_000)
    expect(page.locator("sp-status .verdict:not(.working)")).not_to_have_text("", timeout=30_000)


def import_and_run(page: Page, *files: Path) -> None:
    """From the files to the finished run."""
    import_files(page, *files)
    run(page)


def look_at(page: Page, run: str) -> None:
    """Opens the page of a finished run, as `finished` finds it, and waits until all of it is there."""
    page.goto(run)
    wait_for_end(page)
