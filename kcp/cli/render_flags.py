"""Which flags of a planning command go with `--render`, and which only with it."""

from __future__ import annotations

from kcp.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kcp.cli.parser import Arguments

# What a render decides otherwise, or what would lead beyond the one manifest that was rendered.
_EXCLUDED = (
    *("--follow", "--max-depth", "--max-nodes", "--root", "--memory", "--sign-key"),
    *("--trusted-episode-key", "--require-signed-episodes"),
    *("--trust-key", "--keyring", "--require-signature", "--no-verify", "--max-bytes"),
)
_NEEDS_RENDER = (
    *("--keys", "--origin", "--lint", "--strict-origin", "--allow-derived-origin"),
    *("--require-unit-hashes", "--retrieved-from"),
)


def is_rendered(arguments: Arguments) -> bool:
    """Whether `--render` was given; UsageError for flags that do not go with it, or not without it."""
    rendered = arguments.switch("--render")
    for flag in _EXCLUDED if rendered else _NEEDS_RENDER:
        if flag in arguments.given:
            raise UsageError(f"{flag} does not go with --render" if rendered else f"{flag} needs --render")
    return rendered
