"""From a question to a checked answer. Knows no Slack and no Celery."""
