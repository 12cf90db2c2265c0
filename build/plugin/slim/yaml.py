"""What libyaml's binding needs of PyYAML: events, tokens, nodes and errors.

The rest of PyYAML, a parser and emitter in Python, costs half the time of a plan to import and is never
called: the program's own reader takes libyaml's events.
"""

from .error import *
from .events import *
from .nodes import *
from .tokens import *


class _Marked(MarkedYAMLError):
    pass


class _Plain(YAMLError):
    pass


class _Errors:
    """Stands for each of the modules that the binding asks for an error class."""

    class ReaderError(YAMLError):
        def __init__(self, name, position, character, encoding, reason):
            self.name, self.position, self.character = name, position, character
            self.encoding, self.reason = encoding, reason

        def __str__(self):
            return f"{self.reason} at position {self.position}"

    ScannerError = ParserError = ComposerError = ConstructorError = _Marked
    EmitterError = SerializerError = RepresenterError = _Plain


reader = scanner = parser = composer = constructor = emitter = serializer = representer = _Errors
