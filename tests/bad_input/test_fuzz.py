"""Fuzzed input: arbitrary texts, and valid texts with changes.

Every parser raises only `KingdominoError`. Every value that it accepts survives a round trip, and an accepted
position or record can be played on.
"""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.outcomes import ended

import kingdomino as kd

Parser = Callable[[str], Any]
Reader = tuple[Parser, Callable[[Any], str]]  # how to read and write a value


RULES = [
    "2.second.snake.harmony",
    "2.first.random.duel.middle",
    "3.first.random",
    "3.second.random",
    "4.second.random",
]


def games() -> list[kd.Game]:
    """Return random games of several rules sets, stopped at several plies, including the last."""
    found = []
    for seed, text in enumerate(RULES):
        rng, game = Random(seed), kd.Game(kd.Rules.parse(text), seed=seed)
        while not game.is_over:
            if len(game.history) in (0, 2, 7, 20, 45):
                found.append(kd.Record.from_game(game).replay())
            game.play(rng.choice(game.legal_actions()))
        found.append(game)
    return found


GAMES = games()
RECORDS = [kd.Record.from_game(game, tags={"event": "a test"}, comments={0: "it begins"}) for game in GAMES]
RECORDS += [
    record.annotated(
        annotations={
            ply: kd.Annotation((1 / record.rules.players,) * record.rules.players, best=action, cost=0.125)
            for ply, action in enumerate(record.actions())
        }
    )
    for record in RECORDS
    if record.actions()
]

READERS: dict[str, Reader] = {
    "action": (kd.Action.parse, kd.Action.to_text),
    "rules": (kd.Rules.parse, kd.Rules.to_text),
    "kingdom": (kd.Kingdom.parse, kd.Kingdom.to_text),
    "kingdom of seven": (lambda text: kd.Kingdom.parse(text, 7), kd.Kingdom.to_text),
    "position": (kd.Position.parse, kd.Position.to_text),
    "record": (kd.Record.parse, kd.Record.to_text),
    "record in JSON": (kd.Record.from_json, kd.Record.to_json),
    "end": (kd.End.parse, kd.End.to_text),
    "placement": (kd.Placement.parse, kd.Placement.to_text),
}
VALID: dict[str, list[str]] = {
    "action": ["claim 17", "place 1,0>2,0", "place -4,4>-4,3", "discard"],
    "rules": [
        "2.second.random",
        "2.first.snake.duel.harmony.middle",
        "3.first.random",
        "4.second.random.middle",
    ],
    "kingdom": sorted(
        {kingdom.to_text() for game in GAMES for kingdom in game.position.kingdoms if kingdom.size == 5}
    ),
    "kingdom of seven": sorted(
        {kingdom.to_text() for game in GAMES for kingdom in game.position.kingdoms if kingdom.size == 7}
    ),
    "position": [game.position.to_text() for game in GAMES],
    "record": [record.to_text() for record in RECORDS],
    "record in JSON": [record.to_json() for record in RECORDS],
    "end": ["forest", "mine 3"],
    "placement": ["1,0>2,0", "-4,4>-4,3"],
}
ONE_SPELLING = {"action", "rules", "kingdom", "kingdom of seven", "position", "placement"}
"""Texts with a single spelling, except for spaces: no leading zero, no sign, no other order."""
# Pieces with a meaning for some parser, which get further than random letters.
PIECES = [
    *'0123456789 ,.;:@*/>-+_#\n\t{}[]"wflgsmC\0é',
    *("claim", "place", "discard", "line", "scores", "winners", "by", "rules", "seed", "opening", "deck"),
    *("start", "tag", "seat", "over", "kd1", "17", "48", "49", "256", str(2**64), "2.second.random", "wCw"),
]
scraps = st.sampled_from(PIECES) | st.text(max_size=3)


@st.composite
def changed(draw: st.DrawFn, texts: list[str]) -> str:
    """Change a valid text: replace, remove, repeat or exchange stretches of it."""
    text = draw(st.sampled_from(texts))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 6)))
        how = draw(st.sampled_from(("replace", "remove", "repeat", "lines", "cut")))
        if how == "replace":
            text = text[:start] + draw(scraps) + text[end:]
        elif how == "remove":
            text = text[:start] + text[end:]
        elif how == "repeat":
            text = text[:end] + text[start:]
        elif how == "lines":
            lines = text.splitlines(keepends=True)
            one, other = (draw(st.integers(0, max(0, len(lines) - 1))) for _ in range(2))
            if lines:
                lines[one], lines[other] = lines[other], lines[one]
            text = "".join(lines)
        else:
            text = text[:start]
    return text


def read(name: str, text: str) -> Any | None:  # noqa: ANN401 -- each parser has its own type
    """Read a text, and check that the value survives writing and reading."""
    parse, write = READERS[name]
    try:
        value = parse(text)
    except kd.KingdominoError:
        return None
    assert parse(write(value)) == value
    if name in ONE_SPELLING:
        assert "".join(write(value).split()) == "".join(text.split())
    return value


def play_on(game: kd.Game, seed: int) -> None:
    """Finish a game at random."""
    rng = Random(seed)
    while not game.is_over:
        game.play(rng.choice(game.legal_actions()))
    assert len(ended(game).scores) == game.rules.players


EVERY_READER = pytest.mark.parametrize("name", READERS)


@EVERY_READER
@given(data=st.data())
def test_any_text_is_read_or_refused(name: str, data: st.DataObject) -> None:
    read(name, data.draw(st.text() | st.lists(scraps).map("".join)))


@EVERY_READER
@settings(max_examples=200)
@given(data=st.data())
def test_a_changed_text_is_read_or_refused(name: str, data: st.DataObject) -> None:
    value = read(name, data.draw(changed(VALID[name])))
    if isinstance(value, kd.Position):
        play_on(kd.Game.from_position(value, seed=1), seed=1)
    if isinstance(value, kd.Record):
        for position in value.positions():
            assert kd.Position.parse(position.to_text()) == position
        try:
            game = value.replay()
        except kd.RecordError:
            assert value.outcome() is None  # it is unfinished and has no deck
        else:
            assert game.position == value.positions()[-1]
            play_on(game, seed=1)


@settings(max_examples=300)
@given(st.data())
def test_a_changed_number_in_a_position_is_read_or_refused(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(VALID["position"]))
    places = [index for index, character in enumerate(text) if character.isdigit()]
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.sampled_from(places))
        text = text[:place] + data.draw(st.sampled_from("0123456789")) + text[place + 1 :]
    position = read("position", text)
    if position is not None:
        play_on(kd.Game.from_position(position, seed=1), seed=1)


@EVERY_READER
def test_text_that_cannot_be_encoded_is_refused(name: str) -> None:
    with pytest.raises(kd.KingdominoError):
        READERS[name][0]("\ud800")


@EVERY_READER
def test_valid_texts_are_read_and_written_as_they_are(name: str) -> None:
    parse, write = READERS[name]
    for text in VALID[name]:
        assert write(parse(text)) == text


squares = st.dictionaries(
    st.tuples(*[st.integers(-4, 4) | st.integers()] * 2),
    st.tuples(
        st.sampled_from([*kd.Terrain, "field", "lava"]) | st.text(max_size=4),
        st.integers(0, 3) | st.integers(),
    ),
    max_size=12,
)


@given(squares, st.sampled_from((5, 7)))
def test_any_squares_are_a_kingdom_or_refused(squares: dict[Any, Any], size: int) -> None:
    try:
        kingdom = kd.Kingdom.from_squares(squares, size)
    except kd.SetupError:
        return
    assert len(kingdom.squares) == len(squares) + 1
    for domino in kd.DOMINOES[::7]:
        for placement in kingdom.placements(domino):
            assert kingdom.refusal(domino, placement) is None


@given(st.lists(st.integers(0, 50), max_size=50), st.lists(st.integers(0, 4), max_size=5), st.integers(2, 4))
def test_any_deal_is_a_game_or_refused(deck: list[int], opening: list[int], players: int) -> None:
    try:
        game = kd.Game(kd.Rules(players), deck=deck, opening=opening)
    except kd.KingdominoError:
        return
    play_on(game, seed=1)
