r"""Validation and normalization of people's names.

>>> tidy_name("  Ida   of\u3164 Uppsala ")
'Ida of Uppsala'
>>> tidy_name("\u202eadI")
Traceback (most recent call last):
ValueError: a name has only visible letters
"""

import unicodedata
from typing import Final

__all__ = ["LONGEST_NAME", "LONGEST_TYPED", "tidy_name"]

LONGEST_NAME: Final = 24
LONGEST_TYPED: Final = 4 * LONGEST_NAME
_MOST_MARKS: Final = 2  # combining accents on one letter, after composition
_JOINER: Final = "\u200d"
_EMOJI_STYLE: Final = "\ufe0f"
_INVISIBLE: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"  # blank, but letters or symbols to Unicode
    + "".join(map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
)


def tidy_name(typed: str) -> str:
    """Normalize a name: remove invisible letters and use single spaces.

    Raises `ValueError` for a name that is empty or too long, changes the writing direction, or stacks accents.
    """
    text = unicodedata.normalize("NFC", typed)
    shown = "".join(letter for index, letter in enumerate(text) if _is_shown(text, index))
    tidy = " ".join(shown.split())
    if not tidy or len(tidy) > LONGEST_NAME:
        raise ValueError(f"a name has 1 to {LONGEST_NAME} letters")
    if not all(letter.isprintable() or letter == _JOINER for letter in tidy):
        raise ValueError("a name has only visible letters")
    marks = "".join("^" if _is_mark(letter) else " " for letter in tidy)
    if "^" * (_MOST_MARKS + 1) in marks:
        raise ValueError(f"a letter has at most {_MOST_MARKS} accents")
    return tidy


def _is_shown(text: str, index: int) -> bool:
    """Whether a letter is visible or belongs to an emoji."""
    letter = text[index]
    if letter in (_JOINER, _EMOJI_STYLE):
        before = text[index - 1] if index else ""
        return before == _EMOJI_STYLE or _is_emoji(before)
    return letter not in _INVISIBLE


def _is_emoji(letter: str) -> bool:
    return bool(letter) and unicodedata.category(letter) in ("So", "Sk") and ord(letter) > 0x203B


def _is_mark(letter: str) -> bool:
    return unicodedata.category(letter) in ("Mn", "Me") and letter != _EMOJI_STYLE
