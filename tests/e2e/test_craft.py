"""What makes the pages an instrument: keyboard, phone, no script, a lost socket, wrong input."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.e2e.clusters import ONLY_A_POD, WRONG
from tests.e2e.conftest import Finished
from tests.e2e.steps import import_and_run, import_files, import_text, look_at, wait_for_end
from tests.needs import ROOT

pytestmark = pytest.mark.browser
Example = Callable[[str], Path]

NOTE_MOTION = """() => {
  const seen = document.body.dataset;
  seen.flights = "0";
  new MutationObserver((records) => {
    for (const { addedNodes } of records) for (const node of addedNodes) {
      if (node.className === "ghost") seen.flights = String(Number(seen.flights) + 1);
      if (node.className === "queue-rate") seen.rate = node.textContent.trim();
    }
  }).observe(document.body, { childList: true, subtree: true });
}"""
FOUR_FRAMES = """() => new Promise(done => {
  let left = 4;
  const step = () => (left-- ? requestAnimationFrame(step) : done());
  step();
})"""


def test_the_keyboard_reaches_everything_in_time(page: Page, finished: Finished) -> None:
    look_at(page, finished("eighth-replica"))
    readout = page.locator(".readout")
    page.keyboard.press("Home")
    expect(readout).to_contain_text("cycle 0 / 8")
    page.keyboard.press("ArrowRight")
    expect(readout).to_contain_text("cycle 1 / 8")
    page.keyboard.press("Shift+ArrowRight")
    expect(page.locator(".points [aria-current=step]")).to_have_text("PreFilter")
    page.keyboard.press(".")
    expect(readout).to_contain_text("cycle 8 / 8")
    expect(page.get_by_role("article", name="Cycle 8")).to_contain_text("unschedulable")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard")).to_contain_text("next rejection")
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    expect(page.get_by_label("Find a node by name or label")).to_be_focused()


def test_arrow_keys_walk_over_the_verdicts(page: Page, finished: Finished) -> None:
    look_at(page, finished("eighth-replica"))
    page.locator(".verdicts td.cell").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".verdicts tbody tr").nth(1).locator("td.cell").nth(1)).to_be_focused()
    expect(page.locator(".inspected")).to_contain_text("TaintToleration")


def test_playing_goes_through_the_cycles_to_the_end(page: Page, finished: Finished) -> None:
    look_at(page, finished("eighth-replica"))
    page.get_by_label("speed").select_option("20")
    page.keyboard.press("Space")
    expect(page.locator(".readout")).to_contain_text(re.compile(r"cycle [1-7] / 8"))
    expect(page.locator(".readout")).to_contain_text("cycle 8 / 8")
    expect(page.get_by_role("button", name="Play (space)")).to_be_visible()


@pytest.mark.parametrize(("motion", "flights"), [("no-preference", "1"), ("reduce", "0")])
def test_a_pod_travels_to_its_node_unless_less_motion_is_wanted(
    new_page: Callable[..., Page], finished: Finished, motion: str, flights: str
) -> None:
    page = new_page(reduced_motion=motion)
    look_at(page, finished("eighth-replica") + "?cycle=2")
    expect(page.locator("[data-lane=active] .pod-row").first).to_contain_text("edge-proxy-2")
    page.evaluate(NOTE_MOTION)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".readout")).to_contain_text("cycle 3 / 8")
    page.evaluate(FOUR_FRAMES)
    expect(page.locator("body")).to_have_attribute("data-flights", flights)


def test_above_twenty_events_a_second_rates_are_shown_and_nothing_travels(
    page: Page, finished: Finished
) -> None:
    run = finished("eighth-replica")
    events = page.request.get(f"/api/v1{run}events?limit=20000").json()["events"]
    routes: list[WebSocketRoute] = []
    page.route_web_socket(re.compile("/ws/runs/"), lambda route: routes.append(route))
    page.goto(run)
    expect(page.locator("sp-map .node-name").first).to_be_visible()
    body, rate = page.locator("body"), page.locator(".queue-rate")

    def send(first: int, last: int) -> None:
        batch = {"events": events[first - 1 : last], "first_seq": first, "last_seq": last}
        routes[-1].send(json.dumps({**batch, "run": {"status": "running"}}))

    begins = next(event["seq"] for event in events if event["type"] == "CycleStarted")
    page.evaluate(NOTE_MOTION)
    send(1, begins - 1)
    expect(page.locator("[data-lane=active] .pod-row")).to_have_count(8)
    send(begins, begins + 3)
    expect(body).to_have_attribute("data-flights", "1")
    expect(rate).to_have_count(0)
    send(begins + 4, len(events))
    expect(body).to_have_attribute("data-rate", re.compile(r"\d+ events/s"))
    expect(rate).to_have_count(0, timeout=15_000)
    expect(page.locator("[data-lane=unschedulable] .pod-row")).to_have_count(1)
    expect(body).to_have_attribute("data-flights", "1")


def test_the_theme_is_chosen_by_hand_and_remembered(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Change to dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.reload()
    expect(page.get_by_role("button", name="Change to light")).to_be_visible()


def test_on_a_phone_one_panel_is_shown_at_a_time(phone: Page, finished: Finished) -> None:
    look_at(phone, finished("four-reasons"))
    expect(phone.locator("sp-map")).to_be_visible()
    expect(phone.locator("sp-queue")).to_be_hidden()
    phone.get_by_role("tab", name="Queue").click()
    phone.locator("sp-queue .pod-row", has_text="simulation").click()
    expect(phone.get_by_role("article", name="default/simulation")).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth") == 390
    expect(phone.locator("sp-scrubber")).to_be_in_viewport()


def test_wrong_objects_are_listed_with_their_places_and_the_right_ones_can_be_taken(
    page: Page, allowed: list[str]
) -> None:
    allowed.append("422")
    import_text(page, WRONG)
    problem = page.get_by_role("alert")
    expect(problem).to_contain_text("2 things to put right")
    expect(problem.locator("li").first).to_contain_text(re.compile(r"line 15:\d+"))
    expect(problem.locator("li").first).to_contain_text(
        'spec.containers[0].resources.requests[memory]: "6GiB"'
    )
    expect(problem.locator("li").nth(1)).to_contain_text("metadata.name")
    expect(problem).to_contain_text("Nothing was stored")
    problem.get_by_role("button", name="Take the objects that are right").click()
    page.wait_for_url(re.compile(r"/clusters/"))
    expect(page.locator("sp-map .node-name")).to_have_text(re.compile("good"))


def test_what_cannot_be_read_is_not_offered_in_part(page: Page, allowed: list[str]) -> None:
    allowed.append("422")
    import_text(page, "kind: Node\n\tmetadata: {}")
    expect(page.get_by_role("alert")).to_contain_text("1 thing to put right")
    expect(page.get_by_role("button", name="Take the objects that are right")).to_have_count(0)


def test_one_line_makes_a_snapshot_wherever_it_is_told(page: Page) -> None:
    script = ROOT / "examples" / "export-snapshot.sh"
    line = subprocess.run(["sh", script], capture_output=True, text=True, check=True).stdout.strip()
    assert line in (ROOT / "README.md").read_text()
    page.goto("/")
    expect(page.locator("sp-line code")).to_have_text(line)
    expect(page.get_by_role("button", name="Copy the line")).to_be_visible()
    import_text(page, ONLY_A_POD)
    page.wait_for_url(re.compile(r"/clusters/"))
    expect(page.locator("sp-map sp-line code")).to_have_text(line)


@pytest.mark.parametrize("script", [True, False])
def test_a_cluster_is_deleted_in_two_steps(
    new_page: Callable[..., Page], example: Example, *, script: bool
) -> None:
    page = new_page()
    import_and_run(page, example("last-gpu"))
    cluster = page.get_by_role("navigation", name="Where you are").get_by_role("link").get_attribute("href")
    assert cluster is not None
    page = new_page(java_script_enabled=script)
    page.goto(cluster)
    delete = page.get_by_role("button", name="Delete the cluster and its run")
    expect(delete).to_be_hidden()
    page.get_by_text("Delete this cluster").click()
    expect(page.locator(".danger-ask")).to_contain_text("and with it 1 run. This cannot be undone")
    delete.click()
    page.wait_for_url(re.compile(r"/$"))
    expect(page.get_by_role("heading", level=1)).to_have_text("See how kube-scheduler decides")
    expect(page.locator(f'a[href="{cluster}"]')).to_have_count(0)


def test_a_dump_can_be_dropped_anywhere(page: Page, example: Example) -> None:
    page.goto("/")
    text = example("last-gpu").read_text()
    transfer = page.evaluate_handle(
        "text => { const data = new DataTransfer(); data.items.add(new File([text], 'dump.yaml')); return data; }",
        text,
    )
    page.dispatch_event("h1", "dragenter", {"dataTransfer": transfer})
    expect(page.get_by_text("Drop it anywhere")).to_be_visible()
    page.dispatch_event("h1", "drop", {"dataTransfer": transfer})
    page.wait_for_url(re.compile(r"/clusters/"))


def test_a_lost_socket_loses_nothing(page: Page, example: Example) -> None:
    import_files(page, example("eighth-replica"))
    dropped: list[str] = []

    def cut_the_first(route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        if not dropped:
            dropped.append(route.url)
            server.on_message(lambda _: route.close())

    page.route_web_socket(re.compile("/ws/runs/"), cut_the_first)
    page.locator("[data-run]").click()
    wait_for_end(page)
    assert dropped
    expect(page.locator("sp-cycles ol")).to_have_attribute("aria-label", "Cycles, 8")
    expect(page.locator("sp-status")).to_contain_text("1 of 8 pods stays pending")


def test_without_javascript_what_only_shows_is_complete(new_page: Callable[..., Page]) -> None:
    plain = new_page(java_script_enabled=False)
    plain.goto("/")
    plain.get_by_role("button", name="Look at the cluster of: Who is evicted for a payment pod?").click()
    expect(plain.locator("sp-tables[kind=nodes] tbody tr")).to_have_count(3)
    expect(plain.locator("sp-tables[kind=pods]")).to_contain_text("payment-0")
    plain.locator("[data-run]").click()
    plain.wait_for_url(re.compile("/runs/"))
    for _ in range(50):
        if plain.get_by_role("heading", name="Finished").count():
            break
        plain.wait_for_timeout(100)
        plain.reload()
    expect(plain.locator(".outcome-plain")).to_contain_text("Finished")


def test_an_address_of_nothing_says_so(page: Page, allowed: list[str]) -> None:
    allowed.append("404")
    page.goto("/runs/zzzzzzzzzzzzzzzz/")
    expect(page.get_by_role("heading", level=1)).to_have_text("There is nothing here")
    page.get_by_role("link", name="Go to the start").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("See how kube-scheduler decides")


def test_a_cluster_without_nodes_says_what_to_add(page: Page) -> None:
    import_text(page, ONLY_A_POD)
    page.wait_for_url(re.compile(r"/clusters/"))
    expect(page.locator("sp-map")).to_contain_text("add Node objects to the dump")
