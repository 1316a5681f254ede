"""PodTopologySpread: pods of a kind lie evenly over the domains of a topology."""
