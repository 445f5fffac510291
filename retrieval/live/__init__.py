"""Answers of the moment: HTTP APIs and MCP servers that an administrator declared, asked anew each time."""
