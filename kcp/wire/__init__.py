"""Results to JSON text and back, byte for byte as the contract writes them.

Nothing outside this folder knows what the JSON of an artifact looks like.
"""
