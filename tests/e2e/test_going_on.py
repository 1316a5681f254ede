"""A run that was cancelled, on its page: how far it got, and the rest by one button."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.e2e.steps import wait_for_end
from tests.web.conftest import small_cluster


def test_a_cancelled_run_says_how_far_it_got_and_goes_on(page: Page) -> None:
    api = page.request
    headers = {"Content-Type": "application/yaml"}
    cluster = api.post("/api/v1/clusters/import", data=small_cluster(60, 3000), headers=headers).json()
    run = api.post("/api/v1/runs", data={"cluster": cluster["id"]}).json()
    api.post(
        f"/api/v1/runs/{run['id']}/cancel"
    )  # at once: on a quick machine it would be over before a page is there
    page.goto(f"/runs/{run['id']}/")
    verdict = page.locator("sp-status .verdict")
    expect(verdict).to_contain_text(re.compile(r"Cancelled: [\d,]+ of 3,000 pods decided"), timeout=30_000)
    expect(verdict).to_contain_text(re.compile(r"[\d,]+ never tried"))
    expect(page.locator("sp-status")).not_to_contain_text(re.compile("stays? pending"))
    page.get_by_role("button", name="Go on").click()
    expect(verdict).to_contain_text(re.compile("pods are placed|stays? pending"), timeout=60_000)
    over = api.get(f"/api/v1/runs/{run['id']}").json()
    assert over["status"] == "finished"
    expect(page.locator("sp-status .tally").first).to_have_text(f"{over['num_cycles']:,} cycles")
    page.reload()
    wait_for_end(page)
    expect(page.locator("sp-status .tally").first).to_have_text(f"{over['num_cycles']:,} cycles")
