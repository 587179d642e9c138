"""The bots, and the spec strings that name them."""

import random
import threading
from contextlib import suppress
from functools import partial

import pytest
from hypothesis import given
from hypothesis.strategies import from_regex, text

import kingdomino as kd
from kingdomino.bots.registry import Registry


class Lowest(kd.bots.Bot):
    """A bot from outside the package: the first legal action."""

    def __init__(
        self, depth: int = 1, share: float | None = None, loud: bool = False, label: str = "-"
    ) -> None:
        if depth > 9:
            raise ValueError("depth is at most 9")
        self.options = depth, share, loud, label

    @property
    def spec(self) -> str:
        return "lowest"

    def choose(self, position: kd.Position) -> kd.Action:
        return position.legal_actions()[0]


@pytest.fixture
def registry() -> Registry:
    """Return a registry of two of our bots and one outside bot."""
    registry = Registry({"greedy": kd.bots.policies.greedy, "random": partial(kd.bots.PolicyBot, "random")})
    registry.register("lowest", Lowest)
    return registry


@pytest.mark.parametrize(
    ("given", "canonical"),
    [
        ("random:seed=3", "random:seed=3"),
        ("random:seed=0", "random"),
        (" random : seed = 007 ", "random:seed=7"),
        ("random:seed=18446744073709551615", "random:seed=18446744073709551615"),
    ],
)
def test_a_bot_gives_its_canonical_spec_back(given: str, canonical: str) -> None:
    bot = kd.bots.make(given)
    assert bot.spec == canonical
    assert kd.bots.make(bot.spec) == bot
    assert hash(kd.bots.make(bot.spec)) == hash(bot)


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("gredy", ["no bot 'gredy'", "did you mean 'greedy'?", "'greedy', 'king'"]),
        (
            "zzz",
            ["no bot 'zzz'; the bots are 'engine', 'fg', 'gprd', 'greedy', 'king', 'mce', 'random', 'uct'"],
        ),
        ("random:sed=3", ["no option 'sed'", "did you mean 'seed'?", "its options are 'seed'"]),
        ("greedy:seed=3", ["no option 'seed'", "it has none"]),
        ("random:seed=three", ["'seed' must be a whole number, not 'three'"]),
        ("random:seed=1.5", ["'seed' must be a whole number, not '1.5'"]),
        ("random:seed=-1", ["seed -1 is not between 0 and 2**64 - 1"]),
        ("random:seed=18446744073709551616", ["is not between 0 and 2**64 - 1"]),
        ("random:seed=1,seed=2", ["option 'seed' is given twice"]),
        ("random:", ["'' is not an option"]),
        ("random:seed", ["'seed' is not an option"]),
        ("random:seed=", ["'seed=' is not an option"]),
        ("", ["not a bot: ''"]),
        ("Greedy", ["not a bot: 'Greedy'"]),
        ("greedy random", ["not a bot: 'greedy random'"]),
    ],
)
def test_the_error_for_a_wrong_spec_lists_the_options(spec: str, said: list[str]) -> None:
    with pytest.raises(kd.BotError) as error:
        kd.bots.make(spec)
    for words in said:
        assert words in str(error.value)


@given(text() | from_regex(r"(greedy|random):[a-z]*=[0-9.,a-z=]*", fullmatch=True))
def test_any_spec_is_made_or_refused(spec: str) -> None:
    with suppress(kd.BotError):
        bot = kd.bots.make(spec)
        assert kd.bots.make(bot.spec) == bot


@pytest.mark.parametrize("spec", [5, "", "mis\nnamed", "lowest "])
def test_a_spec_is_one_line_of_text(registry: Registry, spec: object) -> None:
    registry.register("misnamed", type("Misnamed", (Lowest,), {"spec": spec}))
    with pytest.raises(kd.BotError, match=r"bot 'misnamed': its spec is .* and not one line of text"):
        registry.make("misnamed")


def test_a_list_of_specs_is_split_between_bots_not_between_their_options() -> None:
    def specs(text: str) -> list[str]:
        return [entrant.spec for entrant in kd.bots.specs(text)]

    assert specs("greedy") == ["greedy"]
    assert specs("greedy, random:seed=3,greedy") == ["greedy", "random:seed=3", "greedy"]
    assert specs("mcts:time=0.5,seed=3,greedy") == ["mcts:time=0.5,seed=3", "greedy"]
    assert specs("greedy,,random") == ["greedy", "", "random"]
    assert specs("mce:playouts=9,playout=fg,fg") == ["mce:playouts=9,playout=fg", "fg"]
    assert specs("engine:command=x y,time=1,greedy") == ["engine:command=x y,time=1", "greedy"]


def test_bots_in_a_list_may_have_names() -> None:
    named = kd.bots.NamedSpec
    assert kd.bots.specs("mine=engine:command=./bot --fast,time=1,a=king:time=0.1") == [
        named("engine:command=./bot --fast,time=1", "mine"),
        named("king:time=0.1", "a"),
    ]
    assert kd.bots.specs("greedy, The Old One = greedy") == [named("greedy"), named("greedy", "The Old One")]
    with pytest.raises(kd.BotError, match="two bots are called 'a'"):
        kd.bots.specs("a=greedy,a=random")


def test_a_seed_is_for_bots_whose_spec_leaves_it_open() -> None:
    assert kd.bots.make("random", seed=5).spec == "random:seed=5"
    assert kd.bots.make("random:seed=3", seed=5).spec == "random:seed=3"


def test_a_registered_bot_reads_its_options_by_their_types(registry: Registry) -> None:
    assert registry.names() == ("greedy", "lowest", "random")
    made = registry.make("lowest:depth=2,share=0.5,loud=true,label=x", seed=5)
    assert isinstance(made, Lowest)
    assert made.options == (2, 0.5, True, "x")
    for wrong in ("share=much", "loud=yes", "depth=10"):
        with pytest.raises(kd.BotError, match=wrong.partition("=")[0]):
            registry.make(f"lowest:{wrong}")


def test_a_name_is_taken_only_on_purpose(registry: Registry) -> None:
    with pytest.raises(kd.BotError, match="there is already a bot 'greedy'"):
        registry.register("greedy", Lowest)
    assert registry.make("greedy") == kd.bots.PolicyBot("greedy")
    registry.register("greedy", Lowest, replace=True)
    assert isinstance(registry.make("greedy"), Lowest)
    assert kd.bots.make("greedy") == kd.bots.PolicyBot("greedy")


def test_a_bot_that_no_spec_string_can_name_is_not_registered(registry: Registry) -> None:
    def needs_more(depth: int) -> kd.bots.Bot:
        return kd.bots.PolicyBot("random", depth)

    before = registry.names()
    for name in ("", "Mine", "a:b=c", "a,b", " mine"):
        with pytest.raises(kd.BotError):
            registry.register(name, Lowest)
    with pytest.raises(kd.BotError, match="option 'depth' has no default"):
        registry.register("more", needs_more)
    with pytest.raises(kd.BotError, match="its factory cannot be read"):
        registry.register("unreadable", dict)  # type: ignore[arg-type]
    assert registry.names() == before


def test_a_factory_need_not_be_hashable(registry: Registry) -> None:
    class Cautious:
        __hash__ = None  # type: ignore[assignment]

        def __call__(self, seed: int = 0) -> kd.bots.Bot:
            return kd.bots.PolicyBot("random", seed)

    registry.register("cautious", Cautious())
    assert registry.make("cautious:seed=3") == kd.bots.PolicyBot("random", 3)


def test_a_factory_that_makes_no_bot_is_reported(registry: Registry) -> None:
    registry.register("broken", lambda: object())  # type: ignore[arg-type,return-value]
    with pytest.raises(kd.BotError, match=r"does not derive from kd\.bots\.Bot"):
        registry.make("broken")


def test_every_bot_can_be_asked_and_closed_in_the_same_way() -> None:
    position, limit = kd.Game(seed=7).position, kd.bots.Limit(playouts=1)
    for name in set(kd.bots.names()) - {"engine"}:
        with kd.bots.make(name) as bot:
            assert bot.choose_within(position, limit, threading.Event()) in position.legal_actions()
            if not bot.follows_its_analyses:
                with pytest.raises(
                    kd.BotError, match=f"bot '{name}' does not analyse positions; 'king' does"
                ):
                    bot.analyse(position)


@pytest.mark.parametrize("name", ["greedy", "random"])
@pytest.mark.parametrize(
    "rules", [kd.Rules(), kd.Rules(2, mighty_duel=True), kd.Rules(3, "first"), kd.Rules(4)]
)
def test_a_choice_is_legal_and_depends_on_position_and_seed_alone(name: str, rules: kd.Rules) -> None:
    game, bot = kd.Game(rules, seed=7), kd.bots.make(name, seed=11)
    generator = random.getstate()
    while not game.is_over:
        action = bot.choose(game.position)
        assert action in game.legal_actions()
        assert kd.bots.make(bot.spec).choose(kd.Position.parse(game.position.to_text())) == action
        game.play(action)
    assert random.getstate() == generator


def test_other_seeds_choose_other_actions() -> None:
    position = kd.Game(seed=7).position
    assert len({kd.bots.PolicyBot("random", seed).choose(position) for seed in range(50)}) == 4


def test_a_bot_has_nothing_to_choose_when_the_game_is_over() -> None:
    game = kd.Game(seed=7)
    while not game.is_over:
        game.play(game.legal_actions()[0])
    for name in kd.bots.names():
        with pytest.raises(kd.KingdominoError):
            kd.bots.make(name).choose(game.position)


def test_a_bot_has_nothing_to_choose_where_a_line_is_due() -> None:
    position = kd.Game(seed=7).position
    while position.phase != "chance":
        position = position.play(position.legal_actions()[0])
    for spec in ("random", "greedy", "fg", "mce:playouts=1", "king:level=3", "king:playouts=1"):
        with pytest.raises(kd.KingdominoError, match="no seat is to move"):
            kd.bots.make(spec).choose(position)
