"""A browser at the served application: one server a session, a fresh page a test, no message in the console."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import APIRequestContext, Browser, ConsoleMessage, Error, Page, Playwright

from tests.needs import CHROMIUM_ARGS, chromium
from tests.serve import served

NARROW = {"width": 390, "height": 844}
WIDE = {"width": 1440, "height": 900}


class Finished:
    """Finished runs, each made once, by the API, for all that only look at it."""

    def __init__(self, api: APIRequestContext, example: Callable[[str], Path]) -> None:
        self._api = api
        self._example = example
        self._known: dict[str, str] = {}

    def __call__(self, part: str = "", *, text: str = "") -> str:
        """Returns the address of the page of a run of an example, by a part of its name, or of a text."""
        known = part or text
        if known not in self._known:
            data = text or self._example(part).read_text()
            headers = {"Content-Type": "application/yaml"}
            cluster = self._api.post("clusters/import", data=data, headers=headers).json()
            run = self._api.post("runs", data={"cluster": cluster["id"]}).json()
            assert run["status"] == "finished", run
            self._known[known] = f"/runs/{run['id']}/"
        return self._known[known]


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    return {"executable_path": chromium(), "args": CHROMIUM_ARGS}


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the application is served."""
    chromium()
    with served(tmp_path_factory.mktemp("served")) as found:
        yield found


@pytest.fixture
def allowed() -> list[str]:
    """Parts of console messages that a test provokes."""
    return []


@pytest.fixture
def new_page(browser: Browser, address: str, allowed: list[str]) -> Iterator[Callable[..., Page]]:
    """Opens pages; afterwards nothing may have gone wrong in any of them."""
    said: list[str] = []
    contexts = []

    def note(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            said.append(message.text)

    def broke(error: Error) -> None:
        said.append(f"uncaught: {error}")

    def open_page(**options: Any) -> Page:
        context = browser.new_context(base_url=address, **{"viewport": WIDE, **options})
        contexts.append(context)
        page = context.new_page()
        page.on("console", note)
        page.on("pageerror", broke)
        return page

    yield open_page
    for context in contexts:
        context.close()
    unexpected = [text for text in said if not any(part in text for part in allowed)]
    assert unexpected == [], "the browser's console is not empty"


@pytest.fixture
def page(new_page: Callable[..., Page]) -> Page:
    return new_page()


@pytest.fixture
def phone(new_page: Callable[..., Page]) -> Page:
    return new_page(viewport=NARROW, has_touch=True)


@pytest.fixture(scope="session")
def example() -> Callable[[str], Path]:
    """Finds one of our examples by a part of its name."""
    folder = Path(__file__).resolve().parents[2] / "examples"
    return lambda part: next(path for path in sorted(folder.iterdir()) if part in path.name)


@pytest.fixture(scope="session")
def finished(playwright: Playwright, address: str, example: Callable[[str], Path]) -> Iterator[Finished]:
    api = playwright.request.new_context(
        base_url=f"{address}/api/v1/", extra_http_headers={"Prefer": "wait=60"}, timeout=90_000
    )
    yield Finished(api, example)
    api.dispose()
