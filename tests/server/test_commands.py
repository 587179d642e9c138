"""Commands and state: a table is the result of replaying its log, on the server and in a client."""

import json
import random
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Literal, NamedTuple, get_args

import pytest
from pydantic_core import to_json
from support.node import reduced_steps
from support.nonces import nonce_of, promised

import kingdomino as kd
from kingdomino.server.storage import Entry
from kingdomino.server.tables.core import events
from kingdomino.server.tables.core.commands import Transaction, created
from kingdomino.server.tables.core.refusals import Refusal, read_actions
from kingdomino.server.tables.core.snapshot import Table, snapshot
from kingdomino.server.tables.core.state import Seat, State

ALL_RULES = [
    kd.Rules(2),
    kd.Rules(2, opening="snake", harmony=True, middle_kingdom=True),
    kd.Rules(2, mighty_duel=True),
    kd.Rules(3, "first"),
    kd.Rules(3, "second", harmony=True),
    kd.Rules(4, middle_kingdom=True),
]
TABLE = "q3v7n2kd8wjm"
WHEN = 1795000000000
PEOPLE = [Seat("person", "Ida", user="ida"), Seat("bot", "Bramble", "greedy")]


class Step(NamedTuple):
    """The result of one command."""

    entries: Sequence[Entry]
    state: State


class Log:
    """A table that executes commands like a mailbox, but stores nothing."""

    def __init__(
        self,
        rules: kd.Rules,
        seats: Sequence[Seat] = (),
        *,
        dynasty: events.Dynasty | None = None,
        seconds: int | None = None,
        public: bool = False,
    ) -> None:
        self.state, self.at = State(TABLE), WHEN
        self.steps: list[Step] = []
        self.seats = [*seats, *(Seat("bot", f"Bot {n}", "greedy") for n in range(len(seats), rules.players))]
        users = {seat: entry.user for seat, entry in enumerate(self.seats) if entry.user}
        table = created(rules, dynasty, seconds, public, self.seats, "ida", WHEN + 1000)
        with self as transaction:
            digests = {seat: entry.digest for seat, entry in enumerate(self.seats) if entry.digest}
            secret = events.CreatedSecret(host="ida", users=users, code="amber otter gate", digests=digests)
            transaction.create(table, secret)

    def __enter__(self) -> Transaction:
        self.at += 1000
        left = self.state.turn.left if self.state.turn else None
        self.transaction = Transaction(self.state, self.at, left)
        return self.transaction

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self.state = self.transaction.state
            self.steps.append(Step(self.transaction.entries, self.state))

    @property
    def events(self) -> list[dict[str, Any]]:
        return [json.loads(entry.body) for step in self.steps for entry in step.entries]

    def draw(self, chance: random.Random) -> None:
        """Send most of the promised nonces."""
        game = self.state.game_number + 1
        for seat, digest in enumerate(self.state.digests):
            if digest is not None and self.state.stage == "drawing" and chance.random() < 0.8:
                with self as transaction:
                    transaction.give_nonce([seat], game, nonce_of(seat, game))
        if self.state.stage == "drawing":
            with self as transaction:
                transaction.deal()

    def turn(self, chance: random.Random) -> None:
        """Play a turn, or the first half of one."""
        state = self.state
        game = kd.Game.from_position(state.position, seed=chance.getrandbits(32))
        mover, actions = game.position.to_move, list[kd.Action]()
        while game.position.to_move == mover and len(actions) < 2:
            action = chance.choice(game.legal_actions())
            if actions and (action.kind != "claim" or chance.random() < 0.3):
                break
            actions.append(action)
            if game.position.phase == "claim":
                break
            game.play(action)
        with self as transaction:
            transaction.act(state.ply, actions, chance.choice(["person", "bot", "stand-in"]))


@cache
def _recorded(rules: kd.Rules, seed: int) -> Log:
    """Record the whole life of a table: people come and go, and each possible command occurs at some time."""
    chance = random.Random(seed)
    seats = [
        Seat("person", "Ida", user="ida", digest=promised(0)),
        Seat(chance.choice(["invited", "open", "person", "bot"]), bot="greedy"),
    ]
    log = Log(
        rules,
        seats,
        dynasty=chance.choice([None, None, "total", "best"]),
        seconds=chance.choice([None, 60]),
        public=chance.random() < 0.5,
    )
    if log.state.stage == "waiting":
        if chance.random() < 0.5:
            for entry in (Seat("person", "Oskar", user="oskar"), Seat("open")):
                with log as transaction:
                    transaction.seat(0, entry)
        if chance.random() < 0.1:
            with log as transaction:
                transaction.close("host")
            return log
    for seat, entry in enumerate(log.state.seats):
        if entry.is_free:
            with log as transaction:
                transaction.seat(
                    seat, Seat("person", f"Guest {seat}", user=f"guest {seat}", digest=promised(seat))
                )
    log.draw(chance)
    while log.state.stage != "over":
        if log.state.stage == "between":
            with log as transaction:
                transaction.draw()
            log.draw(chance)
        if chance.random() < 0.1:
            seat = chance.randrange(rules.players)
            with log as transaction:
                if log.state.seats[seat].away:
                    transaction.return_to(seat)
                else:
                    transaction.leave(seat, chance.choice(["left", "time", "absent"]))
        if chance.random() < 0.1 and log.state.turn:
            with log as transaction:
                transaction.hint(log.state.ply)
        log.turn(chance)
    wishes: list[tuple[Literal["end", "rematch"], bool]] = [
        ("end", True),
        ("rematch", True),
        ("rematch", False),
    ]
    for what, yes in [*wishes, ("end", False)]:
        with log as transaction:
            transaction.wish(chance.randrange(rules.players), what, yes)
    with log as transaction:
        transaction.set_rematch("m" * 12)
    return log


def shown(state: State) -> Table:
    """Return the snapshot of a table at the moment of its last turn."""
    return snapshot(state, state.turn.left if state.turn else None)


def replayed(entries: Sequence[Entry]) -> Iterator[State]:
    """Yield the state after every entry, as a restarted server does."""
    state = State(TABLE)
    for entry in entries:
        state.apply(events.read(entry.body), entry.body, events.read_secret(entry.kind, entry.secret))
        yield state.copy()


every_life = pytest.mark.parametrize("rules", ALL_RULES, ids=kd.Rules.to_text)
LIVES = range(2)


def lives(rules: kd.Rules) -> list[Log]:
    """Return some recorded lives of a table, made once for all tests."""
    return [_recorded(rules, seed) for seed in LIVES]


@every_life
def test_replaying_a_log_gives_the_same_state_after_every_command(rules: kd.Rules) -> None:
    for log in lives(rules):
        states = replayed([entry for step in log.steps for entry in step.entries])
        for step in log.steps:
            for _ in step.entries:
                state = next(states)
            assert state == step.state
            assert shown(state) == shown(step.state)


def closed(rules: kd.Rules) -> Log:
    """Return the log of a table that its host closes before the game begins."""
    log = Log(rules, [Seat("person", "Ida", user="ida"), Seat("open")])
    with log as transaction:
        transaction.close("host")
    return log


@every_life
def test_the_browser_makes_the_same_table_of_the_events_after_every_command(rules: kd.Rules) -> None:
    logs = [*lives(rules), closed(rules)]
    steps = [[[json.loads(entry.body) for entry in step.entries] for step in log.steps] for log in logs]
    tables = reduced_steps([(TABLE, each) for each in steps])
    for log, told in zip(logs, tables, strict=True):
        assert told == [json.loads(to_json(shown(step.state))) for step in log.steps]


def test_the_lives_of_the_tables_have_every_kind_of_event() -> None:
    union, _ = get_args(events.TableEvent)
    logs = [log for rules in ALL_RULES for log in [*lives(rules), closed(rules)]]
    kinds = {entry.kind for log in logs for step in log.steps for entry in step.entries}
    assert kinds == {event.model_fields["kind"].default for event in get_args(union)}


@every_life
def test_events_and_plies_are_counted_without_a_gap(rules: kd.Rules) -> None:
    for log in lives(rules):
        entries = [entry for step in log.steps for entry in step.entries]
        assert [entry.number for entry in entries] == list(range(1, len(entries) + 1))
        plies = [entry.ply for entry in entries if entry.ply is not None]
        assert plies == list(range(len(plies)))
        for entry in entries:
            event = json.loads(entry.body)
            assert (event["number"], event["at"], event["kind"]) == (entry.number, entry.at, entry.kind)
            assert entry.ply == (None if entry.kind == "hinted" else event.get("ply")), (
                "a hint decides nothing"
            )


@every_life
def test_only_the_secret_the_host_the_code_the_users_and_their_digests_are_kept_apart(
    rules: kd.Rules,
) -> None:
    for log in lives(rules):
        for entry in (entry for step in log.steps for entry in step.entries):
            secret = set(json.loads(entry.secret)) if entry.secret else None
            kept = {
                "created": {"host", "users", "code", "digests"},
                "seated": {"user", "digest"},
                "committed": {"secret"},
            }
            assert secret == kept.get(entry.kind)


@every_life
def test_every_event_and_every_snapshot_has_the_fields_that_are_documented(rules: kd.Rules) -> None:
    for log in lives(rules):
        for event in log.events:
            assert events.read(json.dumps(event)).model_dump(mode="json") == event
        for step in log.steps:
            table = shown(step.state)
            assert Table.model_validate_json(table.model_dump_json(), strict=True) == table


@every_life
def test_a_copied_state_is_independent(rules: kd.Rules) -> None:
    for log in lives(rules):
        before = [shown(step.state) for step in log.steps]
        for step, following in zip(log.steps, log.steps[1:], strict=False):
            twin = step.state.copy()
            for entry in following.entries:
                twin.apply(events.read(entry.body), entry.body, events.read_secret(entry.kind, entry.secret))
        assert [shown(step.state) for step in log.steps] == before


def test_the_events_of_one_command_end_with_the_turn() -> None:
    log, chance = Log(kd.Rules(2), PEOPLE), random.Random(7)
    while log.state.stage == "playing":
        log.turn(chance)
    for step in log.steps:
        turns = ["turn" in json.loads(entry.body) for entry in step.entries]
        assert turns[-1]
    assert json.loads(log.steps[-1].entries[-1].body)["turn"] is None


def test_a_turn_says_whether_its_domino_fits() -> None:
    for seed in range(20):
        log, chance = Log(kd.Rules(2), PEOPLE), random.Random(seed)
        while log.state.stage == "playing":
            turn = log.state.turn
            assert turn is not None
            fits = "discard" not in map(str, log.state.game.legal_actions())
            assert turn.fits == fits
            log.turn(chance)


def test_a_turn_with_one_bad_action_is_refused_as_a_whole() -> None:
    log = Log(kd.Rules(2), PEOPLE)
    while log.state.position.phase != "place":
        log.turn(random.Random(1))
    before = log.state
    place = log.state.game.legal_actions()[0]
    with pytest.raises(Refusal, match="claim 49") as refused, log as transaction:
        transaction.act(before.ply, [place, *read_actions(["claim 49"])], "person")
    assert refused.value.code == "illegal_action"
    assert log.state is before


def test_a_claim_ends_the_turn_so_that_a_second_one_tells_nothing_about_the_next_king() -> None:
    reasons = set()
    for _ in range(20):
        log = Log(kd.Rules(2), PEOPLE)
        first, second = log.state.game.legal_actions()[:2]
        with pytest.raises(Refusal) as refused, log as transaction:
            transaction.act(0, [first, second], "person")
        reasons.add(refused.value.reason.removeprefix(str(second)))
    assert reasons == {": this turn is over"}


def test_time_is_given_for_a_whole_turn_not_for_its_halves() -> None:
    people = [Seat("person", "Ida", user="ida"), Seat("person", "Oskar", user="oskar")]
    log = Log(kd.Rules(2), people, seconds=60)
    while log.state.position.phase != "place":
        with log as transaction:
            transaction.act(log.state.ply, [log.state.game.legal_actions()[0]], "person")
        assert log.state.turn is not None
        assert log.state.turn.left == 60_000
    transaction = Transaction(log.state, log.at, 23_000)
    transaction.act(log.state.ply, [log.state.game.legal_actions()[0]], "person")
    assert transaction.state.turn is not None
    assert (transaction.state.turn.phase, transaction.state.turn.left) == ("claim", 23_000)


def test_a_bot_has_no_clock_and_a_player_who_leaves_and_returns_keeps_it() -> None:
    log, chance = Log(kd.Rules(2), PEOPLE, seconds=60), random.Random(1)
    for _ in range(8):
        turn = log.state.turn
        assert turn is not None
        assert turn.left == (60_000 if turn.seat == 0 else None)
        if turn.seat == 0:
            with log as transaction:
                transaction.leave(0, "time")
            with log as transaction:
                transaction.return_to(0)
            assert log.state.turn == turn
        log.turn(chance)
