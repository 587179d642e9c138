"""Bad input: unknown numbers, impossible values, values of the wrong type."""

import inspect
import re
from collections.abc import Callable
from typing import Any

import pytest
from support.setups import BEGUN, DECK_IN_ORDER, HUGE

import kingdomino as kd

POSITION = kd.Position.parse(BEGUN)


@pytest.mark.parametrize("number", [0, 49, -1, HUGE, -HUGE, 256 + 17])
@pytest.mark.parametrize(
    "use",
    [
        kd.Kingdom().placements,
        lambda number: kd.Kingdom().place(number, ((1, 0), (2, 0))),
        lambda number: kd.Kingdom().refusal(number, ((1, 0), (2, 0))),
        kd.Action.claim,
        lambda number: kd.Game(deck=[number, *DECK_IN_ORDER[1:]]),
    ],
    ids=["placements", "place", "refusal", "claim", "deck"],
)
def test_a_domino_that_does_not_exist_is_named(use: Callable[[int], object], number: int) -> None:
    with pytest.raises(kd.KingdominoError, match=str(number)):
        use(number)


def test_a_domino_outside_the_48_is_refused() -> None:
    with pytest.raises(kd.KingdominoError, match="not one of the 48"):
        kd.Kingdom().placements(kd.Domino(17, "wheat 3", "mine 3"))


@pytest.mark.parametrize("seat", [-1, 2, HUGE])
def test_a_seat_that_does_not_exist_is_named(seat: int) -> None:
    with pytest.raises(kd.KingdominoError, match=str(seat)):
        kd.Game(seed=1).layout(seat)


@pytest.mark.parametrize("seed", [-1, 2**64, HUGE])
def test_a_seed_that_cannot_be_is_named(seed: int) -> None:
    for use in (
        lambda: kd.Game(seed=seed),
        lambda: kd.Match(seed=seed),
        lambda: kd.Game.from_position(POSITION, seed),
        lambda: kd.playouts(POSITION, n=1, seed=seed),
        lambda: kd.bots.choose(POSITION, "random", seed),
    ):
        with pytest.raises(kd.KingdominoError, match=str(seed)):
            use()


def test_a_placement_far_out_is_refused_and_no_overflow() -> None:
    kingdom = kd.Kingdom()
    for far in (9, 127, 128, 1000, 2**31, 2**63, HUGE):
        for placement in (((far, 0), (far + 1, 0)), ((0, -far), (0, -far - 1))):
            with pytest.raises(kd.KingdominoError):
                kingdom.place(1, placement)


@pytest.mark.parametrize("n", [0, -1, HUGE])
def test_an_impossible_number_of_playouts_is_named(n: int) -> None:
    with pytest.raises(kd.KingdominoError, match=str(n)):
        kd.playouts(POSITION, n=n)


@pytest.mark.parametrize("threads", [0, -1, HUGE])
def test_an_impossible_number_of_threads_is_named(threads: int) -> None:
    with pytest.raises(kd.KingdominoError, match=str(threads)):
        kd.playouts(POSITION, n=1, threads=threads)


def test_the_error_for_an_unknown_policy_lists_the_known_ones() -> None:
    for use in (lambda: kd.playouts(POSITION, policy="gredy"), lambda: kd.bots.choose(POSITION, "gredy", 1)):  # type: ignore[arg-type]
        with pytest.raises(kd.KingdominoError, match=r"gredy.*gprd or fg"):
            use()


@pytest.mark.parametrize(
    ("player", "options", "said"),
    [
        ("mcts", {}, "mcts.*mce or uct"),
        ("mce", {"playout": "tr"}, "tr.*random, fg, pg or eg"),
        ("uct", {"exploration": -1.0}, "-1.0 is not an exploration"),
        ("uct", {"exploration": float("nan")}, "nan is not an exploration"),
        ("mce", {"time": -1.0}, "-1.0 is not a time"),
        ("mce", {"playouts": 0}, "0 is not a number of playouts"),
        ("mce", {"seed": -1}, "-1 is not a seed"),
    ],
)
def test_the_error_for_a_bad_option_of_a_published_search_names_it(
    player: str, options: dict[str, Any], said: str
) -> None:
    with pytest.raises(kd.KingdominoError, match=said):
        kd.bots.choose_by_playouts(POSITION, player, **{"playouts": 1} | options)  # type: ignore[arg-type]


@pytest.mark.parametrize("numbers", [range(10**15), range(2**62), range(2**100)])
def test_a_sequence_that_is_longer_than_the_memory_is_refused(numbers: range) -> None:
    for use in (
        lambda: kd.Game(deck=numbers),
        lambda: kd.Game(opening=numbers),
        lambda: POSITION.reveal(numbers),
    ):
        with pytest.raises(kd.KingdominoError, match="is too long"):
            use()


@pytest.mark.parametrize("depth", [-1, -HUGE])
def test_a_depth_that_cannot_be_is_named(depth: int) -> None:
    with pytest.raises(kd.KingdominoError, match=str(depth)):
        kd.perft(kd.Game(seed=1), depth)


def test_a_match_has_at_least_one_game_and_a_known_way_to_count() -> None:
    for games in (0, -1):
        with pytest.raises(kd.KingdominoError, match=str(games)):
            kd.Match(games=games)
    with pytest.raises(kd.KingdominoError, match=r"most.*total or best"):
        kd.Match(dynasty="most")  # type: ignore[arg-type]


def test_an_unknown_bot_is_named() -> None:
    with pytest.raises(kd.BotError, match="gredy"):
        kd.bots.make("gredy")


# Small values


@pytest.mark.parametrize(
    "text", ["", "lava", "wheat x", "wheat 1 1", "1", "wheat -1", "mine 4", "wheat 1.0", "castle"]
)
def test_a_text_that_is_no_end_of_a_domino_cannot_be_read(text: str) -> None:
    with pytest.raises(kd.ParseError, match=re.escape(repr(text))):
        kd.End.parse(text)


@pytest.mark.parametrize("text", ["", "1,0", "1,0>2,0>3,0", "a,b>c,d", "1_0,0>2,0"])
def test_a_text_that_is_no_placement_cannot_be_read(text: str) -> None:
    with pytest.raises(kd.ParseError, match=re.escape(repr(text))):
        kd.Placement.parse(text)


@pytest.mark.parametrize("name", ["lava", "", "wheatt"])
def test_a_terrain_that_does_not_exist_is_named(name: str) -> None:
    with pytest.raises(kd.KingdominoError, match=f"{name!r}"):
        kd.Terrain(name)


# Values of the wrong kind


@pytest.mark.parametrize("number", [True, False, 1.0, 17.0])
def test_a_truth_or_a_fraction_is_no_number_of_a_domino(number: float) -> None:
    with pytest.raises((TypeError, kd.KingdominoError)):
        kd.Kingdom().placements(number)  # type: ignore[arg-type]
    with pytest.raises((TypeError, kd.KingdominoError)):
        kd.Game(seed=number)  # type: ignore[arg-type]


UNTYPED: Any = kd


@pytest.mark.parametrize(
    ("use", "said", "argument"),
    [
        (lambda: UNTYPED.Rules(players="two"), "'two' is not a whole number", "players"),
        (lambda: UNTYPED.Rules(players=2.5), "2.5 is not a whole number", "players"),
        (lambda: UNTYPED.Rules(edition=2), "2 is not a string", "edition"),
        (lambda: UNTYPED.Rules(harmony="yes"), "'yes' is neither True nor False", "harmony"),
        (lambda: UNTYPED.Game(deck="abc"), "'abc' is not a sequence (like a list)", "deck"),
        (lambda: UNTYPED.Game(opening=1), "1 is not a sequence (like a list)", "opening"),
        (lambda: POSITION.reveal(UNTYPED), f"{UNTYPED!r:.60}… is not a sequence (like a list)", "line"),
        (lambda: UNTYPED.Match.from_games(1), "1 is not a sequence (like a list)", "games"),
        (
            lambda: UNTYPED.Record.from_game(kd.Game(seed=1), "ab"),
            "'ab' is not a sequence (like a list)",
            "players",
        ),
        (
            lambda: UNTYPED.Record.from_game(kd.Game(seed=1), hidden=0),
            "0 is neither True nor False",
            "hidden",
        ),
        (lambda: UNTYPED.Search(POSITION).run(time="soon"), "'soon' is not a number", "time"),
        (lambda: UNTYPED.bots.choose(POSITION, "tuned", 1, noise="much"), "'much' is not a number", "noise"),
    ],
)
def test_a_value_of_the_wrong_kind_is_shown_and_its_argument_named(
    use: Callable[[], object], said: str, argument: str
) -> None:
    with pytest.raises(TypeError, match=re.escape(said)) as error:
        use()
    assert any(f"'{argument}'" in note for note in error.value.__notes__)


@pytest.mark.parametrize("make", [kd.Rules, kd.Game, kd.Match, kd.Kingdom])
def test_an_unknown_argument_is_named_with_the_known_ones(make: type) -> None:
    known = str(inspect.signature(make))
    expected = f"{make.__name__} has no argument 'colour': {make.__name__}{known}"
    with pytest.raises(TypeError, match=re.escape(expected)):
        make(colour="red")


def test_a_search_names_an_unknown_argument() -> None:
    with pytest.raises(TypeError, match=r"Search has no argument 'time': Search\(position, seed=0, "):
        UNTYPED.Search(POSITION, time=1)


@pytest.mark.parametrize("index", [99, -99, HUGE, -HUGE])
def test_an_action_beyond_the_last_is_an_index_error(index: int) -> None:
    with pytest.raises(IndexError, match=f"there is no action {index}"):
        POSITION.legal_actions()[index]


def test_an_index_that_is_not_a_number_is_a_type_error() -> None:
    actions: Any = POSITION.legal_actions()
    with pytest.raises(TypeError, match="'first' is neither an index nor a slice"):
        actions["first"]
