"""The published players, with few playouts."""

import pickle
from collections import Counter
from threading import Event, Timer
from time import perf_counter

import pytest

import kingdomino as kd

SPECS = [
    "gprd",
    "fg",
    "mce:playouts=8",
    "mce:playout=random,playouts=40",
    "uct:playout=pg,playouts=8",
    "uct:playout=eg,playouts=8,c=1.5",
]
RULES = [
    kd.Rules(players=2),
    kd.Rules(players=3, edition="first", harmony=True),
    kd.Rules(players=4, middle_kingdom=True),
    kd.Rules(players=2, mighty_duel=True, opening="snake", middle_kingdom=True),
]


@pytest.mark.parametrize(
    ("given", "canonical"),
    [
        ("gprd:seed=3", "gprd:seed=3"),
        ("fg:seed=0", "fg"),
        ("mce", "mce"),
        ("mce:playout=fg,time=0.5", "mce:time=0.5"),
        ("mce:seed=2,playouts=100,playout=pg", "mce:playout=pg,playouts=100,seed=2"),
        ("uct:c=0.6", "uct"),
        ("uct:c=1,playout=random", "uct:playout=random,c=1.0"),
    ],
)
def test_a_spec_comes_back_in_its_canonical_form(given: str, canonical: str) -> None:
    bot = kd.bots.make(given)
    assert bot.spec == str(bot) == canonical
    assert kd.bots.make(canonical) == bot
    assert hash(kd.bots.make(canonical)) == hash(bot)
    assert pickle.loads(pickle.dumps(bot)) == bot


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("gprd:seed=-1", "bot 'gprd': seed -1 is not between 0 and"),
        ("fg:seed=18446744073709551616", "bot 'fg': seed 18446744073709551616 is not between 0 and"),
        ("mce:playout=tr", "bot 'mce': playout is 'random', 'fg', 'pg' or 'eg', not 'tr'"),
        ("mce:time=0", "bot 'mce': time is a number of seconds above 0, not 0.0"),
        ("uct:time=nan", "bot 'uct': time is a number of seconds above 0, not nan"),
        ("uct:playouts=0", "bot 'uct': playouts are a whole number from 1, not 0"),
        ("uct:c=-1", "bot 'uct': c is a number from 0 to 1000, not -1.0"),
        ("uct:c=nan", "bot 'uct': c is a number from 0 to 1000, not nan"),
        ("mce:c=1", "bot 'mce' has no option 'c'"),
    ],
)
def test_what_cannot_be_is_refused(spec: str, said: str) -> None:
    with pytest.raises(kd.BotError) as error:
        kd.bots.make(spec)
    assert said in str(error.value)


@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("spec", SPECS)
def test_games_are_played_to_their_end_by_position_and_seed(rules: kd.Rules, spec: str) -> None:
    game, bot, twin = kd.Game(rules, seed=5), kd.bots.make(spec, seed=1), kd.bots.make(spec, seed=1)
    while not game.is_over:
        action = bot.choose(game.position)
        assert twin.choose(game.position) == action
        game.play(action)


@pytest.mark.parametrize("spec", SPECS)
def test_a_shuffled_deck_changes_no_choice(spec: str) -> None:
    deck = list(range(1, 49))
    plain = kd.Game(kd.Rules(players=4), deck=deck, seed=3)
    shuffled = kd.Game(kd.Rules(players=4), deck=deck[:8] + deck[:7:-1], seed=3)
    bot = kd.bots.make(spec)
    while plain.position.round < 2 and plain.position == shuffled.position:
        action = bot.choose(plain.position)
        assert bot.choose(shuffled.position) == action
        plain.play(action)
        shuffled.play(action)
    assert plain.position != shuffled.position


@pytest.mark.parametrize("name", ["mce", "uct"])
def test_a_search_that_is_stopped_answers_at_once(name: str) -> None:
    position = kd.Game(kd.Rules(players=4), seed=2).position
    bot = kd.bots.make(name)
    stop = Event()
    Timer(0.05, stop.set).start()
    began = perf_counter()
    action = bot.choose_within(position, kd.bots.Limit(time=60), stop)
    assert perf_counter() - began < 5
    assert action in position.legal_actions()


def _most_crowns(domino: kd.Domino) -> int:
    return max(domino.left.crowns, domino.right.crowns)


@pytest.mark.parametrize("spec", ["gprd", "fg"])
def test_the_first_claim_goes_to_the_most_crowns_on_one_square(spec: str) -> None:
    for seed in range(20):
        position = kd.Game(seed=seed).position
        chosen = kd.bots.make(spec).choose(position).domino
        assert chosen is not None
        assert _most_crowns(chosen) == max(_most_crowns(slot.domino) for slot in position.line)


def test_among_equals_chance_decides() -> None:
    game = kd.Game(seed=1)
    while game.position.phase == "claim":
        game.play(game.legal_actions()[0])
    placements = Counter(str(kd.bots.PolicyBot("fg", seed).choose(game.position)) for seed in range(50))
    assert len(placements) > 10
