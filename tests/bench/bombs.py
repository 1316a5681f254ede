"""`make bench-bombs`: what hostile and oversized uploads cost the server: the answer, its time, and the memory it took.

Each is sent over HTTP to the application as `make run` serves it; nothing else should run meanwhile.
"""

from __future__ import annotations

import io
import json
import struct
import tarfile
import tempfile
import threading
import time
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx

from tests.serve import served

MEBIBYTE = 1 << 20
ROUNDS = 3


def main() -> None:
    """Prints the table."""
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as address:
        pid = int((Path(folder) / "lock").read_text())
        with httpx.Client(base_url=address, timeout=120, trust_env=False) as client:
            upload(client, "small.yaml", b"apiVersion: v1\nkind: Node\nmetadata: {name: n}\n")
            print(f"{'what':46} {'size':>9}  {'answer':34} {'time':>7} {'memory':>8}")
            for name, file, data in inputs():
                best, status, says, grown = 1e9, 0, "", 0
                for _ in range(ROUNDS):
                    with Watch(pid) as watch:
                        began = time.perf_counter()
                        status, says = upload(client, file, data)
                        best = min(best, time.perf_counter() - began)
                    grown = max(grown, watch.grown)
                size = (
                    f"{len(data) / MEBIBYTE:.1f} MiB"
                    if len(data) > MEBIBYTE
                    else f"{len(data) / 1024:.1f} KiB"
                )
                print(
                    f"{name:46} {size:>9}  {status} {says[:30]:30} {best:6.2f}s {grown / MEBIBYTE:5.0f} MiB"
                )


def upload(client: httpx.Client, name: str, data: bytes) -> tuple[int, str]:
    """Sends a file and returns the status and the first error."""
    answer = client.post("/api/v1/clusters/import", files={"file": (name, data)})
    body: dict[str, Any] = answer.json()
    if answer.status_code == 202:
        job = client.get(answer.headers["Location"], headers={"Prefer": "wait=60"}).json()
        return 202, f"job {job['status']}: " + (job["errors"] or [{"message": ""}])[0]["message"]
    errors = body.get("errors") or [{"message": body.get("detail", "")}]
    return answer.status_code, str(errors[0]["message"])


class Watch:
    """How much more memory a process and its children have at their peak than before."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._over = threading.Event()
        self.grown = 0

    def __enter__(self) -> Watch:
        self._before = self._resident()
        self._thread = threading.Thread(target=self._look)
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._over.wait(0.005):
            self.grown = max(self.grown, self._resident() - self._before)

    def _resident(self) -> int:
        children = Path(f"/proc/{self._pid}/task/{self._pid}/children")
        tasks = Path(f"/proc/{self._pid}/task")
        pids = {str(self._pid)}
        for task in tasks.iterdir() if tasks.exists() else [children.parent]:
            try:
                pids |= set((task / "children").read_text().split())
            except OSError:
                continue
        return sum(resident(pid) for pid in pids)


def resident(pid: str) -> int:
    """Returns the resident bytes of a process, 0 when it is gone."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096
    except (OSError, IndexError):
        return 0


def inputs() -> Iterator[tuple[str, str, bytes]]:
    """Yields what it is, its file's name and its bytes."""
    yield "gzip of 1 GiB of zeros", "zeros.json.gz", gzipped(1024)
    yield "tar.gz with a manifest of 1 GiB", "bomb.tar.gz", tarred([("all.json", 1024)])
    yield (
        "tar.gz with 100 manifests of 10 MiB",
        "many.tar.gz",
        tarred([(f"{n}.json", 10) for n in range(100)]),
    )
    yield "tar.gz with 1 GiB of logs, passed over", "logs.tar.gz", tarred([("var/log/messages", 1024)])
    yield "tar whose header claims 8 GiB", "claims.tar", claiming_tar()
    yield "zip with a manifest of 1 GiB", "bomb.zip", zipped()
    yield "zip that lies about a size", "lies.zip", lying_zip()
    yield "JSON of 65 MiB", "large.json", b'{"kind":"List","items":[' + b" " * (65 * MEBIBYTE) + b"]}"
    yield "body of 100 MiB", "huge.json", bytes(100 * MEBIBYTE)
    yield "YAML with aliases of aliases", "aliases.yaml", alias_bomb()
    yield "100,000 lists in each other", "deep.json", b"[" * 100_000
    yield "one text of 10 MiB", "text.json", node(b"x" * (10 * MEBIBYTE))
    yield (
        "11 million values",
        "values.json",
        b'{"kind":"List","apiVersion":"v1","items":[' + b"1," * 11_000_000 + b"1]}",
    )
    yield "300,000 objects", "objects.json", objects(300_000)


def gzipped(mebibytes: int) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return b"".join([*(packer.compress(bytes(MEBIBYTE)) for _ in range(mebibytes)), packer.flush()])


def tarred(files: list[tuple[str, int]]) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    parts = []
    for name, mebibytes in files:
        info = tarfile.TarInfo(name)
        info.size = mebibytes * MEBIBYTE
        parts.append(packer.compress(info.tobuf()))
        parts += [packer.compress(bytes(MEBIBYTE)) for _ in range(mebibytes)]
    return b"".join([*parts, packer.compress(bytes(1024)), packer.flush()])


def claiming_tar() -> bytes:
    info = tarfile.TarInfo("all.json")
    info.size = 8 << 30
    return info.tobuf() + b"{}" + bytes(1022)


def zipped(mebibytes: int = 1024) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("all.json", "w") as file:
        for _ in range(mebibytes):
            file.write(bytes(MEBIBYTE))
    return buffer.getvalue()


def lying_zip() -> bytes:
    """A zip whose file unpacks to 200 MiB and says that it has 10 bytes."""
    data, size = zipped(200), 200 * MEBIBYTE
    return data.replace(struct.pack("<I", size), struct.pack("<I", 10))


def alias_bomb() -> bytes:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 10)]
    return "\n".join(lines).encode()


def node(label: bytes) -> bytes:
    return b'{"apiVersion":"v1","kind":"Node","metadata":{"name":"n","annotations":{"a":"%s"}}}' % label


def objects(number: int) -> bytes:
    items = [{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": f"n{n}"}} for n in range(number)]
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": items}).encode()


if __name__ == "__main__":
    main()
