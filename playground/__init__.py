"""The web application: clusters, runs and their events, served by Django, Channels and Celery."""

from __future__ import annotations

from playground.celery import app as celery_app

__all__ = ["celery_app"]
