"""`python -m kcp`, and what the checkout's scripts run."""

from __future__ import annotations

from kcp.cli.main import entry

if __name__ == "__main__":
    raise SystemExit(entry())
