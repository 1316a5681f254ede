"""What the environment may say, and what is refused with a sentence."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.needs import ROOT

DEPLOYED = {
    "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/nothing",
    "REDIS_URL": "redis://127.0.0.1:1/0",
    "SECRET_KEY": "a long text that is only used here, by the tests of the settings, and 50 characters",
}


def manage(var: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return subprocess.run(
        [sys.executable, "-W", "error", "manage.py", *arguments],
        cwd=ROOT,
        env={**kept, "PLAYGROUND_VAR": str(var), **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_alone_on_a_machine_nothing_needs_to_be_set(tmp_path: Path) -> None:
    done = manage(tmp_path, "check", "--deploy", "--fail-level", "WARNING")
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout
    key = tmp_path / "secret_key"
    assert len(key.read_text()) > 60
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    before = key.read_text()
    manage(tmp_path, "check")
    assert key.read_text() == before


def test_a_deployment_passes_djangos_own_checks(tmp_path: Path) -> None:
    done = manage(tmp_path, "check", "--deploy", "--fail-level", "WARNING", **DEPLOYED)
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "secret_key").exists()


@pytest.mark.parametrize("name", ["DATABASE_URL", "REDIS_URL"])
def test_a_deployment_without_a_key_is_refused(tmp_path: Path, name: str) -> None:
    done = manage(tmp_path, "check", **{name: DEPLOYED[name]})
    assert done.returncode == 2
    assert done.stderr.startswith("SECRET_KEY is not set.")
    assert "Traceback" not in done.stderr


def settings_of(var: Path, *names: str, **environment: str) -> list[str]:
    code = f"from django.conf import settings; print(*[getattr(settings, n) for n in {names!r}], sep='\\n')"
    done = manage(var, "shell", "--no-imports", "-c", code, **environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_who_answers_others_asks_for_a_login(tmp_path: Path) -> None:
    def asks(**environment: str) -> str:
        return settings_of(tmp_path, "LOGIN_REQUIRED", **environment)[0]

    assert asks() == "False"
    assert asks(ALLOWED_HOSTS="play.example", **DEPLOYED) == "True"
    assert asks(ALLOWED_HOSTS="play.example", PLAYGROUND_ALLOW_ANONYMOUS="1", **DEPLOYED) == "False"
    assert asks(PLAYGROUND_LOGIN="1") == "True"


def test_limits_are_read_and_misread_ones_said(tmp_path: Path) -> None:
    rates = settings_of(tmp_path, "RATES", PLAYGROUND_RATES="read=5/60 check=1/10")[0]
    assert rates == "{'read': (5, 60), 'check': (1, 10)}"
    assert settings_of(tmp_path, "RATES") == ["{}"]
    done = manage(tmp_path, "check", PLAYGROUND_RATES="reads=5/60")
    assert done.returncode == 2
    assert "PLAYGROUND_RATES: 'reads=5/60' is not like read=1200/60" in done.stderr


def test_no_migration_is_missing(tmp_path: Path) -> None:
    done = manage(tmp_path, "makemigrations", "--check", "--dry-run")
    assert done.returncode == 0, done.stdout


def test_a_deployments_log_says_where_it_went_wrong(tmp_path: Path) -> None:
    code = (
        "import django, logging; django.setup()\n"
        "try: {}['missing']\n"
        "except KeyError: logging.getLogger('web').exception('lost')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "playground.settings",
            "DATABASE_URL": f"sqlite:///{tmp_path / 'web.sqlite3'}",
            "REDIS_URL": "redis://127.0.0.1:1/0",
            "SECRET_KEY": "k" * 60,
            "PLAYGROUND_VAR": str(tmp_path),
        },
        capture_output=True,
        text=True,
        check=True,
    )
    line = json.loads(done.stderr.splitlines()[-1])
    assert line["event"] == "lost"
    assert "KeyError: 'missing'" in line["exception"]
    assert "locals" not in line["exception"]
