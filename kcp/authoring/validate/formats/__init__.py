"""What `validate` found, in the formats of other tools."""
