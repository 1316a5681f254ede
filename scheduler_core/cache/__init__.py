"""The scheduler's cache: nodes, bound and assumed pods, and the snapshot made of them."""
