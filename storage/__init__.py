"""What must last: one SQL database, one file of tables a concern, and its migrations."""
