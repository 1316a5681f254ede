"""How the API describes itself: every operation can fail with problem details."""

from __future__ import annotations

from typing import Any

from drf_spectacular.openapi import AutoSchema

from playground.api.errors import ProblemSerializer
from playground.problems import PROBLEM_JSON


class ProblemSchema(AutoSchema):
    """Adds the one error shape to what an operation answers when all goes well."""

    def _get_response_bodies(self, direction: Any = "response") -> Any:
        bodies = super()._get_response_bodies(direction)
        bodies["4XX"] = self._get_response_for_code(ProblemSerializer, "4XX", [PROBLEM_JSON], direction)
        return bodies
