"""Writes whole games, ply by ply, to tests/data/playthroughs: `python tools/playthroughs.py`.

A test compares the files with the engine, so that a change of the rules, a text form or a random stream shows as
changed lines. All random numbers come from the game's seed.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

import kingdomino as kd

FOLDER = Path(__file__).parent.parent / "tests" / "data" / "playthroughs"

# Every option on and off, for every number of players that allows it; the numbers are the seeds.
RULES = {
    "2.second.random": 0,
    "2.second.snake.duel.harmony.middle": 6,
    "2.first.snake": 8,
    "2.first.random.duel.harmony": 9,
    "3.second.random": 10,
    "3.first.random.harmony.middle": 13,
    "4.second.random.harmony.middle": 15,
    "4.first.random": 16,
}


def numbers(dominoes: Iterable[kd.Domino]) -> str:
    """Return the numbers of the dominoes, ``-`` for none."""
    return " ".join(str(domino.number) for domino in dominoes) or "-"


def decide(game: kd.Game) -> kd.Action:
    """Choose by arithmetic. Even seats choose among the placements that score most, odd seats among all."""
    position = game.position
    actions = sorted(game.legal_actions())
    if position.to_move in (0, 2) and position.domino:
        kingdom, domino = position.kingdoms[position.to_move], position.domino
        worth = {
            action: kingdom.place(domino, action.placement).score(game.rules).total
            for action in actions
            if action.placement
        }
        actions = [action for action in actions if worth.get(action) == max(worth.values(), default=None)]
    return actions[(7 * len(game.history) + 3) % len(actions)]


def describe(position: kd.Position) -> Iterator[str]:
    """Describe the public position before a decision, and the legal actions."""
    kings = sorted(
        (slot.domino.number, slot.seat)
        for slot in (*position.line, *position.next_line)
        if slot.seat is not None and not slot.is_done
    )
    claims = " ".join(f"{number}@{seat}" for number, seat in kings)
    line, next_line = (numbers(slot.domino for slot in line) for line in (position.line, position.next_line))
    yield f"line {line} | next {next_line} | claims {claims or '-'}"
    actions = sorted(position.legal_actions())
    if position.domino:
        yield f"seat {position.to_move} places {position.domino}"
        legal = [str(action.placement or action) for action in actions]
    else:
        yield f"seat {position.to_move} claims"
        legal = [str(action.domino.number) for action in actions if action.domino]
    yield f"legal {len(legal)}: {' '.join(legal)}"


def playthrough(text: str, seed: int) -> str:
    """Play one game and describe it."""
    game = kd.Game(kd.Rules.parse(text), seed=seed)
    lines = [f"rules {text}", f"seed {seed}", f"deck {numbers(game.deck)}"]
    lines.append(f"opening {' '.join(map(str, game.opening))}")
    seen_round = -1
    while not game.is_over:
        position = game.position
        if position.round != seen_round:
            seen_round = position.round
            lines += ["", f"## round {seen_round}", position.to_text()]
        lines += ["", f"ply {len(game.history)}", *describe(position)]
        action = decide(game)
        game.play(action)
        lines.append(f"> {action}")
        if action.kind != "claim" and position.to_move is not None:
            kingdom = game.position.kingdoms[position.to_move]
            score = game.position.scores()[position.to_move]
            lines.append(f"kingdom {kingdom.to_text()} | score {score.total}")
    lines += ["", "## over", game.position.to_text()]
    lines += [f"seat {seat} {score!r}" for seat, score in enumerate(game.position.scores())]
    for seat, kingdom in enumerate(game.position.kingdoms):
        for territory in sorted(kingdom.territories(), key=lambda one: (one.terrain, min(one.squares))):
            if territory.score:
                lines.append(
                    f"seat {seat}: {territory.terrain} {len(territory.squares)} x {territory.crowns}"
                    f" from {min(territory.squares)}"
                )
    lines += [repr(game.outcome()), "", "## record", kd.Record.from_game(game).to_text()]
    return "\n".join(lines)


def playthroughs() -> dict[str, str]:
    """Describe every game: name of its file -> text."""
    return {f"{text}.txt": playthrough(text, seed) for text, seed in RULES.items()}


def main() -> None:
    """Write all files, and remove the files of games no longer in `RULES`."""
    FOLDER.mkdir(exist_ok=True)
    games = playthroughs()
    for path in FOLDER.glob("*.txt"):
        if path.name not in games:
            path.unlink()
    for name, text in games.items():
        (FOLDER / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
