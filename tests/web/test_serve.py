"""The command that most people start: one address, one data folder, nothing left behind."""

from __future__ import annotations

import os
import re
import resource
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.needs import ROOT
from tests.web.conftest import eventually, small_cluster

pytestmark = pytest.mark.serial


@contextmanager
def serving(var: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    with subprocess.Popen(
        [sys.executable, "manage.py", "serve", *(arguments or ("--port", "0"))],
        cwd=ROOT,
        env={**kept, "PLAYGROUND_VAR": str(var)},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def address_of(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    found = re.search(r"http://127\.0\.0\.1:\d+", process.stdout.readline())
    assert found is not None
    return found[0]


def processes_below(pid: int) -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            if int(path.read_text().rpartition(")")[2].split()[1]) == pid:
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_serves_the_examples_runs_them_and_a_signal_ends_all(
    tmp_path: Path, number: signal.Signals
) -> None:
    with serving(tmp_path) as process:
        root = address_of(process)
        with httpx.Client(base_url=root, timeout=30) as client:
            assert client.get("/").status_code == 200
            clusters = client.get("/api/v1/clusters").json()["results"]
            assert len(clusters) >= 4
            run = client.post("/api/v1/runs", json={"cluster": clusters[0]["id"]}).json()["id"]
            over = eventually(
                lambda: (got := client.get(f"/api/v1/runs/{run}").json())["status"] != "pending" and got
            )
            assert over["status"] in ("running", "finished")
            large = client.post("/api/v1/clusters/import", content=small_cluster(60, 2000)).json()["id"]
            left, *waiting = [
                client.post("/api/v1/runs", json={"cluster": large}).json()["id"] for _ in range(8)
            ]
            eventually(lambda: client.get(f"/api/v1/runs/{left}").json()["status"] == "running")
        children = processes_below(process.pid)
        assert children
        process.send_signal(number)
        assert process.wait(10) in (0, -number)
        eventually(lambda: not any(Path(f"/proc/{pid}").exists() for pid in children), 5)
        assert process.stderr is not None
        said = process.stderr.read()
        assert "Traceback" not in said
        assert "critical" not in said
    with serving(tmp_path) as process, httpx.Client(base_url=address_of(process), timeout=30) as client:
        assert client.get(f"/api/v1/runs/{left}").json()["status"] == "interrupted"
        again = eventually(
            lambda: (got := client.get(f"/api/v1/runs/{waiting[-1]}").json())["status"] != "pending" and got
        )
        assert again["status"] in ("running", "finished")
        assert len(client.get("/api/v1/clusters").json()["results"]) == len(clusters) + 1


def test_a_port_in_use_is_said_and_the_exit_code_is_2(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with serving(tmp_path, "--port", str(port)) as process:
            _, said = process.communicate(timeout=30)
    assert process.returncode == 2
    assert f"Port {port} on 127.0.0.1 cannot be used: Address already in use." in said
    assert "Traceback" not in said


def test_a_data_folder_has_one_server(tmp_path: Path) -> None:
    with serving(tmp_path) as first:
        address_of(first)
        with serving(tmp_path) as second:
            _, said = second.communicate(timeout=30)
    assert second.returncode == 2
    assert f"Another Scheduler Playground (process {first.pid}) uses {tmp_path}." in said


@pytest.mark.parametrize("port", ["-1", "70000"])
def test_a_port_that_is_none_is_said(tmp_path: Path, port: str) -> None:
    with serving(tmp_path, "--port", port) as process:
        _, said = process.communicate(timeout=30)
    assert process.returncode == 2
    assert "cannot be used" in said


def test_it_does_not_listen_beyond_this_machine(tmp_path: Path) -> None:
    with serving(tmp_path, "--host", "0.0.0.0") as process:
        _, said = process.communicate(timeout=30)
    assert process.returncode == 2
    assert "0.0.0.0 is not a loopback address: set ALLOWED_HOSTS" in said


def sentence_at_the_start(var: Path) -> str:
    """Returns what the server says where it cannot start; one line and no traceback."""
    with serving(var) as process:
        printed, said = process.communicate(timeout=60)
    assert (process.returncode, printed) == (2, "")
    (line,) = said.splitlines()
    return line


class TestAPlaceThatCannotHoldData:
    """Each is one sentence with what to do about it."""

    def test_a_file(self, tmp_path: Path) -> None:
        path = tmp_path / "file"
        path.touch()
        assert sentence_at_the_start(path) == (
            f"The data folder {path} cannot be used: it is not a folder. Set PLAYGROUND_VAR to another folder."
        )

    def test_below_a_file(self, tmp_path: Path) -> None:
        path = tmp_path / "file"
        path.touch()
        assert "cannot be used: it cannot be made: Not a directory." in sentence_at_the_start(path / "below")

    @pytest.mark.skipif(os.access("/proc/self", os.W_OK), reason="/proc can be written")
    def test_a_folder_that_cannot_be_written(self) -> None:
        assert "The data folder /proc/self cannot be used: it cannot be written." in sentence_at_the_start(
            Path("/proc/self")
        )

    def test_a_database_that_is_none(self, tmp_path: Path) -> None:
        (tmp_path / "playground.sqlite3").write_text("These are words and no database. " * 200)
        line = sentence_at_the_start(tmp_path)
        assert f"The database in {tmp_path} is damaged or is not an SQLite database: restore it" in line

    def test_a_database_that_is_damaged(self, tmp_path: Path) -> None:
        with serving(tmp_path) as process:
            address_of(process)
            process.terminate()
            process.wait(20)
        path = tmp_path / "playground.sqlite3"
        data = path.read_bytes()
        assert len(data) > 1 << 16
        path.write_bytes(data[:100] + b"\xa5" * (len(data) - 100))
        assert f"The database in {tmp_path} is damaged" in sentence_at_the_start(tmp_path)

    def test_a_folder_in_place_of_the_database(self, tmp_path: Path) -> None:
        (tmp_path / "playground.sqlite3").mkdir()
        assert f"The database in {tmp_path} cannot be opened" in sentence_at_the_start(tmp_path)

    def test_a_disk_that_fills_up_is_said_and_forgotten_when_there_is_room_again(
        self, tmp_path: Path
    ) -> None:
        with serving(tmp_path) as process:
            with httpx.Client(base_url=address_of(process), timeout=60) as client:
                before = len(client.get("/api/v1/clusters").json()["results"])
                _, hard = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
                resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (1 << 12, hard))
                refused = client.post("/api/v1/clusters/import", content=small_cluster(60, 1000))
                assert refused.status_code == 507
                assert f"in {tmp_path} cannot be read or written" in refused.json()["detail"]
                resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (hard, hard))
                taken = client.post("/api/v1/clusters/import", content=small_cluster(60, 1000))
                assert taken.status_code == 201
                assert len(client.get("/api/v1/clusters").json()["results"]) == before + 1
            process.terminate()
            _, said = process.communicate(timeout=20)
        assert "Traceback" not in said


class TestCtrlC:
    def test_while_it_starts_is_one_word(self, tmp_path: Path) -> None:
        with serving(tmp_path) as process:
            eventually((tmp_path / "lock").exists)
            process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=30)
        assert process.returncode in (0, 130, -signal.SIGINT)
        assert said in ("", "Interrupted.\n")

    def test_often_leaves_no_traceback_and_no_process(self, tmp_path: Path) -> None:
        with serving(tmp_path) as process:
            with httpx.Client(base_url=address_of(process), timeout=30) as client:
                large = client.post("/api/v1/clusters/import", content=small_cluster(60, 2000)).json()["id"]
                run = client.post("/api/v1/runs", json={"cluster": large}).json()["id"]
                eventually(lambda: client.get(f"/api/v1/runs/{run}").json()["status"] == "running")
            children = processes_below(process.pid)
            assert children

            def interrupted_again() -> bool:
                process.send_signal(signal.SIGINT)
                return process.poll() is not None

            eventually(interrupted_again, 20)
            _, said = process.communicate(timeout=20)
            eventually(lambda: not any(Path(f"/proc/{pid}").exists() for pid in children), 10)
        assert process.returncode in (0, 130, -signal.SIGINT)
        assert "Traceback" not in said
