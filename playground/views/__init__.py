"""The pages: complete without JavaScript where they only show."""
