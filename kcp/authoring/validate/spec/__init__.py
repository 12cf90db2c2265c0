"""The rules of the specification (KCP 0.32 with the 0.32.1 errata), by topic, over the raw document.

They read fields as the specification does, which is not how the agent reads them: only real booleans count
in a boolean field, null equals absent, and lists given as a scalar count as absent where it says so.
"""
