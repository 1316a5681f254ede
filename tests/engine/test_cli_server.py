"""``--server``: the commands ask a server's API, for real, and say what they say without one."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar

import pytest
import yaml

from engine.cli import main
from tests import serve
from tests.core.checks.asking import pod

Capture = pytest.CaptureFixture[str]
CLUSTER = "Free but scattered"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serve.served(tmp_path_factory.mktemp("var")) as address:
        yield address


@pytest.fixture(scope="module")
def file(server: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The same cluster as a file."""
    (cluster,) = (each for each in api(server, "clusters")["results"] if each["name"] == CLUSTER)
    path = tmp_path_factory.mktemp("cluster") / "cluster.json"
    path.write_text(json.dumps(api(server, f"clusters/{cluster['id']}/export?format=json")))
    return str(path)


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    Path("small.yaml").write_text(yaml.safe_dump(pod("small", "100m")))
    Path("huge.yaml").write_text(yaml.safe_dump(pod("huge", "99")))
    Path("wrong.yaml").write_text("kind: Pod\n")
    Path("edits.yaml").write_text(
        "apiVersion: playground/v1\nkind: Scenario\nedits: [{at: 5s, kind: cordon, nodes: [node-a]}]\n"
    )


def check(server: str, *arguments: str, cluster: str = CLUSTER) -> int:
    return main(["check", "--server", server, "--cluster", cluster, *arguments])


def api(server: str, path: str, body: Any = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(
        f"{server}/api/v1/{path}",
        data,
        {"Content-Type": "application/json"},
        method="POST" if data else "GET",
    )
    with urllib.request.urlopen(request) as answer:
        return json.loads(answer.read())


def test_the_verdict_and_its_exit_code_come_from_the_server(server: str, capsys: Capture) -> None:
    assert check(server, "-f", "small.yaml", "--format", "json", "--name", "small") == 0
    told = capsys.readouterr()
    verdict = json.loads(told.out)
    assert (verdict["kind"], verdict["name"], verdict["outcome"]) == ("Verdict", "small", "pass")
    (kept, *_older) = api(server, "checks")["results"]
    assert told.err == f"the check: {server}/checks/{kept['id']}/\n"
    assert check(server, "-f", "huge.yaml") == 1
    assert "at huge.yaml:14:14 spec.containers[0].resources.requests[cpu]" in capsys.readouterr().out
    assert check(server, "-f", "small.yaml", "--max-snapshot-age", "1s") == 3


def test_many_orders_are_followed_as_a_job(server: str, capsys: Capture) -> None:
    Path("many.yaml").write_text(
        yaml.safe_dump_all([pod(f"pod-{number}", f"{number + 1}m") for number in range(9)])
    )
    assert check(server, "-f", "many.yaml", "--orders", "20", "--format", "json") == 0
    assert json.loads(capsys.readouterr().out)["robustness"]["held"] == 20


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (["run", "--trace", "x.jsonl"], 0),
        (["run", "--scenario", "edits.yaml", "--controllers", "off", "--trace", "x.jsonl"], 0),
        (["explain", "report-builder"], 0),
        (["explain", "default/mailer-1", "--node", "node-b"], 0),
        (["explain", "huge", "-f", "huge.yaml"], 0),
        (["diff", "-f", "small.yaml", "--delete", "Pod/mailer-1"], 1),
        (["capacity", "-f", "small.yaml", "--limit", "30"], 0),
        (["capacity", "--like", "default/mailer-1"], 0),
        (["capacity", "--needed", "node-a"], 0),
        (["capacity", "--spare"], 0),
        (["capacity", "--repair", "default/report-builder"], 0),
    ],
)
def test_a_command_says_what_it_says_without_a_server(
    command: list[str], code: int, server: str, file: str, capsys: Capture
) -> None:
    for format_ in ("text", "json"):
        assert main([*command, "--cluster", file, "--format", format_]) == code
        here = capsys.readouterr().out
        there = [*command, "--server", server, "--cluster", CLUSTER, "--format", format_]
        assert main(there) == code
        assert capsys.readouterr().out == here
        assert len(here) > 40


def test_a_run_leaves_its_events_and_its_end_in_files(server: str, file: str, capsys: Capture) -> None:
    for where in (["--cluster", file], ["--server", server, "--cluster", CLUSTER]):
        name = "there" if "--server" in where else "here"
        assert main(["run", *where, "--trace", f"{name}.jsonl", "--export", f"{name}.yaml"]) == 0
    assert Path("there.jsonl").read_bytes() == Path("here.jsonl").read_bytes()
    assert yaml.safe_load(Path("there.yaml").read_text()) == yaml.safe_load(Path("here.yaml").read_text())
    assert f"the run: {server}/runs/" in capsys.readouterr().err


def test_two_runs_of_the_server_are_compared(server: str, file: str, capsys: Capture) -> None:
    for name, more in (("a", []), ("b", ["--scenario", "edits.yaml"])):
        assert main(["run", "-f", file, "--trace", f"{name}.jsonl", *more]) == 0
        assert main(["run", "--server", server, "--cluster", CLUSTER, *more]) == 0
    after, before = (run["id"] for run in api(server, "runs")["results"][:2])
    capsys.readouterr()
    assert main(["compare", "a.jsonl", "b.jsonl"]) == 1
    here = capsys.readouterr().out
    assert main(["compare", "--server", server, before, after]) == 1
    assert capsys.readouterr().out.splitlines()[0] == here.splitlines()[0]
    assert main(["compare", "--server", server, before, before]) == 0
    assert main(["compare", "--server", server, before, "0123456789abcdef"]) == 2
    assert "the server refused (404): " in capsys.readouterr().err


def test_manifests_are_judged_by_the_server_with_their_names_and_lines(server: str, capsys: Capture) -> None:
    Path("app").mkdir()
    Path("app/web.yaml").write_text(
        "apiVersion: v1\nkind: Pod\nmetadata: {name: Web}\nspec: {containers: []}\n"
    )
    assert main(["validate", "small.yaml", "huge.yaml", "--server", server]) == 0
    assert capsys.readouterr().out == "2 objects are valid\n"
    for format_ in ("text", "json"):
        assert main(["validate", "app", "wrong.yaml", "--format", format_]) == 2
        here = capsys.readouterr().out
        assert main(["validate", "app", "wrong.yaml", "--format", format_, "--server", server]) == 2
        assert capsys.readouterr().out == here
        assert "web.yaml" in here


def test_what_came_with_a_cluster_counts_and_a_named_profile_instead(server: str, capsys: Capture) -> None:
    config = (
        "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n"
        "- plugins: {filter: {disabled: [{name: NodeResourcesFit}]}}\n"
    )
    api(server, "profiles", {"name": "no fit", "config": config})
    assert check(server, "-f", "huge.yaml", "--profile", "no fit") == 0
    assert check(server, "-f", "huge.yaml", "--profile", "other") == 2
    assert '--profile: Not found: "other": the server has no such profile' in capsys.readouterr().err


def test_a_cluster_is_named_by_its_id_too(server: str) -> None:
    cluster = api(server, "clusters")["results"][0]
    assert check(server, "-f", "small.yaml", cluster=cluster["id"]) in (0, 1)


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
        (["-f", "small.yaml", "--config", "small.yaml"], CLUSTER, "name it by --profile"),
        (["-f", "small.yaml", "--live"], CLUSTER, "the cluster is one of the server"),
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
    Path("expect.yaml").write_text("apiVersion: playground/v1\nkind: Expectations\nspec: {order: 1}\n")
    assert check(server, *arguments, cluster=cluster) == 2
    told = capsys.readouterr()
    assert sentence in told.err
    assert told.out == ""


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (["run", "-f", "small.yaml"], "-f: Syntax: with --server the cluster is one of the server"),
        (["explain", "nobody", "--cluster", CLUSTER], 'POD: Not found: "nobody": the cluster has '),
        (["diff", "--cluster", CLUSTER], "manifests"),
        (["capacity", "--needed", "none", "--cluster", CLUSTER], "there is no node 'none'"),
    ],
)
def test_every_command_tells_what_is_wrong(
    command: list[str], sentence: str, server: str, capsys: Capture
) -> None:
    assert main([*command, "--server", server]) == 2
    assert sentence in capsys.readouterr().err


def test_a_token_needs_the_scope_of_what_is_asked(
    server: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = api(server, "tokens", {"name": "reader", "scopes": ["read"]})["token"]
    monkeypatch.setenv("PLAYGROUND_TOKEN", token)
    assert check(server, "-f", "small.yaml") == 2
    needs = "the server refused (403): This needs a token with scope `{}`; this one has read.\n"
    assert capsys.readouterr().err == needs.format("check")
    assert main(["run", "--server", server, "--cluster", CLUSTER]) == 2
    assert capsys.readouterr().err == needs.format("write")
    assert main(["validate", "small.yaml", "--server", server]) == 0
    assert check(server, "-f", "small.yaml", "--token", "spp_wrong") == 2
    assert "the server refused (401): This token is not known" in capsys.readouterr().err


def test_serve_starts_the_application(tmp_path: Path) -> None:
    with (
        serve.served(tmp_path, ("-m", "engine.cli")) as address,
        urllib.request.urlopen(f"{address}/") as page,
    ):
        assert page.status == 200


@pytest.mark.parametrize("command", ["redact", "serve", "completion"])
def test_what_no_server_can_do_has_no_such_option(command: str, capsys: Capture) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    assert "--server" not in capsys.readouterr().out


def test_a_server_that_is_not_there_is_said(capsys: Capture) -> None:
    assert check("http://127.0.0.1:9", "-f", "small.yaml") == 2
    assert "http://127.0.0.1:9/api/v1 cannot be reached: " in capsys.readouterr().err
    assert check("playground.example", "-f", "small.yaml") == 2
    assert "expected an address such as https://playground.example" in capsys.readouterr().err


class Other(BaseHTTPRequestHandler):
    """Some other program's server, or something before ours."""

    status = 200
    headers_told: ClassVar[dict[str, str]] = {}
    body = b""

    def do_GET(self) -> None:
        self.send_response(self.status)
        for name, value in {**self.headers_told, "Content-Length": str(len(self.body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, *args: Any) -> None:
        """Is quiet."""


@pytest.mark.parametrize(
    ("status", "headers", "body", "code", "sentence"),
    [
        (200, {}, b"<h1>Hello</h1>", 2, "is not the API of a playground: is the address right?"),
        (404, {}, b"<h1>Nothing</h1>", 2, "is not the API of a playground: is the address right?"),
        (302, {"Location": "https://other/"}, b"", 2, "answers with another address: https://other/"),
        (401, {}, b"{}", 2, "(401): no reason was given Name a token by --token, or by PLAYGROUND_TOKEN"),
        (413, {}, b'{"detail": "The body is larger."}', 2, "the server refused (413): The body is larger."),
        (429, {}, b'{"detail": "Too many requests."}', 2, "the server refused (429): Too many requests."),
        (503, {}, b"busy", 4, "the server answered 503: no reason was given"),
    ],
)
def test_what_else_may_answer_is_told(
    status: int, headers: dict[str, str], body: bytes, code: int, sentence: str, capsys: Capture
) -> None:
    kind = type("Kind", (Other,), {"status": status, "headers_told": headers, "body": body})
    other = HTTPServer(("127.0.0.1", 0), kind)
    thread = Thread(target=other.serve_forever, args=(0.01,))
    thread.start()
    try:
        assert check(f"http://127.0.0.1:{other.server_port}", "-f", "small.yaml") == code
    finally:
        other.shutdown()
        thread.join()
        other.server_close()
    assert sentence in capsys.readouterr().err
