"""InterPodAffinity: pods that want to be with other pods, or away from them."""
