"""A local Slack for the demo and the tests: an independent emulator behind our own thin front door."""
