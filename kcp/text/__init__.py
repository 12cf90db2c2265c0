"""Text as JavaScript and ICU see it: case, words, UTF-16 and collation, of one pinned Unicode version."""
