"""What the API server would refuse, in its own words."""

from __future__ import annotations

from scheduler_core.api.validation.objects import validate, validate_import

__all__ = ["validate", "validate_import"]
