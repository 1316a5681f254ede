"""``playground serve``: starts the application with its pages and its API on this machine.

What follows is handed on, such as --port 9000. Needs the web parts: pip install "scheduler-playground[web]".
"""

from __future__ import annotations

import argparse
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from engine.cli import EXIT_BAD_INPUT

_NO_WEB: Final = 'playground serve: the web parts are not installed: pip install "scheduler-playground[web]"'
_NO_PAGES: Final = "playground serve: the pages are not in this installation: start it from a working copy"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    parser.add_argument("--port", type=int, default=8000, help="0 takes a free one (default: 8000)")
    parser.add_argument("--host", default="127.0.0.1", help="default: 127.0.0.1")


def execute(options: argparse.Namespace) -> int:
    """Becomes the server's process."""
    if find_spec("django") is not None and find_spec("uvicorn") is not None:
        environment = {"DJANGO_SETTINGS_MODULE": "playground.settings", **os.environ}
        address = ["--port", str(options.port), "--host", options.host]
        if _has_pages():
            os.execve(
                sys.executable, [sys.executable, str(_root() / "manage.py"), "serve", *address], environment
            )
        print(_NO_PAGES, file=sys.stderr)
    else:
        print(_NO_WEB, file=sys.stderr)
    return EXIT_BAD_INPUT


def _has_pages() -> bool:
    """Returns whether the pages are there: a wheel has the commands only."""
    return find_spec("playground") is not None and (_root() / "templates").is_dir()


def _root() -> Path:
    """Returns the folder that holds the package."""
    found = find_spec("playground")
    return Path(str(found.origin)).parent.parent if found else Path()
