"""What would make a pod fit, how much more fits, what is missing, what could go: asked, seen, put on the stack."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.steps import wait_for_end
from tests.e2e.test_accessibility import faults

INPUTS = Path(__file__).parents[1] / "inputs/faults/plans"
pytestmark = pytest.mark.browser


def node(name: str, cpu: str, spec: str = "{}") -> str:
    return (
        f"apiVersion: v1\nkind: Node\nmetadata: {{name: {name}, labels: {{kubernetes.io/hostname: {name}}}}}\n"
        f'spec: {spec}\nstatus: {{allocatable: {{cpu: "{cpu}", memory: 8Gi, pods: "110"}}}}\n'
    )


def pod(name: str, cpu: str, spec: str = "") -> str:
    container = f'{{name: main, image: "app:1", resources: {{requests: {{cpu: "{cpu}"}}}}}}'
    return (
        f"apiVersion: v1\nkind: Pod\nmetadata: {{name: {name}, namespace: shop}}\n"
        f"spec: {{containers: [{container}]{spec}}}\n"
    )


GPU = "{taints: [{key: gpu, value: 'yes', effect: NoSchedule}]}"
CLUSTER = "---\n".join(
    [
        node("node-a", "4"),
        node("node-b", "4", GPU),
        node("node-c", "2"),
        pod("old", "3", ", nodeName: node-a"),
        pod("small", "500m", ", nodeName: node-c"),
        pod("web", "3"),
    ]
)
TWICE = pod("huge", "900").replace(
    "[{name: main", "[{name: side, image: 'app:1', resources: {requests: {cpu: '900'}}}, {name: main"
)
HOPELESS = "---\n".join([node("node-a", "1"), TWICE])  # no lower request of one container would do


@pytest.fixture(params=[390, 1440])
def at(request: pytest.FixtureRequest, page: Page) -> Page:
    page.set_viewport_size({"width": request.param, "height": 900})
    return page


def imported(page: Page, text: str) -> str:
    """Imports by the API; the cluster's address."""
    headers = {"Content-Type": "application/yaml", "Prefer": "wait=30"}
    answer = page.request.post("/api/v1/clusters/import", data=text, headers=headers)
    assert answer.ok, answer.text()
    return f"/clusters/{answer.json()['id']}/"


def away(page: Page) -> None:
    """Points at nothing."""
    page.mouse.move(2, 2)
    expect(page.locator("sp-map .node.faded")).to_have_count(0)


def test_from_a_pending_pod_to_what_makes_it_fit(at: Page) -> None:
    cluster = imported(at, CLUSTER)
    at.goto(cluster)
    at.get_by_role("link", name="what would help?").click()
    at.wait_for_url(re.compile(r"/what-if/\?pod=shop/web&repair=1"))
    repairs = at.get_by_role("list", name="What makes it fit").get_by_role("listitem")
    expect(repairs.first).to_be_visible(timeout=20_000)
    expect(at.locator("sp-repair .asking")).to_have_count(0, timeout=20_000)
    told = [text.replace("\n", " ") for text in repairs.all_inner_texts()]
    assert "Tolerate gpu=yes:NoSchedule It goes to node-b; nothing else changes." in told[0]
    assert any("Lower main's cpu request to 1.5 (1.5 less) It goes to node-c" in text for text in told)
    assert any("Add a node like node-a It goes to node-d; nothing else" in text for text in told) or any(
        "Add a node like node-a It goes to node-a-1; nothing else" in text for text in told
    )
    assert "evicted" in told[-1]
    repairs.first.hover()
    expect(at.locator("sp-map .node.faded")).to_have_count(2)  # all but the node it would go to
    away(at)
    assert faults(at) == []
    at.get_by_role("button", name="Apply: Tolerate gpu").click()
    expect(at.locator(".what-if-words")).to_have_text(re.compile(r"^\s*1 rescued\s*$"), timeout=20_000)
    expect(at.get_by_label("Rescued")).to_contain_text("shop/web → node-b")
    expect(at.locator(".edits li")).to_have_text(re.compile("Patch Pod/shop/web"))
    expect(repairs.first).to_contain_text("On the stack")
    away(at)
    assert faults(at) == []


def test_from_a_run_s_story_where_nothing_helps(at: Page) -> None:
    cluster = imported(at, HOPELESS)
    at.goto(cluster)
    at.locator("[data-run]").click()
    at.wait_for_url(re.compile(r"/runs/\w+/"))
    wait_for_end(at)
    at.locator("sp-status .left-pod").first.click()
    at.locator("sp-why").get_by_role("link", name="What would make it fit?").click()
    expect(at.locator("sp-repair .repair-none")).to_be_visible(timeout=20_000)
    in_the_way = at.locator("sp-repair .obstacles")
    expect(in_the_way).to_contain_text(
        "Tolerate No node refuses it for a taint, so a toleration changes nothing."
    )
    expect(in_the_way).to_contain_text(
        "Add a node like node-a was tried, and it stays pending: 0/2 nodes are available"
    )
    assert faults(at) == []


def test_capacity_is_asked_of_the_cluster_with_its_edits(at: Page, allowed: list[str]) -> None:
    allowed.append("422 (Unprocessable Entity)")
    at.goto(imported(at, CLUSTER) + "what-if/")
    more, growth, removals = at.locator("sp-more"), at.locator("sp-growth"), at.locator("sp-removals")
    more.get_by_label("A pod or workload of the cluster").select_option(label="shop/small")
    more.get_by_role("button", name="How many more fit?").click()
    expect(more.locator(".capacity-words")).to_have_text(re.compile("5 more of small fit"), timeout=20_000)
    expect(more.locator(".reason-counts li")).to_have_text(
        [re.compile("2\\s+Insufficient cpu"), re.compile("1\\s+node.s. had")]
    )
    expect(more.get_by_role("img", name=re.compile("nodes that fit from 67% to 33%"))).to_be_visible()
    more.get_by_text("As a table").click()
    expect(more.locator("tbody tr")).to_have_count(5)

    growth.get_by_label("A node of the kind to add").select_option(index=0)
    growth.get_by_role("button", name="How many are missing?").click()
    expect(growth.locator(".capacity-words")).to_contain_text(
        "1 more node like node-a is needed", timeout=20_000
    )
    growth.get_by_role("button", name="Add 1 node").click()
    expect(at.locator(".what-if-words")).to_have_text(re.compile(r"^\s*1 rescued\s*$"), timeout=20_000)
    expect(more.locator(".stale")).to_contain_text("The edits have changed since.")
    more.get_by_role("button", name="Ask again").click()
    expect(more.locator(".capacity-words")).to_have_text(re.compile("7 more of small fit"), timeout=20_000)

    more.get_by_text("or paste manifests").click()
    more.get_by_label("Pods and workloads to place").fill("kind: Pod")
    more.get_by_role("button", name="Take them").click()
    expect(more.get_by_role("alert")).to_be_visible()
    more.get_by_label("Pods and workloads to place").fill(
        "apiVersion: v1\nkind: Namespace\nmetadata: {name: other}"
    )
    more.get_by_role("button", name="Take them").click()
    expect(more.get_by_role("alert")).to_have_text("Namespace other is neither a pod nor a workload.")
    more.get_by_label("How many of").first.fill("2")
    more.get_by_label("How many of").first.press("Tab")
    expect(more.get_by_role("alert")).to_have_count(0)
    more.get_by_label("How many of").first.fill("1")
    more.get_by_label("Pods and workloads to place").fill(pod("other", "1"))
    more.get_by_role("button", name="Take them").click()
    more.get_by_role("button", name="How many rounds fit?").click()
    expect(more.locator(".capacity-words")).to_have_text(
        re.compile("2 more times 1 small \\+ 1 other fit"), timeout=20_000
    )

    removals.get_by_role("button", name="Which could go?").click()
    expect(removals.locator(".capacity-words")).to_contain_text("could go", timeout=20_000)
    expect(removals.locator(".asking")).to_have_count(0, timeout=20_000)
    spare = removals.get_by_role("button", name=re.compile("^Remove node-b$"))
    spare.hover()
    expect(at.locator("sp-map .node.faded")).to_have_count(3)
    away(at)
    assert faults(at) == []
    spare.click()
    expect(at.locator(".edits li").last).to_have_text(re.compile("Remove node-b"))
    expect(at.locator(".what-if-words")).to_have_text(re.compile(r"^\s*1 rescued\s*$"), timeout=20_000)


def test_after_a_lost_zone_all_questions_are_about_the_run_that_the_headline_shows(at: Page) -> None:
    address = imported(at, (INPUTS / "prod.yaml").read_text()) + "what-if/"
    edits = [{"kind": "lose", "zone": "eu-west-1b"}]
    at.goto(f"{address}#edits={quote(json.dumps(edits))}")
    expect(at.locator(".what-if-words")).to_contain_text("3 newly pending", timeout=20_000)
    repair, growth, removals = at.locator("sp-repair"), at.locator("sp-growth"), at.locator("sp-removals")
    repair.get_by_role("combobox").focus()
    repair.get_by_role("button", name="What would make it fit?").click()
    repairs = at.get_by_role("list", name="What makes it fit").get_by_role("listitem")
    expect(repairs.first).to_be_visible(timeout=20_000)
    expect(repair.locator(".asking")).to_have_count(0, timeout=40_000)
    assert not any("ip-10-0-b" in told for told in repairs.all_inner_texts())
    kinds = growth.get_by_label("A node of the kind to add").locator("option").all_inner_texts()
    assert not any("ip-10-0-b" in kind for kind in kinds)
    growth.get_by_role("button", name="How many are missing?").click()
    expect(growth.locator(".capacity-words")).to_contain_text("No number of nodes like", timeout=20_000)
    removals.get_by_role("button", name="Which could go?").click()
    expect(removals.locator(".asking")).to_have_count(0, timeout=40_000)
    removals.get_by_text("nodes have to stay").click()
    expect(removals.get_by_text("The disruption budget").first).to_be_visible()
    repairs.first.get_by_role("button").click()
    expect(at.locator(".what-if-words")).to_contain_text("2 newly pending", timeout=20_000)
    assert faults(at) == []


def test_that_evictions_only_swap_who_waits_is_said_first(at: Page) -> None:
    at.goto(
        imported(at, (INPUTS / "four-replicas-three-zones.yaml").read_text())
        + "what-if/?pod=shop/cache-3&repair=1"
    )
    said = at.locator("sp-repair .repair-none").first
    expect(said).to_contain_text("An eviction can only swap who waits", timeout=40_000)
    expect(said).to_contain_text("the nodes have 3 values of it")
