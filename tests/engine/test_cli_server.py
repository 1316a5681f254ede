"""``playground check --server``: the same check by a server's API, for real."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from engine.cli import main
from tests import serve
from tests.core.checks.asking import pod

pytestmark = pytest.mark.serial
Capture = pytest.CaptureFixture[str]
CLUSTER = "Free but scattered"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serve.served(tmp_path_factory.mktemp("var")) as address:
        yield address


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("small.yaml").write_text(yaml.safe_dump(pod("small", "100m")))
    Path("huge.yaml").write_text(yaml.safe_dump(pod("huge", "99")))


def check(server: str, *arguments: str, cluster: str = CLUSTER) -> int:
    return main(["check", "--server", server, "--cluster", cluster, *arguments])


def test_the_verdict_and_its_exit_code_come_from_the_server(server: str, capsys: Capture) -> None:
    assert check(server, "-f", "small.yaml", "--format", "json", "--name", "small") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["kind"], told["name"], told["outcome"]) == ("Verdict", "small", "pass")
    assert check(server, "-f", "huge.yaml") == 1
    assert "at huge.yaml:14:14 spec.containers[0].resources.requests[cpu]" in capsys.readouterr().out
    assert check(server, "-f", "small.yaml", "--max-snapshot-age", "1s") == 3


def test_many_orders_are_followed_as_a_job(server: str, capsys: Capture) -> None:
    Path("many.yaml").write_text(
        yaml.safe_dump_all([pod(f"pod-{number}", f"{number + 1}m") for number in range(9)])
    )
    assert check(server, "-f", "many.yaml", "--orders", "20", "--format", "json") == 0
    assert json.loads(capsys.readouterr().out)["robustness"]["held"] == 20


def test_a_cluster_is_named_by_its_id_too(server: str, capsys: Capture) -> None:
    import urllib.request

    with urllib.request.urlopen(f"{server}/api/v1/clusters") as answer:
        clusters = json.loads(answer.read())["results"]
    assert check(server, "-f", "small.yaml", cluster=clusters[0]["id"]) in (0, 1)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("arguments", "cluster", "sentence"),
    [
        (["-f", "small.yaml"], "nowhere", '--cluster: Not found: "nowhere": the server has no such cluster'),
        (["-f", "wrong.yaml"], CLUSTER, "wrong.yaml:1:1"),
        (
            ["-f", "small.yaml", "--expect", "expect.yaml"],
            CLUSTER,
            "expect.yaml:3:15: Expectations: spec.order: ",
        ),
        (["-f", "small.yaml", "--orders", "0"], CLUSTER, "orders"),
        (["-f", "small.yaml", "--profile", "none"], CLUSTER, "profile"),
        (["-f", "small.yaml", "--config", "small.yaml"], CLUSTER, "name its id by --profile"),
        (
            ["-f", "small.yaml", "--cluster", "b"],
            CLUSTER,
            "with --server, name one cluster by its id or name",
        ),
    ],
)
def test_what_the_server_refuses_is_told_and_ends_with_2(
    arguments: list[str], cluster: str, sentence: str, server: str, capsys: Capture
) -> None:
    Path("wrong.yaml").write_text("kind: Pod\n")
    Path("expect.yaml").write_text("apiVersion: playground/v1\nkind: Expectations\nspec: {order: 1}\n")
    assert check(server, *arguments, cluster=cluster) == 2
    told = capsys.readouterr()
    assert sentence in told.err
    assert told.out == ""


def test_a_token_that_is_none_is_refused_with_the_servers_words(server: str, capsys: Capture) -> None:
    assert check(server, "-f", "small.yaml", "--token", "spp_wrong") == 2
    assert "the server refused (401): " in capsys.readouterr().err


def test_serve_starts_the_application(tmp_path: Path) -> None:
    import urllib.request

    with (
        serve.served(tmp_path, ("-m", "engine.cli")) as address,
        urllib.request.urlopen(f"{address}/") as page,
    ):
        assert page.status == 200


def test_a_server_that_is_not_there_is_said(capsys: Capture) -> None:
    assert check("http://127.0.0.1:9", "-f", "small.yaml") == 2
    assert "http://127.0.0.1:9/api/v1 cannot be reached: " in capsys.readouterr().err
