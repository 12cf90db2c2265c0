"""Checking what a plan said: conformance cases, and later replay and memory."""
