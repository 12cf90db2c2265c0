"""One file a command; each has `run(arguments, out)`, which prints and returns the exit code."""
