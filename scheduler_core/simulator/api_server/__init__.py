"""The API server's stand-in: admission, preconditions, finalizers, subresources; the only way to write."""
