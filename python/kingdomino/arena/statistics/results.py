"""The results that statistics are made of: games, and blocks of games on one deal."""

from dataclasses import dataclass
from math import isclose

from kingdomino.errors import ResultsError


@dataclass(frozen=True, slots=True)
class GameResult:
    """How one game ended; every tuple has one entry a seat, but for ``ranking``.

    ``bots`` names the bot in each seat (copies of one bot have one name), ``scores`` are points,
    ``shares`` are shares of the victory (1 to a single winner, 1/k to each of k winners, else 0),
    and ``ranking`` groups the seats by place, best first: ``((2,), (0, 1))`` is a shared second
    place. The ranking need not follow the scores: tie-breaks and games lost by default go before.
    Raises `ResultsError` for parts that contradict each other.
    """

    bots: tuple[str, ...]
    scores: tuple[int, ...]
    shares: tuple[float, ...]
    ranking: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        seats = len(self.bots)
        if seats < 2:
            raise ResultsError(f"a game has two seats or more, not {seats}")
        if not len(self.scores) == len(self.shares) == seats:
            raise ResultsError(
                f"{seats} bots, {len(self.scores)} scores and {len(self.shares)} shares in one game"
            )
        if not all(self.ranking) or sorted(sum(self.ranking, ())) != list(range(seats)):
            raise ResultsError(f"the ranking {self.ranking} does not name each of {seats} seats once")
        winners = self.ranking[0]
        for seat, share in enumerate(self.shares):
            due = 1 / len(winners) if seat in winners else 0.0
            if not isclose(share, due, abs_tol=1e-9):
                raise ResultsError(f"seat {seat} has {share:g} of the victory; by the ranking it is {due:g}")


@dataclass(frozen=True, slots=True)
class Block:
    """One deal played with the seats rotated: ``number`` names the deal, ``games`` has a game a rotation.

    Blocks of one number but other line-ups were played on the same deal. Raises `ResultsError` for a
    block without games, and for one whose games are not all between the same bots.
    """

    number: int
    games: tuple[GameResult, ...]

    def __post_init__(self) -> None:
        if not self.games:
            raise ResultsError(f"block {self.number} has no games")
        first, *others = (sorted(game.bots) for game in self.games)
        for other in others:
            if other != first:
                raise ResultsError(
                    f"block {self.number} has games between {', '.join(first)} and between {', '.join(other)}"
                )
