"""Checking what a plan said: conformance cases, replay, memory and reuse."""
