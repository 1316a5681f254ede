"""The run page, each journey on a wide page and on a phone: queue, map, stream, time, tour, words, exports."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.clusters import workload
from tests.e2e.conftest import NARROW, WIDE, Finished
from tests.e2e.steps import look_at, wait_for_end
from tests.needs import ROOT

pytestmark = pytest.mark.browser
Show = Callable[[str], None]


@pytest.fixture(params=[WIDE, NARROW], ids=["1440", "390"])
def view(request: pytest.FixtureRequest, new_page: Callable[..., Page]) -> Page:
    """A page of either width."""
    narrow = request.param is NARROW
    return new_page(viewport=request.param, has_touch=narrow, reduced_motion="reduce")


@pytest.fixture
def show(view: Page) -> Show:
    """Brings a panel to sight where only one fits."""

    def bring(panel: str) -> None:
        tab = view.get_by_role("tablist", name="Panels").get_by_role("tab", name=panel)
        if tab.is_visible():
            tab.click()

    return bring


def readout(page: Page, text: str) -> None:
    """Waits until the playhead stands there."""
    expect(page.locator(".readout")).to_contain_text(text)


def test_a_finished_run_says_what_it_came_to_before_it_is_read(view: Page, finished: Finished) -> None:
    held: list[Route] = []
    view.route("**/api/v1/**", lambda route: held.append(route))
    view.route_web_socket(re.compile("/ws/runs/"), lambda socket: None)
    view.goto(finished("eighth-replica"))
    expect(view.locator("sp-status .verdict:not(.working)")).to_contain_text("pending")
    expect(view.locator("sp-status")).to_contain_text("8 cycles")
    expect(view.locator("sp-run[data-read]")).not_to_be_attached()
    for route in held:
        route.continue_()


def test_cycles_beside_one_that_is_computed_again_are_read_before_one_steps_to_them(
    new_page: Callable[..., Page], finished: Finished
) -> None:
    view = new_page(viewport=WIDE, reduced_motion="reduce")
    asked: list[int] = []
    view.on("request", lambda request: asked.extend(map(int, re.findall(r"/cycles/(\d+)$", request.url))))
    with view.expect_response(lambda answer: answer.url.endswith("/cycles/38") and answer.status == 200):
        view.goto(finished(text=json.dumps(workload(210, 60))) + "?cycle=40")
        wait_for_end(view)
    assert list(dict.fromkeys(asked)) == [40, 41, 39, 42, 38]
    expect(view.locator('sp-cycle [aria-label="Cycle 40"] .points-box')).to_be_visible()
    view.keyboard.press("ArrowRight")
    expect(view.locator('sp-cycle [aria-label="Cycle 41"] .points-box')).to_be_visible()
    assert asked.count(41) == 1


# 1: the queue.


def test_every_move_is_told_with_its_event_and_the_hints(view: Page, show: Show, finished: Finished) -> None:
    look_at(view, finished("who-is-evicted"))
    show("Queue")
    view.keyboard.press("End")
    moves = view.get_by_role("region", name="Last moves")
    expect(moves).to_contain_text("payment-0")
    expect(moves.get_by_role("button", name=re.compile("says (queue|skip)")).first).to_be_visible()
    view.keyboard.press("Home")
    expect(moves).to_contain_text("PodAdd")
    lane = view.locator("[data-lane=active]")
    expect(lane).to_contain_text("payment-0")


def test_an_unschedulable_pod_says_what_it_waits_for(view: Page, show: Show, finished: Finished) -> None:
    look_at(view, finished("four-reasons"))
    show("Queue")
    lane = view.locator("[data-lane=unschedulable]")
    expect(lane.locator(".waits").first).to_contain_text("waits for")
    expect(view.locator("[data-lane=gated]")).to_contain_text("batch-4")


def test_pods_whose_scheduler_no_profile_names_stay_pending(view: Page, show: Show, address: str) -> None:
    def sent(path: str, body: str | bytes, kind: str = "application/json") -> str:
        headers = {"Content-Type": kind, "Prefer": "wait=60"}
        answer = view.request.post(f"{address}/api/v1/{path}", data=body, headers=headers)
        assert answer.ok, answer.text()
        return str(answer.json()["id"])

    example = (ROOT / "examples/2-free-but-scattered.yaml").read_bytes()
    cluster = sent("clusters/import?name=scattered", example, "application/yaml")
    yaml = (
        "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"
        "profiles: [{schedulerName: a}, {schedulerName: b}]\n"
    )
    profile = sent("profiles", json.dumps({"name": "others", "config": yaml}))
    look_at(view, f"/runs/{sent('runs', json.dumps({'cluster': cluster, 'profile': profile}))}/")
    status = view.locator("sp-status")
    expect(status.locator(".verdict")).to_contain_text(
        "6 of 6 pods stay pending: no profile has their schedulerName"
    )
    status.get_by_role("button", name=re.compile("no profile has its schedulerName")).first.click()
    expect(view.locator("sp-why")).to_contain_text("is not tried: no profile has its schedulerName")
    show("Queue")
    expect(view.locator("sp-queue")).to_contain_text(
        re.compile("Nothing is queued.*No profile has the schedulerName of 6 pods", re.DOTALL)
    )


# 2: the map.


def test_nodes_are_grouped_by_labels_inside_labels(view: Page, show: Show, finished: Finished) -> None:
    look_at(view, finished("eighth-replica"))
    show("Map")
    view.get_by_label("Group by").select_option(label="zone")
    expect(view.locator("sp-map h3")).to_have_count(3)
    view.get_by_label("Then by").first.select_option(index=1)
    expect(view.locator("sp-map h4").first).to_be_visible()
    expect(view).to_have_url(re.compile("by=topology.kubernetes.io/zone,"))
    view.reload()
    expect(view.locator("sp-map h4").first).to_be_visible()


def test_a_large_cluster_is_tiles_that_zoom_and_answer_to_keys(
    view: Page, show: Show, finished: Finished
) -> None:
    look_at(view, finished(text=json.dumps(workload(200, 100))))
    show("Map")
    tiles = view.get_by_role("img", name=re.compile("Map of 200 nodes"))
    expect(tiles).to_be_visible()
    tiles.focus()
    view.keyboard.press("ArrowRight")
    tip = view.locator("sp-map .tip")
    expect(tip).to_contain_text("node-0000")
    view.keyboard.press("ArrowRight")
    expect(tip).not_to_contain_text("node-0000 ")
    view.keyboard.press("+")
    expect(view.get_by_role("button", name="Zoom out")).to_be_enabled()
    view.keyboard.press("0")
    expect(view.get_by_role("button", name="Zoom out")).to_be_disabled()
    view.keyboard.press("Enter")
    expect(view).to_have_url(re.compile("node=node-"))


def test_the_map_paints_and_the_table_says_the_same(view: Page, show: Show, finished: Finished) -> None:
    look_at(view, finished("eighth-replica") + "?cycle=8")
    show("Map")
    refused = view.locator("sp-map .v-refused, sp-map .v-final")
    expect(refused).to_have_count(9)
    view.get_by_role("button", name="Nodes", exact=True).click()
    rows = view.locator("sp-board tbody tr:not(.pad)")
    expect(rows).to_have_count(9)
    expect(rows.filter(has_text="free ports").first).to_be_visible()


def test_room_that_cannot_be_used_is_told_and_hatched(view: Page, show: Show, finished: Finished) -> None:
    look_at(view, finished("free-but-scattered"))
    show("Map")
    expect(view.locator(".legend-room")).to_contain_text(
        re.compile(r"cpu free, \d+% of it in parts too small for a pod like")
    )
    view.get_by_label("colour").select_option("stranded")
    expect(view.locator("sp-map .stranded").first).to_be_visible()


# 3: stream, charts, log.


def test_stream_and_charts_follow_the_playhead(view: Page, show: Show, finished: Finished) -> None:
    look_at(view, finished("eighth-replica"))
    show("Map")
    view.get_by_role("button", name="Stream", exact=True).click()
    expect(view.get_by_role("img", name=re.compile("Stream of 8 cycles"))).to_be_visible()
    view.get_by_role("button", name="Charts", exact=True).click()
    charts = view.locator("sp-charts")
    expect(charts.get_by_role("img", name=re.compile("active 0.*at cycle 8 of 8"))).to_be_visible()
    expect(charts).to_contain_text("Refusals up to here")
    view.keyboard.press("Home")
    expect(charts).to_contain_text("No plugin has refused a node yet.")
    expect(view).to_have_url(re.compile("board=charts"))


def test_the_log_is_searched_and_filtered(view: Page, show: Show, finished: Finished) -> None:
    look_at(view, finished("eighth-replica"))
    show("Log")
    view.get_by_role("button", name="Events", exact=True).click()
    log = view.locator("sp-log ol")
    expect(log).to_have_attribute("aria-label", re.compile(r"Events, \d\d"))
    view.get_by_label("Kind of event").select_option("binding")
    expect(log.locator(".type").first).to_have_text("PodAssumed")
    view.get_by_label("Find in the events").fill("PodBound edge-proxy-2")
    expect(log).to_have_attribute("aria-label", "Events, 1")
    log.locator(".log-row").click()
    expect(log.locator(".log-row")).to_have_attribute("aria-current", "step")
    expect(view).to_have_url(re.compile("(at|cycle)="))
    view.get_by_label("Find in the events").fill("nobody")
    expect(view.locator("sp-log")).to_contain_text("No event matches")
    view.get_by_role("button", name="Show all").click()
    expect(view).not_to_have_url(re.compile("q=|kind="))


# 6: time.


def test_breakpoints_are_searched_in_the_trace(view: Page, finished: Finished) -> None:
    look_at(view, finished("eighth-replica"))
    view.get_by_role("button", name="Break on").click()
    view.get_by_label("Stop at").select_option("rejects")
    view.get_by_label("plugin").select_option("NodePorts")
    view.keyboard.press("Escape")
    view.keyboard.press("Home")
    view.keyboard.press("b")
    readout(view, "2 / 8")
    view.keyboard.press("Shift+B")
    expect(view.get_by_role("button", name="Last break (Shift+B)")).to_be_disabled()
    expect(view).to_have_url(re.compile("break=rejects:NodePorts"))


def test_playing_stops_at_a_breakpoint(view: Page, finished: Finished) -> None:
    look_at(view, finished("eighth-replica") + "?cycle=6&break=event:PodUnschedulable")
    readout(view, "6 / 8")
    view.keyboard.press("Space")
    readout(view, "8 / 8")
    expect(view.get_by_role("button", name="Play (space)")).to_be_visible()


def test_time_is_scrubbed_by_the_clock_too(view: Page, finished: Finished) -> None:
    look_at(view, finished("who-is-evicted"))
    view.keyboard.press("x")
    slider = view.get_by_role("slider", name="Virtual time")
    slider.focus()
    view.keyboard.press("Home")
    expect(slider).to_have_attribute("aria-valuetext", "0.000 s")
    view.keyboard.press("End")
    readout(view, "2 / 2")


# 7: tour and words.


def test_the_tour_is_offered_once_and_can_be_had_again(view: Page, finished: Finished) -> None:
    look_at(view, finished("four-reasons"))
    view.get_by_role("button", name="Take the tour").click()
    card = view.get_by_role("dialog", name=re.compile("^Tour"))
    for _ in range(7):
        expect(card).to_be_in_viewport()
        card.get_by_role("button", name="Next").click()
    card.get_by_role("button", name="Done").click()
    expect(card).to_have_count(0)
    view.reload()
    expect(view.locator("sp-status .verdict")).to_contain_text("pending")
    expect(view.get_by_role("button", name="Take the tour")).to_have_count(0)
    view.keyboard.press("g")
    view.keyboard.press("t")
    expect(card).to_be_visible()
    view.keyboard.press("Escape")
    expect(card).to_have_count(0)


def test_words_explain_themselves(view: Page, show: Show, finished: Finished) -> None:
    look_at(view, finished("four-reasons"))
    show("Queue")
    view.get_by_role("button", name="Backoff", exact=True).click()
    explained = view.get_by_role("dialog", name="backoffQ")
    expect(explained).to_contain_text("doubles with every failure")
    expect(explained.get_by_role("link")).to_have_attribute(
        "href", re.compile("^https://kubernetes.io/docs/")
    )
    view.keyboard.press("Escape")
    expect(explained).to_be_hidden()
    view.keyboard.press("g")
    view.keyboard.press("w")
    words = view.get_by_role("dialog", name="Words")
    words.get_by_label("Find a word").fill("skew")
    expect(words.get_by_role("heading", level=3)).to_contain_text(["skew"])


# 8: palette, exports.


def test_the_palette_finds_actions_cycles_pods_and_nodes(view: Page, finished: Finished) -> None:
    look_at(view, finished("eighth-replica"))
    view.keyboard.press("Control+k")
    find = view.get_by_role("combobox", name="Find an action")
    find.fill("cycle 5")
    view.keyboard.press("Enter")
    readout(view, "5 / 8")
    view.keyboard.press("Control+k")
    find.fill("worker-5")
    view.keyboard.press("Enter")
    expect(view).to_have_url(re.compile("node=worker-5"))
    view.keyboard.press("Control+k")
    find.fill("charts")
    view.keyboard.press("Enter")
    expect(view).to_have_url(re.compile("board=charts"))
    view.keyboard.press("Control+k")
    find.fill("no such thing")
    expect(view.get_by_role("dialog", name="Command palette")).to_contain_text("Nothing is called so")


def test_a_run_can_be_taken_away(view: Page, finished: Finished) -> None:
    view.context.grant_permissions(["clipboard-read", "clipboard-write"])
    look_at(view, finished("eighth-replica") + "?cycle=8")
    expect(view.locator(".verdicts").first).to_be_attached()

    def take(name: str) -> str:
        if not view.locator("#export-menu").is_visible():
            view.get_by_role("button", name="Export", exact=True).click()
        with view.expect_download() as got:
            view.locator("#export-menu").get_by_text(name, exact=True).click()
        return Path(got.value.path()).read_bytes().decode("latin-1")

    assert take("Map as SVG").count("<title>worker-") == 8
    assert "NodePorts" in take("Filter matrix as SVG")
    assert take("Map as PNG").startswith("\x89PNG")
    assert "1 of 8 pods stays pending" in take("Report, one HTML file")
    assert json.loads(take("Trace for Perfetto"))["traceEvents"]
    view.get_by_role("button", name="Copy the command that repeats this run").click()
    expect(view.locator("#export-menu")).to_contain_text("Copied.")
    assert "playground run -f cluster-" in view.evaluate("navigator.clipboard.readText()")


def test_without_script_the_run_is_told_in_tables(new_page: Callable[..., Page], finished: Finished) -> None:
    plain = new_page(java_script_enabled=False)
    plain.goto(finished("four-reasons"))
    expect(plain.get_by_role("heading", name="Finished")).to_be_visible()
    pending = plain.locator(".outcome-plain table").first
    expect(pending.get_by_role("row").filter(has_text="simulation")).to_contain_text("3 Insufficient cpu")
    expect(plain.locator(".outcome-plain table").nth(1)).to_contain_text("cache-0")
    pending.scroll_into_view_if_needed()
    expect(pending).to_be_in_viewport()
