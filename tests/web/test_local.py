"""Tables in the page: the events of a server's table, from the same games."""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from support.engine import INSTANTIATE
from support.node import Json, run_node

import kingdomino as kd
from kingdomino.server.tables.core import events
from kingdomino.server.tables.core.commands import Transaction, created
from kingdomino.server.tables.core.state import Seat, State

_RUN = (
    INSTANTIATE
    + """
const { deal, end, hint, numbered, play, readLog } = await import(log);
const call = await start("play");
const ask = async (name, args) => call(name, args);
const answer = [];
for (const { table, actions } of JSON.parse(readFileSync(0, "utf8"))) {
  const whole = await readLog(ask, table);
  const empty = { ...table, games: [], end: null };
  let change = { table: empty, events: await readLog(ask, empty) };
  const { events } = change;
  const next = (changed) => events.push(...(change = changed).events);
  for (const [index, { at, decisions, hints }] of table.games.entries()) {
    // The deck is the stored game's, whatever the seed.
    const dealing = (name, args) => name.startsWith("new_game")
      ? ask("read_game", { record: actions[index].dealt, before: args.before }) : ask(name, args);
    next(await deal(dealing, change.table, at, "1"));
    for (const [number, { at, by }] of decisions.entries()) {
      const { turn } = events.findLast((event) => event.turn);
      for (const { at } of hints.filter(({ ply }) => ply === turn.ply)) next(hint(change.table, turn, at));
      next(await play(ask, change.table, actions[index].actions[number], at, by));
    }
  }
  if (table.end) next(end(change.table, table.end.at, table.end.rematch));
  answer.push({ whole: numbered(whole, 0), stepwise: numbered(events, 0), stored: change.table });
}
console.log(JSON.stringify(answer));
"""
)


class Local:
    """A game at a table of the server, and the same game as a device stores it."""

    def __init__(
        self, rules: kd.Rules, dynasty: events.Dynasty | None, seed: int, start: kd.Position | None
    ) -> None:
        chance = random.Random(seed)
        seats = [
            Seat("person", "Ida", user="ida"),
            *(Seat("bot", f"Bot {n}", "greedy") for n in range(1, rules.players)),
        ]
        self.at, self.state = 1_000, State("local")
        self.logged: list[Json] = []
        self.stored: Json = {
            "id": "local",
            "created": self.at,
            "rules": rules.to_text(),
            "dynasty": dynasty,
            "seats": [seat.entry(number).model_dump() for number, seat in enumerate(seats)],
            "start": start and start.to_text(),
            "games": [],
            "end": None,
        }
        self.actions: list[Json] = []
        first = created(rules, dynasty, None, False, seats, "ida", self.at, start)
        secret = events.CreatedSecret(host="ida", users={0: "ida"}, code=None)
        self.run(lambda table: table.create(first, secret))
        # Of every four tables one ends early, and one leads to a next table.
        last_ply = 5 if seed % 4 == 1 else None
        while (turn := self.state.turn) and turn.ply != last_ply:
            self.play(chance, last_ply)
            if self.state.stage == "between":
                self.run(lambda table: table.draw())
        if seed % 4 == 1:
            self.run(lambda table: table.close("ended"))
            self.stored["end"] = {"at": self.at, "rematch": None}
        if seed % 4 == 2:
            self.run(lambda table: table.set_rematch("another"))
            self.stored["end"] = {"at": self.at, "rematch": "another"}

    def run(self, command: Callable[[Transaction], None]) -> None:
        """Run a command at the server's table."""
        self.at += self.state.number > 0
        transaction = Transaction(self.state, self.at)
        command(transaction)
        self.logged += [json.loads(entry.body) for entry in transaction.entries]
        self.state = transaction.state

    def play(self, chance: random.Random, last_ply: int | None) -> None:
        """Play a game to its end, or up to a ply."""
        game: Json = {"at": self.at, "decisions": [], "hints": []}
        dealt, actions = kd.Record.from_game(self.state.game).to_text(), []
        while (turn := self.state.turn) and turn.ply != last_ply:
            ply, by = turn.ply, "person" if turn.seat == 0 else "bot"
            if turn.seat == 0 and chance.random() < 0.1:
                self.run(lambda table, ply=ply: table.hint(ply))  # type: ignore[misc]
                game["hints"].append({"at": self.at, "ply": ply})
            action = chance.choice(self.state.position.legal_actions())
            self.run(lambda table, ply=ply, action=action, by=by: table.act(ply, [action], by))  # type: ignore[misc]
            actions.append(str(action))
            game["decisions"].append({"at": self.at, "by": by})
        self.actions.append({"dealt": dealt, "actions": actions})
        self.stored["games"].append(game | {"record": kd.Record.from_game(self.state.game).to_text()})

    @property
    def events(self) -> list[Json]:
        """The events of the server's table, without the events about trust in its deal."""
        kept = [event for event in self.logged if event["kind"] != "committed"]
        for number, event in enumerate(kept, 1):
            event["number"] = number
            if event["kind"] == "dealt":
                event |= {"commitment": "", "nonces": None}
            if event["kind"] == "deck_revealed":
                event |= {"commitment": "", "proof": None}
        return kept


def _start(rules: kd.Rules, seed: int) -> kd.Position:
    """Return a position in the middle of a game."""
    chance, game = random.Random(seed), kd.Game(rules, seed=seed)
    for _ in range(12):
        game.play(chance.choice(game.legal_actions()))
    return game.position


@pytest.fixture(scope="module")
def games() -> list[Local]:
    kinds: list[events.Dynasty | None] = [None, "total", "best"]
    every = [Local(rules, kinds[seed % 3], seed, None) for seed, rules in enumerate(kd.Rules.all())]
    begun = [Local(rules, None, seed, _start(rules, seed)) for seed, rules in enumerate(kd.Rules.all())]
    return every + begun


@pytest.mark.slow
def test_its_log_is_the_servers_under_all_rules_event_by_event(games: list[Local]) -> None:
    asked = [{"table": game.stored, "actions": game.actions} for game in games]
    found: list[Any] = run_node(_RUN, asked, engine="../engine/engine.js", log="local/log.js")
    for game, answer in zip(games, found, strict=True):
        assert answer["whole"] == game.events
        assert answer["stepwise"] == game.events
        stored, again = game.stored, answer["stored"]
        assert again["end"] == stored["end"]
        assert [one["decisions"] for one in again["games"]] == [one["decisions"] for one in stored["games"]]
