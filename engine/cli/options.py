"""Options that several commands have, and what people may switch off."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any, Final

import msgspec

from scheduler_core.errors import INVALID, FieldError, ManifestError

FILES_HELP: Final = (
    "a file of manifests, a folder, an archive, a support bundle, or - for stdin; may be repeated"
)


def add_cluster(parser: argparse.ArgumentParser, *, required: bool = False) -> None:
    """Adds the options that name the cluster and the scheduler's configuration."""
    parser.add_argument(
        "--cluster", dest="cluster", action="append", metavar="FILE", required=required, default=None,
        help="the cluster: as -f, such as a file of 'kubectl get … -o yaml'; may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--live", action="store_true",
        help="read the cluster by kubectl; what 'kubectl playground' does where no --cluster is named",
    )  # fmt: skip
    parser.add_argument(
        "--context", default="", metavar="NAME", help="with --live: of kubectl's configuration"
    )
    parser.add_argument("--config", metavar="FILE", help="a KubeSchedulerConfiguration")
    parser.add_argument("--seed", type=int, default=0, help="for ties between nodes (default: 0)")
    parser.add_argument(
        "--skip-invalid", action="store_true", help="leave out objects of the cluster that are wrong"
    )
    parser.add_argument(
        "--no-cache", action="store_true", help="neither use nor keep a parsed copy of the cluster"
    )


def add_server(parser: argparse.ArgumentParser, *, has_cluster: bool = True) -> None:
    """Adds the options that name a server which answers instead of this machine.

    Args:
        parser: of the command.
        has_cluster: whether it is asked about a cluster of the server.
    """
    named = "; --cluster is the id or name of a cluster there" if has_cluster else ""
    parser.add_argument("--server", metavar="URL", help=f"ask the playground at this address{named}")
    if has_cluster:
        parser.add_argument(
            "--profile", metavar="NAME",
            help="with --server: the id or name of a profile there (default: what came with the cluster)",
        )  # fmt: skip
    parser.add_argument("--token", help="for the server (or PLAYGROUND_TOKEN in the environment)")


def add_manifests(
    parser: argparse.ArgumentParser, *, required: bool = False, positional: bool = True
) -> None:
    """Adds the option that names manifests, and that they may be named without it."""
    if positional:
        parser.add_argument("named", nargs="*", metavar="FILE", help="as -f")
    parser.add_argument(
        "-f", dest="files", action="append", metavar="FILE", required=required, default=None, help=FILES_HELP
    )


def manifests_of(options: argparse.Namespace) -> list[str]:
    """Returns the files of manifests, however they are named."""
    return [*(options.files or ()), *options.named]


def asked_options(options: argparse.Namespace) -> dict[str, Any]:
    """Returns the options of a run that the command line names, as the API takes them.

    Raises:
        ManifestError: what ``--options`` says is no JSON object.
    """
    given: dict[str, Any] = {}
    if options.overrides is not None:
        try:
            given = msgspec.json.decode(options.overrides, type=dict[str, Any])
        except msgspec.DecodeError as wrong:
            message = f"{wrong}; expected a JSON object"
            raise ManifestError(
                [FieldError(field="--options", value=options.overrides, type=INVALID, message=message)]
            ) from wrong
    if options.seed is not None:
        given["seed"] = options.seed
    if options.skip_unknown_plugins:
        given["unknown_plugins"] = "leave-out"
    if options.controllers:
        given["controllers"] = options.controllers
    return given


def is_live(options: argparse.Namespace) -> bool:
    """Returns whether the cluster is to be read by kubectl."""
    return bool(options.live or (is_plugin() and not options.cluster))


def is_plugin() -> bool:
    """Returns whether kubectl started this, under the name of a plugin."""
    return Path(sys.argv[0]).name == "kubectl-playground"


def has_color(path: str = "-") -> bool:
    """Returns whether what is written there may have colours: only at a terminal, and not with NO_COLOR."""
    return (
        path == "-"
        and sys.stdout.isatty()
        and not os.environ.get("NO_COLOR")
        and os.environ.get("TERM") != "dumb"
    )


class Progress:
    """A line on stderr that says how far something is; nothing where stderr is no terminal."""

    def __init__(self) -> None:
        self._on = sys.stderr.isatty()
        self._width = 0

    def tell(self, text: str) -> None:
        """Shows a text instead of the one before."""
        if self._on:
            sys.stderr.write(f"\r{text:{self._width}}")
            sys.stderr.flush()
            self._width = len(text)

    def clear(self) -> None:
        """Takes the line away."""
        if self._on and self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()
