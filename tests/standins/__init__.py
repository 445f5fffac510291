"""Local servers in the place of model services: they check each request, log it, and fail on demand."""
