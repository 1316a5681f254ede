"""Archives, folders, bundles and exports of other tools: one way for browser, API and command line."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from engine.sources import read_sources, read_uploads
from scheduler_core.api import Limits, ManifestError, Source, load_manifests
from tests.needs import outside

NODE = b"apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n"
POD = b"apiVersion: v1\nkind: Pod\nmetadata: {name: web}\n"


def tar(files: dict[str, bytes], mode: str = "w:gz") -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:  # type: ignore[call-overload]
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def keys(sources: list[Source]) -> list[str]:
    return [obj.key for obj in load_manifests(sources).objects]


def refusal(*files: tuple[str, bytes], max_bytes: int = 64 * 2**20) -> str:
    with pytest.raises(ManifestError) as caught:
        read_uploads(files, max_bytes=max_bytes)
    return str(caught.value)


FILES = {"b/pod.yaml": POD, "a/node.yml": NODE, "notes.txt": b"kind: [", "._node.yaml": b"\0"}


@pytest.mark.parametrize("data", [tar(FILES), tar(FILES, "w"), zipped(FILES)], ids=["tar.gz", "tar", "zip"])
def test_the_manifests_of_an_archive_are_read_in_the_order_of_their_names(data: bytes) -> None:
    sources = read_uploads([("dump", data)])
    assert [source.name for source in sources] == ["dump/a/node.yml", "dump/b/pod.yaml"]
    assert keys(sources) == ["Node/n1", "Pod/default/web"]


def test_a_packed_manifest_is_one_source() -> None:
    (source,) = read_uploads([("nodes.yaml.gz", gzip.compress(NODE) + gzip.compress(b"---\n" + POD))])
    assert source.name == "nodes.yaml"
    assert keys([source]) == ["Node/n1", "Pod/default/web"]


def test_long_names_in_a_tar_are_read() -> None:
    name = "/".join(["folder" * 12] * 4) + "/node.yaml"
    for format_ in (tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w:gz", format=format_) as archive:
            info = tarfile.TarInfo(name)
            info.size = len(NODE)
            archive.addfile(info, io.BytesIO(NODE))
        (source,) = read_uploads([("x.tgz", out.getvalue())])
        assert source.name == f"x.tgz/{name}"


def test_paths_that_lead_out_of_an_archive_and_links_are_passed_over() -> None:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name in ("../../etc/pod.yaml", "/etc/pod.yaml", "good.yaml"):
            info = tarfile.TarInfo(name)
            info.size = len(POD)
            archive.addfile(info, io.BytesIO(POD))
        link = tarfile.TarInfo("link.yaml")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    assert [source.name for source in read_uploads([("x", out.getvalue())])] == ["x/good.yaml"]
    windows = zipped({"..\\up.yaml": POD, "good.yaml": POD})
    assert [source.name for source in read_uploads([("x", windows)])] == ["x/good.yaml"]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\x1f\x8b" + b"x" * 600, "damaged"),
        (gzip.compress(NODE * 100)[:-20], "damaged"),
        (tar({"a.yaml": NODE * 5000})[:-60], "damaged"),
        (b"PK\x03\x04nothing", "damaged"),
        (zipped({"readme.md": b"x"}), "holds no manifest"),
        (tar({"readme.md": b"x"}), "holds no manifest"),
    ],
    ids=["gzip", "cut gzip", "cut tar", "zip", "zip without manifests", "tar without manifests"],
)
def test_a_damaged_or_empty_archive_is_refused_by_name(data: bytes, words: str) -> None:
    said = refusal(("broken.bin", data))
    assert said.startswith("broken.bin: ")
    assert words in said


def bombs(size: int) -> dict[str, bytes]:
    blank = b" " * 2**20
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb", compresslevel=9) as file:
        for _ in range(size):
            file.write(blank)
    packed = out.getvalue()
    info = tarfile.TarInfo("log.txt")
    info.size = size * 2**20
    head = info.tobuf()
    with gzip.GzipFile(fileobj=(passed := io.BytesIO()), mode="wb") as file:
        file.write(head)
        for _ in range(size):
            file.write(blank)
    zip_out = io.BytesIO()
    with (
        zipfile.ZipFile(zip_out, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("a.yaml", "w") as member,
    ):
        for _ in range(size):
            member.write(blank)
    claims = tarfile.TarInfo("a.yaml")
    claims.size = 2**40
    return {
        "gzip": packed,
        "a file that is passed over": passed.getvalue(),
        "zip": zip_out.getvalue(),
        "a header that claims much": gzip.compress(claims.tobuf(tarfile.GNU_FORMAT) + blank),
        "a long name": gzip.compress(_long_name(2**33) + blank),
    }


def _long_name(size: int) -> bytes:
    info = tarfile.TarInfo("x")
    info.type, info.size = tarfile.GNUTYPE_LONGNAME, size
    return info.tobuf(tarfile.GNU_FORMAT)


BOMBS = bombs(320)


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_with_little_memory(name: str) -> None:
    said = refusal(("bomb", BOMBS[name]))
    assert "64 MiB" in said or "too long" in said
    tracemalloc.start()
    refusal(("bomb", BOMBS[name]), max_bytes=2**20)
    assert tracemalloc.get_traced_memory()[1] < 8 * 2**20
    tracemalloc.stop()


def test_a_bomb_is_refused_as_soon_where_more_is_allowed() -> None:
    for name in ("gzip", "a file that is passed over", "zip"):
        assert "unpacks to more than 64 MiB" in refusal(("bomb", BOMBS[name]), max_bytes=2**30)


def test_what_packs_as_manifests_do_is_no_bomb() -> None:
    logs = {f"{number}.log": bytes(range(256)) * 4096 for number in range(100)}
    assert len(read_uploads([("x", tar({**logs, "node.yaml": NODE}))])) == 1


def test_the_limit_holds_for_all_files_together() -> None:
    assert "all files together" in refusal(("a", NODE), ("b", b" " * (2**20 - 10)), max_bytes=2**20)
    assert "larger than 1 MiB" in refusal(("a", b" " * (2**20 + 1)), max_bytes=2**20)


def test_an_archive_and_its_folder_give_the_same_objects(tmp_path: Path) -> None:
    for name, data in {"a/node.yml": NODE, "b/pod.yaml": POD}.items():
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_bytes(data)
    (tmp_path / "x.tgz").write_bytes(tar(FILES))
    folder = keys(read_sources([str(tmp_path)]))
    assert folder == keys(read_sources([str(tmp_path / "x.tgz")])) == ["Node/n1", "Pod/default/web"]


def test_a_real_support_bundle_loads_as_it_is() -> None:
    data = outside("dumps/support-bundle.tar.gz").read_bytes()
    loaded = load_manifests(read_uploads([("support-bundle.tar.gz", data)]))
    kinds = {obj.kind for obj in loaded.objects}
    assert loaded.errors == ()
    assert {"Node", "Pod", "Namespace", "PersistentVolume", "ReplicaSet", "StorageClass"} <= kinds


def test_a_bundle_s_list_without_a_kind_gets_it_from_its_path() -> None:
    lists = {
        "bundle/cluster-resources/nodes.json": {"items": [{"metadata": {"name": "n1"}}]},
        "bundle/cluster-resources/pods/shop.json": {
            "items": [{"metadata": {"name": "a", "namespace": "shop"}}]
        },
        "bundle/cluster-resources/custom-resource-definitions.json": {"items": [{"metadata": {"name": "x"}}]},
        "bundle/cluster-resources/groups.json": [1],
        "bundle/other/thing.json": {"not": "ours"},
    }
    archive = tar({name: json.dumps(value).encode() for name, value in lists.items()})
    assert keys(read_uploads([("b.tgz", archive)])) == ["Node/n1", "Pod/shop/a"]


@pytest.mark.parametrize("by", ["name", "stdin"])
def test_a_large_file_is_read_as_a_stream(by: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "large.json"
    node = json.dumps({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1"}})
    blanks = (" " * 1023 + "\n") * 1024 * 65
    path.write_text(f'{{"kind": "List", "apiVersion": "v1", "items": [{blanks}{node}]}}')
    with path.open() as file:
        monkeypatch.setattr("sys.stdin", file)
        (source,) = read_sources([str(path) if by == "name" else "-"], max_bytes=2**30)
        assert not isinstance(source.text, str | bytes)
        loaded = load_manifests([source], limits=Limits(bytes=2**30))
    assert [item.key for item in loaded.objects] == ["Node/n1"]


def test_an_export_of_kube_scheduler_simulator_is_read_with_its_configuration() -> None:
    export = {
        "pods": [{"metadata": {"name": "a", "namespace": "default"}, "spec": {}}],
        "nodes": [{"metadata": {"name": "n1"}}],
        "pvs": [],
        "pvcs": None,
        "storageClasses": [{"metadata": {"name": "fast"}, "provisioner": "x"}],
        "priorityClasses": [{"metadata": {"name": "high"}, "value": 10}],
        "namespaces": [{"metadata": {"name": "default"}}],
        "schedulerConfig": {"kind": "KubeSchedulerConfiguration", "apiVersion": "x/v1", "parallelism": 16},
    }
    loaded = load_manifests(read_uploads([("export.json", json.dumps(export).encode())]))
    assert [obj.key for obj in loaded.objects] == [
        "Namespace/default",
        "PriorityClass/high",
        "StorageClass/fast",
        "Node/n1",
        "Pod/default/a",
    ]
    assert json.loads(loaded.scheduler_config)["parallelism"] == 16


def test_a_kwok_snapshot_is_read_and_its_other_kinds_are_named() -> None:
    lease = b"apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {name: n1}\n"
    text = b"---\n".join([NODE, POD, lease])
    loaded = load_manifests(read_uploads([("snapshot.yaml", text)]))
    assert [obj.key for obj in loaded.objects] == ["Node/n1", "Pod/default/web"]
    assert loaded.skipped == {"Lease": 1}
