"""Four words that a friend can say aloud."""

import re
from itertools import chain
from typing import get_args

import pytest

from kingdomino.server.tables.people.codes import _LISTS, Language, new_code, tidy

LANGUAGES: tuple[Language, ...] = get_args(Language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_is_four_plain_words_of_its_language(language: Language) -> None:
    first, second, third = _LISTS[language]
    for _ in range(200):
        code = new_code(language)
        assert re.fullmatch(r"[a-z]{3,9}( [a-z]{3,9}){3}", code)
        assert len(set(code.split())) == 4
        assert all(
            word in words for word, words in zip(code.split(), (first, first, second, third), strict=True)
        )


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_are_266_million_and_they_do_not_repeat(language: Language) -> None:
    assert [len(set(words)) for words in _LISTS[language]] == [128] * 3
    assert len({new_code(language) for _ in range(200)}) > 198


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_is_listed_twice(language: Language) -> None:
    words = list(chain(*_LISTS[language]))
    assert len(words) == len(set(words))


def test_a_code_is_understood_in_any_spelling() -> None:
    for typed in ("amber otter gate", " Amber  OTTER gate\n", "amber-otter-gate", "amber, otter, gate!"):
        assert tidy(typed) == "amber otter gate"
    assert tidy("Ámbar Nutria MOLINO") == "ambar nutria molino"
    assert tidy("  🏰 ") == ""
