"""What the environment says: read once, checked, refused with a sentence where it is not safe."""

from __future__ import annotations

import os
import re
import secrets
from pathlib import Path

import environ
from django.core.exceptions import ImproperlyConfigured

LOOPBACK_HOSTS = ["127.0.0.1", "localhost", "[::1]"]
DEFAULT_RATES = "read=1200/60 check=120/60 write=300/60 login=10/60"

env = environ.Env()


def is_deployed() -> bool:
    """Returns whether a database or a broker is named: then nothing secret is made up."""
    return bool(env.str("DATABASE_URL", "") or env.str("REDIS_URL", ""))


def data_folder(default: Path) -> Path:
    """Returns PLAYGROUND_VAR or the default, as a folder that is there and can be written.

    Args:
        default: where data lies unless something else is said.

    Raises:
        ImproperlyConfigured: it cannot be made, is not a folder, or cannot be written.
    """
    var = Path(env.str("PLAYGROUND_VAR", "") or default)
    try:
        var.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        reason = "it is not a folder"
    except OSError as error:
        reason = f"it cannot be made: {error.strerror}"
    else:
        if os.access(var, os.W_OK | os.X_OK):
            return var
        reason = "it cannot be written"
    raise ImproperlyConfigured(
        f"The data folder {var} cannot be used: {reason}. Set PLAYGROUND_VAR to another folder."
    )


def secret_key(var: Path) -> str:
    """Returns SECRET_KEY; on this machine alone, one kept in the data folder and made at the first start.

    Args:
        var: the data folder.

    Raises:
        ImproperlyConfigured: a deployment names none.
    """
    given = env.str("SECRET_KEY", "")
    if given:
        return given
    if is_deployed():
        raise ImproperlyConfigured(
            "SECRET_KEY is not set. With DATABASE_URL or REDIS_URL it must be: a long random text, "
            "the same for every server and worker."
        )
    path = var / "secret_key"
    if not path.exists():
        fresh = path.with_suffix(f".{os.getpid()}")
        try:
            descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "w") as file:
                file.write(secrets.token_urlsafe(64))
            fresh.replace(path)
        except OSError as error:
            fresh.unlink(missing_ok=True)
            raise ImproperlyConfigured(
                f"The data folder {var} cannot be used: {error.strerror}. "
                "Free some space, or set PLAYGROUND_VAR to another folder."
            ) from error
    return path.read_text()


def allowed_hosts() -> list[str]:
    """Returns ALLOWED_HOSTS, loopback names by default."""
    hosts: list[str] = env.list("ALLOWED_HOSTS", default=LOOPBACK_HOSTS)
    return hosts


def login_required(hosts: list[str], *, allow_anonymous: bool) -> bool:
    """Returns whether everything needs a login or a token: wherever others than this machine are answered.

    Args:
        hosts: ALLOWED_HOSTS.
        allow_anonymous: the operator lets strangers in.
    """
    is_open = any(host not in LOOPBACK_HOSTS for host in hosts)
    return env.bool("PLAYGROUND_LOGIN", is_open and not allow_anonymous)


def rates(*, default: bool) -> dict[str, tuple[int, int]]:
    """Returns how many requests each may make in how many seconds, by scope; empty for no limit.

    Args:
        default: whether there are limits unless something else is said.

    Raises:
        ImproperlyConfigured: PLAYGROUND_RATES cannot be read.
    """
    text = env.str("PLAYGROUND_RATES", DEFAULT_RATES if default else "")
    found: dict[str, tuple[int, int]] = {}
    for part in text.split():
        match = re.fullmatch(r"(read|check|write|login)=([1-9][0-9]{0,8})/([1-9][0-9]{0,5})", part)
        if match is None:
            raise ImproperlyConfigured(
                f"PLAYGROUND_RATES: {part!r} is not like read=1200/60 (requests/seconds; "
                "the words are read, check, write and login)."
            )
        found[match[1]] = (int(match[2]), int(match[3]))
    return found


def database(var: Path) -> dict[str, object]:
    """Returns Django's entry for the database: DATABASE_URL, or SQLite in the data folder.

    Args:
        var: the data folder.
    """
    url = env.str("DATABASE_URL", "") or f"sqlite:///{var / 'playground.sqlite3'}"
    entry: dict[str, object] = dict(env.db_url_config(url))
    if entry["ENGINE"] == "django.db.backends.sqlite3":
        entry["OPTIONS"] = {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL",
        }
        (var / "test").mkdir(exist_ok=True)
        # A file, for threads share it; with the process's number, for test runs may go side by side.
        entry["TEST"] = {"NAME": str(var / "test" / f"web-{os.getpid()}.sqlite3")}
    return entry
