"""Plugins that weigh what pods request against what nodes offer."""
