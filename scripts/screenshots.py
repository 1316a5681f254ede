"""Takes pictures of every page, at phone and desk width, light and dark, empty, typical, large and wrong.

python scripts/screenshots.py             all of them into var/screenshots/
python scripts/screenshots.py --only run  those whose name has "run" in it
python scripts/screenshots.py --readme    the few that the README shows, into docs/images/
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.e2e.clusters import LONG_NAMES, MANY_REASONS, ONLY_A_POD, WRONG, write_workload  # noqa: E402
from tests.e2e.steps import import_files, import_text, run, wait_for_end  # noqa: E402
from tests.needs import CHROMIUM_ARGS, chromium  # noqa: E402
from tests.serve import served  # noqa: E402

PICTURES = ROOT / "var" / "screenshots"
IMAGES = ROOT / "docs" / "images"
EXAMPLES = ROOT / "examples"
ZONE = "topology.kubernetes.io/zone"
NARROW_BELOW = 900
SIZES = {390: 844, 1280: 800, 1440: 900, 2560: 1300}
EDITS = [{"kind": "addNodes", "like": "worker-8", "count": 1}]
README_EXAMPLES = (
    "eighth-replica",
    "free-but-scattered",
    "image-already-there",
    "pending-for-four-reasons",
    "lose-a-zone",
)
PACKED = """apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- schedulerName: default-scheduler
  plugins: {multiPoint: {enabled: [{name: ImageLocality, weight: 7}], disabled: [{name: VolumeZone}]}}
- schedulerName: packer
  pluginConfig:
  - name: NodeResourcesFit
    args: {scoringStrategy: {type: MostAllocated}}
"""
Step = Callable[[Page], None]
Theme = Literal["light", "dark"]


@dataclass
class Scene:
    """A page in a state: where it is, and what is done there before the picture."""

    name: str
    path: str
    steps: list[Step] = field(default_factory=list)
    widths: tuple[int, ...] = (390, 1440)
    themes: tuple[Theme, ...] = ("light", "dark")
    whole: bool = False
    panel: str = ""
    """The panel to show where only one fits."""


@dataclass
class Prepared:
    """Addresses of what was imported and run."""

    clusters: dict[str, str] = field(default_factory=dict)
    runs: dict[str, str] = field(default_factory=dict)
    compared: str = ""
    check: str = ""
    what_if: str = ""


def click(selector: str) -> Step:
    """Returns the step that clicks the first thing a selector finds."""
    return lambda page: page.locator(selector).first.click()


def press(key: str) -> Step:
    """Returns the step that presses a key."""
    return lambda page: page.keyboard.press(key)


def write_profile(text: str) -> Step:
    """Returns the step that writes a configuration and waits for what becomes of it."""

    def write(page: Page) -> None:
        page.locator("sp-config-text .cm-content").fill(text)
        page.locator(".differs-list li, .text-errors li").first.wait_for()

    return write


def import_wrong(page: Page) -> None:
    """Pastes objects that are wrong."""
    import_text(page, WRONG)
    expect(page.get_by_role("alert")).to_be_visible()


def prepare(page: Page, folder: Path) -> Prepared:
    """Imports and runs what the pictures show.

    Args:
        page: a page at the served application.
        folder: where generated dumps go.
    """
    done = Prepared()
    dumps = {path.stem.split("-", 1)[1]: path for path in sorted(EXAMPLES.glob("*.yaml"))}
    dumps |= {
        "one": write_workload(folder, 1, 3),
        "twelve": write_workload(folder, 12, 60),
        "500": write_workload(folder, 500, 1500),
        "5000": write_workload(folder, 5000, 2000),
    }
    written = {"long": LONG_NAMES, "no-nodes": ONLY_A_POD, "many-reasons": MANY_REASONS}
    for name, text in written.items():
        dumps[name] = folder / f"{name}.yaml"
        dumps[name].write_text(text)
    page.set_default_timeout(120_000)
    for name, dump in dumps.items():
        import_files(page, dump)
        done.clusters[name] = page.url
        run(page)
        done.runs[name] = page.url
    return done


def run_examples(page: Page) -> Prepared:
    """Runs the examples that the README shows, as a visitor does."""
    done = Prepared()
    for name in README_EXAMPLES:
        page.goto("/")
        page.locator(f'form[action="/examples/{name}/run/"] .question').click()
        page.wait_for_url(re.compile(r"/runs/\w+/"))
        done.runs[name] = page.url.split("?")[0]
        wait_for_end(page)
    return done


def sent(page: Page, path: str, body: dict[str, Any]) -> Any:
    """Returns what the API makes of a request, once it is done."""
    answer = page.request.post(f"/api/v1/{path}", data=body, headers={"Prefer": "wait=60"})
    assert answer.status == 201, answer.text()
    return answer.json()


def weigh(page: Page, done: Prepared) -> None:
    """Makes what the pages show that weigh one future against another: a what-if, two runs, a check."""
    before, scattered = (
        page.request.get(f"/api/v1/runs/{done.runs[name].rstrip('/').rsplit('/', 1)[1]}").json()
        for name in ("eighth-replica", "free-but-scattered")
    )
    after = sent(page, "runs", {"cluster": before["cluster"], "edits": EDITS})
    done.compared = f"/runs/{before['id']}/compare/{after['id']}/"
    done.what_if = f"/clusters/{before['cluster']}/what-if/"
    web, expected = (
        {"name": name, "text": (EXAMPLES / "check" / name).read_text()}
        for name in ("web.yaml", "expectations.yaml")
    )
    asked = {"cluster": scattered["cluster"], "manifests": [web], "expectations": [expected], "name": "web 7"}
    sent(page, "checks", asked)
    done.check = f"/checks/{page.request.get('/api/v1/checks').json()['results'][0]['id']}/"


def change(page: Page) -> None:
    """Changes the cluster on the what-if page: two nodes more, another cordoned."""
    press_on_node(page, "worker-8", "Add", count="2")
    expect(page.locator(".edits li")).to_have_count(1)
    press_on_node(page, "worker-2", "Cordon")
    expect(page.locator("sp-map .v-changed")).to_have_count(3)
    expect(page.locator(".what-if-words")).to_contain_text("rescued")
    page.wait_for_load_state("networkidle")


def press_on_node(page: Page, node: str, button: str, **fields: str) -> None:
    """Selects a node on the what-if page and does something with it."""
    page.locator(f"sp-map [data-node={node}]").click()
    for name, value in fields.items():
        page.locator(f"sp-change input[name={name}]").fill(value)
    page.locator("sp-change").get_by_role("button", name=button, exact=True).click()


def open_weights(page: Page) -> None:
    """Opens what the weights of a decision are worth."""
    page.locator(".sensitivity-slot summary").click()
    weights = page.get_by_label("Weights", exact=True)
    weights.scroll_into_view_if_needed()
    expect(weights.get_by_role("status")).to_contain_text("wins")


def all_scenes(done: Prepared) -> list[Scene]:
    """Returns every page in every state."""
    wide = (390, 1440, 2560)
    runs = [Scene(f"run-{name}", url) for name, url in done.runs.items()]
    clusters = [Scene(f"cluster-{name}", url, whole=True) for name, url in done.clusters.items()]
    eighth, reasons = done.runs["eighth-replica"], done.runs["pending-for-four-reasons"]
    many = done.runs["many-reasons"]
    return [
        Scene("start", "/", whole=True, widths=wide),
        Scene("start-wrong", "/", [import_wrong]),
        Scene("what-if", done.what_if, [change], widths=wide, whole=True),
        Scene("compare", done.compared, widths=wide, whole=True),
        Scene("checks", "/checks/"),
        Scene("check", done.check, widths=wide, whole=True),
        *clusters,
        *runs,
        Scene("run-cycle", f"{eighth}?cycle=3", widths=wide, panel="Cycle"),
        Scene("run-queue", f"{eighth}?cycle=3", widths=(390,), panel="Queue"),
        Scene("run-log", f"{eighth}?cycle=3", widths=(390,), panel="Log"),
        Scene("run-why", f"{reasons}?pod=default/simulation", widths=wide),
        Scene("run-node", f"{reasons}?node=node-1"),
        Scene("run-points", f"{eighth}?cycle=8&point=Filter&verdicts=all", panel="Cycle"),
        Scene("run-formula", f"{eighth}?cycle=1", [click(".score-table tbody .link")], panel="Cycle"),
        Scene("run-preemption", f"{done.runs['who-is-evicted']}?cycle=1", panel="Cycle"),
        Scene("run-pod-story", f"{done.runs['who-is-evicted']}?pod=default/payment-0", panel="Cycle"),
        Scene("run-why-not", f"{many}?pod=default/db-2&ask=node-a1", panel="Cycle"),
        Scene("run-spread", f"{many}?pod=default/web-4", panel="Cycle"),
        Scene("run-labels", f"{many}?pod=default/gpu", panel="Cycle"),
        Scene("run-table", eighth, [click("sp-board .segmented button:nth-child(2)")]),
        Scene("run-large-cycle", f"{done.runs['5000']}?cycle=20", [wait_for_detail], panel="Cycle"),
        Scene("run-moves", f"{done.runs['who-is-evicted']}?cycle=1", panel="Queue"),
        Scene("run-racks", f"{done.runs['500']}?cycle=900&by={ZONE},rack&colour=owner", widths=wide),
        Scene("run-unusable", f"{done.runs['500']}?cycle=900&colour=stranded"),
        Scene("run-stream", f"{done.runs['twelve']}?cycle=30&board=stream"),
        Scene("run-large-stream", f"{done.runs['5000']}?cycle=900&board=stream"),
        Scene("run-charts", f"{done.runs['500']}?cycle=900&board=charts&break=tie"),
        Scene("run-events", f"{eighth}?log=events&kind=binding", panel="Log"),
        Scene("run-tour", eighth, [press("g"), press("t")]),
        Scene("run-palette", eighth, [press("Control+k")]),
        Scene("run-words", eighth, [press("g"), press("w")], (1440,)),
        Scene("run-export", eighth, [click("sp-export .button")]),
        Scene("run-keys", eighth, [press("?")], (1440,)),
        Scene("run-weights", f"{eighth}?cycle=1", [click(".sensitivity-slot summary")], panel="Cycle"),
        Scene("profiles", "/profiles/"),
        Scene("profile", "/profiles/new/", [write_profile(PACKED)], widths=wide, whole=True),
        Scene("profile-wrong", "/profiles/new/", [write_profile(PACKED.replace("Image", "Picture"))]),
        Scene("nothing-here", "/runs/zzzzzzzzzzzzzzzz/"),
    ]


def wait_for_detail(page: Page) -> None:
    """Waits until a cycle that is computed again is there."""
    expect(page.locator(".verdicts").first).to_be_visible(timeout=120_000)


def readme_scenes(done: Prepared) -> list[Scene]:
    """Returns what the README shows."""
    eighth, reasons = done.runs["eighth-replica"], done.runs["pending-for-four-reasons"]
    image = done.runs["image-already-there"]
    wide = (1280,)
    light: tuple[Theme, ...] = ("light",)
    return [
        Scene("run-page", f"{eighth}?cycle=3", widths=wide),
        Scene("why-page", f"{reasons}?pod=default/simulation", widths=wide),
        Scene("start", "/", widths=wide, themes=light),
        Scene("what-if", done.what_if, [change], widths=wide, themes=light),
        Scene("compare", done.compared, widths=wide, themes=light),
        Scene("weights", f"{image}?cycle=5", [open_weights], widths=wide, themes=light),
        Scene("check", done.check, widths=wide, themes=light),
    ]


def shoot(browser: Browser, address: str, scene: Scene, folder: Path) -> None:
    """Takes a scene's pictures."""
    for width in scene.widths:
        for theme in scene.themes:
            context = browser.new_context(
                base_url=address, viewport={"width": width, "height": SIZES[width]},
                color_scheme=theme, reduced_motion="reduce",
            )  # fmt: skip
            context.add_init_script("localStorage.setItem('toured', '1')")
            page = context.new_page()
            page.goto(scene.path)
            page.wait_for_load_state("networkidle")
            if scene.panel and width < NARROW_BELOW:
                page.get_by_role("tab", name=scene.panel).first.click()
            for step in scene.steps:
                step(page)
            page.wait_for_timeout(300)
            page.screenshot(path=folder / picture_name(scene, width, theme, folder), full_page=scene.whole)
            context.close()


def picture_name(scene: Scene, width: int, theme: str, folder: Path) -> str:
    """Returns a picture's file name: short ones for the README, else with width and theme."""
    if folder == IMAGES:
        return f"{scene.name}.png" if theme == "light" else f"{scene.name}-{theme}.png"
    return f"{scene.name}-{width}-{theme}.png"


def main() -> None:
    """Serves, prepares, takes the pictures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--readme", action="store_true")
    parser.add_argument("--only", default="", help="a part of a scene's name")
    asked = parser.parse_args()
    folder = IMAGES if asked.readme else PICTURES
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as temporary,
        served(Path(temporary)) as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium(), args=CHROMIUM_ARGS)
        page = browser.new_page(base_url=address)
        done = run_examples(page) if asked.readme else prepare(page, Path(temporary))
        weigh(page, done)
        page.close()
        for scene in readme_scenes(done) if asked.readme else all_scenes(done):
            if asked.only in scene.name:
                shoot(browser, address, scene, folder)
                print(f"{scene.name}: {', '.join(str(width) for width in scene.widths)}")
        browser.close()
    print(f"in {folder.relative_to(ROOT)}/")


if __name__ == "__main__":
    main()
