"""Stateful sets keep numbered pods, each with claims of its own.

Source: pkg/controller/statefulset, v1.34.1
"""
