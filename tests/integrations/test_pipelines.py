"""GitHub's action, GitLab's template and the hooks of pre-commit: valid, and their scripts run."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft7Validator

from tests.core.checks.asking import expectations
from tests.integrations.conftest import Run
from tests.needs import ROOT

ACTION = ROOT / "integrations" / "github-action"
TEMPLATE = ROOT / "integrations" / "gitlab" / "scheduler-check.gitlab-ci.yml"


def validate(document: object, schema: str) -> None:
    """Judges a document by a schema that check-jsonschema brings."""
    text = (files("check_jsonschema") / "builtin_schemas" / "vendor" / f"{schema}.json").read_text()
    Draft7Validator(json.loads(text)).validate(document)


class Job:
    """A job of a workflow that runs the action's scripts as the runner does."""

    def __init__(self, folder: Path, run: Run) -> None:
        self.folder = folder
        self._run = run
        self.environment = {
            "GITHUB_ACTION_PATH": str(ACTION),
            "RUNNER_TEMP": str(folder / "temp"),
            "GITHUB_OUTPUT": str(folder / "output"),
            "GITHUB_STEP_SUMMARY": str(folder / "summary"),
            "GITHUB_PATH": str(folder / "path"),
            "GITHUB_WORKFLOW": "ci",
        }
        (folder / "temp").mkdir()

    def check(self, **inputs: str) -> subprocess.CompletedProcess[str]:
        """Runs the step that checks."""
        given = {"CHECK_MANIFESTS": "deploy", "CHECK_CLUSTER": "cluster.yaml", **inputs}
        return self._run(["bash", ACTION / "check.sh"], **self.environment, **given)

    @property
    def outputs(self) -> dict[str, str]:
        """The action's outputs."""
        return dict(line.split("=", 1) for line in (self.folder / "output").read_text().splitlines())


@pytest.fixture
def job(folder: Path, run: Run) -> Job:
    return Job(folder, run)


def test_the_action_is_valid_and_its_script_reads_what_it_hands_over() -> None:
    action = yaml.safe_load((ACTION / "action.yml").read_text())
    validate(action, "github-actions")
    handed = set(action["runs"]["steps"][1]["env"])
    read = set(re.findall(r"\$\{?(CHECK_[A-Z_]+)", (ACTION / "check.sh").read_text()))
    assert handed - {"PLAYGROUND_TOKEN"} == read
    used = set(re.findall(r"inputs\.([a-z-]+)", (ACTION / "action.yml").read_text()))
    assert used == set(action["inputs"])


def test_the_action_gives_outputs_a_summary_and_reports(job: Job) -> None:
    done = job.check()
    assert done.returncode == 0, done.stderr
    warning, notice = done.stdout.splitlines()
    assert warning.startswith(
        "::warning file=deploy/web.yaml,line=2,col=7,title=BarePod::Pod/default/web: no controller"
    )
    assert notice == "::notice title=ci::the expectation holds"
    assert (job.outputs["outcome"], job.outputs["summary"]) == ("pass", "the expectation holds")
    assert "### ✅ ci: passes" in (job.folder / "summary").read_text()
    for name in ("verdict", "sarif", "junit", "comment"):
        assert Path(job.outputs[name]).stat().st_size > 0
    outputs = yaml.safe_load((ACTION / "action.yml").read_text())["outputs"]
    assert set(job.outputs) == set(outputs)


def test_the_action_fails_with_an_annotation_at_the_line_that_blocks(job: Job) -> None:
    done = job.check(CHECK_MANIFESTS="deploy\nhuge.yaml\n")
    assert done.returncode == 1
    assert done.stdout.startswith(
        "::error file=huge.yaml,line=14,col=14,title=allScheduled%3A NodeResourcesFit::"
    )
    assert job.outputs["outcome"] == "fail"


def test_the_action_says_that_the_snapshot_is_too_old(job: Job) -> None:
    done = job.check(CHECK_MAX_SNAPSHOT_AGE="1h")
    assert (done.returncode, job.outputs["outcome"]) == (3, "too-old")
    assert done.stdout.startswith("::error title=ci::the snapshot is ")


def test_the_action_hands_on_every_input(job: Job) -> None:
    (job.folder / "expect.yaml").write_text(expectations({"headroom": {"resources": {"cpu": "4"}}}))
    done = job.check(
        CHECK_EXPECTATIONS="expect.yaml", CHECK_ORDERS="9", CHECK_BASELINE="true", CHECK_DELETE="Pod/old\n",
        CHECK_CAPTURED_AT="2026-01-01T00:00:00Z",
    )  # fmt: skip
    verdict = json.loads(Path(job.outputs["verdict"]).read_text())
    assert done.returncode == 1
    assert verdict["snapshot"]["capturedAt"] == "2026-01-01T00:00:00Z"
    assert (verdict["counts"]["deletions"], verdict["results"][0]["type"]) == (1, "headroom")
    assert verdict["results"][0]["orders"]["tried"] == 2


@pytest.mark.parametrize(
    ("inputs", "sentence"),
    [
        ({"CHECK_MANIFESTS": "gone"}, "the check could not be made (exit code 2)"),
        ({"CHECK_BASELINE": "maybe"}, "baseline must be true or false, got maybe"),
    ],
)
def test_the_action_says_that_its_input_is_wrong(inputs: dict[str, str], sentence: str, job: Job) -> None:
    done = job.check(**inputs)
    assert done.returncode == 2
    assert sentence in done.stdout
    assert not (job.folder / "output").exists()


def test_the_action_installs_itself(job: Job, wheel: Path, needed: Path, run: Run) -> None:
    offline = {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "PLAYGROUND": str(wheel)}
    done = run(["bash", ACTION / "install.sh"], **job.environment, **offline)
    assert (done.returncode, done.stderr) == (0, "")
    (added,) = (job.folder / "path").read_text().split()
    version = run([Path(added) / "playground", "--version"], PYTHONPATH=str(needed))
    assert version.stdout.startswith("scheduler-playground ")


def test_gitlab_s_template_is_valid_and_its_script_runs(folder: Path, run: Run) -> None:
    template = yaml.safe_load(TEMPLATE.read_text())
    validate(template, "gitlab-ci")
    job = template["scheduler-check"]
    variables = {name: str(value) for name, value in job["variables"].items()}
    variables |= {"CHECK_MANIFESTS": "deploy", "CHECK_CLUSTER": "cluster.yaml", "CI_JOB_NAME": "fits"}
    (script,) = job["script"]
    done = run(["sh", "-c", script], **variables)
    assert (done.returncode, done.stderr) == (0, "")
    written = [job["artifacts"]["reports"]["junit"], *job["artifacts"]["paths"]]
    assert all((folder / name).stat().st_size > 0 for name in written)
    failing = run(
        ["sh", "-c", script],
        **(variables | {"CHECK_MANIFESTS": "huge.yaml", "CHECK_ARGUMENTS": "--orders 3"}),
    )
    assert failing.returncode == 1
    assert "0 of 1 order went well" in failing.stdout


HOOKS = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}


def test_the_hook_checks_the_files_of_a_commit(folder: Path, run: Run) -> None:
    """As pre-commit calls it: the entry, the user's arguments, and the files that the commit changes."""
    entry = shlex.split(HOOKS["scheduler-check"]["entry"])
    assert run([*entry, "--cluster", "cluster.yaml", "deploy/web.yaml"]).returncode == 0
    done = run([*entry, "--cluster", "cluster.yaml", "deploy/web.yaml", "huge.yaml"])
    assert done.returncode == 1
    assert "huge.yaml:14:14" in done.stdout


def test_the_hook_validates_the_files_of_a_commit(folder: Path, run: Run) -> None:
    entry = shlex.split(HOOKS["scheduler-validate"]["entry"])
    assert run([*entry, "deploy/web.yaml", "huge.yaml"]).returncode == 0
    (folder / "wrong.yaml").write_text(
        "apiVersion: v1\nkind: Pod\nmetadata: {name: Wrong_}\nspec: {containers: []}\n"
    )
    assert run([*entry, "wrong.yaml"]).returncode == 2


@pytest.mark.parametrize("hook", HOOKS.values(), ids=HOOKS)
def test_the_hooks_take_manifests_alone(hook: dict[str, str]) -> None:
    assert re.search(hook["files"], "deploy/web.yaml")
    assert not re.search(hook["files"], "README.md")
    assert hook["entry"].startswith("playground ")
