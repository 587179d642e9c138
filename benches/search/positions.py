"""Writes the positions for measurements of the search, from games of `king` with itself.

`python -m benches.search.positions` writes `positions/convergence.txt`, from all rounds, `positions/truth.txt`,
one and two turns before the last reveal that does not follow by elimination, and `positions/early.txt`, placements of
rounds 1 and 2. The repository holds the files, so that every version of the search is measured on the same positions.
"""

from collections.abc import Iterator
from pathlib import Path

import kingdomino as kd

FOLDER = Path(__file__).parent / "positions"
SEED = 18_000
PLAYOUTS = 300
"""Playouts per decision, in the games that the positions come from."""
CONVERGENCE = 15
"""Positions per rules set."""
TRUTH = 25
"""Positions per rules set and number of turns."""
EARLY = 100
"""Placements per round."""
RULES = {
    "2 players": kd.Rules(2, harmony=True, middle_kingdom=True, opening="snake"),
    "3 players": kd.Rules(3, harmony=True, middle_kingdom=True),
    "4 players": kd.Rules(4, harmony=True, middle_kingdom=True),
    "Mighty Duel": kd.Rules(2, mighty_duel=True, harmony=True, middle_kingdom=True, opening="snake"),
}


def read(name: str) -> list[kd.Position]:
    """Read the positions of one of the files."""
    lines = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [kd.Position.parse(line) for line in lines]


def lines_to_come(position: kd.Position) -> int:
    """Count the lines that are still to be revealed."""
    shown = position.round + bool(position.next_line or not position.round)
    return position.rules.rounds - shown


def unknown_lines_to_come(position: kd.Position) -> int:
    """Count lines to come that do not follow by elimination; with all dominoes in play, the last one does."""
    return lines_to_come(position) - (position.rules.dominoes == len(kd.DOMINOES))


def turns_left(position: kd.Position) -> int:
    """Count the turns of the round that aren't over, while a domino is to be placed."""
    return sum(not slot.is_done for slot in position.line)


def game(rules: kd.Rules, number: int) -> Iterator[kd.Position]:
    """Let the search play itself; yield the position before each decision."""
    played = kd.Game(rules, seed=kd.derive_seed(SEED, str(rules), number))
    bot = kd.bots.make(f"king:playouts={PLAYOUTS},seed={number}")
    while not played.is_over:
        yield played.position
        played.play(bot.choose(played.position))


def convergence() -> Iterator[kd.Position]:
    """Yield positions with more than one action, spread over the game before its exact ending."""
    for rules in RULES.values():
        for number in range(CONVERGENCE):
            positions = [
                position
                for position in game(rules, number)
                if len(position.legal_actions()) > 1 and unknown_lines_to_come(position) > 0
            ]
            yield positions[number * len(positions) // CONVERGENCE]


def truth() -> Iterator[kd.Position]:
    """Yield positions at the start of a turn, one or two turns before the last unknown line."""
    for turns in (1, 2):
        for rules in RULES.values():
            for number in range(TRUTH):
                yield next(
                    position
                    for position in game(rules, 1000 * turns + number)
                    if unknown_lines_to_come(position) == 1
                    and position.domino is not None
                    and turns_left(position) == turns
                )


def placements(number: int, round_: int) -> Iterator[kd.Position]:
    """Yield the positions of a game of two players where placements of this round differ."""
    for position in game(RULES["2 players"], number):
        if position.round > round_:
            return
        choices = {position.equivalent(action) for action in position.legal_actions()}
        if position.round == round_ and position.domino is not None and len(choices) > 1:
            yield position


def early() -> Iterator[kd.Position]:
    """Yield placements of rounds 1 and 2, one per game."""
    for round_ in (1, 2):
        for number in range(EARLY):
            found = list(placements(3000 * round_ + number, round_))
            yield found[number % len(found)]


def main() -> None:
    """Write the files."""
    FOLDER.mkdir(exist_ok=True)
    for name, positions in (("convergence", convergence()), ("truth", truth()), ("early", early())):
        text = "".join(f"{position.to_text()}\n" for position in positions)
        (FOLDER / f"{name}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
