"""(Manifest, task, options) → Plan: pure, one cascade, several projections."""
