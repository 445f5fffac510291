"""The console: pages for those who run Teamlore, read-mostly, rendered on the server."""
