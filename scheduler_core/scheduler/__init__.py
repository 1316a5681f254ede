"""The scheduling and binding cycles."""
