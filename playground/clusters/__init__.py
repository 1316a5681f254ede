"""Making clusters: from manifests and from the examples."""
