"""Local HTTP servers in the place of model services: they check each request's shape, log it, and can fail."""
