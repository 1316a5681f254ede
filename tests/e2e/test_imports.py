"""Bringing a cluster: every kind of dump, large ones with a bar and a way out, redacted, exported."""

from __future__ import annotations

import io
import json
import re
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.clusters import workload
from tests.e2e.steps import import_files, import_text, run, wait_for_end
from tests.e2e.test_accessibility import faults
from tests.needs import ROOT, outside

pytestmark = pytest.mark.browser

LARGE = 25_000
CLUSTER = re.compile(r"/clusters/\w+/$")


def write_large(folder: Path) -> Path:
    """Writes a dump that takes the engine long enough to be seen at it."""
    path = folder / "large.json"
    path.write_text(json.dumps(workload(100, LARGE)))
    return path


def keep_the_end_back(route: Route) -> None:
    """Answers how far a job is, but never that it is over: the bar stays for as long as it is looked at."""
    answer = route.fetch()
    if answer.json()["status"] in ("pending", "running"):
        route.fulfill(response=answer)


def simulator_export() -> str:
    """Returns what kube-scheduler-simulator exports, with its configuration."""
    items = workload(3, 4)["items"]
    bare = [
        {key: value for key, value in each.items() if key not in ("kind", "apiVersion")} for each in items
    ]
    config = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "percentageOfNodesToScore": 100,
    }
    return json.dumps({"nodes": bare[:3], "pods": bare[3:], "namespaces": [], "schedulerConfig": config})


@pytest.mark.parametrize(
    ("dump", "says", "imported"),
    [
        ("seven-nodes.json", "7 nodes, 0 bound pods, none pending", "Node"),
        ("pending-pods.json", "0 nodes, 0 bound pods, 2 pending", "Pod"),
        ("support-bundle.tar.gz", "1 node, 6 bound pods", "StorageClass"),
    ],
)
def test_a_real_dump_is_imported_told_of_and_run(page: Page, dump: str, says: str, imported: str) -> None:
    import_files(page, outside(f"dumps/{dump}"))
    expect(page.locator(".verdict-line")).to_contain_text(says)
    expect(page.get_by_role("region", name="Import")).to_contain_text(imported)
    run(page)
    expect(page.locator("sp-status .verdict")).to_be_visible()


def test_a_real_bundle_dropped_as_a_folder_is_one_cluster(page: Page, tmp_path: Path) -> None:
    with tarfile.open(outside("dumps/support-bundle.tar.gz")) as bundle:
        bundle.extractall(tmp_path, filter="data")
    (top,) = (path for path in tmp_path.iterdir() if path.is_dir())
    page.goto("/")
    page.get_by_label("Folder").set_input_files(str(top))
    page.wait_for_url(CLUSTER)
    expect(page.locator(".verdict-line")).to_contain_text("1 node, 6 bound pods")
    expect(page.get_by_role("heading", level=1)).to_have_text(top.name)


def test_what_the_simulator_exported_runs_with_its_configuration(page: Page) -> None:
    import_text(page, simulator_export())
    page.wait_for_url(CLUSTER)
    expect(page.locator("select[name=profile] option:checked")).to_contain_text("(came with it)")
    run(page)
    expect(page.locator("sp-status")).to_contain_text("All 4 pods are placed")


def test_an_archive_of_several_files_is_one_cluster(page: Page, tmp_path: Path) -> None:
    items = workload(3, 4)["items"]
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for index, each in enumerate(items):
            archive.writestr(f"dump/{index}.json", json.dumps(each))
        archive.writestr("dump/README.md", "words")
    path = tmp_path / "team.zip"
    path.write_bytes(buffer.getvalue())
    import_files(page, path)
    expect(page.get_by_role("heading", level=1)).to_have_text("team")
    expect(page.locator(".verdict-line")).to_contain_text("3 nodes, 0 bound pods, 4 pending")


def test_a_large_import_shows_how_far_it_is_and_ends_at_its_cluster(page: Page, tmp_path: Path) -> None:
    page.goto("/")
    page.get_by_label("Files with manifests").set_input_files(write_large(tmp_path))
    bar = page.get_by_role("progressbar")
    expect(bar).to_have_attribute("aria-valuemax", re.compile(r"\d+"))
    expect(bar).to_have_attribute("aria-label", re.compile(r"Reading|Preparing|Storing"))
    expect(page.locator("form.dropzone")).to_have_attribute("inert", "")
    page.wait_for_url(CLUSTER, timeout=90_000)
    expect(page.locator(".verdict-line")).to_contain_text(f"{LARGE} pending")


def test_a_large_import_is_cancelled_and_nothing_of_it_is_there(page: Page, tmp_path: Path) -> None:
    page.goto("/")
    before = page.get_by_role("listitem").count()
    page.get_by_label("Files with manifests").set_input_files(write_large(tmp_path))
    expect(page.get_by_role("progressbar")).to_have_attribute("aria-valuemax", re.compile(r"\d+"))
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("progressbar")).to_have_count(0)
    job = page.request.get("/api/v1/jobs?limit=1").json()["results"][0]
    over = page.request.get(f"/api/v1/jobs/{job['id']}", headers={"Prefer": "wait=30"}).json()
    assert over["status"] == "cancelled"
    page.reload()
    expect(page.get_by_role("listitem")).to_have_count(before)
    import_text(page, json.dumps(workload(1, 1)))
    page.wait_for_url(CLUSTER)


def test_a_redacted_import_tells_nobody_s_names(page: Page) -> None:
    text = json.dumps(workload(3, 4)).replace("node-", "secret-host-").replace("team-", "secret-team-")
    page.goto("/")
    page.get_by_label("Redact").check()
    page.get_by_label("Manifests", exact=True).fill(text)
    page.get_by_role("button", name="Import").click()
    page.wait_for_url(CLUSTER)
    expect(page.locator("sp-map .node-name")).to_have_count(3)
    expect(page.get_by_role("region", name="Import")).to_contain_text("Redacted")
    assert "secret" not in page.content()
    run(page)
    expect(page.locator("sp-status")).to_contain_text("All 4 pods are placed")
    assert "secret" not in page.content()


def test_the_keyboard_alone_imports(page: Page) -> None:
    page.goto("/")
    with page.expect_file_chooser() as chooser:
        # The browser must know that choosers are caught before one opens: a question that it answers makes sure.
        expect(page.locator("sp-drop form")).to_be_visible()
        page.keyboard.press("i")
    chooser.value.set_files(
        {"name": "typed.json", "mimeType": "application/json", "buffer": json.dumps(workload(2, 1)).encode()}
    )
    page.wait_for_url(CLUSTER)
    page.goto("/")
    page.get_by_label("Manifests", exact=True).focus()
    page.keyboard.insert_text(json.dumps(workload(2, 1)))
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(page.get_by_label("Redact")).to_be_checked()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url(CLUSTER)
    expect(page.get_by_role("region", name="Import")).to_contain_text("Redacted")


def test_more_than_is_taken_says_what_to_do(page: Page, tmp_path: Path, allowed: list[str]) -> None:
    allowed.append("413")
    path = tmp_path / "bomb.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        info = tarfile.TarInfo("all.json")
        info.size = 70 << 20
        archive.addfile(info, io.BytesIO(bytes(info.size)))
    page.goto("/")
    page.get_by_label("Files with manifests").set_input_files(path)
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("bomb.tar.gz unpacks to more than 64 MiB")
    expect(alert).to_contain_text("Leave out what scheduling does not read")
    expect(alert.get_by_role("button", name="Take the objects")).to_have_count(0)


def test_an_empty_list_is_an_empty_cluster(page: Page) -> None:
    import_text(
        page, '{"apiVersion": "v1", "items": [], "kind": "List", "metadata": {"resourceVersion": ""}}'
    )
    page.wait_for_url(CLUSTER)
    expect(page.get_by_role("region", name="Import")).to_contain_text("Nothing was in it: the list is empty")
    expect(page.locator("sp-map")).to_contain_text("No nodes")
    run(page)
    expect(page.locator("sp-status")).to_contain_text("Nothing was pending")


def test_cluster_and_end_of_a_run_are_exported_and_imported_again(
    page: Page, example: Callable[[str], Path], tmp_path: Path
) -> None:
    import_files(page, example("four-reasons"))
    with page.expect_download() as download:
        page.get_by_role("link", name="YAML").click()
    download.value.save_as(tmp_path / "cluster.yaml")
    run(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Export", exact=True).click()
        page.get_by_role("link", name="Cluster at the end as YAML").click()
    assert download.value.suggested_filename.endswith(".yaml")
    download.value.save_as(tmp_path / "end.yaml")
    import_files(page, tmp_path / "cluster.yaml")
    expect(page.locator(".verdict-line")).to_contain_text("5 pending")
    import_files(page, tmp_path / "end.yaml")
    expect(page.locator(".verdict-line")).to_contain_text("4 pending")
    run(page)
    wait_for_end(page)
    expect(page.locator("sp-status")).to_contain_text("4 of 4 pods stay pending")


def test_without_javascript_a_large_import_is_followed_to_its_cluster(
    new_page: Callable[..., Page], tmp_path: Path
) -> None:
    plain = new_page(java_script_enabled=False)
    plain.goto("/")
    plain.get_by_label("Files with manifests").set_input_files(write_large(tmp_path))
    plain.get_by_role("button", name="Import").click()
    expect(plain.get_by_role("heading", level=1)).to_have_text("Importing")
    expect(plain.get_by_role("button", name="Cancel")).to_be_visible()
    plain.wait_for_url(CLUSTER, timeout=90_000)
    expect(plain.locator(".verdict-line")).to_contain_text(f"{LARGE} pending")


def test_the_how_to_s_steps_in_the_browser_lead_to_the_reasons(page: Page, tmp_path: Path) -> None:
    """Each label that the how-to sets in bold is pressed or read in its order."""
    text = (ROOT / "docs" / "how-to" / "reproduce-your-cluster.md").read_text()
    steps = text.split("In the browser", 1)[1].split("If something is wrong", 1)[0]
    labels = re.findall(r"\*\*(.+?)\*\*", steps)
    assert labels == ["Folder", "Redact", "Cancel", "Import", "Run", "Export"]
    page.goto("/")
    expect(page.get_by_label(labels[0])).to_be_attached()
    page.get_by_label(labels[1]).check()
    page.get_by_label("Files with manifests").set_input_files(write_large(tmp_path))
    page.get_by_role("button", name=labels[2]).click()
    page.get_by_label("Files with manifests").set_input_files(
        ROOT / "examples" / "5-pending-for-four-reasons.yaml"
    )
    page.wait_for_url(CLUSTER)
    expect(page.get_by_role("region", name=labels[3])).to_contain_text("Redacted")
    page.get_by_role("button", name=labels[4]).click()
    wait_for_end(page)
    page.locator("sp-queue .pod-row", has_text="Insufficient cpu").first.click()
    expect(page.locator("sp-why article")).to_contain_text("is unschedulable")
    page.get_by_role("button", name=labels[5], exact=True).click()
    expect(page.get_by_role("link", name="Cluster at the end as YAML")).to_be_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_in_a_bar_nor_in_a_report(
    new_page: Callable[..., Page], tmp_path: Path, theme: str
) -> None:
    waiting = new_page(color_scheme=theme, reduced_motion="reduce")
    waiting.goto("/")
    waiting.route("**/api/v1/jobs/*", keep_the_end_back)
    waiting.get_by_label("Files with manifests").set_input_files(write_large(tmp_path))
    expect(waiting.get_by_role("progressbar")).to_have_attribute("aria-valuemax", re.compile(r"\d+"))
    assert faults(waiting) == []
    waiting.unroute_all(behavior="ignoreErrors")
    page = new_page(color_scheme=theme, reduced_motion="reduce")
    odd = workload(3, 4)
    odd["items"][3]["spec"]["nodeName"] = "gone"
    odd["items"][4]["spec"]["unknown"] = 1
    odd["items"].append({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}})
    import_text(page, json.dumps(odd))
    page.wait_for_url(CLUSTER)
    expect(page.locator(".verdict-line")).to_contain_text("1 thing looks odd")
    page.locator("sp-map .node-name").first.wait_for()
    assert faults(page) == []
