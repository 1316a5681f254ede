"""Preemption: which pods would have to go, on which node, so that a pod that fits nowhere fits there."""
