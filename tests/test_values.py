"""Every public value: frozen, hashable, comparable, picklable, copyable, with a repr that recreates it.

The last tests use every public name as its type hints allow.
"""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from support.outcomes import ended
from support.setups import kings_on, numbers

import kingdomino as kd

RULES = kd.Rules(3, "first", harmony=True, middle_kingdom=True)
KINGDOM = kd.Kingdom.parse("w1f./fCl")


def midgame(plies: int = 20) -> kd.Game:
    """Play the first legal actions of a game with this seed."""
    game = kd.Game(RULES, seed=7)
    for _ in range(plies):
        game.play(game.legal_actions()[0])
    return game


def before_a_line() -> kd.Position:
    """Return a position before a line is due."""
    position = midgame().position
    while position.due != "line":
        position = position.play(position.legal_actions()[0])
    return position


def before_a_king() -> kd.Position:
    """Reveal the first line."""
    return kd.Position.parse("kd1 2.second.random 0 reveal - - 1-48 C;C").reveal([1, 2, 3, 4])


def whole_game() -> kd.Game:
    """Play a game to its end."""
    return midgame(72)


# For each type, one function makes the same value every time, and the other makes a different one.
VALUES: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    "Terrain": (lambda: kd.Terrain("wheat"), lambda: kd.Terrain("mine")),
    "End": (lambda: kd.End(kd.Terrain.MINE, 3), lambda: kd.End(kd.Terrain.MINE, 2)),
    "Square": (lambda: kd.Square(kd.Terrain.LAKE, 1), lambda: kd.Square(kd.Terrain.LAKE)),
    "Domino": (lambda: kd.Domino(48, "wheat", "mine 3"), lambda: kd.DOMINOES[46]),
    "Placement": (lambda: kd.Placement((1, 0), (2, 0)), lambda: kd.Placement((2, 0), (1, 0))),
    "Territory": (
        lambda: kd.Kingdom.parse("Cw1w").territories()[0],
        lambda: kd.Kingdom.parse("Cw1").territories()[0],
    ),
    "Score": (lambda: kd.Kingdom.parse("Cw1w").score(), lambda: kd.Score(3, 3)),
    "Outcome": (
        lambda: whole_game().outcome(),
        lambda: kd.Outcome((kd.Score(1, 1), kd.Score(0, 0)), (1, 2), (0, 1), (0,), "score"),
    ),
    "PlayoutResult": (
        lambda: kd.playouts(midgame().position, n=10, seed=1),
        lambda: kd.playouts(midgame().position, n=10, seed=2),
    ),
    "Rules": (lambda: kd.Rules(3, "first", harmony=True), kd.Rules),
    "Kingdom": (lambda: kd.Kingdom.parse("w1f./fCl"), lambda: kd.Kingdom(7)),
    "a kingdom of seven": (lambda: kd.Kingdom.parse("fffCfff", 7), lambda: kd.Kingdom(5)),
    "a claim": (lambda: kd.Action.claim(17), lambda: kd.Action.parse("claim 18")),
    "a place": (lambda: kd.Action.place(((1, 0), (2, 0))), lambda: kd.Action.parse("place 2,0>1,0")),
    "a discard": (kd.Action.discard, lambda: kd.Action.parse("claim 1")),
    "Position": (lambda: midgame().position, lambda: midgame(19).position),
    "a position at the end": (lambda: whole_game().position, lambda: midgame(71).position),
    "Record": (lambda: kd.Record.from_game(midgame()), lambda: kd.Record.from_game(midgame(19))),
    "a record with words": (
        lambda: kd.Record.from_game(
            whole_game(), ["Ann's", 'B "b"', "Ç"], {"event": "it's"}, {3: "'a'\n\nb\\"}
        ),
        lambda: kd.Record.from_game(whole_game()),
    ),
}
MUTABLE: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    "Game": (lambda: kd.Game(RULES, seed=7), lambda: kd.Game(RULES, seed=8)),
    "a game begun": (midgame, lambda: midgame(19)),
    "a game over": (whole_game, lambda: midgame(71)),
    "a game from a position": (
        lambda: kd.Game.from_position(midgame().position, seed=3),
        lambda: kd.Game.from_position(midgame().position, seed=4),
    ),
    "a game from a position before a line": (
        lambda: kd.Game.from_position(before_a_line(), seed=3),
        lambda: kd.Game.from_position(before_a_line(), seed=4),
    ),
    "a game from a position before a king": (
        lambda: kd.Game.from_position(before_a_king(), seed=3),
        lambda: kd.Game.from_position(before_a_king(), seed=4),
    ),
    "a game with a deck": (
        lambda: kd.Game(kd.Rules(4), deck=range(1, 49), opening=[0, 1, 2, 3]),
        lambda: kd.Game(kd.Rules(4), deck=range(48, 0, -1), opening=[0, 1, 2, 3]),
    ),
}
EVERY_VALUE = pytest.mark.parametrize(("make", "make_other"), VALUES.values(), ids=VALUES.keys())
EVERYTHING = pytest.mark.parametrize(
    ("make", "make_other"), [*VALUES.values(), *MUTABLE.values()], ids=[*VALUES, *MUTABLE]
)
Make = Callable[[], Any]


@EVERYTHING
def test_equal_ones_are_equal_and_others_are_not(make: Make, make_other: Make) -> None:
    assert make() == make()
    assert not make() != make()  # noqa: SIM202 -- this tests both operators
    assert make() != make_other()
    assert make() != object()
    assert make() is not None


@EVERY_VALUE
def test_values_can_be_hashed(make: Make, make_other: Make) -> None:
    assert hash(make()) == hash(make())
    assert len({make(), make(), make_other()}) == 2


@EVERYTHING
def test_copies_are_equal(make: Make, make_other: Make) -> None:
    value = make()
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(value, protocol)) == value
    assert copy.copy(value) == copy.deepcopy(value) == value
    assert type(copy.deepcopy(value)) is type(value)
    assert pickle.loads(pickle.dumps([value, make_other()])) == [value, make_other()]


@EVERYTHING
def test_the_repr_makes_it_again(make: Make, make_other: Make) -> None:
    for value in (make(), make_other()):
        again = eval(repr(value), dict(vars(kd)))
        assert again == value
        assert type(again) is type(value)
        assert repr(again) == repr(value)


@EVERY_VALUE
def test_values_are_frozen(make: Make, make_other: Make) -> None:  # noqa: ARG001
    value = make()
    # A member of an enumeration takes new attributes, as everywhere in Python; its name and value are fixed.
    is_terrain = isinstance(value, kd.Terrain)
    public = ["name", "value"] if is_terrain else [name for name in dir(value) if not name.startswith("_")]
    for name in public:
        with pytest.raises((AttributeError, TypeError)):
            setattr(value, name, None)
        with pytest.raises((AttributeError, TypeError)):
            delattr(value, name)


@pytest.mark.parametrize(
    "value",
    [RULES, KINGDOM, kd.Action.discard(), kd.Game(seed=1), kd.Match(seed=1), kd.DOMINOES[0]],
    ids=type,
)
def test_nothing_can_be_added_to_a_value_of_the_engine(value: object) -> None:
    with pytest.raises(AttributeError):
        value.something = 1  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["Rules", "Kingdom", "Action", "Position", "Game", "Match", "Record"])
def test_classes_of_the_engine_are_final(name: str) -> None:
    with pytest.raises(TypeError):
        type("Derived", (getattr(kd, name),), {})


def test_changing_a_returned_collection_does_not_change_the_value() -> None:
    position, record = midgame().position, kd.Record.from_game(midgame(), tags={"event": "one"})
    before, text = position.to_text(), record.to_text()
    position.kingdoms[0].squares.clear()
    record.tags.clear()
    record.comments[0] = "changed"
    assert position.to_text() == before
    assert record.to_text() == text
    assert record.tags == {"event": "one"}


def test_games_are_mutable_and_copies_independent() -> None:
    game = midgame()
    with pytest.raises(TypeError, match="unhashable"):
        hash(game)
    for made in (copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        made.play(made.legal_actions()[0])
        assert made != game
        assert len(game.history) == 20


def test_a_match_is_copied_and_pickled_in_its_second_game() -> None:
    match = kd.Match(RULES, seed=4, dynasty="best")
    for _ in range(80):
        match.play(match.game.legal_actions()[0])
    for made in (copy.copy(match), copy.deepcopy(match), pickle.loads(pickle.dumps(match))):
        assert (made.rules, made.seed, made.dynasty) == (match.rules, match.seed, match.dynasty)
        assert made.games == match.games
        assert made.scores() == match.scores()
        assert made.position == match.position
        made.play(made.game.legal_actions()[0])
        assert made.game != match.game


def test_the_repr_of_a_match_recreates_it() -> None:
    match = kd.Match.from_games([kd.Game(seed=5)], seed=9)
    assert match != kd.Match(seed=9)
    assert eval(repr(match), dict(vars(kd))) == match


def test_a_terrain_is_equal_to_its_name() -> None:
    assert kd.Terrain.WHEAT == "wheat"  # type: ignore[comparison-overlap]
    assert f"{kd.Terrain.WHEAT}" == "wheat"
    assert {"wheat": 1}[kd.Terrain.WHEAT] == 1


@pytest.mark.parametrize(("size", "count"), [(5, 373), (7, 725)])
def test_action_numbers_are_arithmetic_over_the_frame(size: int, count: int) -> None:
    rules = kd.Rules(mighty_duel=size == 7)
    assert rules.action_count == count
    assert [kd.Action.claim(number).number(rules) for number in range(1, 49)] == list(range(48))
    assert kd.Action.discard().number(rules) == 48
    reach = size - 1
    for x, y in [(0, 0), (1, 0), (-reach, -reach), (reach, -1)]:
        for direction, (dx, dy) in enumerate([(1, 0), (0, 1), (-1, 0), (0, -1)]):
            far = (x + dx, y + dy)
            if max(map(abs, far)) <= reach:
                number = 49 + 4 * ((y + reach) * (2 * reach + 1) + x + reach) + direction
                assert kd.Action.place(((x, y), far)).number(rules) == number


@pytest.mark.parametrize("duel", [False, True])
def test_every_action_number_means_one_action_or_none(duel: bool) -> None:
    rules = kd.Rules(mighty_duel=duel)
    side = 2 * rules.size - 1
    actions = []
    for number in range(rules.action_count):
        try:
            actions.append(kd.Action.from_number(number, rules))
        except kd.KingdominoError:
            continue
        assert actions[-1].number(rules) == number
    assert len(set(actions)) == len(actions) == 48 + 1 + 4 * side * (side - 1)


# The library's face, as its contract shows it.


def test_the_interface_of_values_and_games() -> None:
    assert repr(kd.DOMINOES[16]) == "Domino(17, 'forest', 'lake')"
    domino = kd.DOMINOES[16]
    assert (domino.number, domino.left, domino.right) == (17, ("forest", 0), ("lake", 0))
    assert (domino.left.terrain, domino.left.crowns) == (kd.Terrain.FOREST, 0)
    rules = kd.Rules(
        players=2, edition="second", mighty_duel=False, harmony=True, middle_kingdom=True, opening="random"
    )
    game = kd.Game(rules, seed=7)
    assert numbers(kd.Game(rules, deck=range(1, 25)).position.line) == [1, 2, 3, 4]
    assert isinstance(game.position, kd.Position)
    assert all(isinstance(action, kd.Action) for action in game.legal_actions())
    number = game.position.line[1].domino.number
    game.play(f"claim {number}")
    game.play(game.legal_actions()[0])
    assert [action.kind for action in game.history] == ["claim", "claim"]
    game.undo()
    assert kings_on(game.position) == {number: game.opening[0]}
    assert not game.is_over
    while not game.is_over:
        game.play(game.legal_actions()[0])
    outcome = ended(game)
    assert len(outcome.scores) == len(outcome.ranking) == 2
    assert outcome.winners
    assert outcome.decided_by in ("score", "largest_territory", "crowns", "shared")


def test_the_interface_of_positions() -> None:
    position = kd.Game(seed=7).position
    assert position.to_move in (0, 1)
    assert position.phase == "claim"
    assert position.kingdoms[0] == kd.Kingdom(size=5)
    assert len(position.line) == 4
    assert position.next_line == ()
    assert position.unseen == set(kd.DOMINOES) - {slot.domino for slot in position.line}
    assert str(position).count("\n") > 1
    assert position._repr_svg_().startswith("<svg")
    assert kd.Game(seed=7)._repr_svg_().startswith("<svg")


def test_the_interface_of_kingdoms() -> None:
    kingdom = kd.Kingdom(size=5)
    assert kingdom.squares == {(0, 0): ("castle", 0)}
    kingdom = kd.Kingdom.from_squares({(1, 0): ("wheat", 1), (2, 0): ("wheat", 0)}, size=5)
    assert kingdom.squares[1, 0] == kd.Square(kd.Terrain.WHEAT, 1)
    domino = kd.DOMINOES[12]
    placement = next(one for one in kingdom.placements(domino) if one.left == (3, 0))
    assert isinstance(placement.right, tuple)
    assert kingdom.place(domino, placement).squares[3, 0] == ("wheat", 0)
    assert kingdom.squares.keys() == {(0, 0), (1, 0), (2, 0)}
    (territory,) = kingdom.territories()
    assert (territory.terrain, len(territory.squares), territory.crowns, territory.score) == (
        "wheat",
        2,
        1,
        2,
    )
    assert kingdom.score(rules=None) == kd.Score(total=2, territories=2, harmony=0, middle_kingdom=0)
    assert kingdom._repr_svg_().startswith("<svg")


def test_the_interface_of_bots_playouts_and_records() -> None:
    game = kd.Game(seed=7)
    bot = kd.bots.make("greedy")
    assert bot.choose(game.position) in game.legal_actions()
    result = kd.playouts(game.position, n=1000, policy="random", threads=2, seed=1)
    assert len(result.mean_scores) == len(result.mean_margin) == len(result.win_rates) == 2
    assert result.n == 1000
    assert kd.playouts(game.position, n=1000, policy="random", threads=1, seed=1) == result
    text = kd.Record.from_game(game).to_text()
    assert kd.Record.parse(text).replay() == game


def test_every_error_is_a_kingdomino_error_which_is_a_value_error() -> None:
    errors = [
        kd.RulesError,
        kd.IllegalActionError,
        kd.ParseError,
        kd.SetupError,
        kd.RecordError,
        kd.BotError,
        kd.ResultsError,
    ]
    assert all(issubclass(error, kd.KingdominoError) for error in errors)
    assert issubclass(kd.KingdominoError, ValueError)
    error = kd.SetupError("two faults", (kd.Fault("other", "one"), kd.Fault("other", "other")))
    assert pickle.loads(pickle.dumps(error)).faults == ("one", "other")
