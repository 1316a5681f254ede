"""How many requests somebody has made in a window of time, counted where all servers see it."""

from __future__ import annotations

from django.db import connection, models

COUNT = """
    INSERT INTO playground_quota (who, window_start, used) VALUES (%s, %s, 1)
    ON CONFLICT (who) DO UPDATE SET
        used = CASE WHEN playground_quota.window_start = excluded.window_start
                    THEN playground_quota.used + 1 ELSE 1 END,
        window_start = excluded.window_start
    RETURNING used
"""


class Quota(models.Model):
    """One row for each counted party; a new window begins in the same row."""

    who = models.CharField(max_length=120, primary_key=True)
    window_start = models.BigIntegerField(help_text="seconds since 1970")
    used = models.PositiveIntegerField(default=0)

    class Meta:
        db_table = "playground_quota"

    def __str__(self) -> str:
        return f"{self.who}: {self.used}"

    @staticmethod
    def count(who: str, window_start: int) -> int:
        """Counts one request and returns how many there were in this window; one statement, so nothing races.

        Args:
            who: whose request it is and of what sort.
            window_start: when the window began, in seconds.
        """
        with connection.cursor() as cursor:
            cursor.execute(COUNT, [who, window_start])
            return int(cursor.fetchone()[0])
