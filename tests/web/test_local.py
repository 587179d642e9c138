"""Tables in the page: the events of a server's table, from the same games."""

import json
import random
from typing import Any

import pytest
from support.node import Json, run_node

import kingdomino as kd
from kingdomino.server.tables.core import events
from kingdomino.server.tables.core.commands import Transaction, created
from kingdomino.server.tables.core.state import Seat, State

_RUN = """
import { readFileSync } from "node:fs";
const { instantiate } = await import(engine);
const { deal, hint, numbered, play, readLog } = await import(log);
const call = await instantiate(await WebAssembly.compile(readFileSync(new URL("kingdomino.wasm", engine))));
const ask = async (name, args) => call(name, args);
const answer = [];
for (const { table, actions } of JSON.parse(readFileSync(0, "utf8"))) {
  const whole = await readLog(ask, table);
  let change = { table: { ...table, games: [] }, events: await readLog(ask, { ...table, games: [] }) };
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
  answer.push({ whole: numbered(whole, 0), stepwise: numbered(events, 0), stored: change.table });
}
console.log(JSON.stringify(answer));
"""


class Local:
    """A game at a table of the server, and what a device stores of the same game."""

    def __init__(
        self, rules: kd.Rules, dynasty: events.Dynasty | None, seed: int, start: kd.Position | None
    ) -> None:
        chance = random.Random(seed)
        seats = [
            Seat("person", "Ida", user="ida"),
            *(Seat("bot", f"Bot {n}", "greedy") for n in range(1, rules.players)),
        ]
        at = 1_000
        self.logged: list[Json] = []
        self.stored: Json = {
            "id": "local",
            "created": at,
            "rules": rules.to_text(),
            "dynasty": dynasty,
            "seats": [seat.entry(number).model_dump() for number, seat in enumerate(seats)],
            "start": start and start.to_text(),
            "games": [],
            "end": None,
        }
        self.actions: list[Json] = []
        state = State("local")

        def keep(transaction: Transaction) -> State:
            self.logged += [json.loads(entry.body) for entry in transaction.entries]
            return transaction.state

        transaction = Transaction(state, at)
        first = created(rules, dynasty, None, False, seats, "ida", at, start)
        transaction.create(first, events.CreatedSecret(host="ida", users={0: "ida"}, code=None))
        state = keep(transaction)
        for _ in range(first.games):
            if state.stage == "between":
                at += 1
                transaction = Transaction(state, at)
                transaction.draw()
                state = keep(transaction)
            game: Json = {"at": at, "decisions": [], "hints": []}
            dealt = kd.Record.from_game(state.game).to_text()
            actions = []
            while turn := state.turn:
                at += 1
                if turn.seat == 0 and chance.random() < 0.1:
                    transaction = Transaction(state, at)
                    transaction.hint(turn.ply)
                    state = keep(transaction)
                    game["hints"].append({"at": at, "ply": turn.ply})
                by: events.By = "person" if turn.seat == 0 else "bot"
                action = chance.choice(state.position.legal_actions())
                transaction = Transaction(state, at)
                transaction.act(state.ply, [action], by)
                state = keep(transaction)
                actions.append(str(action))
                game["decisions"].append({"at": at, "by": by})
            self.actions.append({"dealt": dealt, "actions": actions})
            self.stored["games"].append(game | {"record": kd.Record.from_game(state.game).to_text()})

    @property
    def events(self) -> list[Json]:
        """The events of the server's table without those about trust in its deal."""
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


def test_its_log_is_the_servers_under_all_rules_event_by_event(games: list[Local]) -> None:
    asked = [{"table": game.stored, "actions": game.actions} for game in games]
    found: list[Any] = run_node(_RUN, asked, engine="../engine/engine.js", log="local/log.js")
    for game, answer in zip(games, found, strict=True):
        assert answer["whole"] == game.events
        assert answer["stepwise"] == game.events
        assert [one["decisions"] for one in answer["stored"]["games"]] == [
            one["decisions"] for one in game.stored["games"]
        ]
