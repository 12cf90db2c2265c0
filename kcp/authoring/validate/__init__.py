"""The agent's rules for a manifest (surfaces contract §4, decisions B1–B5), by topic.

`check_manifest` runs them in the contract's order; each rule is a generator of findings about one subject.
"""
