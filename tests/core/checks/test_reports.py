"""Every report of every kind of verdict is valid by its schema and says what matters."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft4Validator, Draft202012Validator
from lxml import etree

from scheduler_core.checks import Verdict, decode_verdict, encode_verdict, verdict_schema
from scheduler_core.checks.reports import FORMATS, render
from scheduler_core.checks.reports.markdown import MARKER, MAX_CHARACTERS
from tests.core.checks.asking import HIGH, node, pod, verdict

SCHEMAS = Path(__file__).parents[2] / "schemas"
CLUSTER = [
    node("node-a", labels={"zone": "a"}),
    node("node-b", labels={"zone": "b"}),
    pod("old", on="node-a"),
]
MANIFESTS = """\
apiVersion: v1
kind: Pod
metadata: {name: "web", labels: {app: web}}
spec:
  containers:
  - name: main
    image: a
    resources:
      requests:
        cpu: "3"
---
apiVersion: v1
kind: Pod
metadata: {name: tolerant}
spec:
  nodeSelector:
    zone: c
  containers:
  - {name: main, image: a}
"""


def fails() -> Verdict:
    return verdict(
        MANIFESTS, CLUSTER, {"allScheduled": {}}, {"headroom": {"resources": {"cpu": "9"}}}, {"noPreemption": {}},
        name="50% of <shop>, or: more|less", orders=2,
    )  # fmt: skip


KINDS = {
    "pass": lambda: verdict([pod("web")], CLUSTER),
    "fail": fails,
    "baseline": lambda: verdict(
        [pod("web", "1m")], CLUSTER, {"maxSkew": {"topologyKey": "rack"}}, baseline=True
    ),
    "preemption": lambda: verdict(
        [pod("new", "2", priorityClassName="high")],
        [HIGH, node("node-a"), pod("old", on="node-a")],
        {"noPreemption": {}},
    ),
    "too-old": lambda: verdict(
        [pod("web")],
        CLUSTER,
        max_snapshot_age="1h",
        captured_at="2026-01-01T00:00:00Z",
        checked_at="2026-01-02T00:00:00Z",
    ),
    "deletion": lambda: verdict((), CLUSTER, deletions=("Pod/default/old",)),
}


@pytest.fixture(params=KINDS)
def told(request: pytest.FixtureRequest) -> Verdict:
    found: Verdict = KINDS[request.param]()
    return found


def test_json_is_the_verdict_and_valid_by_the_published_schema(told: Verdict) -> None:
    text = render(told, "json")
    Draft202012Validator(verdict_schema()).validate(json.loads(text))
    assert decode_verdict(text.encode()) == told == decode_verdict(encode_verdict(told))


def test_junit_is_valid_by_jenkins_schema(told: Verdict) -> None:
    document = etree.fromstring(render(told, "junit").encode())
    etree.XMLSchema(etree.parse(SCHEMAS / "junit-10.xsd")).assertValid(document)
    suite = document.find("testsuite")
    failing = sum(result.status == "fail" for result in told.results)
    assert suite is not None
    assert suite.get("failures") == str(failing) == str(len(suite.findall("testcase/failure")))
    assert suite.get("tests") == str(len(suite.findall("testcase")))
    assert suite.get("errors") == str(int(told.outcome == "too-old"))


def test_sarif_is_valid_by_oasis_schema(told: Verdict) -> None:
    log = json.loads(render(told, "sarif"))
    Draft4Validator(json.loads((SCHEMAS / "sarif-2.1.0-rtm.5.json").read_text())).validate(log)
    (run,) = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert all(rules[each["ruleIndex"]] == each["ruleId"] for each in run["results"])
    assert run["invocations"][0]["executionSuccessful"] is (told.outcome != "too-old")


def test_sarif_points_at_the_field_that_blocks() -> None:
    results = json.loads(render(fails(), "sarif"))["runs"][0]["results"]
    by_rule = {each["ruleId"]: each for each in results if each["level"] == "error"}
    place = by_rule["NodeResourcesFit"]["locations"][0]
    assert place["physicalLocation"] == {
        "artifactLocation": {"uri": "app.yaml"},
        "region": {"startLine": 10, "startColumn": 14},
    }
    assert place["logicalLocations"][0]["fullyQualifiedName"] == (
        "Pod/default/web spec.containers[0].resources.requests[cpu]"
    )
    selector = by_rule["NodeAffinity"]["locations"][0]["physicalLocation"]["region"]
    assert selector == {"startLine": 17, "startColumn": 5}
    assert by_rule["headroom"]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "expect.yaml"


def test_github_annotations_are_one_command_a_line_with_everything_escaped() -> None:
    lines = render(fails(), "github").splitlines()
    command = re.compile(r"::(error|warning|notice) [a-z]+=[^:,]*(,[a-z]+=[^:,]*)*::[^\r\n]*\Z")
    assert [line for line in lines if not command.match(line)] == []
    begun = [line.split("::")[1] + "::" for line in lines]
    assert "error file=app.yaml,line=10,col=14,title=allScheduled[0]%3A NodeResourcesFit::" in begun
    assert lines[-1].startswith("::notice title=50%25 of <shop>%2C or%3A more|less::")
    levels = [line.split()[0] for line in lines]
    assert levels == sorted(levels, key=["::error", "::warning", "::notice"].index), "errors come first"


def test_markdown_has_a_table_a_plan_and_folded_details() -> None:
    found = verdict([pod("web")], CLUSTER, {"allScheduled": {}}, name="a|b <c>")
    text = render(found, "markdown")
    assert text.startswith(f"{MARKER}\n### ✅ a\\|b \\<c\\>: passes\n")
    assert "| ✅ | allScheduled\\[0\\] | the pod has a node |" in text
    assert "<details><summary>Plan: 1 pod</summary>" in text
    assert text.count("<details>") == text.count("</details>")


def test_markdown_stays_below_what_a_comment_may_have() -> None:
    pods = [pod(f"web-{number}-{'x' * 180}", "1m") for number in range(400)]
    wide = [node(f"node-{number}-{'y' * 200}") for number in range(30)]
    text = render(verdict(pods, wide), "markdown")
    assert len(text) <= MAX_CHARACTERS + 200
    assert "cut: the whole verdict is in the JSON report" in text


def test_text_has_colours_only_when_they_are_wanted() -> None:
    plain, colored = (render(fails(), "text", color=color) for color in (False, True))
    assert "\x1b" not in plain
    assert re.sub("\x1b\\[[0-9]*m", "", colored) == plain
    assert plain.startswith(
        "FAIL  50% of <shop>, or: more|less: 2 of 3 expectations do not hold; 0 of 2 orders went well\n"
    )
    assert "      at app.yaml:10:14 spec.containers[0].resources.requests[cpu]\n" in plain


def test_text_does_not_flood_a_terminal() -> None:
    found = verdict([pod(f"pod-{number}", "9") for number in range(130)], CLUSTER)
    text = render(found, "text")
    assert "    and 110 more: --format json has all\n" in text
    assert "\nand 30 more\n" in text
    assert len(json.loads(render(found, "json"))["results"][0]["findings"]) == 130


def test_control_characters_do_not_break_xml() -> None:
    found = verdict([pod("web")], CLUSTER, name="bell \x07 and \x00")
    etree.fromstring(render(found, "junit").encode())


@pytest.mark.parametrize("format_", FORMATS)
def test_every_report_ends_with_one_newline(format_: str) -> None:
    assert render(fails(), format_).rstrip("\n") + "\n" == render(fails(), format_)


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(KeyError):
        render(fails(), "pdf")


def test_the_schema_refuses_what_is_no_verdict() -> None:
    wrong = json.loads(render(fails(), "json")) | {"outcome": "perhaps"}
    assert not Draft202012Validator(verdict_schema()).is_valid(wrong)
