"""The examples in examples/, each a question, and the clusters made of them.

An example is a file that begins with the question it answers, or a folder with `cluster.yaml`, which begins so, and
beside it `scenario.yaml` (what happens to the cluster) or `profile.yaml` (how it is scheduled). The comment lines at
the top:

- `# question: …` what is asked; a file without it is no example
- `# topic: …` what it is shown under
- `# look: …` what of the run's page answers it, as the page's address has it
- `# cluster: …` of a scenario: the file it happens to
- the rest is the description; a line that is set in further is a command, for readers of the file
"""

from __future__ import annotations

import dataclasses
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings

from engine.imports import ImportOptions, Summary, read_cluster
from playground.clusters.heads import heads_of
from playground.clusters.importing import Labels, import_cluster
from playground.models import Cluster, Workspace

_NUMBER = re.compile(r"(\d+)-(.+)")


@dataclasses.dataclass(frozen=True)
class Example:
    """A small situation that answers a question.

    Args:
        slug: its name in addresses.
        question: what it answers.
        topic: what it is shown under.
        description: a few sentences.
        look: the query of the run's page where the answer is.
        cluster: file with the objects.
        scenario: file with what happens to them, if anything does.
        profile: file with the scheduler's configuration, if it is not the usual one.
    """

    slug: str
    question: str
    topic: str
    description: str
    look: str
    cluster: Path
    scenario: Path | None = None
    profile: Path | None = None

    @property
    def name(self) -> str:
        """The slug as words."""
        return self.slug.replace("-", " ").capitalize()

    @property
    def summary(self) -> Summary:
        """What its cluster holds; read once."""
        return _summary_of(self.cluster, _changed_at(self.cluster))


def examples() -> list[Example]:
    """Returns the examples: by their numbers, then those that are scenarios on their own, by name."""
    folder: Path = settings.BASE_DIR / "examples"
    numbered = [*folder.glob("*.yaml"), *folder.glob("*/cluster.yaml")]
    paths = sorted(numbered, key=_place) + sorted(folder.glob("scenarios/*.yaml"))
    return [found for path in paths if (found := _read_example(path, _changed_at(path)))]


def find_example(slug: str) -> Example | None:
    """Returns the example of a name, None where there is none.

    Args:
        slug: as in addresses.
    """
    return next((each for each in examples() if each.slug == slug), None)


@lru_cache
def _read_example(path: Path, _when: int) -> Example | None:
    heads, description = heads_of(path.read_text(encoding="utf-8"))
    if not heads["question"]:
        return None
    folder = path.parent if path.name == "cluster.yaml" else None
    cluster = path.with_name(heads["cluster"]) if heads["cluster"] else path
    return Example(
        slug=_NUMBER.sub(r"\2", folder.name if folder else path.stem),
        question=heads["question"],
        topic=heads["topic"],
        description=description,
        look=heads["look"],
        cluster=cluster,
        scenario=_if_there(folder / "scenario.yaml") if folder else path if cluster != path else None,
        profile=_if_there(folder / "profile.yaml") if folder else None,
    )


@lru_cache
def _summary_of(cluster: Path, _when: int) -> Summary:
    return read_cluster([(cluster.name, cluster.read_bytes())], ImportOptions()).summary


def _place(path: Path) -> tuple[int, str]:
    name = path.parent.name if path.name == "cluster.yaml" else path.stem
    number = _NUMBER.fullmatch(name)
    return int(number[1]) if number else 0, name


def _changed_at(path: Path) -> int:
    return path.stat().st_mtime_ns


def _if_there(path: Path) -> Path | None:
    return path if path.exists() else None


def load_example(workspace_id: str, example: Example) -> Cluster:
    """Returns an example's cluster: the one that is there, if nobody changed it, else a new one.

    Args:
        workspace_id: whose it is.
        example: as `examples` gives it.
    """
    known = Cluster.objects.of(workspace_id).filter(example=example.slug)
    same = known.filter(revision__digest=example.summary.digest).select_related("revision", "profile")
    found: Cluster | None = same.first()
    return found or _import(workspace_id, example)


def _import(workspace_id: str, example: Example) -> Cluster:
    labels = Labels(example.name, example.slug, example.question, example.description)
    config = example.profile.read_text(encoding="utf-8") if example.profile else ""
    files = [(f"{example.slug}.yaml", example.cluster.read_bytes())]
    return import_cluster(workspace_id, files, labels, scheduler_config=config)


def asked_by(example: Example) -> dict[str, Any]:
    """Returns what a run of an example is asked besides its cluster: edits, question and options.

    Args:
        example: as `examples` gives it.
    """
    if example.scenario is None:
        return {}
    from engine.scenarios import plain_scenario  # loads the simulator: not at start

    read = plain_scenario(example.scenario.read_bytes(), example.scenario.name)
    return {"edits": read.edits, "question": read.question, "options": read.options}


def load_examples_once(workspace: Workspace) -> None:
    """Loads the examples that are a cluster alone into a workspace that has never had them.

    Who deletes one is not given it again; those with a scenario are loaded when they are run.

    Args:
        workspace: saved.
    """
    if workspace.examples_loaded:
        return
    for example in reversed(examples()):
        if example.scenario is None:
            _import(workspace.id, example)
    workspace.examples_loaded = True
    workspace.save(update_fields=["examples_loaded"])
