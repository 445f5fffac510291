"""What the knowledge talks about: names of things, the passages about them, and who mentions whom."""
