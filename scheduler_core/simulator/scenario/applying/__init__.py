"""How each edit writes to the cluster, through the API server's stand-in."""
