"""One game: wins, ties, losses by default, and the record."""

from dataclasses import replace

import pytest
from support.bad_bots import Deadly, Illegal, Misnamed, Raising, Unprintable, Unspeakable
from support.outcomes import ended, totals
from support.plans import plan_of, without_clocks

import kingdomino as kd
from kingdomino.arena import play as arena_play
from kingdomino.arena import store
from kingdomino.arena.plan import Plan, canonical
from kingdomino.arena.play import Forfeit, Played, Void, load_modules, play
from kingdomino.arena.results import Deals
from kingdomino.arena.schedule import schedule
from kingdomino.arena.statistics import margin, share
from kingdomino.bots.registry import Registry


@pytest.fixture
def _bad_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    registry = Registry(
        {
            "greedy": kd.bots.policies.greedy,
            "random": lambda seed=0: kd.bots.PolicyBot("random", seed),
            "raising": Raising,
            "illegal": Illegal,
            "misnamed": Misnamed,
            "unspeakable": Unspeakable,
            "unprintable": Unprintable,
            "deadly": Deadly,
        }
    )
    monkeypatch.setattr(kd.bots, "make", registry.make)


def first_game(plan: Plan) -> Played:
    return play(plan, next(schedule(plan)))


def test_a_game_is_the_same_whenever_it_is_played() -> None:
    plan = plan_of("greedy", "random")
    assert without_clocks([first_game(plan)]) == without_clocks([first_game(plan)])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_result_agrees_with_its_record(players: int) -> None:
    plan = plan_of(*["greedy", *["random"] * (players - 1)], players=players)
    for fixture in schedule(plan):
        game = play(plan, fixture)
        outcome = ended(game.record.replay())
        assert game.scores == totals(outcome)
        assert sum(game.shares) == pytest.approx(1)
        assert (
            game.ranking[0] == outcome.winners == tuple(seat for seat in range(players) if game.shares[seat])
        )
        assert [seat for place in game.ranking for seat in place] == list(outcome.ranking)
        assert [clock.decisions for clock in game.clocks] == [
            len(game.record.actions()) // players for _ in range(players)
        ]


def test_a_record_names_the_bots_their_seeds_and_its_run() -> None:
    plan = plan_of("greedy", "random")
    record = first_game(plan).record
    assert record.players == ("greedy", "random")
    bots = {"bot-0": "greedy", "bot-1": f"random:seed={kd.derive_seed(7, 'bot random', 1)}"}
    assert record.tags == {"arena": "a plan", "block": "0", "rotation": "0"} | bots
    assert record.seed == kd.derive_seed(7, "deal", 0)


def test_a_seed_in_a_spec_is_kept() -> None:
    assert first_game(plan_of("random:seed=3", "random")).record.tags["bot-0"] == "random:seed=3"


def test_a_bot_with_seed_0_chooses_alike_in_every_block() -> None:
    plan = plan_of("random:seed=0", "random", blocks=2)
    plan = replace(plan, bots=canonical(plan.bots))
    for fixture in schedule(plan):
        record = play(plan, fixture).record
        seat = [entrant.name for entrant in fixture.seats].index("random:seed=0")
        again, game = kd.bots.make(record.tags[kd.bots.record_tag(seat)]), record.replay()
        for _ in record.actions():
            action = game.undo()
            if game.position.to_move == seat:
                assert again.choose(game.position) == action


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_bot_against_itself_comes_out_even_in_every_block(players: int) -> None:
    plan = plan_of(*["random"] * players, players=players)
    deals = Deals(plan, [play(plan, fixture) for fixture in schedule(plan)])
    for block in deals.blocks(deals.settled(), 0):
        for bot in (entrant.name for entrant in plan.bots):
            sat = [(game, game.bots.index(bot)) for game in block.games]
            assert sum(share(game, seat) for game, seat in sat) == pytest.approx(1)
            if players == 2:
                assert sum(margin(game, seat) for game, seat in sat) == 0


def test_the_first_decision_of_a_bot_is_the_same_against_every_opponent() -> None:
    """Check that the first decision depends only on the deal and the bot's random numbers."""
    plan = plan_of("random", "greedy", "random:seed=3", blocks=8)
    firsts: dict[tuple[int, int], set[str]] = {}
    for fixture in schedule(plan):
        record = play(plan, fixture).record
        seat = record.replay().opening[0]
        if fixture.seats[seat].name == "random":
            firsts.setdefault((fixture.block, seat), set()).add(str(record.actions()[0]))
    assert firsts
    assert all(len(actions) == 1 for actions in firsts.values())


@pytest.mark.usefixtures("_bad_bots")
@pytest.mark.parametrize(
    ("bot", "reason"),
    [
        ("raising", "RuntimeError: out of ideas"),
        ("illegal", "IllegalActionError: "),
        ("unknown", "BotError: no bot 'unknown'"),
        ("misnamed", r"BotError: bot 'misnamed': its spec is 'mis\nnamed' and not one line of text"),
        ("unspeakable", "UnspeakableError"),
        ("unprintable", "RuntimeError: \N{REPLACEMENT CHARACTER}[2J\N{REPLACEMENT CHARACTER}"),
    ],
)
def test_a_bot_that_fails_loses_that_game_by_default(bot: str, reason: str) -> None:
    game = first_game(plan_of("greedy", "random", bot, players=3))
    assert game.forfeit is not None
    assert game.forfeit.seat == 2
    assert game.forfeit.reason.startswith(reason)
    assert store.to_line(arena_play.to_mapping(game))
    assert game.shares == (0.5, 0.5, 0)
    assert game.ranking == ((0, 1), (2,))
    assert game.scores[2] == 0
    assert game.record.outcome() is None
    assert not game.record.replay().is_over


@pytest.mark.usefixtures("_bad_bots")
def test_games_of_every_kind_survive_being_written_down() -> None:
    plan = plan_of("greedy", "raising")
    fixture = next(schedule(plan))
    whole = first_game(plan_of("greedy", "random"))
    forfeited = first_game(plan)
    assert isinstance(forfeited.forfeit, Forfeit)
    struck = replace(whole, strikes=(("it answered late", "it answered nonsense"), ()))
    for game in (whole, forfeited, struck, Void(fixture, "it died")):
        assert arena_play.from_mapping(arena_play.to_mapping(game), game.fixture) == game


def test_a_module_that_cannot_be_imported_is_named() -> None:
    with pytest.raises(kd.ArenaError, match="'no_such_bots' cannot be imported"):
        load_modules(plan_of("greedy", "random", modules=("no_such_bots",)))


@pytest.mark.parametrize("name", ["mine", "greedy-new", "greedy new", "greedy 2b"])
def test_a_bot_with_a_name_has_it_in_the_records(name: str) -> None:
    plan = plan_of("greedy", "random")
    mine = replace(plan.bots[0], name=name)
    game = first_game(replace(plan, bots=(mine, plan.bots[1])))
    seat = next(seat for seat, entrant in enumerate(game.fixture.seats) if entrant.name == name)
    assert game.record.players[seat] == name
    assert game.record.players[1 - seat] == "random"
    assert game.record.tags[f"bot-{seat}"] == "greedy"
