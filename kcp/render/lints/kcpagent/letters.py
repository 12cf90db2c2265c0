"""Letters that look like Latin ones, or are dressed-up forms of them; pinned, so no interpreter decides."""

from __future__ import annotations

import re

_LATIN = "abcdefghijklmnopqrstuvwxyz"

# Look-alikes of other scripts; they count as Latin only beside Latin letters.
CYRILLIC = dict(zip("аеорсхуіјѕһԁкмтвнґгпԛԝьԍ", "aeopcxyijshdkmtbhrrnqwbg", strict=True))
GREEK = dict(zip("αβεηικνορτυχωγ", "abenikvoptuxwy", strict=True))
OTHER = dict(zip("օոսցհքԁᎪᏟᎬᏀᎻᎫᏦᏞᎷᏢᏚᎢᏙᏔᏃ", "onughqdaceghjklmpstvwz", strict=True))
LOOK_ALIKES = CYRILLIC | GREEK | OTHER
LOOK_ALIKE_BLOCKS = re.compile(r"[\u0370-\u058f\u13a0-\u13ff]")

# Letters that mean the Latin letter wherever they stand.
_ALWAYS = dict(
    zip(
        "ıłøđðħŧɡɑɩɪʏᴀʙᴄᴅᴇғɢʜᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡᴢℎℓℯℊℴℬℰℱℋℐℒℳℛℭℌℑℜℨℂℍℕℙℚℝℤ",
        "ilodhhtgaiiyabcdefghjklmnoprstuvwzhlegobefhilmrchirzchnpqrz",
        strict=True,
    )
) | {"ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", "’": "'", "‘": "'", "ʼ": "'", "‐": "-", "‑": "-", "﹣": "-"}


def _dressed() -> dict[int, str]:
    table = {ord(char): plain for char, plain in _ALWAYS.items()}
    table |= {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}  # full width
    table |= {0x1D400 + at: _LATIN[at % 26] for at in range(676)}  # mathematical letters, thirteen styles
    table |= {0x1D7CE + at: str(at % 10) for at in range(50)}
    for first in (0x249C, 0x24B6, 0x24D0, 0x1F110, 0x1F130, 0x1F150, 0x1F170):  # in circles and boxes
        table |= {first + at: _LATIN[at] for at in range(26)}
    return table


DRESSED = _dressed()


class Plain(dict[int, str]):
    """A table for `str.translate`: Latin letters without marks, dressed letters undressed, marks dropped."""

    def __missing__(self, code: int) -> str:
        plain = _plain(code)
        if len(self) < 4096:
            self[code] = plain
        return plain


def _plain(code: int) -> str:
    if 0x300 <= code <= 0x36F or 0x64B <= code <= 0x652 or code in (0xAD, 0x640, 0x34F):
        return ""
    if 0x200B <= code <= 0x200F or 0x202A <= code <= 0x202E or 0x2060 <= code <= 0x206F or code == 0xFEFF:
        return ""
    if 0xFE00 <= code <= 0xFE0F or 0xE0000 <= code <= 0xE0FFF:
        return ""
    dressed = DRESSED.get(code)
    if dressed is not None:
        return dressed
    if 0xC0 <= code < 0x250 or 0x1E00 <= code < 0x1F00:
        # Decompositions of these blocks have been the same in every version of Unicode since they were full.
        from unicodedata import normalize

        return "".join(
            [DRESSED.get(ord(char), char) for char in normalize("NFD", chr(code)) if char < "\u0300"]
        )
    if code in (0xA0, 0x3000) or 0x2000 <= code <= 0x200A:
        return " "
    return chr(code)


PLAIN = Plain()
