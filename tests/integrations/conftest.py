"""The project as others install it: a wheel in an environment that has what the wheel asks for, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import yaml

from tests.core.checks.asking import node, pod
from tests.needs import ROOT

BIN = ROOT / ".venv" / "bin"
NEEDED = ("msgspec", "numpy", "numpy.libs", "yaml", "_yaml")
"""The folders of what the wheel depends on."""

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [
            BIN / "uv",
            "build",
            "--quiet",
            "--wheel",
            "--offline",
            "--no-build-isolation",
            "--out-dir",
            folder,
            ROOT,
        ],
        check=True,
    )
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="session")
def needed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the packages that the wheel depends on, and no others."""
    import numpy as np

    folder = tmp_path_factory.mktemp("needed")
    installed = Path(np.__file__).parents[1]
    for name in NEEDED:
        if (installed / name).exists():
            (folder / name).symlink_to(installed / name)
    return folder


@pytest.fixture(scope="session")
def installed(wheel: Path, needed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment in which only the wheel and what it needs are installed."""
    venv = tmp_path_factory.mktemp("installed") / "venv"
    subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    pip = [
        venv / "bin" / "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-index",
        "--no-deps",
        wheel,
    ]
    subprocess.run(pip, check=True)
    (site,) = venv.glob("lib/python*/site-packages")
    (site / "needed.pth").write_text(f"{needed}\n")
    return venv / "bin"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project's folder with manifests, a snapshot of its cluster, and a manifest that does not fit."""
    (tmp_path / "deploy").mkdir()
    (tmp_path / "deploy" / "web.yaml").write_text(yaml.safe_dump(pod("web")))
    (tmp_path / "huge.yaml").write_text(yaml.safe_dump(pod("huge", "9")))
    head = {"apiVersion": "playground/v1", "kind": "Snapshot", "capturedAt": "2026-01-02T03:04:05Z"}
    (tmp_path / "cluster.yaml").write_text(yaml.safe_dump_all([head, node("node-a"), node("node-b")]))
    return tmp_path


@pytest.fixture
def run(folder: Path, installed: Path) -> Run:
    """Runs a command in the project's folder, with the installed programs first on the PATH."""

    def run_it(command: Sequence[str | Path], **environment: str) -> subprocess.CompletedProcess[str]:
        path = f"{installed}{os.pathsep}{os.environ['PATH']}"
        kept = {name: os.environ[name] for name in ("LANG", "TMPDIR") if name in os.environ}
        env = {"PATH": path, "HOME": str(folder), **kept, **environment}
        return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)

    return run_it
