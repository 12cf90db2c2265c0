"""Whom to trust: serving binding, signatures, keys."""
