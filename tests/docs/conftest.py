"""A server of its own for the snippets that speak to one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests import serve


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serves the application as `make run` does, with an empty data folder; yields its address."""
    with serve.served(tmp_path_factory.mktemp("var")) as address:
        yield address
