"""Stands in for the standard library's `inspect`; the plugin puts the source of that in here."""
