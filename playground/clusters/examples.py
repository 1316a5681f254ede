"""The clusters in examples/: YAML that begins with the question it answers.

The comment lines at the top are `# question: …` and then a description.
"""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import structlog
from django.conf import settings

from playground.clusters.importing import Labels, import_cluster
from playground.models import Cluster, Workspace

log = structlog.get_logger(__name__)

QUESTION = "# question:"


@dataclasses.dataclass(frozen=True)
class Example:
    """One file of examples/."""

    slug: str
    question: str
    description: str
    text: str

    @property
    def counts(self) -> dict[str, int]:
        """How many nodes and pods the file holds, one a document."""
        kinds = re.findall(r"^kind: (Node|Pod)$", self.text, re.MULTILINE)
        return {"nodes": kinds.count("Node"), "pods": kinds.count("Pod")}

    @property
    def name(self) -> str:
        """The slug as words."""
        return self.slug.replace("-", " ").capitalize()


def examples() -> list[Example]:
    """Returns the examples in the order of their file names."""
    folder: Path = settings.BASE_DIR / "examples"
    return [read_example(path) for path in sorted(folder.glob("*.yaml"))]


def read_example(path: Path) -> Example:
    """Returns the example in a file.

    Args:
        path: below examples/; a number in front of its name only orders it.
    """
    text = path.read_text(encoding="utf-8")
    question, description = "", []
    for line in text.splitlines():
        if line.startswith(QUESTION):
            question = line.removeprefix(QUESTION).strip()
        elif line.startswith("#"):
            description.append(line.removeprefix("#").strip())
        else:
            break
    return Example(path.stem.lstrip("0123456789-"), question, " ".join(description).strip(), text)


def load_example(workspace_id: str, example: Example) -> Cluster:
    """Returns a new cluster made from an example.

    Args:
        workspace_id: whose it will be.
        example: as `examples` gives it.
    """
    labels = Labels(example.name, example.slug, example.question, example.description)
    return import_cluster(workspace_id, [(f"{example.slug}.yaml", example.text.encode())], labels)


def load_examples_once(workspace: Workspace) -> None:
    """Loads all examples into a workspace that has never had them; who deletes one is not given it again.

    Args:
        workspace: saved.
    """
    if workspace.examples_loaded:
        return
    for example in reversed(examples()):
        load_example(workspace.id, example)
    workspace.examples_loaded = True
    workspace.save(update_fields=["examples_loaded"])
