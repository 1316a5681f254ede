"""What the API server fills in before it stores an object, as far as it bears on scheduling."""

from __future__ import annotations

from scheduler_core.api.defaulting.objects import default_object

__all__ = ["default_object"]
