"""The kubelets of all nodes: pods start, get ready, run, end and are terminated in their own time."""
