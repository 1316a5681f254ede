"""Jobs run pods to their end.

Source: pkg/controller/job, v1.34.1
"""
