"""The command that repeats a run elsewhere: what it was made of is fetched, and decided again by the command line."""

from __future__ import annotations

import json
import shlex
from typing import Any

from django.conf import settings

from playground.models import Run


def scenario_of(run: Run) -> dict[str, Any]:
    """Returns a run's edits and its question as a document of kind Scenario.

    Args:
        run: with all that it was asked.
    """
    document: dict[str, Any] = {
        "apiVersion": "playground/v1",
        "kind": "Scenario",
        "metadata": {"name": f"run-{run.id}"},
    }
    if run.question:
        document["question"] = run.question
    return {**document, "edits": run.edits}


def repeat_command(run: Run, server: str) -> str:
    """Returns lines for the shell.

    Args:
        run: with all that it was asked, and its revision.
        server: where it is, such as http://127.0.0.1:8000.
    """
    revision = run.revision.name
    cluster = f"cluster-{revision}.yaml"
    fetched = {cluster: f"clusters/{run.cluster_id}/export?format=yaml&revision={revision}"}
    words = ["playground", "run", "-f", cluster]
    if run.config is not None:
        fetched[f"config-{run.id}.yaml"] = f"runs/{run.id}/config"
        words += ["--config", f"config-{run.id}.yaml"]
    if run.edits or run.question:
        fetched[f"scenario-{run.id}.json"] = f"runs/{run.id}/scenario"
        words += ["--scenario", f"scenario-{run.id}.json"]
    words += _options(dict(run.options))
    token = '-H "Authorization: Bearer $PLAYGROUND_TOKEN" ' if settings.LOGIN_REQUIRED else ""
    lines = [f"curl -sSf {token}-o {file} '{server}/api/v1/{path}'" for file, path in fetched.items()]
    return "\n".join([*lines, shlex.join(words)]) + "\n"


def _options(given: dict[str, Any]) -> list[str]:
    """Returns the words for a run's options: those that have a switch of their own by that, the others together."""
    words: list[str] = []
    if seed := given.pop("seed", 0):
        words += ["--seed", str(seed)]
    if given.get("controllers") in ("all", "off"):
        words += ["--controllers", given.pop("controllers")]
    if given.get("unknown_plugins") == "leave-out":
        del given["unknown_plugins"]
        words.append("--skip-unknown-plugins")
    return [*words, "--options", json.dumps(given)] if given else words
