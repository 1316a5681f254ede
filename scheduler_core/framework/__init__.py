"""The scheduling framework: extension points, statuses, cluster events and the runtime that calls plugins."""
