"""What if: change a cluster, see what moves, take it back, run it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.steps import import_files, wait_for_end

pytestmark = [pytest.mark.browser, pytest.mark.serial]
Example = Callable[[str], Path]
POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: extra}\nspec:\n  containers: [{name: c, image: i}]\n"


@pytest.fixture(params=[390, 1440])
def desk(request: pytest.FixtureRequest, page: Page, example: Example) -> Page:
    """The what-if of a cluster where one pod stays pending."""
    page.set_viewport_size({"width": request.param, "height": 900})
    import_files(page, example("free-but-scattered"))
    page.get_by_role("link", name="What if").click()
    expect(page.locator(".what-if-words")).to_have_text(
        re.compile("Nothing is changed yet: 1 pod stays pending")
    )
    return page


def words(page: Page, text: str) -> None:
    expect(page.locator(".what-if-words")).to_have_text(re.compile(rf"^\s*{text}\s*$"))


def test_a_node_is_added_switched_off_and_undone(desk: Page) -> None:
    desk.locator("sp-map [data-node=node-a]").click()
    desk.get_by_label(re.compile("^Add")).fill("2")
    desk.get_by_role("button", name="Add", exact=True).click()
    words(desk, "1 rescued.*")
    expect(desk.get_by_label("Rescued")).to_contain_text("report-builder")
    expect(desk.locator(".edits li")).to_have_text(re.compile("Add 2 nodes like node-a"))
    expect(desk.locator("sp-map .v-changed").filter(has_text="new")).to_have_count(2)
    desk.locator(".edits input[type=checkbox]").uncheck()
    words(desk, "Nothing is changed yet: 1 pod stays pending")
    desk.get_by_role("button", name="Undo").click()
    words(desk, "1 rescued.*")
    desk.reload()
    words(desk, "1 rescued.*")


def test_yaml_is_applied_and_its_faults_have_lines(desk: Page, allowed: list[str]) -> None:
    allowed.append("422 (Unprocessable Entity)")
    desk.locator(".edit-yaml summary").click()
    desk.get_by_label("Manifests to apply").fill(POD.replace("image", "imag"))
    desk.get_by_role("button", name="Apply", exact=True).click()
    expect(desk.locator(".edit-yaml [role=alert]")).to_contain_text("line 5")
    desk.get_by_label("Manifests to apply").fill(POD)
    desk.get_by_role("button", name="Apply", exact=True).click()
    words(desk, "1 new")
    expect(desk.get_by_label("New")).to_contain_text(re.compile("extra → node-"))


def test_an_edit_that_is_refused_says_why_beside_it(desk: Page) -> None:
    desk.locator("sp-map [data-node=node-a]").click()
    desk.get_by_role("button", name="Drain", exact=True).click()
    expect(desk.locator(".edits li .bad")).to_contain_text("cannot delete")
    words(desk, "Nothing changes")


def test_the_run_with_the_edits_is_started(desk: Page) -> None:
    desk.locator("sp-map [data-node=node-b]").click()
    desk.get_by_role("button", name="Add", exact=True).click()
    words(desk, "1 rescued.*")
    desk.get_by_role("button", name="Run it").click()
    desk.wait_for_url(re.compile(r"/runs/\w+/"))
    wait_for_end(desk)
    expect(desk.locator("sp-status")).to_contain_text("All")
