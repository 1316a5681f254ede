"""Extenders: web services that a configuration asks beside the plugins."""
