"""NodeVolumeLimits: how many volumes of a CSI driver a node can hold."""
