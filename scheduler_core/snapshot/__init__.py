"""Columns: what the scheduler knows of nodes and pods, as arrays that plugins read."""
