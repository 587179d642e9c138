"""People's names: cleaning, refusing, and keeping every real name whole."""

import pytest

from kingdomino.server.tables.people.names import tidy_name


@pytest.mark.parametrize(
    "name",
    [
        "Ida",
        "Zoë",
        "Nguyễn Thị",
        "שָׁלוֹם",
        "प्रिया",
        "한글",
        "李小龍",
        "O'Brien-Díaz",
        "👩‍🚀",
        "❤️",
        "🧑🏽‍🚒 Sam",
        "☀️ Sol",
    ],
)
def test_real_names_and_emoji_stay_as_they_are(name: str) -> None:
    assert tidy_name(name) == name


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("  Ida   B. ", "Ida B."),
        ("Zoe\u0308", "Zoë"),
        ("Ida\u3164", "Ida"),
        ("I\u034fda", "Ida"),
        ("I\ufe0fda", "Ida"),
        ("I\u200dda", "Ida"),
        ("\u2800Ida\u17b4\u17b5\u115f", "Ida"),
        ("Ida\U000e0100", "Ida"),
    ],
)
def test_invisible_characters_are_removed(typed: str, shown: str) -> None:
    assert tidy_name(typed) == shown


@pytest.mark.parametrize("name", ["\u3164", "\u2800\u2800", "\ufe0f", "\u034f", "\u17b4", " ", "", "\u200d"])
def test_a_name_that_cannot_be_seen_is_none(name: str) -> None:
    with pytest.raises(ValueError, match="1 to 24 letters"):
        tidy_name(name)


@pytest.mark.parametrize("name", ["\u202eadI", "Ida\u200b", "I\x00da", "Ida\ud800", "\u2066Ida"])
def test_control_characters_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="only visible letters"):
        tidy_name(name)


def test_stacked_accents_are_refused() -> None:
    with pytest.raises(ValueError, match="at most 2 accents"):
        tidy_name("I" + "\u0301" * 20 + "da")
