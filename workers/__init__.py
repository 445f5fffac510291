"""Celery tasks, and everything that goes out to Slack."""
