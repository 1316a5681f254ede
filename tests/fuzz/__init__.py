"""Clusters made at random over the whole surface, one area a module, each a function of its seed."""
