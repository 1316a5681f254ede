"""What to do next with an answer, as OpenAPI links: a cluster is read and run, a run's cycles are read."""

from __future__ import annotations

from typing import Any

ID = "$response.body#/id"
BY_ID = {"id": ID}
OF_RUN = {"run_id": ID}
OF_CLUSTER = {"cluster_id": ID}

READ_RUN = {
    "ReadRun": ("runs_retrieve", BY_ID),
    "CancelRun": ("runs_cancel_create", BY_ID),
    "ListCycles": ("run_cycles", OF_RUN),
    "ListEvents": ("run_events", OF_RUN),
    "ReadPlacements": ("run_placements", OF_RUN),
}
READ_CLUSTER = {
    "ReadCluster": ("clusters_retrieve", BY_ID),
    "ListNodes": ("cluster_nodes", OF_CLUSTER),
    "ListPods": ("cluster_pods", OF_CLUSTER),
    "ExportCluster": ("cluster_export", OF_CLUSTER),
    "StartRun": ("runs_create", {}),
}
LINKS: dict[str, dict[str, tuple[str, dict[str, str]]]] = {
    "clusters_create": READ_CLUSTER,
    "clusters_import": READ_CLUSTER,
    "clusters_retrieve": {"StartRun": ("runs_create", {}), "DeleteCluster": ("clusters_destroy", BY_ID)},
    "runs_create": READ_RUN,
    "run_fork": READ_RUN,
    "run_cycles": {
        "ReadCycle": (
            "run_cycle",
            {"run_id": "$request.path.run_id", "cycle": "$response.body#/cycles/0/cycle"},
        )
    },
    "runs_retrieve": {"ForkRun": ("run_fork", OF_RUN), "DeleteRun": ("runs_destroy", BY_ID)},
    "checks_retrieve": {
        "ShowRun": ("check_run", {"check_id": ID}),
        "ReadReport": ("check_report", BY_ID),
        "DeleteCheck": ("checks_destroy", BY_ID),
    },
    "check_run": READ_RUN,
    "profiles_create": {
        "ReadProfile": ("profiles_retrieve", BY_ID),
        "DeleteProfile": ("profiles_destroy", BY_ID),
    },
    "scenarios_create": {
        "ReadScenario": ("scenarios_retrieve", BY_ID),
        "DeleteScenario": ("scenarios_destroy", BY_ID),
    },
}
BODIES = {"StartRun": {"cluster": ID}}
"""What goes into the body of a link's operation."""


def links_of(operation_id: str) -> dict[str, Any]:
    """Returns the links of an operation's good answer.

    Args:
        operation_id: as the schema calls it.
    """
    return {
        name: {
            "operationId": target,
            **({"parameters": parameters} if parameters else {}),
            **({"requestBody": BODIES[name]} if name in BODIES else {}),
        }
        for name, (target, parameters) in LINKS.get(operation_id, {}).items()
    }
