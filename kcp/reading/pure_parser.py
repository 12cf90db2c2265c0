"""PyYAML's Python parser, made to read what libyaml reads where the two differ.

Used only where PyYAML was built without libyaml. The differences are old ones: tabs between tokens, `?` in
flow scalars, blanks after block indicators, flow indicators in tags, escapes of surrogates, directives.
"""

from __future__ import annotations

from yaml.parser import Parser
from yaml.reader import Reader
from yaml.scanner import Scanner, ScannerError
from yaml.tokens import DirectiveToken, ScalarToken, TagToken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_BREAKS = "\r\n"
_BREAKS_OR_END = "\0\r\n"
_BLANKS = " \t"
_BLANKS_OR_END = "\0 \t\r\n"
_FLOW_INDICATORS = ",[]{}"
_HEX = "0123456789ABCDEFabcdef"
_MAX_VERSION_DIGITS = 9
_TAB_IN_PLAIN = "found a tab character that violates indentation"
_TAB_IN_BLOCK = "found a tab character where an indentation space is expected"


class PureParser(Reader, Scanner, Parser):
    """`get_event()` gives libyaml's events for a text without NUL or control characters."""

    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)

    def scan_block_scalar_ignored_line(self, start_mark: Any) -> None:
        """Blanks and a comment after the indicators of a block scalar."""
        self._end_line(start_mark)

    def _error(self, problem: str, start: Any = None) -> ScannerError:
        return ScannerError(None, start, problem, self.get_mark())

    def _skip_comment(self) -> None:
        if self.peek() == "#":
            while self.peek() not in _BREAKS_OR_END:
                self.forward()

    def _end_line(self, start: Any) -> None:
        while self.peek() in _BLANKS:
            self.forward()
        self._skip_comment()
        if self.peek() not in _BREAKS_OR_END:
            raise self._error("did not find expected comment or line break", start)
        self.scan_line_break()

    def scan_line_break(self) -> str:
        """Only CR, LF and CRLF break lines; the other breaks of YAML 1.1 never reach this parser."""
        if self.peek() not in _BREAKS:
            return ""
        self.forward(2 if self.prefix(2) == "\r\n" else 1)
        return "\n"

    def scan_to_next_token(self) -> None:
        """Tabs may separate tokens, but not stand where a block key or entry may start."""
        while True:
            while self.peek() == " " or (
                self.peek() == "\t" and (self.flow_level or not self.allow_simple_key)
            ):
                self.forward()
            self._skip_comment()
            if not self.scan_line_break():
                return
            if not self.flow_level:
                self.allow_simple_key = True

    def scan_directive(self) -> Any:
        """Only %YAML and %TAG exist."""
        start = self.get_mark()
        self.forward()
        name: str = self.scan_directive_name(start)  # type: ignore[no-untyped-call]
        if name == "YAML":
            value: Any = self.scan_yaml_directive_value(start)
        elif name == "TAG":
            value = self.scan_tag_directive_value(start)
        else:
            raise self._error("found unknown directive name", start)
        end = self.get_mark()
        self._end_line(start)
        return DirectiveToken(name, value, start, end)

    def scan_yaml_directive_number(self, start_mark: Any) -> int:
        """As PyYAML, with a bound on the digits."""
        digits = 0
        while "0" <= self.peek(digits) <= "9":
            digits += 1
            if digits > _MAX_VERSION_DIGITS:
                raise self._error("found extremely long version number", start_mark)
        number: int = super().scan_yaml_directive_number(start_mark)
        return number

    def scan_tag(self) -> Any:
        """A tag ends at a blank, and in a flow collection also at a comma."""
        start = self.get_mark()
        following = self.peek(1)
        if following == "<":
            self.forward(2)
            handle, suffix = None, self._tag_uri(_FLOW_INDICATORS[:3], start)
            if self.peek() != ">":
                raise self._error("did not find the expected '>'", start)
            self.forward()
        else:
            handle, suffix = self._shorthand_tag(start)
        if self.peek() not in _BLANKS_OR_END and not (self.flow_level and self.peek() == ","):
            raise self._error("did not find expected whitespace or line break", start)
        return TagToken((handle, suffix), start, self.get_mark())

    def _shorthand_tag(self, start: Any) -> tuple[str | None, str]:
        length = 1
        while self.peek(length).isascii() and (self.peek(length).isalnum() or self.peek(length) in "-_"):
            length += 1
        if self.peek(length) == "!":
            handle = self.prefix(length + 1)
            self.forward(length + 1)
            return handle, self._tag_uri("", start)
        self.forward()
        if self.peek() in _BLANKS_OR_END or self.peek() in _FLOW_INDICATORS:
            return None, "!"
        return "!", self._tag_uri("", start)

    def _tag_uri(self, more: str, start: Any) -> str:
        allowed = "-_;/?:@&=+$.!~*'()" + more
        chunks: list[str] = []
        while True:
            character = self.peek()
            if character == "%":
                chunks.append(self.scan_uri_escapes("tag", start))
            elif character in allowed or (character.isascii() and character.isalnum()):
                chunks.append(character)
                self.forward()
            elif chunks:
                return "".join(chunks)
            else:
                raise self._error("did not find expected tag URI", start)

    def scan_flow_scalar_non_spaces(self, double: bool, start_mark: Any) -> list[str]:
        """As PyYAML, but an escape must name a character."""
        chunks: list[str] = []
        while True:
            chunks.extend(self._unescaped_run(double))
            if not (double and self.peek() == "\\"):
                return chunks
            length = self.ESCAPE_CODES.get(self.peek(1))
            if length is not None:
                self.forward()
                chunks.append(self._escaped_character(length, start_mark))
            elif self.peek(1) in self.ESCAPE_REPLACEMENTS:
                chunks.append(self.ESCAPE_REPLACEMENTS[self.peek(1)])
                self.forward(2)
            elif self.peek(1) in _BREAKS:
                self.forward()
                self.scan_line_break()
                chunks.extend(self.scan_flow_scalar_breaks(double, start_mark))
                return chunks
            else:
                raise self._error("found unknown escape character", start_mark)

    def _unescaped_run(self, double: bool) -> list[str]:
        chunks: list[str] = []
        while True:
            length = 0
            while self.peek(length) not in "'\"\\\0 \t\r\n":
                length += 1
            if length:
                chunks.append(self.prefix(length))
                self.forward(length)
            character = self.peek()
            if not double and character == "'" and self.peek(1) == "'":
                chunks.append("'")
                self.forward(2)
            elif character != "\0" and character in ("'" if double else '"\\'):
                chunks.append(character)
                self.forward()
            else:
                return chunks

    def _escaped_character(self, length: int, start: Any) -> str:
        self.forward()
        if any(self.peek(place) not in _HEX for place in range(length)):
            raise self._error("did not find expected hexdecimal number", start)
        code = int(self.prefix(length), 16)
        if 0xD800 <= code <= 0xDFFF or code > 0x10FFFF:
            raise self._error("found invalid Unicode character escape code", start)
        self.forward(length)
        return chr(code)

    def scan_plain(self) -> Any:
        """Plain scalars may hold tabs, and `?` in flow collections."""
        start = end = self.get_mark()
        indent = self.indent + 1
        chunks: list[str] = []
        spaces = ""
        broken = False
        while not self._at_document_marker() and self.peek() != "#":
            run = self._plain_run()
            if run:
                chunks.append(spaces + run)
                spaces, broken = "", False
                self.allow_simple_key = False
                end = self.get_mark()
            if self.peek() not in _BLANKS_OR_END or self.peek() == "\0":
                break
            spaces, broken = self._plain_spaces(indent, start)
            if not self.flow_level and self.column < indent:
                break
        if broken:
            self.allow_simple_key = True
        return ScalarToken("".join(chunks), True, start, end)

    def _at_document_marker(self) -> bool:
        return self.column == 0 and self.prefix(3) in ("---", "...") and self.peek(3) in _BLANKS_OR_END

    def _plain_run(self) -> str:
        length = 0
        while (character := self.peek(length)) not in _BLANKS_OR_END:
            following = self.peek(length + 1)
            if self.flow_level and character == ":" and following != "\0" and following in ",?[]{}":
                self.forward(length)
                raise self._error("found unexpected ':'")
            if (character == ":" and following in _BLANKS_OR_END) or (
                self.flow_level and character in _FLOW_INDICATORS
            ):
                break
            length += 1
        run: str = self.prefix(length)
        self.forward(length)
        return run

    def _plain_spaces(self, indent: int, start: Any) -> tuple[str, bool]:
        blanks, breaks = "", 0
        while (character := self.peek()) in _BLANKS_OR_END and character != "\0":
            if character in _BREAKS:
                self.scan_line_break()
                breaks += 1
                continue
            if breaks and character == "\t" and self.column < indent:
                raise self._error(_TAB_IN_PLAIN, start)
            blanks += character
            self.forward()
        if not breaks:
            return blanks, False
        return "\n" * (breaks - 1) or " ", True

    def scan_block_scalar_indicators(self, start_mark: Any) -> tuple[bool | None, int | None]:
        """`+` or `-` and a digit from 1 to 9, in either order."""
        chomping: bool | None = None
        increment: int | None = None
        for _ in range(2):
            character = self.peek()
            if chomping is None and character in "+-":
                chomping = character == "+"
            elif increment is None and "0" <= character <= "9":
                if character == "0":
                    raise self._error("found an indentation indicator equal to 0", start_mark)
                increment = int(character)
            else:
                break
            self.forward()
        return chomping, increment

    def scan_block_scalar_indentation(self) -> tuple[list[str], int, Any]:
        """The line breaks before the first text line, and the deepest indentation among them."""
        return self._block_breaks(None)

    def scan_block_scalar_breaks(self, indent: int) -> tuple[list[str], Any]:
        """The line breaks before the next text line."""
        chunks, _deepest, end = self._block_breaks(indent)
        return chunks, end

    def _block_breaks(self, indent: int | None) -> tuple[list[str], int, Any]:
        chunks: list[str] = []
        deepest, end = 0, self.get_mark()
        while True:
            while (indent is None or self.column < indent) and self.peek() == " ":
                self.forward()
            deepest = max(deepest, self.column)
            if (indent is None or self.column < indent) and self.peek() == "\t":
                raise self._error(_TAB_IN_BLOCK)
            if self.peek() not in _BREAKS:
                return chunks, deepest, end
            chunks.append(self.scan_line_break())
            end = self.get_mark()
