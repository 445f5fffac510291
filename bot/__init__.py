"""Slack in: translate, claim, queue, acknowledge. Never waits."""
