"""What the API server does to an object before it is stored."""
