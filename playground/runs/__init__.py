"""Computing runs: the claim, the engine's process, what is stored, and the questions asked of it."""
