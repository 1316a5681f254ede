"""REST, version 1: a file a noun, each its serializer and its views."""
