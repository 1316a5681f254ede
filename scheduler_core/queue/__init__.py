"""The scheduling queue: activeQ, backoffQ, unschedulable and gated pods, nominations."""
