from __future__ import annotations

import pytest

from scheduler_core.framework.cluster_event import (
    ASSIGNED_POD_ADD,
    NODE_ADD,
    WILDCARD_EVENT,
    ActionType,
    ClusterEvent,
    EventResource,
)

ANY_POD = ClusterEvent(EventResource.POD, ActionType.ADD | ActionType.DELETE)
NODE_UPDATE = ClusterEvent(EventResource.NODE, ActionType.UPDATE)


@pytest.mark.parametrize(
    ("registered", "incoming", "matches"),
    [
        (ANY_POD, ASSIGNED_POD_ADD, True),
        (ANY_POD, ClusterEvent(EventResource.UNSCHEDULABLE_POD, ActionType.DELETE), True),
        (ANY_POD, ClusterEvent(EventResource.ASSIGNED_POD, ActionType.UPDATE_POD_LABEL), False),
        (ASSIGNED_POD_ADD, ClusterEvent(EventResource.UNSCHEDULABLE_POD, ActionType.ADD), False),
        (ANY_POD, NODE_ADD, False),
        (NODE_UPDATE, ClusterEvent(EventResource.NODE, ActionType.UPDATE_NODE_TAINT), True),
        (NODE_UPDATE, NODE_ADD, False),
        (WILDCARD_EVENT, NODE_ADD, True),
        (NODE_ADD, WILDCARD_EVENT, False),
    ],
)
def test_a_registration_matches_the_changes_it_names(
    registered: ClusterEvent, incoming: ClusterEvent, *, matches: bool
) -> None:
    assert registered.matches(incoming) is matches
