"""Three words that a friend can say aloud."""

import re
from itertools import chain

from kingdomino.server.tables.codes import _LISTS, new_code, tidy


def test_every_code_is_three_plain_words() -> None:
    for _ in range(200):
        assert re.fullmatch(r"[a-z]{3,9} [a-z]{3,9} [a-z]{3,9}", new_code())


def test_there_are_two_million_and_they_do_not_repeat() -> None:
    assert [len(set(words)) for words in _LISTS] == [128] * 3
    assert len({new_code() for _ in range(200)}) > 190


def test_no_word_is_listed_twice() -> None:
    words = list(chain(*_LISTS))
    assert len(words) == len(set(words))


def test_a_code_is_understood_however_it_is_typed() -> None:
    for typed in ("amber otter gate", " Amber  OTTER gate\n", "amber-otter-gate", "amber, otter, gate!"):
        assert tidy(typed) == "amber otter gate"
    assert tidy("  🏰 ") == ""
