"""The product's commands, one a file. Each imports what it needs when it runs: `teamlore` starts at once."""
