"""What no file may hold: a machine's paths, a registry's address, a name that says nothing."""

from __future__ import annotations

import re

import pytest

from tests.architecture.tree import ROOT, files, relative

TEXTS = (
    ".py", ".in", ".lock", ".toml", ".md", ".ts", ".mjs", ".js", ".css", ".html", ".json", ".yaml", ".yml",
    ".txt", ".svg", "Makefile", ".importlinter", "run",
)  # fmt: skip
# In pieces, so that this file does not hold them either.
FORBIDDEN = {
    "a path of one machine": r"(?<![\w.:])/(?:wor[k]|roo[t]|hom[e]/[a-z]+)/",
    "a registry's address": "|".join(
        re.escape(".".join(name))
        for name in (("pypi", "org"), ("pythonhosted", "org"), ("npmjs", "org"), ("debian", "org"))
    ),
    "a merge conflict": r"^(?:<{7}|>{7}) ",
}
NAMES_THAT_SAY_NOTHING = {"helpers", "manager", "managers", "misc", "stuff", "util", "utils"}


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_file_holds(what: str) -> None:
    pattern = re.compile(FORBIDDEN[what], re.MULTILINE)
    found = {
        relative(path): match.group()
        for path in files(*TEXTS)
        if (match := pattern.search(path.read_text(errors="replace")))
    }
    assert not found


def test_no_module_has_a_name_that_says_nothing() -> None:
    named = [relative(path) for path in files(".py", ".ts") if path.stem in NAMES_THAT_SAY_NOTHING]
    assert not named


def test_every_locked_package_has_its_hash() -> None:
    for lock in sorted((ROOT / "requirements").glob("*.lock")):
        pinned = re.findall(r"^[a-z0-9][^\n]*==[^\n]*\\\n +--hash=sha256:", lock.read_text(), re.MULTILINE)
        assert len(pinned) == len(re.findall(r"^[a-z0-9]", lock.read_text(), re.MULTILINE)), lock.name


def test_the_locks_answer_what_they_were_made_from() -> None:
    for source in sorted((ROOT / "requirements").glob("*.in")):
        wanted = re.findall(r"^([A-Za-z0-9_.-]+)", source.read_text(), re.MULTILINE)
        locked = set(re.findall(r"^([a-z0-9-]+)==", source.with_suffix(".lock").read_text(), re.MULTILINE))
        names = {re.sub(r"[-_.]+", "-", name).lower() for name in wanted if not name.startswith("-")}
        assert names <= locked, source.name


def test_the_core_s_first_file_re_exports_nothing() -> None:
    text = (ROOT / "scheduler_core" / "__init__.py").read_text()
    assert not re.search(r"^(from (?!__future__)|import )", text, re.MULTILINE)
