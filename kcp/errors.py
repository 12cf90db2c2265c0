"""The errors a caller can meet; each carries one line for people and the exit code it stands for."""

from __future__ import annotations


class KcpError(Exception):
    """Something the program could not do, said in one line; `hint` says what to do about it."""

    exit_code = 3

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class ManifestError(KcpError):
    """A manifest that cannot be found, read or parsed; `line` and `column` are 1-based where known."""

    def __init__(
        self, message: str, *, line: int | None = None, column: int | None = None, hint: str | None = None
    ) -> None:
        super().__init__(message, hint=hint)
        self.line = line
        self.column = column

    def __str__(self) -> str:
        """The message with its position appended as `(line:column)`."""
        return self.message if self.line is None else f"{self.message} ({self.line}:{self.column})"


class FetchError(KcpError):
    """A remote location that could not be read."""


class ArtifactError(KcpError):
    """A saved artifact that cannot be read as one."""


class UsageError(KcpError):
    """A wrong call: an unknown flag, a bad value, a missing argument."""

    exit_code = 2


class ProviderError(KcpError):
    """A model provider that did not answer."""
