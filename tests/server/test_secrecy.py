"""No client learns the order of the deck or of the kings early.

Two tables with deals that differ only in the hidden part send the same to every client, word for word: in every
event, snapshot, answer, refusal, log line and choice of a bot. Both get the same secret, so that not even the
commitment differs.
"""

import json
import logging
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple
from urllib.parse import quote

import pytest
from pydantic_core import to_json
from support.clients import Client, Clock, Json, changed, opened
from support.nonces import nonce_of, promised

import kingdomino as kd
from kingdomino.server import log
from kingdomino.server.settings import Settings
from kingdomino.server.storage import Entry
from kingdomino.server.tables.core import commands
from kingdomino.server.tables.core.actor import row
from kingdomino.server.tables.core.choices import choices
from kingdomino.server.tables.core.commands import Transaction, created
from kingdomino.server.tables.core.deal import Commitment, Deal, new_secret
from kingdomino.server.tables.core.events import CreatedSecret, read_secret
from kingdomino.server.tables.core.refusals import Refusal, read_actions
from kingdomino.server.tables.core.snapshot import snapshot
from kingdomino.server.tables.core.state import Dealt, Seat, State
from kingdomino.server.tables.people import secrets

TABLE = "q3v7n2kd8wjm"
ALL_RULES = [
    kd.Rules(2),
    kd.Rules(2, opening="snake", harmony=True, middle_kingdom=True),
    kd.Rules(2, mighty_duel=True),
    kd.Rules(3, "first"),
    kd.Rules(3),
    kd.Rules(4),
]


def alike(deal: Deal, lines: int, kings: int, chance: random.Random) -> Deal:
    """Shuffle the dominoes still hidden after this many lines, with the unused ones, and the hidden kings."""
    length = deal.rules.line_length
    seen = deal.deck[: lines * length]
    hidden = [number for number in range(1, len(kd.DOMINOES) + 1) if number not in seen]
    chance.shuffle(hidden)
    deck = list(seen)
    for start in range(0, len(deal.deck) - len(seen), length):
        deck += sorted(hidden[start : start + length])
    opening = list(deal.opening[kings:])
    if deal.rules.opening == "random":  # the first king determines a snake order
        chance.shuffle(opening)
    return replace(deal, deck=tuple(deck), opening=deal.opening[:kings] + tuple(opening))


@contextmanager
def dealt(deal: Deal) -> Iterator[None]:
    """Make every table draw this deal from its secret, so that everything else from the secret is equal."""
    secret = deal.proof.secret if deal.proof else ""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(commands, "new_secret", lambda: secret)
        patch.setattr(Commitment, "deal", lambda *_: deal)
        yield


def draw(rules: kd.Rules) -> Deal:
    """Draw a deal."""
    nobody = (None,) * rules.players
    return Commitment(TABLE, 1, rules, ("person",) * rules.players, new_secret()).deal(nobody, nobody)


def public(content: object) -> str:
    """Return a message's text as a client sees it."""
    return to_json(content).decode()


class Sent(NamedTuple):
    """What is public after one command: the number of lines and kings, and all messages."""

    lines: int
    kings: int
    said: tuple[str, ...]


def played(deal: Deal, actions: list[kd.Action], chance: random.Random | None = None) -> list[Sent]:
    """Play at a table of this deal: these actions, or random ones with ``chance``."""
    people = [Seat("person", f"Client {seat}", user=f"guest {seat}") for seat in range(deal.rules.players)]
    users = {seat: f"guest {seat}" for seat in range(deal.rules.players)}
    state, told, lines, kings = State(TABLE), list[Sent](), 0, 0
    todo = iter(list(actions))
    while True:
        transaction = Transaction(state, 1_000)
        if not told:
            with dealt(deal):
                transaction.create(
                    created(deal.rules, None, 60, False, people, "guest 0", 1_000),
                    CreatedSecret(host="guest 0", users=users, code=None),
                )
        else:
            action = next(todo, None)
            if action is None and chance is not None:
                action = chance.choice(kd.Game.from_position(state.position, seed=0).legal_actions())
                actions.append(action)
            if action is None:
                return told
            transaction.act(state.ply, [action], "person")
        state = transaction.state
        events = [json.loads(entry.body) for entry in transaction.entries]
        lines += sum(event["kind"] == "revealed" for event in events)
        kings += sum(event["kind"] == "king_drawn" for event in events)
        if state.stage == "over":
            return told
        said = (
            *(public(event) for event in events),
            public(snapshot(state, None)),
            public(choices(state.position, state.ply)),
            state.position.to_text(),
            repr(state.position),
            repr(row(state, None)),
            *refusals(state),
        )
        told.append(Sent(lines, kings, said))


def refusals(state: State) -> Iterator[str]:
    """Try actions that are impossible, now or always, and return the refusals."""
    line = [slot.domino.number for slot in (*state.position.line, *state.position.next_line)]
    turns = [["discard"], ["claim 49"], ["place 9,9>9,8"]]
    turns += [[f"claim {one}", f"claim {two}"] for one in line for two in line[:2]]
    for ply in (state.ply, state.ply + 1, 0):
        for actions in turns:
            transaction = Transaction(state, 1_000)
            try:
                transaction.act(ply, read_actions(actions), "person")
            except Refusal as refusal:
                yield to_json(refusal.json()).decode()
            else:
                yield f"{actions} is allowed"


@pytest.mark.parametrize("rules", ALL_RULES, ids=kd.Rules.to_text)
def test_no_output_of_a_table_depends_on_hidden_dominoes(rules: kd.Rules) -> None:
    chance = random.Random(rules.players)
    deal, actions = draw(rules), list[kd.Action]()
    said = played(deal, actions, chance)
    moments = {(told.lines, told.kings): number for number, told in enumerate(said)}
    for (lines, kings), number in moments.items():
        other = alike(deal, lines, kings, chance)
        assert played(other, actions[:number]) == said[: number + 1]


@pytest.mark.parametrize("rules", ALL_RULES, ids=kd.Rules.to_text)
def test_the_other_deal_is_another_one_until_all_is_recorded(rules: kd.Rules) -> None:
    deal = draw(rules)
    rounds, kings = rules.rounds + 1, len(deal.opening)
    assert alike(deal, rounds, kings, random.Random(1)) == deal
    others = [alike(deal, 1, 1, random.Random(seed)) for seed in range(10)]
    assert len({other.deck for other in others}) == 10
    assert {other.deck[: rules.line_length] for other in others} == {deal.deck[: rules.line_length]}
    assert {other.proof for other in others} == {deal.proof}


def test_values_with_a_secret_do_not_print_it() -> None:
    drawn = draw(kd.Rules(2))
    deal = replace(drawn, deck=tuple(range(24, 0, -1)), opening=(1, 0, 0, 1))
    assert deal.proof is not None
    secret = deal.proof.secret
    state = State(TABLE)
    transaction = Transaction(state, 1_000)
    with dealt(deal):
        transaction.create(
            created(deal.rules, None, None, False, [Seat("bot", "Bramble", "greedy")] * 2, "guest 0", 1_000),
            CreatedSecret(host="ida", users={}, code=None),
        )
    values = [
        deal,
        transaction,
        transaction.state,
        transaction.entries,
        Dealt(deal, deal.game()),
        [deal],
        {"deal": deal},
        transaction.state.commitment,
    ]
    for value in values:
        for text in (repr(value), str(value), f"{value}", f"{value!r:>10}"):
            assert secret not in text
            assert "20, 19" not in text
            assert "20 19" not in text
            assert "1, 0, 0, 1" not in text
    assert "hush" not in repr(Entry(1, None, 1, "dealt", "{}", "hush"))
    with pytest.raises(ValueError) as damaged:  # noqa: PT011  (pydantic's has the type of its core)
        read_secret("committed", '{"secret": "hush", "later": 1, "earlier": "hush"}')
    assert "hush" not in str(damaged.value)


class Block(NamedTuple):
    """Everything sent to clients, or logged, up to a player's next turn and during it."""

    lines: int
    kings: int
    events: list[list[str]]
    answers: list[tuple[int, str]]
    logged: list[str]


async def evening(
    settings: Settings,
    clock: Clock,
    deal: Deal,
    body: Json,
    caplog: pytest.LogCaptureFixture,
    turns: int | None = None,
) -> list[Block]:
    """Play a game at a server, with a spectator who sends every possible request.

    Stops after this many turns of the player.
    """
    blocks: list[Block] = []
    with dealt(deal):
        async with opened(settings, clock) as server:
            ida, oskar = server.client(), server.client()
            await oskar.get("/api/me")
            caplog.clear()
            created = await ida.send("POST", "/api/tables", body | {"digest": promised(1)})
            answers = [(created.status_code, created.text)]
            answers += [answer async for answer in asked(oskar, {"ply": 0})]
            given = await ida.send("POST", f"/api/tables/{TABLE}/nonce", {"game": 1, "nonce": nonce_of(1)})
            answers.append((given.status_code, given.text))
            async with ida.follow(TABLE, after=0) as player, oskar.follow(TABLE, after=0) as spectator:
                sockets, read = (player, spectator), [0, 0]
                while True:
                    turn = await player.until_turn(0)
                    while not spectator.events or spectator.events[-1] != player.events[-1]:
                        await spectator.message()
                    if turn is None or len(blocks) == turns:
                        return blocks
                    for client in (oskar, ida):
                        answers += [answer async for answer in asked(client, turn)]
                    told = [
                        [public(event) for event in socket.events[start:]]
                        for socket, start in zip(sockets, read, strict=True)
                    ]
                    read = [len(socket.events) for socket in sockets]
                    for message in player.messages + spectator.messages:
                        assert message["type"] == "events" or set(message) == {"type", "seats", "watching"}
                    kinds = [event["kind"] for event in player.events]
                    lines, kings = kinds.count("revealed"), kinds.count("king_drawn")
                    blocks.append(Block(lines, kings, told, answers, logged(caplog)))
                    answers = []
                    caplog.clear()
                    await ida.turn(TABLE, turn)


async def asked(client: Client, turn: Json) -> Any:  # noqa: ANN401
    """Send every possible request at a table, allowed or not, and yield the answers."""
    here, ply = f"/api/tables/{TABLE}", turn["ply"]
    line = [entry["domino"] for entry in (await client.table(TABLE))["next_line"]]
    turns = [["claim 49"], ["dance"], ["place 9,9>9,8"], [f"claim {line[0]}" if line else "discard"] * 2]
    for path in ("", "/events", f"/choices?ply={ply}", f"/choices?ply={ply}&after=claim 1", "/record"):
        answer = await client.send("GET", here + path)
        yield answer.status_code, answer.text
    for path in ("/api/me", "/api/tables", "/health", f"{here}/choices?ply={ply + 1}"):
        answer = await client.send("GET", path)
        yield answer.status_code, answer.text
    for actions in turns:
        for late in (0, 1):
            answer = await client.send("POST", f"{here}/actions", {"ply": ply + late, "actions": actions})
            yield answer.status_code, answer.text
    offered = (await client.send("GET", f"{here}/choices?ply={ply}")).json()
    for each in [*offered.get("placements", [])[:1], *offered.get("claims", [])[:1]]:
        answer = await client.send("GET", f"{here}/choices?ply={ply}&after={quote(each['action'])}")
        yield answer.status_code, answer.text
    answer = await client.send("POST", f"{here}/hint", {"ply": ply})
    yield answer.status_code, answer.text
    for path in ("start", "next", "rematch", "close"):
        answer = await client.send("POST", f"{here}/{path}")
        yield answer.status_code, answer.text


def logged(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return the log lines without their times, sorted, because requests arrive in any order."""
    lines = []
    for record in caplog.records:
        record.created, record.ms = 0.0, None
        lines.append(log.Line().format(record))
    return sorted(lines)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3])
async def test_no_output_of_a_server_depends_on_hidden_dominoes(
    settings: Settings,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    players: int,
) -> None:
    caplog.set_level(logging.INFO)
    caplog.set_level(logging.DEBUG, "kingdomino")
    clock.ms = 1_795_000_000_000
    monkeypatch.setattr(secrets, "new_table_id", lambda: TABLE)
    evenings = 0

    def another_server() -> Settings:
        nonlocal evenings
        evenings += 1
        return changed(settings, database=f"{settings.database}.{evenings}")

    seats = [
        {"kind": "me", "name": "Ida"},
        {"kind": "bot", "bot": "greedy"},
        {"kind": "bot", "bot": "random"},
    ]
    body = {"players": players, "public": True, "seats": seats[:players]}
    chance = random.Random(players)
    deal = draw(kd.Rules(players))
    said = await evening(another_server(), clock, deal, body, caplog)
    assert len(said) > deal.rules.rounds
    answered = [text for block in said for status, text in block.answers if status == 200]
    assert sum('"placements":' in text for text in answered) > deal.rules.rounds, "choices"
    moments = {(block.lines, block.kings): number for number, block in enumerate(said)}
    for (lines, kings), number in chance.sample(sorted(moments.items()), 3):
        other = alike(deal, lines, kings, chance)
        assert await evening(another_server(), clock, other, body, caplog, number + 1) == said[: number + 1]
