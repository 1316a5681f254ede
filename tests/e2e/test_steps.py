"""Steps show their state: one address is one state, and nothing is told before it is decided."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import NARROW, WIDE, Finished
from tests.e2e.steps import look_at, wait_for_end
from tests.needs import ROOT

pytestmark = pytest.mark.browser

RESTART = ROOT / "tests/inputs/faults/pages/restart.json"
PANELS = ("sp-cycle", "sp-map", "sp-queue", "sp-cycles [aria-current=step]")
MOST_STOPS = 60


@pytest.fixture(params=[WIDE, NARROW], ids=["1440", "390"])
def sized(request: pytest.FixtureRequest, new_page: Callable[..., Page]) -> Page:
    """A page at either width."""
    return new_page(viewport=request.param, reduced_motion="reduce")


def place(page: Page) -> tuple[object, ...]:
    """Where the playhead stands and what is selected."""
    found: list[object] = page.evaluate(
        "(() => { const run = document.querySelector('sp-run'); const { store } = run;"
        " return [store.cycle, store.cycles.size, store.state.seq, store.lastSeq, store.stop, run.pod, run.tab]; })()"
    )
    return tuple(found)


def event_node(page: Page, seq: int) -> str:
    """The node that an event names."""
    found: str = page.evaluate("(seq) => document.querySelector('sp-run').store.event(seq).node", seq)
    return found


def noted(page: Page) -> dict[str, list[str]]:
    """Waits until the address says where the playhead stands; its query."""
    live, cycle, seq, stop, end = page.evaluate(
        "(() => { const { store } = document.querySelector('sp-run');"
        " return [store.live, store.cycle, store.state.seq, store.stop, store.endOf(store.cycle)]; })()"
    )
    wanted = {"cycle": cycle, "at": seq if stop or seq != end else None, "stop": stop or None}
    marks = [
        rf"(?!.*[?&]{name}=)" if live or value is None else rf"(?=.*[?&]{name}={value}(&|$))"
        for name, value in wanted.items()
    ]
    expect(page).to_have_url(re.compile("^" + "".join(marks)))
    return parse_qs(urlsplit(page.url).query)


def detail_is_here(page: Page) -> None:
    """Waits until the cycle at the playhead is explained, and the step that was made last is drawn."""
    page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    expect(page.locator("sp-cycle .points-box")).to_be_attached()


def event_of(page: Page, kind: str) -> int:
    """The number of the first event of a kind."""
    found: int = page.evaluate(
        "(kind) => document.querySelector('sp-run').store.log.find((event) => event.type === kind).seq", kind
    )
    return found


def texts(page: Page, *panels: str) -> str:
    """What stands in the panels, titles and labels of what has them too."""
    found: str = page.evaluate(
        "(panels) => panels.flatMap((panel) => [...document.querySelectorAll(panel)]).flatMap((box) =>"
        " [box.textContent, ...[box, ...box.querySelectorAll('[title], [aria-label]')]"
        ".flatMap((one) => [one.getAttribute('title'), one.getAttribute('aria-label')])]).join(' ')",
        panels,
    )
    return found


def opened_again(page: Page) -> None:
    """Opens the page again: everything stands where it stood."""
    noted(page)
    before = place(page)
    address = page.url
    page.reload()
    wait_for_end(page)
    assert place(page) == before, address
    assert page.url == address


@pytest.mark.parametrize("text", ["who-is-evicted", "restart"])
def test_an_address_opened_again_is_the_same_state(sized: Page, finished: Finished, text: str) -> None:
    run = finished(text=RESTART.read_text()) if text == "restart" else finished(text)
    look_at(sized, run)
    opened_again(sized)
    sized.keyboard.press("Home")
    if text != "restart":
        assert noted(sized)["cycle"] == ["0"]
        assert "at" not in noted(sized)
    opened_again(sized)
    for _ in range(4):
        sized.keyboard.press("Shift+ArrowRight")
        opened_again(sized)
    sized.keyboard.press("Shift+ArrowLeft")
    opened_again(sized)


def test_the_last_cycle_in_an_address_waits_for_its_end(page: Page, finished: Finished) -> None:
    look_at(page, finished("who-is-evicted") + "?cycle=2")
    assert place(page)[2] == place(page)[3]
    page.keyboard.press("Shift+ArrowLeft")
    opened_again(page)


def test_the_open_tab_is_in_the_address_and_back_returns_to_it(page: Page, finished: Finished) -> None:
    look_at(page, finished("eighth-replica") + "?pod=edge/edge-proxy-7")
    details = page.get_by_role("tablist", name="Details")
    expect(details.get_by_role("tab", name="Pod")).to_have_attribute("aria-selected", "true")
    details.get_by_role("tab", name="Cycle").click()
    expect(page).to_have_url(re.compile(r"[?&]tab=cycle"))
    opened_again(page)
    expect(details.get_by_role("tab", name="Cycle")).to_have_attribute("aria-selected", "true")


def test_cycle_map_and_pod_tell_of_the_same_pod(page: Page, finished: Finished) -> None:
    look_at(page, finished("eighth-replica") + "?pod=edge/edge-proxy-2")
    details = page.get_by_role("tablist", name="Details")
    legend = page.locator("sp-map .legend-pod")
    expect(page.locator("sp-why .from-cycle")).to_contain_text("cycle 3")
    expect(legend).to_contain_text("edge-proxy-2")
    details.get_by_role("tab", name="Cycle").click()
    cycle = page.locator("sp-cycle article")
    expect(cycle).to_have_attribute("aria-label", "Cycle 3")
    expect(cycle).to_contain_text("At the playhead is cycle 8")
    page.get_by_role("button", name="One cycle back").click()
    expect(cycle).to_have_attribute("aria-label", "Cycle 7")
    expect(legend).to_contain_text("edge-proxy-6")
    details.get_by_role("tab", name="Pod").click()
    expect(page.locator("sp-why article")).to_have_attribute("aria-label", "edge/edge-proxy-6")
    expect(page.locator("sp-why .from-cycle")).to_contain_text("cycle 7")
    expect(legend).to_contain_text("edge-proxy-6")


def test_a_cycle_that_places_its_pod_tells_nothing_before_it_is_decided(
    sized: Page, finished: Finished
) -> None:
    run = finished("eighth-replica")
    look_at(sized, run)
    begins, ends = event_of(sized, "CycleStarted"), event_of(sized, "PodAssumed")
    chosen = event_node(sized, ends)
    look_at(sized, f"{run}?cycle=1&at={begins}")
    heading = sized.locator("sp-cycle h3").first
    told = []
    for _ in range(MOST_STOPS):
        detail_is_here(sized)
        if place(sized)[2] == ends:
            break
        expect(heading).to_contain_text("running")
        expect(heading).not_to_contain_text(chosen)
        expect(sized.locator("sp-cycle .row-chosen, sp-map .v-chosen, sp-map .g-chosen")).to_have_count(0)
        said = texts(sized, *PANELS)
        assert "chosen" not in said
        assert "one is drawn" not in said
        if place(sized)[2] == begins and "Filter: NodeResourcesFit was asked" not in said:
            assert re.findall(r".{30}(?:7 of 9 fit|7 fit\b).{9}", said) == []
        if place(sized)[2] == begins:
            assert "484" not in said
        told.append(said)
        sized.keyboard.press("Shift+ArrowRight")
    assert place(sized)[2] == ends
    expect(heading).to_contain_text(chosen)
    expect(sized.locator("sp-cycle .row-chosen").first).to_be_attached()
    for stop in ("Filter: NodeUnschedulable was asked", "Score: ImageLocality was asked"):
        assert sum(stop in said for said in told) == 1, stop


def test_a_cycle_that_evicts_tells_nothing_before_it_is_decided(sized: Page, finished: Finished) -> None:
    run = finished("who-is-evicted")
    look_at(sized, run)
    begins, ends = event_of(sized, "CycleStarted"), event_of(sized, "PodUnschedulable")
    look_at(sized, f"{run}?cycle=1&at={begins}")
    refused = preempted = False
    for _ in range(MOST_STOPS):
        detail_is_here(sized)
        said = texts(sized, *PANELS)
        if place(sized)[2] == ends:
            break
        refused = refused or "Filter: NodeResourcesFit was asked" in said
        preempted = preempted or "PostFilter: DefaultPreemption was asked" in said
        assert refused or "Insufficient cpu" not in said
        assert preempted or re.findall(".{30}(?:Deleting pods makes room|evicts|preempts).{9}", said) == []
        assert "0/3 nodes are available" not in said
        assert "What would make it fit" not in said
        sized.keyboard.press("Shift+ArrowRight")
    assert place(sized)[2] == ends
    assert refused
    assert preempted
    assert "0/3 nodes are available" in said


def test_cycles_still_to_come_tell_no_outcome(page: Page, finished: Finished) -> None:
    look_at(page, finished("eighth-replica") + "?cycle=0")
    rows = page.locator("sp-cycles .cycle-row")
    expect(rows).to_have_count(8)
    assert not re.search(r"worker-|available|refused|fit", texts(page, "sp-cycles"))
    page.keyboard.press("End")
    expect(rows.first).to_contain_text("worker-8")
