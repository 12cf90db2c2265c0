"""Bytes → Manifest: locate, read once, parse YAML 1.2, coerce."""
