"""Cron jobs make jobs by the clock.

Source: pkg/controller/cronjob, v1.34.1
"""
