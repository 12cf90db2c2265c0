"""Standard output and error: UTF-8 whatever the locale, and honest about what could not be written."""

from __future__ import annotations

import sys

from kcp.errors import KcpError


class OutputError(KcpError):
    """Standard output cannot be written, so nobody has the answer: exit code 3."""


class Output:
    """Standard output.

    When its reader has gone (`| head -1`), the rest is dropped quietly, `reader_gone` is set, and the command
    ends with the code of its verdict. Any other failure raises OutputError.
    """

    __slots__ = ("reader_gone",)

    def __init__(self) -> None:
        self.reader_gone = False

    def write(self, text: str) -> None:
        """Write text; lone surrogates, which UTF-8 has not, come out as escapes."""
        stream = sys.stdout
        if stream is None:
            raise OutputError("cannot write the output: standard output is closed")
        if self.reader_gone:
            return
        try:
            buffer = getattr(stream, "buffer", None)
            if buffer is None:
                stream.write(text)
            else:
                stream.flush()
                buffer.write(text.encode("utf-8", "backslashreplace"))
        except (OSError, ValueError) as error:
            self._failed(error)

    def line(self, text: str) -> None:
        """Write text and end the line."""
        self.write(text + "\n")

    def flush(self) -> None:
        """Hand everything to the system; errors as in `write`."""
        if sys.stdout is None or self.reader_gone:
            return
        try:
            sys.stdout.flush()
        except (OSError, ValueError) as error:
            self._failed(error)

    @staticmethod
    def is_terminal() -> bool:
        """Whether a person reads along."""
        return sys.stdout is not None and sys.stdout.isatty()

    def _failed(self, error: OSError | ValueError) -> None:
        if not isinstance(error, BrokenPipeError):
            reason = getattr(error, "strerror", None) or str(error)
            raise OutputError(f"cannot write the output: {reason}") from None
        self.reader_gone = True


def complain(text: str) -> None:
    """Write text to standard error; where that is closed too, nothing is left to do."""
    stream = sys.stderr
    if stream is None:
        return
    try:
        buffer = getattr(stream, "buffer", None)
        if buffer is None:
            stream.write(text)
        else:
            stream.flush()
            buffer.write(text.encode("utf-8", "backslashreplace"))
        stream.flush()
    except (OSError, ValueError):
        pass
