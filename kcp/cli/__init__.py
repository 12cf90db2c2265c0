"""The command line: one table of flags, one file a command, one place where errors become text."""
