"""``playground run``: places what is pending and says why the rest stays."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from engine.cli.options import add_server, asked_options
from engine.cli.outcome import as_text
from engine.cli.reading import (
    add_files,
    collect_again,
    note_report,
    read_objects,
    read_text,
    write_export,
)
from engine.sources import unreadable
from scheduler_core.api import FieldError, Loaded, ManifestError
from scheduler_core.config import load_config
from scheduler_core.errors import INVALID
from scheduler_core.simulator import (
    Scenario,
    Simulator,
    SimulatorOptions,
    WatchLog,
    end_state,
    is_watch_log,
    read_scenario,
    read_watch_log,
)
from scheduler_core.trace import SilentSink

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from scheduler_core.simulator import RunResult


_NOTHING: Final = Loaded(objects=[], errors=(), skipped={}, warnings=())


class TraceFile(SilentSink):
    """Writes the events of a run to a file, one JSON object a line."""

    def __init__(self, path: str) -> None:
        self._file = Path(path).open("wb")  # noqa: SIM115 (closed by close)

    def write(self, seq: int, data: bytes) -> None:
        """Takes one event."""
        self._file.write(data + b"\n")

    def close(self) -> None:
        """Ends the file."""
        self._file.close()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    add_files(parser, required=False)
    parser.add_argument("--cluster", action="append", metavar="FILE", help="the same as -f")
    parser.add_argument("--config", metavar="FILE", help="a KubeSchedulerConfiguration")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument("--seed", type=int, help="for ties between nodes (default: 0)")
    parser.add_argument("--skip-invalid", action="store_true", help="leave out objects that are wrong")
    parser.add_argument(
        "--skip-unknown-plugins", action="store_true",
        help="leave out plugins of the configuration that are not known here",
    )  # fmt: skip
    parser.add_argument("--trace", metavar="FILE", help="write the run's events there, one JSON a line")
    parser.add_argument(
        "--scenario", metavar="FILE", help="edits to make during the run: kind: Scenario, or a recorded watch"
    )
    parser.add_argument(
        "--controllers", choices=("all", "off"),
        help="whether deployments, jobs, kubelets and the like are at work (default: all)",
    )  # fmt: skip
    parser.add_argument(
        "--options", dest="overrides", metavar="JSON",
        help="more options of the run, as the API takes them, such as '{\"horizon_us\": 60000000}'",
    )  # fmt: skip
    parser.add_argument(
        "--export", metavar="FILE", help="write the cluster as the run leaves it there: .yaml, else JSON"
    )
    add_server(parser)


def execute(options: argparse.Namespace) -> int:
    """Runs the simulator on what the command line names."""
    recorded = _recorded(options.scenario)
    if options.server:
        return _execute_there(options, recorded)
    files = [*(options.cluster or ()), *(options.files or ())]
    if not files and recorded is None:
        message = "-f is missing: expected a cluster to run"
        raise ManifestError([FieldError(type="Required value", message=message)])
    loaded = read_objects(files, skip_invalid=options.skip_invalid) if files else _NOTHING
    _note(loaded)
    text = read_text(options.config) or loaded.scheduler_config
    config = load_config(text, options.config or "config")
    trace = _open_trace(options.trace)
    objects = [item.object for item in loaded.objects]
    scenario = Scenario()
    if recorded is not None:
        objects, scenario = [*objects, *recorded.objects], recorded.scenario
    elif options.scenario:
        scenario = read_scenario(read_text(options.scenario), options.scenario, objects=objects)
    simulator = Simulator(config, _simulator_options(options, scenario), trace or SilentSink())
    for note in simulator.notes:
        print(f"note: {note}", file=sys.stderr)
    simulator.load(objects, scenario.question)
    collect_again(rarely=True)
    before = simulator.result().placements
    result = simulator.run(edits=scenario.edits)
    if trace is not None:
        trace.close()
    if options.export:
        left = end_state(loaded.objects, simulator.store)
        write_export(options.export, left, captured_at=loaded.captured_at)
    if options.format == "json":
        sys.stdout.write(_as_json(result, loaded.errors, loaded.skipped, loaded.warnings))
    else:
        sys.stdout.write(as_text(result, before))
    return 0


def _execute_there(options: argparse.Namespace, recorded: WatchLog | None) -> int:
    from engine.cli.run_there import run_there  # a run of here needs nothing of it

    if recorded is not None:
        message = "a recorded watch brings its own objects: run it without --server"
        raise ManifestError([FieldError(file=options.scenario, type="Syntax", message=message)])
    result, cluster, before = run_there(options)
    for note in result.notes:
        print(f"note: {note}", file=sys.stderr)
    if options.format == "json":
        skipped = {each["kind"]: each["count"] for each in cluster["skipped"]}
        sys.stdout.write(_as_json(result, cluster["errors"], skipped, cluster["warnings"]))
    else:
        sys.stdout.write(as_text(result, before))
    return 0


def _recorded(path: str | None) -> WatchLog | None:
    """Returns a recording, where the scenario is one.

    Raises:
        ManifestError: the file cannot be read, or is a recording with faults.
    """
    if path is None or path == "-":
        return None
    try:
        with Path(path).open("rb") as file:
            if not is_watch_log(file.read(65536)):
                return None
            file.seek(0)
            return read_watch_log(file, path)
    except OSError as wrong:
        raise ManifestError([unreadable(path, wrong)]) from wrong


def _simulator_options(options: argparse.Namespace, scenario: Scenario) -> SimulatorOptions:
    """What the scenario says holds, unless the command line says otherwise.

    Raises:
        ManifestError: the command line's options are not a run's.
    """
    said = {name: getattr(scenario, name) for name in ("horizon_us", "controllers", "epoch_us")}
    given = {name: value for name, value in said.items() if value is not None} | asked_options(options)
    try:
        return msgspec.convert(given, SimulatorOptions)
    except msgspec.ValidationError as wrong:
        message = str(wrong)
        raise ManifestError(
            [FieldError(field="--options", value=options.overrides, type=INVALID, message=message)]
        ) from wrong


def _open_trace(path: str | None) -> TraceFile | None:
    if path is None:
        return None
    try:
        return TraceFile(path)
    except OSError as wrong:
        message = f"cannot be written: {wrong.strerror}"
        raise ManifestError([FieldError(file=path, type="Syntax", message=message)]) from wrong


def _note(loaded: Loaded) -> None:
    """Tells on stderr what was left out and what looks wrong."""
    note_report(loaded)
    for note in loaded.warnings:
        print(f"note: {note}", file=sys.stderr)


def _as_json(
    result: RunResult, left_out: Sequence[Any], skipped: Mapping[str, int], warnings: Sequence[str]
) -> str:
    document: dict[str, Any] = {
        **msgspec.structs.asdict(result),
        "left_out": left_out,
        "skipped": skipped,
        "warnings": warnings,
    }
    return msgspec.json.format(msgspec.json.encode(document), indent=2).decode() + "\n"
