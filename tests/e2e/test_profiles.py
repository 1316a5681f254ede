"""Profiles: form and YAML in step, what differs, two runs to compare, a decision weighed anew; at both widths."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import NARROW, WIDE
from tests.e2e.test_accessibility import faults
from tests.web.conftest import manifests, node, pod

pytestmark = pytest.mark.browser
NewPage = Callable[..., Page]

HEAD = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"
THREE = (
    HEAD
    + "# for batch\nparallelism: 8\nprofiles:\n- schedulerName: default-scheduler\n- schedulerName: batch\n"
    "  percentageOfNodesToScore: 40\n- schedulerName: a-scheduler-with-a-name-that-is-sixty-characters-long-or-more\n"
)
UNKNOWN = HEAD + "profiles:\n- plugins:\n    score:\n      enabled:\n      - name: Coscheduling\n"
IMAGE = {"names": ["registry.example/app:1"], "sizeBytes": 200_000_000}


@pytest.fixture(params=[(WIDE, "light"), (NARROW, "dark")], ids=["wide", "narrow"])
def opened(request: pytest.FixtureRequest, new_page: NewPage) -> Page:
    """A page at one of both widths, the narrow one dark; nothing on it yet."""
    viewport, theme = request.param
    return new_page(viewport=viewport, color_scheme=theme, reduced_motion="reduce")


def sent(page: Page, path: str, body: Any, method: str = "POST") -> Any:
    """Asks the API as a program does."""
    text = body if isinstance(body, str) else json.dumps(body)
    answer = page.request.fetch(
        f"/api/v1/{path}", method=method, data=text, headers={"Content-Type": "application/json"}
    )
    assert answer.ok, answer.text()
    return answer.json()


def kept(page: Page, name: str, config: str) -> str:
    found: str = sent(page, "profiles", {"name": name, "config": config})["id"]
    return found


def cluster_with_image(page: Page) -> str:
    """A cluster where the large node wins, and from some weight of ImageLocality the one that has the image."""
    with_image = node("has-image", cpu="2")
    with_image["status"]["images"] = [IMAGE]
    objects = manifests(node("large", cpu="8"), with_image, pod("web", "1"))
    found: str = sent(page, "clusters/import?name=Two%20nodes", objects)["id"]
    return found


def weight_of(page: Page, plugin: str) -> Locator:
    return page.get_by_label("score", exact=True).get_by_label(f"Weight of {plugin}, as a number")


def text_of(page: Page) -> Locator:
    return page.locator("sp-config-text .cm-content")


def write(page: Page, text: str) -> None:
    """Pastes a text in place of the YAML."""
    text_of(page).focus()
    page.keyboard.press("Control+a")
    text_of(page).evaluate(
        """(field, text) => {
          const clipboardData = new DataTransfer();
          clipboardData.setData("text/plain", text);
          field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
        }""",
        text,
    )


def says(page: Page, text: str | re.Pattern[str]) -> None:
    """The YAML is this, or has it in it."""
    pattern = text if isinstance(text, re.Pattern) else re.compile(rf"^{re.escape(text.rstrip())}\s*$")
    expect(text_of(page)).to_have_text(pattern, use_inner_text=True)


def differences(page: Page) -> Locator:
    return page.get_by_label("What differs from the default").get_by_role("listitem")


def fits(page: Page) -> None:
    """The page is no wider than the window, and axe finds nothing."""
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]  # type: ignore[index]
    assert faults(page) == []


def test_form_and_yaml_follow_each_other_and_everything_can_be_undone(opened: Page) -> None:
    page = opened
    page.goto("/profiles/")
    fits(page)
    page.get_by_role("link", name="New profile").click()
    expect(page.get_by_text("Nothing differs from the default")).to_be_visible()
    weight_of(page, "ImageLocality").fill("7")
    says(page, re.compile(r"name: ImageLocality\n +weight: 7\n"))
    expect(differences(page)).to_have_text("ImageLocality weighs 7, by default 1.")
    score = page.get_by_label("score", exact=True)
    slider = score.get_by_label("Weight of ImageLocality", exact=True)
    slider.focus()
    slider.press("ArrowRight")
    says(page, re.compile("weight: 8"))
    score.get_by_label("Turn off at score: NodeAffinity").click()
    says(page, re.compile("disabled:\n +- name: NodeAffinity"))
    filters = page.get_by_label("filter", exact=True)
    filters.get_by_label("Earlier at filter: NodeName").click()
    expect(filters.get_by_label("Later at filter: NodeName")).to_be_focused()
    expect(page.locator(".profile-said")).to_have_text("NodeName runs as number 1 of 13 at filter")
    expect(filters.get_by_role("listitem").first).to_contain_text("NodeName")
    expect(differences(page)).to_have_count(4)
    page.get_by_label("Arguments of NodeResourcesFit").first.click()
    page.get_by_label("Scoring strategy").select_option("RequestedToCapacityRatio")
    page.get_by_label("NodeResourcesFit: Score by utilisation, score 2").fill("4")
    says(page, re.compile(r"utilization: 100\n +score: 4"))
    expect(differences(page)).to_have_count(5)
    fits(page)
    write(page, HEAD + "profiles:\n- schedulerName: batch\n")
    expect(page.get_by_label("schedulerName")).to_have_value("batch")
    expect(differences(page)).to_have_text(
        "No profile is called default-scheduler: pods that name no scheduler are not tried."
    )
    differences(page).get_by_role("button").click()
    expect(page.get_by_label("schedulerName")).to_be_focused()
    undo = page.get_by_role("button", name="Undo")
    undo.click()
    expect(page.get_by_label("schedulerName")).to_have_value("default-scheduler")
    for _step in range(6):
        undo.click()
    expect(undo).to_be_disabled()
    expect(page.get_by_text("Nothing differs from the default")).to_be_visible()
    says(page, HEAD)
    page.get_by_role("button", name="Redo").click()
    expect(differences(page)).to_have_text("ImageLocality weighs 7, by default 1.")


def test_plugins_are_dragged_and_what_differs_leads_to_them(page: Page) -> None:
    page.goto("/profiles/new/")
    score = page.get_by_label("score", exact=True)
    cards = score.get_by_role("listitem")
    cards.filter(has_text="ImageLocality").locator(".plugin-name").drag_to(
        cards.first, target_position={"x": 20, "y": 2}
    )
    expect(cards.first).to_contain_text("ImageLocality")
    expect(differences(page).first).to_contain_text("ImageLocality runs at score where TaintToleration does")
    says(page, re.compile("score:\n +enabled:\n +- name: ImageLocality"))
    page.get_by_label("preFilter", exact=True).get_by_label("Turn off at preFilter: VolumeZone").click()
    page.get_by_label("filter", exact=True).get_by_label("Turn off at filter: VolumeZone").click()
    expect(differences(page).filter(has_text="VolumeZone is turned off.")).to_be_visible()
    differences(page).filter(has_text="VolumeZone").get_by_role("button").click()
    expect(page.get_by_label("Turn on at preFilter: VolumeZone")).to_be_focused()
    page.keyboard.press("Enter")
    expect(differences(page).filter(has_text="VolumeZone does not run at filter.")).to_be_visible()


def test_errors_stand_at_their_line_and_at_their_field(opened: Page, allowed: list[str]) -> None:
    allowed.append("422 (Unprocessable Entity)")
    page = opened
    page.goto(f"/profiles/{kept(page, 'gangs', UNKNOWN)}/")
    expect(page.locator(".cm-lint-marker-error")).to_have_count(1)
    expect(page.locator(".text-errors")).to_contain_text("line 7")
    expect(page.get_by_label("Errors")).to_contain_text('"Coscheduling" does not exist')
    fits(page)
    write(page, THREE)
    profiles = page.get_by_role("group", name="Profiles of this configuration").get_by_role("button")
    expect(profiles).to_have_count(3)
    expect(page.get_by_text("Only in the YAML, and kept: parallelism")).to_be_visible()
    differences(page).get_by_role("button", name="40 percent").click()
    expect(page.get_by_label("Nodes scored here")).to_have_value("40")
    page.get_by_label("Arguments of InterPodAffinity").first.click()
    weight = page.get_by_label("Required affinity of other pods counts")
    weight.fill("300")
    expect(page.locator("[data-arguments=InterPodAffinity] .field-error")).to_contain_text("[0, 100]")
    expect(weight).to_have_attribute("aria-invalid", "true")
    says(page, THREE)
    fits(page)
    weight.fill("30")
    says(page, re.compile("parallelism: 8\n(.*\n)*.*hardPodAffinityWeight: 30"))
    write(page, HEAD + "profiles: [\n")
    expect(page.get_by_text("The YAML cannot be read, so the form shows what it last said")).to_be_visible()
    expect(page.get_by_label("schedulerName")).to_be_disabled()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text(re.compile(r"Not saved: line \d+: .+ while parsing"))
    page.keyboard.press("Control+z")
    expect(page.get_by_label("schedulerName")).to_be_enabled()
    write(page, HEAD)
    expect(differences(page)).to_have_count(0)
    expect(page.get_by_label("schedulerName")).to_be_enabled()
    weight = weight_of(page, "TaintToleration")
    weight.fill("-3")
    says(page, re.compile("TaintToleration\n *weight: -3"))
    slider = page.get_by_label("Weight of TaintToleration", exact=True).last
    expect(slider).to_have_attribute("min", "-10")
    expect(slider).to_have_value("-3")
    expect(page.get_by_label("score", exact=True)).to_contain_text("Weight 0 counts as 1")
    weight.fill("0")
    weight.blur()
    expect(weight).to_have_value("1")
    says(page, re.compile("TaintToleration\n *weight: 1"))
    text_of(page).focus()
    page.keyboard.press("Control+a")
    page.keyboard.press("k")
    says(page, "k")
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(HEAD)
    says(page, HEAD)
    expect(differences(page)).to_have_count(0)


def test_nothing_unsaved_is_lost_and_nobody_is_overwritten(opened: Page, allowed: list[str]) -> None:
    allowed.append("412 (Precondition Failed)")
    page = opened
    profile = kept(page, "shared", HEAD)
    page.goto(f"/profiles/{profile}/")
    weight_of(page, "ImageLocality").fill("5")
    says(page, re.compile("weight: 5"))
    expect(page.get_by_text("Not saved yet")).to_be_visible()
    page.goto("/profiles/")
    sent(page, f"profiles/{profile}", {"name": "shared", "config": HEAD + "parallelism: 3\n"}, "PUT")
    page.goto(f"/profiles/{profile}/")
    expect(page.get_by_text("that were not saved are here again")).to_be_visible()
    says(page, re.compile("weight: 5"))
    page.keyboard.press("Control+s")
    conflict = page.get_by_role("alert", name="Conflict")
    expect(conflict).to_contain_text("Somebody else has saved this profile since you opened it")
    conflict.get_by_text("What they saved").click()
    expect(conflict.locator(".theirs")).to_contain_text("parallelism: 3")
    fits(page)
    conflict.get_by_role("button", name="Take theirs").click()
    says(page, HEAD + "parallelism: 3\n")
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    says(page, re.compile("weight: 5"))
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    assert "weight: 5" in page.request.get(f"/api/v1/profiles/{profile}").json()["config"]


def test_a_decision_is_weighed_anew_and_its_weight_put_into_a_profile(opened: Page) -> None:
    page = opened
    run = sent(page, "runs", {"cluster": cluster_with_image(page)})["id"]
    page.goto(f"/runs/{run}/?cycle=1")
    if page.viewport_size == NARROW:
        page.get_by_role("tab", name="Cycle").first.click()
    page.get_by_text("What if a weight were different?").click()
    weights = page.get_by_label("Weights", exact=True)
    expect(weights.get_by_role("status")).to_have_text(re.compile("large wins, as in the run"))
    expect(weights).to_contain_text(
        re.compile(r"ImageLocality has weight 1: large wins below, has-image wins from")
    )
    slider = weights.get_by_label("Weight of ImageLocality", exact=True)
    slider.focus()
    slider.press("ArrowRight")
    expect(weights.get_by_role("button", name="Back")).to_be_visible()
    flip = weights.get_by_role("button", name=re.compile(r"^has-image from [0-9.]+$")).last
    flip.press("Enter")
    expect(weights.get_by_role("status")).to_have_text(re.compile("has-image would win instead of large"))
    expect(weights.locator(".ranking tbody tr").first).to_contain_text("has-image")
    fits(page)
    weight = weights.get_by_label("Weight of ImageLocality, as a number").input_value()
    weights.get_by_role("link", name="Put into a profile").click()
    expect(weight_of(page, "ImageLocality")).to_have_value(weight)
    expect(differences(page)).to_have_text(f"ImageLocality weighs {weight}, by default 1.")
    weights.get_by_role("button", name=re.compile("^large below")).click()
    expect(weights.get_by_role("status")).to_have_text(re.compile("large wins, as in the run"))
    weights.get_by_role("button", name="Put into this profile").click()
    expect(weight_of(page, "ImageLocality")).to_have_value(str(int(weight) - 1))


def test_a_cluster_runs_under_two_profiles_and_the_run_form_offers_them(opened: Page) -> None:
    page = opened
    cluster = cluster_with_image(page)
    profile = kept(page, "plain", HEAD)
    page.goto(f"/profiles/{profile}/")
    weight_of(page, "ImageLocality").fill("50")
    expect(page.get_by_text("Not saved yet")).to_be_visible()
    page.locator("select[name=cluster]").select_option(cluster)
    page.get_by_role("button", name="Run both and compare").click()
    page.wait_for_url(re.compile(r"/runs/\w+/compare/\w+/"))
    assert "weight: 50" in page.request.get(f"/api/v1/profiles/{profile}").json()["config"]
    expect(page.locator("main")).to_contain_text("has-image", timeout=20_000)
    page.goto(f"/clusters/{cluster}/")
    page.locator("select[name=profile]").select_option(profile)
    page.locator("[data-run]").click()
    page.wait_for_url(re.compile(r"/runs/\w+/$"))
    assert page.request.get(f"/api/v1/runs/{page.url.split('/')[-2]}").json()["profile"] == profile
    page.goto("/profiles/")
    row = page.locator(".profile-list > li").filter(has=page.locator(f"a[href='/profiles/{profile}/']"))
    expect(row).to_contain_text("2 runs, the latest")
    row.get_by_label("Delete plain…").click()
    fits(page)
    row.get_by_role("button", name="Delete plain").click()
    expect(row).to_have_count(0)
