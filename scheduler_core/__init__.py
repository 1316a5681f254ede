"""The scheduler: pure Python without I/O, clock or framework. Import its five doors, not this package."""
