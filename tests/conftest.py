"""Rules of every test session: nothing outside the folder, and with REQUIRE_ALL=1 nothing left out."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import configuration, settings

ROOT = Path(__file__).resolve().parent.parent

os.environ["XDG_CONFIG_HOME"] = str(ROOT / ".cache" / "config")  # browsers write there
configuration.set_hypothesis_home_dir(str(ROOT / ".cache" / "hypothesis"))
settings.register_profile("default", deadline=None, max_examples=50)
settings.register_profile("ci", deadline=None, derandomize=True, database=None)
settings.load_profile("ci" if os.environ.get("CI") else "default")


class NothingLeftOut:
    """Fails a session in which a test was skipped or expected to fail."""

    def __init__(self) -> None:
        """Starts with nothing left out."""
        self.left_out: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.skipped or hasattr(report, "wasxfail"):
            self.left_out[report.nodeid] = _reason(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.skipped:
            self.left_out[report.nodeid] = _reason(report)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.left_out and session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.left_out:
            terminalreporter.section(
                "REQUIRE_ALL=1: a skipped or expected failure fails the session", red=True
            )
            for nodeid, reason in sorted(self.left_out.items()):
                terminalreporter.line(f"{nodeid}: {reason}")


def _reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    """Returns why a test was left out."""
    if hasattr(report, "wasxfail"):
        return f"expected to fail: {report.wasxfail}"
    return str(report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr)


def pytest_configure(config: pytest.Config) -> None:
    """Adds the rule where it is asked for; xdist's workers leave it to their controller."""
    if os.environ.get("REQUIRE_ALL") == "1" and not hasattr(config, "workerinput"):
        config.pluginmanager.register(NothingLeftOut(), "nothing-left-out")
