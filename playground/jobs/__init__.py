"""Doing jobs: what every handler gets, the table of handlers, and what becomes of a job however it goes."""
