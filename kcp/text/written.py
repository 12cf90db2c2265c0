"""Scalars that keep the text they were written as."""

from __future__ import annotations


class NumberText(str):
    """A plain YAML scalar that spells a number (`1.0`, `0x1F`, `.inf`); kept as the text it is."""

    __slots__ = ()
