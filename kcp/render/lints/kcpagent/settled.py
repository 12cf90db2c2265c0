"""Letters on which interpreters agree: what one of them would not take for a letter is none to any."""

from __future__ import annotations

from kcp.text.letters import CodePoints, Translation, is_word_code

# Letters and numbers that came with Unicode 15 to 17: not every supported interpreter knows them.
_YOUNG = CodePoints(
    """
    88f c5c cdc 1c89-1c8a a7cb-a7cf a7d2 a7d4 a7da-a7dc a7f1 105c0-105f3 10940-10959 10d40-10d65
    10d6f-10d85 10ec2-10ec7 1123f-11240 11380-11389 1138b 1138e 11390-113b5 113b7 113d1 113d3
    116d0-116e3 11bc0-11be0 11bf0-11bf9 11db0-11ddb 11de0-11de9 11f02 11f04-11f10 11f12-11f33
    11f50-11f59 1342f 13441-13446 13460-143fa 16100-1611d 16130-16139 16d40-16d6c 16d70-16d79
    16ea0-16eb8 16ebb-16ed3 16ff2-16ff6 187f8-187ff 18cff 18d09-18d1e 18d80-18df2 1b132 1b155
    1ccf0-1ccf9 1d2c0-1d2d3 1df25-1df2a 1e030-1e06d 1e4d0-1e4eb 1e4f0-1e4f9 1e5d0-1e5ed 1e5f0-1e5fa
    1e6c0-1e6de 1e6e0-1e6e2 1e6e4-1e6e5 1e6e7-1e6ed 1e6f0-1e6f4 1e6fe-1e6ff 2b739-2b73f 2cea2-2cead
    2ebf0-2ee5d 31350-33479
    """
)


def _settled(code: int) -> int | str:
    return " " if code in _YOUNG or (code > 0x7F and chr(code).isalnum() and not is_word_code(code)) else code


SETTLED = Translation({}, _settled)
