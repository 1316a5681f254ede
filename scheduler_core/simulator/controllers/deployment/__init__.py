"""Deployments roll out replica sets.

Source: pkg/controller/deployment, v1.34.1
"""
