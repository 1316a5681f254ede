"""The sockets' addresses."""

from __future__ import annotations

from django.urls import re_path

from playground.consumers import RunConsumer, UnknownConsumer

websocket_urlpatterns = [
    re_path(r"^ws/runs/(?P<run_id>[0-9a-z]+)/$", RunConsumer.as_asgi()),
    re_path(r"", UnknownConsumer.as_asgi()),
]
