"""Run as a script in the child: dies with its parent, has a memory limit, becomes the engine.

`python -I -S launch.py PARENT_PID MEMORY_BYTES program arguments…`. A function run between fork and exec
would do the same but is not safe in a process with threads.
"""

from __future__ import annotations

import os
import resource
import signal
import sys

PR_SET_PDEATHSIG = 1


def die_with_parent(parent: int) -> None:
    """Asks the kernel for SIGKILL when the parent's thread ends; elsewhere the closed pipe must do."""
    if not sys.platform.startswith("linux"):
        return
    import ctypes

    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        sys.exit(1)


def limit_memory(num_bytes: int) -> None:
    """Sets the address space's limit where the system has one."""
    try:
        resource.setrlimit(resource.RLIMIT_AS, (num_bytes, num_bytes))
    except (ValueError, OSError):
        pass


if __name__ == "__main__":
    die_with_parent(int(sys.argv[1]))
    limit_memory(int(sys.argv[2]))
    os.execv(sys.argv[3], sys.argv[3:])
