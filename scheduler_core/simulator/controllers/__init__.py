"""Controllers: what other components than the scheduler do, at once and without a life of their own."""
