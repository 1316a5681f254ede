"""Scenarios: edits of a cluster, each with a virtual time, read, checked, told in sentences and applied."""
