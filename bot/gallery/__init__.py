"""A look at what Slack users see: our messages, modals and Home, rendered and photographed."""
