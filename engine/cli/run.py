"""``playground run``: places what is pending and says why the rest stays."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from engine.cli.reading import add_files, load, note_report, read_text, write_export
from scheduler_core.api import FieldError, ManifestError, workload_notes
from scheduler_core.config import load_config
from scheduler_core.simulator import Simulator, SimulatorOptions, end_state

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from scheduler_core.api import Loaded
    from scheduler_core.simulator import RunResult

_GAP: Final = "   "


class TraceFile:
    """Writes the events of a run to a file, one JSON object a line."""

    def __init__(self, path: str) -> None:
        self._file = Path(path).open("wb")  # noqa: SIM115 (closed by close)

    def write(self, seq: int, data: bytes) -> None:
        """Takes one event."""
        self._file.write(data + b"\n")

    def wants_detail(self, cycle: int, num_nodes: int) -> bool:
        """Never: details are not events."""
        return False

    def write_detail(self, cycle: int, detail: object) -> None:
        """Not asked for."""

    def close(self) -> None:
        """Ends the file."""
        self._file.close()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    add_files(parser)
    parser.add_argument("--config", metavar="FILE", help="a KubeSchedulerConfiguration")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument("--seed", type=int, default=0, help="for ties between nodes (default: 0)")
    parser.add_argument("--skip-invalid", action="store_true", help="leave out objects that are wrong")
    parser.add_argument(
        "--skip-unknown-plugins", action="store_true",
        help="leave out plugins of the configuration that are not known here",
    )  # fmt: skip
    parser.add_argument("--trace", metavar="FILE", help="write the run's events there, one JSON a line")
    parser.add_argument(
        "--export", metavar="FILE", help="write the cluster as the run leaves it there: .yaml, else JSON"
    )


def execute(options: argparse.Namespace) -> int:
    """Runs the simulator on what the command line names."""
    loaded = load(options.files, skip_invalid=options.skip_invalid)
    _note(loaded)
    text = read_text(options.config) or loaded.scheduler_config
    config = load_config(text, options.config or "config")
    trace = _open_trace(options.trace)
    unknown: Any = "leave-out" if options.skip_unknown_plugins else "refuse"
    simulator = Simulator(config, SimulatorOptions(seed=options.seed, unknown_plugins=unknown), trace)
    for note in simulator.notes:
        print(f"note: {note}", file=sys.stderr)
    simulator.load(item.object for item in loaded.objects)
    before = {pod.pod for pod in simulator.result().pending}
    result = simulator.run()
    if trace is not None:
        trace.close()
    if options.export:
        left = end_state(loaded.objects, simulator.store)
        write_export(options.export, left, captured_at=loaded.captured_at)
    if options.format == "json":
        sys.stdout.write(_as_json(result, loaded))
    else:
        sys.stdout.write(_as_text(result, before))
    return 0


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
    kinds = Counter(item.kind for item in loaded.objects)
    for note in (*workload_notes(kinds), *loaded.warnings):
        print(f"note: {note}", file=sys.stderr)


def _as_json(result: RunResult, loaded: Loaded) -> str:
    document: dict[str, Any] = {
        **msgspec.structs.asdict(result),
        "left_out": loaded.errors,
        "skipped": loaded.skipped,
        "warnings": loaded.warnings,
    }
    return msgspec.json.format(msgspec.json.encode(document), indent=2).decode() + "\n"


def _as_text(result: RunResult, before: set[str]) -> str:
    """Two tables: pods that were placed by this run, and pods that stay pending with the reason."""
    placed = [(pod, node) for pod, node in result.placements.items() if pod in before]
    lines = [f"{len(placed)} placed, {result.num_pending} pending, {result.num_cycles} cycles"]
    if placed:
        lines += ["", *_table(("POD", "NODE"), placed)]
    if result.pending:
        rows = [(pod.pod, pod.message or _waits(pod.queue)) for pod in result.pending]
        lines += ["", *_table(("PENDING", "REASON"), rows)]
    return "\n".join(lines) + "\n"


def _waits(queue: str) -> str:
    if queue == "gated":
        return "held back by its scheduling gates"
    return "not tried" if queue else "not this scheduler's: no profile has its schedulerName"


def _table(head: tuple[str, str], rows: Iterable[tuple[str, str]]) -> list[str]:
    table = [head, *rows]
    width = max(len(first) for first, _ in table)
    return [f"{first:{width}}{_GAP}{second}" for first, second in table]
