"""Order of ids as `localeCompare` has it: ICU's root collation (planner contract §7, decisions A).

Three levels, punctuation significant, canonically equivalent strings equal. Equal keys mean equal strings to
the collation, so a stable sort leaves them as they stand.

The weights are those of CLDR 48 / Unicode 17 as ICU 78.2 has them, for every character and every contraction,
so the order is ICU's for every string but for the two limits below:

- ideographs by radical and stroke, which is the root order of ICU's default data;
- unassigned, private-use and non-character code points and unpaired surrogates after everything else, in
  code point order, but U+FFFE before everything and U+FFFD and U+FFFF after everything;
- control characters, soft hyphen, zero-width space and other ignorables weigh nothing.

Limits, where the order is still total but may not be ICU's: a contraction looks for its marks among the next
32 only (Unicode's stream-safe text has no more than 30), so that a hostile id costs time in proportion to its
length; and U+FDD1, a non-character that ICU gives contractions to mark index boundaries, has none here.

A key is one string: primaries, secondaries, tertiaries, with U+0000, lower than any weight, between them. A
primary that ASCII characters have is one character with an even number; any other begins with the odd number
between its ASCII neighbours (see `kcp.text.elements`). Secondaries leave off the lowest weight at their end.
"""

from __future__ import annotations

# Ascending. A letter stands for itself in both cases.
ASCII_ORDER = "\t\n\v\f\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz"
TERTIARY_COMMON, TERTIARY_UPPER, TERTIARY_UPPER_W = 2, 13, 16  # root collation sets W apart


def _ascii_tables() -> tuple[bytes, bytes, bytes]:
    """Primaries, tertiaries, and what weighs nothing."""
    primaries, tertiaries = bytearray(256), bytearray([TERTIARY_COMMON]) * 256
    for rank, char in enumerate(ASCII_ORDER, 1):
        primaries[ord(char)] = primaries[ord(char.upper())] = 2 * rank
    tertiaries[65:91] = bytes([TERTIARY_UPPER]) * 26
    tertiaries[ord("W")] = TERTIARY_UPPER_W
    return bytes(primaries), bytes(tertiaries), bytes(code for code in range(128) if not primaries[code])


_PRIMARIES, _TERTIARIES, _IGNORED = _ascii_tables()


def collation_key(text: str) -> str:
    """Sort key of the text; keys compare as ICU's root collation compares the texts."""
    if not text.isascii():
        from kcp.text.elements import key_beyond_ascii

        return key_beyond_ascii(text)
    raw = text.encode("ascii")
    key = raw.translate(_PRIMARIES, _IGNORED) + b"\0\0" + raw.translate(_TERTIARIES, _IGNORED)
    return key.decode("latin-1")
