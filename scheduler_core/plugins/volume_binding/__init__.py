"""VolumeBinding: binds a pod's claims to volumes, or has volumes made, as part of choosing its node."""
