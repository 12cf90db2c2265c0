"""`python -m kcp`, and what the checkout's scripts run."""

from __future__ import annotations

if __name__ == "__main__":
    import os

    try:
        from kcp.cli.main import entry
    except KeyboardInterrupt:
        os._exit(130)
    raise SystemExit(entry())
