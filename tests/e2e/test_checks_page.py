"""Checks on their pages: made, judged, proved at the cycle that decided, found again; at both widths."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
import yaml
from playwright.sync_api import Page, expect

from tests.e2e.test_accessibility import faults
from tests.web.conftest import manifests, node, pod

pytestmark = pytest.mark.browser

CLUSTER = "production-europe-west4-payments-and-settlement-with-a-long-name"
NEW = "\n---\n".join(yaml.safe_dump(pod(name, cpu)) for name, cpu in (("small", "500m"), ("large", "1800m")))
EXPECTED = """apiVersion: playground/v1
kind: Expectations
spec:
  expectations:
    - noPreemption: {}
    - allScheduled: {}
"""


def import_cluster(page: Page) -> str:
    """Imports two nodes with little room, by the API."""
    text = manifests(
        node("n1", cpu="2"), node("n2", cpu="2"), *(pod(f"old-{n}", "1", nodeName=f"n{n}") for n in (1, 2))
    )
    answer = page.request.post(
        f"/api/v1/clusters/import?name={CLUSTER}", data=text, headers={"Content-Type": "application/json"}
    )
    return str(answer.json()["id"])


def ask(page: Page, cluster: str, **more: Any) -> str:
    """Has a check made by the API and returns its address."""
    body = {"cluster": cluster, "manifests": [{"name": "deploy/app.yaml", "text": NEW}], **more}
    headers = {"Content-Type": "application/json", "Prefer": "wait=60"}
    answer = page.request.post("/api/v1/checks", data=json.dumps(body), headers=headers)
    assert answer.status == 201
    return answer.headers["location"].removeprefix("/api/v1") + "/"


def fits(page: Page) -> bool:
    """Returns whether nothing is wider than the screen."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


def ask_by_the_form(page: Page, cluster: str) -> None:
    """From the list of checks through what the form refuses to the check that is asked."""
    page.get_by_role("link", name="New check").click()
    expect(page.get_by_role("combobox", name="Cluster")).to_have_value(cluster)
    expect(page.get_by_role("textbox", name="Expectations")).to_have_value(
        re.compile(r"- allScheduled: \{\}")
    )
    assert faults(page) == []
    page.get_by_role("textbox", name="Manifests").fill("kind: Pod\n")
    page.get_by_role("textbox", name="Name, if you like").fill("payments 2.5")
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("manifests.yaml")
    expect(page.get_by_role("textbox", name="Name, if you like")).to_have_value("payments 2.5")

    dropped = page.evaluate_handle(
        "() => { const held = new DataTransfer(); held.items.add(new File(['kind: Pod'], 'app.yaml')); return held; }"
    )
    page.dispatch_event("#check-manifests", "drop", {"dataTransfer": dropped})
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("app.yaml")

    page.get_by_role("textbox", name="Manifests").fill(NEW)
    page.get_by_role("textbox", name="Expectations").fill(EXPECTED)
    page.get_by_role("button", name="Check", exact=True).click()


def test_a_check_is_made_judged_and_proved(new_page: Callable[..., Page], allowed: list[str]) -> None:
    allowed.append("422 (Unprocessable Entity)")
    page = new_page(permissions=["clipboard-read", "clipboard-write"])
    cluster = import_cluster(page)
    page.goto(f"/checks/?cluster={cluster}")
    expect(page.get_by_role("heading", name="No check of this cluster yet")).to_be_visible()
    expect(
        page.get_by_text(f"playground check -f deploy/ --server {page.url.split('/checks')[0]}")
    ).to_be_visible()
    assert faults(page) == []

    ask_by_the_form(page, cluster)
    page.wait_for_url(re.compile(r"/checks/\w{16}/$"))
    expect(page.get_by_role("heading", level=1)).to_have_text(
        re.compile("Does not hold: 1 of 2 pods has no node")
    )
    expected = page.locator(".expected-one")
    expect(expected.nth(0)).to_contain_text("allScheduled[1]")
    expect(expected.nth(0)).to_contain_text("NodeResourcesFit")
    expect(expected.nth(0)).to_contain_text("spec.containers[0].resources.requests[cpu]")
    expect(expected.nth(1)).to_contain_text("no pod is preempted")
    assert faults(page) == []

    page.get_by_role("button", name="Copy the line").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(
        "playground check -f manifests.yaml --expect expectations.yaml --name 'payments 2.5'"
    )
    junit = page.request.get(page.get_by_role("link", name="JUnit XML").get_attribute("href") or "")
    assert "<testsuite" in junit.text()

    check = page.url
    expected.nth(0).get_by_role("button", name="default/large").click()
    page.wait_for_url(re.compile(r"/runs/\w+/\?(cycle=2&)?pod=default/large"))
    expect(page.locator("sp-detail")).to_contain_text("large")
    expect(page.locator("sp-scrubber")).to_contain_text("cycle 2")
    again = new_page()
    again.goto(check)
    proved = again.locator(".expected-one").nth(0).get_by_role("link", name="default/large")
    expect(proved).to_have_attribute("href", re.compile(r"\?cycle=2&pod=default/large$"))

    again.get_by_role("link", name="Check again").click()
    expect(again.get_by_role("textbox", name="Manifests")).to_have_value(re.compile("cpu: 1800m"))
    again.get_by_role("navigation", name="Main").get_by_role("link", name="Profiles").click()
    again.wait_for_url("**/profiles/")
    again.keyboard.press("Control+k")
    again.get_by_role("combobox", name=re.compile("Find an action")).fill("Checks")
    again.keyboard.press("Enter")
    row = again.get_by_role("row", name=re.compile("payments 2.5"))
    expect(row).to_contain_text("1 of 2 hold")
    expect(row).to_contain_text("Does not hold")
    assert faults(again) == []


def test_on_a_phone_the_menu_leads_to_the_checks(new_page: Callable[..., Page]) -> None:
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True, color_scheme="dark")
    cluster = import_cluster(page)
    text = EXPECTED.replace("spec:", "spec:\n  orders: 6")
    address = ask(page, cluster, name="phone", expectations=[{"name": "expect.yaml", "text": text}])
    page.goto(f"/clusters/{cluster}/")
    main = page.get_by_role("navigation", name="Main")
    expect(main).to_be_hidden()
    page.get_by_role("button", name=re.compile("Menu")).click()
    expect(main.get_by_role("link", name="Clusters")).to_have_attribute("aria-current", "true")
    assert faults(page) == []
    page.keyboard.press("Escape")
    expect(main).to_be_hidden()
    page.get_by_role("button", name=re.compile("Menu")).click()
    main.get_by_role("link", name="Checks").click()
    page.get_by_role("combobox", name="Cluster").select_option(label=CLUSTER)
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_role("link", name="phone")).to_be_visible()
    assert fits(page)
    assert faults(page) == []
    page.get_by_role("link", name="phone").click()
    page.wait_for_url(f"**{address}")
    expect(page.get_by_text("0 of 4 orders", exact=True)).to_be_visible()
    assert fits(page)
    assert faults(page) == []
    page.goto(f"/checks/new/?cluster={cluster}")
    assert fits(page)
    assert faults(page) == []
