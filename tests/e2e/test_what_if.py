"""What if: change a cluster, see what moves, take it back, run it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.steps import wait_for_end
from tests.e2e.test_accessibility import faults

pytestmark = pytest.mark.browser
Example = Callable[[str], Path]
Open = Callable[[str], Page]
POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: extra}\nspec:\n  containers: [{name: c, image: i}]\n"
WIDTHS = [390, 1440]
HELM = Path(__file__).parents[1] / "inputs/faults/plans/helm.yaml"


@pytest.fixture(params=WIDTHS)
def what_if(request: pytest.FixtureRequest, new_page: Callable[..., Page], example: Example) -> Open:
    """Opens the what-if of an example, imported by the API."""

    def open_it(name: str) -> Page:
        theme = "dark" if request.param == WIDTHS[0] else "light"
        size = {"width": request.param, "height": 900}
        page = new_page(viewport=size, color_scheme=theme, reduced_motion="reduce")
        answer = page.request.post(
            "/api/v1/clusters/import",
            data=example(name).read_bytes(),
            headers={"Content-Type": "application/yaml"},
        )
        page.goto(f"/clusters/{answer.json()['id']}/what-if/")
        expect(page.locator(".what-if-words")).to_contain_text("Nothing is changed yet")
        return page

    return open_it


def words(page: Page, text: str) -> None:
    expect(page.locator(".what-if-words")).to_have_text(re.compile(rf"^\s*{text}\s*$"))


def node(page: Page, name: str) -> Locator:
    return page.locator(f"sp-map [data-node={name}]")


def button(page: Page, name: str) -> Locator:
    return page.locator("sp-change").get_by_role("button", name=name, exact=True)


def test_a_node_is_added_switched_off_and_undone(what_if: Open) -> None:
    page = what_if("free-but-scattered")
    words(page, "Nothing is changed yet: 1 pod stays pending")
    node(page, "node-a").click()
    page.locator("sp-change input[name=count]").fill("2")
    button(page, "Add").click()
    words(page, "1 rescued.*")
    expect(page.get_by_label("Rescued")).to_contain_text("report-builder")
    expect(page.locator(".edits li")).to_contain_text("Add 2 nodes like node-a")
    expect(page.locator("sp-map .v-changed").filter(has_text="new")).to_have_count(2)
    expect(page.locator("sp-map .legend")).to_contain_text("2 nodes changed")
    assert faults(page) == []
    page.locator(".edits input[type=checkbox]").uncheck()
    words(page, "Nothing is changed yet: 1 pod stays pending")
    page.get_by_role("button", name="Undo").click()
    words(page, "1 rescued.*")
    page.locator(".edits").get_by_role("button", name=re.compile("^Change")).click()
    page.locator(".edit-fields").get_by_label("count").fill("3")
    page.locator(".edit-fields").get_by_role("button", name="Change").click()
    expect(page.locator(".edits li")).to_contain_text("Add 3 nodes like node-a")
    expect(page.locator("sp-map .v-changed").filter(has_text="new")).to_have_count(3)
    page.reload()
    words(page, "1 rescued.*")
    expect(page.locator(".edits li")).to_contain_text("Add 3 nodes like node-a")


def test_kinds_that_scheduling_does_not_read_are_named_in_the_editor(what_if: Open) -> None:
    page = what_if("free-but-scattered")
    page.get_by_role("button", name="Apply YAML").click()
    page.locator(".cm-content").fill(HELM.read_text())
    said = page.locator(".yaml-said")
    expect(said).to_contain_text("4 objects, as the API server takes them")
    expect(said).to_contain_text(
        "Not read by scheduling: 1 ConfigMap, 1 Secret, 1 ServiceAccount, 1 ServiceMonitor"
    )


def test_yaml_is_completed_judged_at_its_lines_and_in_step_with_the_form(
    what_if: Open, allowed: list[str]
) -> None:
    allowed.append("422 (Unprocessable Entity)")
    page = what_if("free-but-scattered")
    page.get_by_role("button", name="New pod").click()
    text = page.locator(".cm-content")
    expect(page.locator(".yaml-said")).to_contain_text("1 object, as the API server takes it")
    form = page.get_by_role("group", name="Pod by a form")
    form.get_by_label("cpu").fill("700m")
    form.get_by_label("cpu").press("Enter")
    expect(text).to_contain_text("cpu: 700m")
    form.get_by_label("Tolerations").fill("gpu:NoSchedule")
    form.get_by_label("Tolerations").press("Enter")
    expect(text).to_contain_text("operator: Exists")
    text.press("Control+End")
    page.keyboard.type("  priorityC")
    option = page.locator(".cm-tooltip-autocomplete li[aria-selected=true]")
    expect(option).to_contain_text("priorityClassName")
    option.click()
    page.keyboard.type('"no such"')
    expect(page.locator(".yaml-said")).to_contain_text("spec.priorityClassName")
    expect(page.locator(".cm-lint-marker-error")).to_have_count(1)
    expect(page.get_by_role("button", name="Apply", exact=True)).to_be_disabled()
    assert faults(page) == []
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(text).not_to_be_focused()
    text.press("Control+a")
    page.keyboard.press("Delete")
    page.keyboard.insert_text(POD)
    page.keyboard.press("Control+Enter")
    words(page, "1 new")
    expect(page.get_by_label("New", exact=True)).to_contain_text(re.compile("extra → node-"))
    expect(page.locator("dialog.yaml")).to_have_count(0)


def test_an_object_is_edited_as_it_is_stored(what_if: Open) -> None:
    page = what_if("free-but-scattered")
    node(page, "node-a").click()
    button(page, "Edit").click()
    cpu = page.get_by_role("group", name="Node by a form").get_by_label("cpu")
    cpu.fill("8")
    cpu.press("Enter")
    expect(page.locator(".cm-content")).to_contain_text(re.compile('cpu: "?8"?'))
    page.get_by_role("button", name="Change", exact=True).click()
    words(page, "1 rescued.*")
    expect(page.locator(".edits li")).to_contain_text("Patch Node/node-a")
    expect(page.locator("sp-map .v-changed")).to_contain_text(re.compile("other size"))


def test_what_is_refused_says_why_beside_the_edit(what_if: Open) -> None:
    page = what_if("free-but-scattered")
    node(page, "node-a").click()
    button(page, "Drain").click()
    expect(page.locator(".edits li .bad")).to_contain_text("cannot delete")
    words(page, "Nothing changes: 1 edit is refused")
    page.get_by_role("button", name="Evict them too").click()
    expect(page.locator(".edits li")).to_contain_text("pods without a controller too")
    words(page, ".*gone.*|.*moved.*|.*newly pending.*")


def test_several_are_rescheduled_and_the_list_can_be_changed(what_if: Open) -> None:
    page = what_if("free-but-scattered")
    page.get_by_role("button", name="Several").click()
    node(page, "node-a").click()
    node(page, "node-b").click()
    expect(page.locator("sp-change h2")).to_have_text("2 nodes")
    expect(page.locator("sp-map .picked")).to_have_count(2)
    button(page, "Cordon").click()
    expect(page.locator(".edits li")).to_contain_text("Cordon node")
    page.locator("sp-change").get_by_role("button", name=re.compile("^Reschedule")).click()
    expect(page.get_by_label("Question")).to_have_value("reschedule")
    asked = page.get_by_label("Pods to reschedule").get_by_role("listitem")
    expect(asked).to_have_count(2)
    words(page, ".*moved.*|.*newly pending.*")
    assert faults(page) == []
    page.get_by_role("button", name="Leave node-b where it is").click()
    expect(asked).to_have_count(1)
    page.reload()
    expect(asked).to_have_text(re.compile("all of node node-a"))
    page.get_by_role("button", name="Leave node-a where it is").click()
    expect(page.get_by_label("Question")).to_have_value("continue")


def test_the_answer_follows_a_slider_and_one_movement_is_one_step(what_if: Open) -> None:
    page = what_if("free-but-scattered")
    page.get_by_role("row", name=re.compile("^report-builder")).click()
    slider = page.get_by_role("slider", name="cpu")
    slider.fill("1000")
    expect(page.locator(".edits li")).to_contain_text("requests cpu=1 ")
    slider.fill("700")
    words(page, "1 rescued.*")
    page.get_by_role("slider", name="memory").fill("512")
    expect(page.locator(".edits li")).to_have_count(3)
    page.get_by_role("button", name="Clear").click()
    words(page, "Nothing is changed yet.*")


def test_a_pod_is_put_on_another_node(what_if: Open) -> None:
    page = what_if("free-but-scattered")
    if page.viewport_size and page.viewport_size["width"] > WIDTHS[0]:
        page.get_by_label("orders-3", exact=False).first.drag_to(node(page, "node-a"))
    else:
        page.get_by_role("row", name=re.compile("^orders-3")).click()
        page.get_by_label("What if on").fill("node-a")
        button(page, "Ask").click()
    expect(page.locator(".edits li")).to_have_text(
        [re.compile("Delete Pod/.*orders-3"), re.compile("Apply Pod/.*orders-3")]
    )
    words(page, ".*1 newly pending.*")
    expect(page.get_by_label("Newly pending")).to_contain_text("orders-3")


def test_edits_are_reordered_saved_loaded_and_run(what_if: Open) -> None:
    page = what_if("free-but-scattered")
    node(page, "node-a").click()
    button(page, "Cordon").click()
    button(page, "Add").click()
    items = page.locator(".edits li")
    expect(items).to_have_text([re.compile("Cordon"), re.compile("Add")])
    words(page, "1 rescued.*")
    page.get_by_role("button", name=re.compile("^Later: Cordon")).click()
    expect(items).to_have_text([re.compile("Add"), re.compile("Cordon")])
    if page.viewport_size and page.viewport_size["width"] > WIDTHS[0]:
        expect(page.locator(".what-if-verdict:not(.asking)")).to_be_visible()
        items.nth(1).drag_to(items.nth(0), target_position={"x": 40, "y": 2})
        expect(items).to_have_text([re.compile("Cordon"), re.compile("Add")])
    name = f"two edits {page.viewport_size and page.viewport_size['width']}"
    page.locator("sp-edits summary", has_text="Save or load").click()
    page.get_by_label("Save as").fill(name)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("sp-edits [role=status]")).to_have_text(f"Saved as “{name}”.")
    page.get_by_role("button", name="Clear").click()
    expect(items).to_have_count(0)
    page.get_by_label("Scenario").select_option(label=name)
    page.get_by_role("button", name="Load", exact=True).click()
    expect(items).to_have_count(2)
    words(page, "1 rescued.*")
    page.get_by_role("button", name="Run it").click()
    page.wait_for_url(re.compile(r"/runs/\w+/"))
    wait_for_end(page)
    expect(page.locator("sp-status")).to_contain_text("All")


def test_a_broken_address_says_so_and_a_tap_leads_to_what_can_be_done(what_if: Open) -> None:
    page = what_if("free-but-scattered")
    address = page.url
    page.goto("about:blank")
    page.goto(f"{address}?node=zz&pod=shop/none#edits=%5B%7B%22kind%22%3A%22cord")
    verdict = page.locator("sp-what-if")
    expect(verdict).to_contain_text("The address is cut off or broken: its edits cannot be read.")
    expect(verdict).to_contain_text(
        "There is no node zz in this cluster. There is no pod shop/none in this cluster."
    )
    assert faults(page) == []
    node(page, "node-a").click()
    expect(verdict).not_to_contain_text("There is no node")
    way = page.locator("sp-detail").get_by_role("button", name="Change node-a")
    panel = page.get_by_role("region", name="Change", exact=True)
    if page.viewport_size == {"width": WIDTHS[1], "height": 900}:
        expect(way).to_be_hidden()
        expect(button(page, "Cordon")).to_be_in_viewport()
    else:
        expect(way).to_be_in_viewport()
        table = page.locator("table.resources")
        assert table.evaluate("(table) => table.scrollWidth <= table.parentElement.clientWidth")
        way.click()
        expect(panel).to_be_focused()
        expect(button(page, "Cordon")).to_be_in_viewport()
    button(page, "Cordon").click()
    expect(page.locator(".edits li")).to_contain_text("Cordon node-a")
    expect(verdict).not_to_contain_text("The address is cut off")
    page.locator("sp-tables tbody tr", has_text="report-builder").click()
    expect(page.locator("sp-detail")).to_contain_text(
        "It stays pending. “Run it” among the edits shows why, node by node."
    )
