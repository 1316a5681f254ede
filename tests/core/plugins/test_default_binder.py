from __future__ import annotations

from types import SimpleNamespace

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.status import Status, error
from scheduler_core.plugins.default_binder import DefaultBinder
from scheduler_core.snapshot.axes import ResourceAxis
from scheduler_core.snapshot.pod_info import PodInfo
from tests.make import make_pod


class ApiServer:
    """Takes bindings of pods that exist."""

    def __init__(self) -> None:
        self.bound: dict[str, str] = {}

    def bind(self, pod: PodInfo, node_name: str) -> Status | None:
        if pod.key == "default/gone":
            return error('pods "gone" not found')
        self.bound[pod.key] = node_name
        return None


def test_the_pod_is_bound_at_the_api_server_whose_refusal_comes_back() -> None:
    server = ApiServer()
    binder = DefaultBinder(SimpleNamespace(client=server))  # type: ignore[arg-type]
    pod, gone = (PodInfo(make_pod(name), ResourceAxis()) for name in ("web", "gone"))
    assert binder.bind(CycleState(), pod, "n1") is None
    assert binder.bind(CycleState(), gone, "n1") == error('pods "gone" not found')
    assert server.bound == {"default/web": "n1"}
