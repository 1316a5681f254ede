#!/usr/bin/env python3
"""Records what changes in a cluster, with the time of each change, for a replay.

    python3 record_watch.py > watch.jsonl        # end it with Ctrl-C
    playground run --scenario watch.jsonl

One `kubectl get KIND --watch --output-watch-events -o json` runs a kind; each event becomes one line with the time at
which it was received. Nothing is written to the cluster. Needs Python 3.11 and kubectl, nothing else.
"""

from __future__ import annotations

import argparse
import codecs
import datetime as dt
import json
import subprocess
import sys
import threading
from typing import IO, Any

KINDS = (
    "namespaces,nodes,priorityclasses,runtimeclasses,storageclasses,csinodes,csidrivers,persistentvolumes,"
    "persistentvolumeclaims,limitranges,resourcequotas,poddisruptionbudgets,services,replicationcontrollers,"
    "replicasets,deployments,statefulsets,daemonsets,jobs,cronjobs,horizontalpodautoscalers,pods"
)


def main() -> int:
    """Watches until it is told to stop."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--kinds", default=KINDS, help="which kinds to watch, with commas (default: all that matter)"
    )
    parser.add_argument(
        "--kubectl", default="kubectl", help="how to call kubectl, such as 'kubectl --context x'"
    )
    options = parser.parse_args()
    lock = threading.Lock()
    watches = []
    for kind in options.kinds.split(","):
        command = [
            *options.kubectl.split(),
            "get",
            kind,
            "--all-namespaces",
            "--watch",
            "--output-watch-events",
        ]
        process = subprocess.Popen([*command, "-o", "json"], stdout=subprocess.PIPE)
        thread = threading.Thread(target=record, args=(process.stdout, lock), daemon=True)
        thread.start()
        watches.append((process, thread))
    try:
        for process, thread in watches:
            thread.join()
            process.wait()
    except KeyboardInterrupt:
        for process, _ in watches:
            process.terminate()
    return max(process.wait() for process, _ in watches) if watches else 0


def record(stream: IO[bytes], lock: threading.Lock) -> None:
    """Writes the events of one watch, which kubectl prints over many lines each."""
    decoder, text = json.JSONDecoder(), ""
    read = codecs.getincrementaldecoder("utf-8")()
    for chunk in iter(lambda: stream.read1(65536), b""):
        text = (text + read.decode(chunk)).lstrip()
        while text:
            try:
                event, end = decoder.raw_decode(text)
            except ValueError:  # it has not come to its end
                break
            text = text[end:].lstrip()
            now = dt.datetime.now(dt.UTC).isoformat(timespec="microseconds")
            line = {
                "receivedAt": now.replace("+00:00", "Z"),
                "type": event["type"],
                "object": lean(event["object"]),
            }
            with lock:
                sys.stdout.write(json.dumps(line, separators=(",", ":")) + "\n")
                sys.stdout.flush()


def lean(thing: dict[str, Any]) -> dict[str, Any]:
    """Leaves out what no replay reads and nobody should keep."""
    metadata = thing.get("metadata", {})
    metadata.pop("managedFields", None)
    metadata.get("annotations", {}).pop("kubectl.kubernetes.io/last-applied-configuration", None)
    return thing


if __name__ == "__main__":
    sys.exit(main())
