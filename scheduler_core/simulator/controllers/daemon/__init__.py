"""Daemon sets keep one pod on every node that fits.

Source: pkg/controller/daemon, v1.34.1
"""
