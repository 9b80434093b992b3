"""Strangers' text on one line, with nothing in it that cannot be seen or that turns the order of what stands beside."""

from __future__ import annotations

# Each shows nothing: Default_Ignorable_Code_Point of Unicode and the Braille blank, as far as Python prints them
UNSEEN = frozenset(
    map(
        chr,
        [
            *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0),
            *range(0x180B, 0x1810),
            *range(0xFE00, 0xFE10),
            *range(0xE0100, 0xE01F0),
        ],
    )
)


def clean_line(text: str, instead: str = "?") -> str:
    """Return a text without control, invisible and bidirectional characters, line ends included.

    Args:
        text: what a stranger wrote
        instead: what stands in the place of each such character
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(character if character.isprintable() and character not in UNSEEN else instead for character in text)
