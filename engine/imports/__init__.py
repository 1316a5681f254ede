"""Files → a cluster ready to be stored; for the server, and for the process that reads the large ones."""

from __future__ import annotations

from engine.imports.reading import Imported, ImportOptions, read_cluster
from engine.imports.rows import ObjectRow, Summary

__all__ = ["ImportOptions", "Imported", "ObjectRow", "Summary", "read_cluster"]
