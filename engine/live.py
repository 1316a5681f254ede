"""A live cluster as kubectl sees it: read once, as a snapshot; nothing is written to it."""

from __future__ import annotations

import json
import shutil
import subprocess
from datetime import UTC, datetime
from typing import Final

from scheduler_core.api import Source
from scheduler_core.errors import SYNTAX, FieldError, ManifestError

KINDS: Final = (
    "nodes,pods,namespaces,priorityclasses,runtimeclasses,limitranges,resourcequotas,persistentvolumes,"
    "persistentvolumeclaims,storageclasses,csinodes,csidrivers,csistoragecapacities,volumeattachments,"
    "poddisruptionbudgets,services,replicasets,statefulsets,replicationcontrollers,deployments,daemonsets,jobs,"
    "cronjobs,horizontalpodautoscalers,controllerrevisions"
)
"""What scheduling reads, as ``examples/export-snapshot.sh`` asks for it."""


def read_live(context: str = "") -> list[Source]:
    """Reads the cluster of a context of kubectl's configuration; empty: of the current one.

    Raises:
        ManifestError: kubectl is not there, or says why not.
    """
    kubectl = shutil.which("kubectl")
    if kubectl is None:
        raise _cannot("kubectl is not on the PATH; name a file of the cluster by --cluster")
    chosen = ["--context", context] if context else []
    captured_at = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    command = [kubectl, *chosen, "get", KINDS, "--all-namespaces", "--output=json"]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode != 0:
        words = done.stderr.decode("utf-8", "replace").strip() or f"exit code {done.returncode}"
        raise _cannot(f"kubectl: {words}")
    head = {"apiVersion": "playground/v1", "kind": "Snapshot", "capturedAt": captured_at}
    return [Source("kubectl", json.dumps(head).encode() + b"\n" + done.stdout)]


def _cannot(message: str) -> ManifestError:
    return ManifestError([FieldError(field="--live", type=SYNTAX, message=message)])
