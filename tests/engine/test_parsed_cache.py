"""Parsed copies of large dumps: the same objects, found by content alone, never in the way."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import pytest
import yaml

from engine.cli import reading
from engine.parsed_cache import MAX_COPIES, MIN_BYTES, cache_folder, content_key, read_copy
from scheduler_core.api import Loaded, Source
from tests.core.checks.asking import node


def load_cluster(files: list[str], *, no_cache: bool = False) -> Loaded:
    """Reads a cluster as a command does."""
    options = Namespace(live=False, cluster=files, skip_invalid=False, no_cache=no_cache)
    return reading.load_cluster(options, files)


@pytest.fixture
def dump(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A dump that is large enough, in a folder with a cache of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = tmp_path / "cluster.yaml"
    head = {"apiVersion": "playground/v1", "kind": "Snapshot", "capturedAt": "2026-01-02T03:04:05Z"}
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}, "data": {"key": "c2VjcmV0"}}
    path.write_text(
        yaml.safe_dump_all([head, secret, *(node(f"node-{number:04d}") for number in range(1500))])
    )
    assert path.stat().st_size > MIN_BYTES
    return path


def test_the_second_reading_gives_the_same_from_the_copy(dump: Path) -> None:
    first = load_cluster([str(dump)])
    (copy,) = cache_folder().iterdir()
    second = load_cluster([str(dump)])
    assert second.objects == first.objects
    assert (second.captured_at, second.skipped) == ("2026-01-02T03:04:05Z", {"Secret": 1})
    copy.write_bytes(copy.read_bytes().replace(b"node-0007", b"node-from-the-copy"))
    assert "node-from-the-copy" in {item.object.metadata.name for item in load_cluster([str(dump)]).objects}


def test_a_copy_holds_no_secret_and_is_for_its_owner_alone(dump: Path) -> None:
    load_cluster([str(dump)])
    (copy,) = cache_folder().iterdir()
    assert b"c2VjcmV0" not in copy.read_bytes()
    assert cache_folder().stat().st_mode & 0o077 == 0
    assert copy.stat().st_mode & 0o077 == 0


def test_another_byte_is_another_dump(dump: Path) -> None:
    load_cluster([str(dump)])
    dump.write_text(dump.read_text().replace("node-0007", "node-7777"))
    assert "node-7777" in {item.object.metadata.name for item in load_cluster([str(dump)]).objects}


@pytest.mark.parametrize("damage", [b"", b"no json\n", b"{}\n[]"])
def test_a_damaged_copy_is_read_past(dump: Path, damage: bytes) -> None:
    first = load_cluster([str(dump)])
    (copy,) = cache_folder().iterdir()
    copy.write_bytes(damage)
    assert load_cluster([str(dump)]).objects == first.objects


def test_half_a_copy_is_none(dump: Path) -> None:
    load_cluster([str(dump)])
    (copy,) = cache_folder().iterdir()
    copy.write_bytes(b"\n".join(copy.read_bytes().splitlines()[:-1]))
    assert read_copy(copy.stem) is None


def test_a_cache_that_cannot_be_written_is_none(dump: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(dump))
    assert len(load_cluster([str(dump)]).objects) == 1500


def test_small_dumps_streams_and_no_cache_leave_none(dump: Path) -> None:
    assert content_key([Source("small", b"a: 1")]) is None
    assert content_key([Source("stream", iter([b"x" * MIN_BYTES]))]) is None
    load_cluster([str(dump)], no_cache=True)
    assert not cache_folder().exists()


def test_only_the_copies_used_last_are_kept(dump: Path) -> None:
    cache_folder().mkdir(parents=True)
    for number in range(MAX_COPIES + 3):
        (cache_folder() / f"{number}.jsonl").write_bytes(b"")
    load_cluster([str(dump)])
    assert len(list(cache_folder().iterdir())) == MAX_COPIES
