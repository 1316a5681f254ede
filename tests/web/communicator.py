"""Channels' WebsocketCommunicator, without daphne: its package also imports a live server that needs it."""

from __future__ import annotations

import sys
from types import ModuleType
from unittest.mock import patch

_absent = ModuleType("daphne.testing")
_absent.DaphneProcess = object  # type: ignore[attr-defined]
with patch.dict(sys.modules, {"daphne": ModuleType("daphne"), "daphne.testing": _absent}):
    from channels.testing.websocket import WebsocketCommunicator

__all__ = ["WebsocketCommunicator"]
