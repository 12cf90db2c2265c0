"""Around the rules of `validate`: which files, which settings, how many processes, which format."""
