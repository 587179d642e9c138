"""A second implementation of the rules, written for reading and not for speed.

A kingdom is a dictionary from ``(x, y)`` to ``(terrain, crowns)`` with the castle at ``(0, 0)``. It shares no code
with the engine; the tests compare the two.
"""

import csv
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

Coordinates = tuple[int, int]
Square = tuple[str, int]  # terrain, crowns
Kingdom = dict[Coordinates, Square]
Territory = tuple[str, frozenset[Coordinates], int]  # terrain, squares, crowns
Lying = frozenset[tuple[Coordinates, Square]]  # a placed domino: its two squares

CASTLE = (0, 0)


def _read_dominoes() -> dict[int, tuple[Square, Square]]:
    with (Path(__file__).parents[1] / "data" / "dominoes.csv").open() as file:
        return {
            int(row["number"]): (
                (row["left_terrain"], int(row["left_crowns"])),
                (row["right_terrain"], int(row["right_crowns"])),
            )
            for row in csv.DictReader(file)
        }


DOMINOES = _read_dominoes()


def castle_alone() -> Kingdom:
    """Return the kingdom at the start of a game."""
    return {CASTLE: ("castle", 0)}


def neighbours(square: Coordinates) -> list[Coordinates]:
    """Name the four squares that touch a square orthogonally."""
    x, y = square
    return [(x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)]


def extent(numbers: Sequence[int]) -> int:
    """Count the rows or columns from the lowest to the highest."""
    return max(numbers) - min(numbers) + 1


def touches(kingdom: Kingdom, square: Coordinates, terrain: str) -> bool:
    """Return whether a square of this terrain would touch the castle or its own terrain."""
    return any(kingdom[other][0] in ("castle", terrain) for other in neighbours(square) if other in kingdom)


def faults(
    kingdom: Kingdom, size: int, number: int, left: Coordinates, right: Coordinates
) -> Iterator[tuple[str, str]]:
    """Return every reason against this placement: (kind of fault, sentence); none if it is legal."""
    if right not in neighbours(left):
        yield "apart", f"squares {left} and {right} are not next to each other"
    for square in (left, right):
        if square in kingdom:
            yield "taken", f"square {square} is taken"
    # Only earlier squares count, so look at both ends in the kingdom before the placement.
    left_end, right_end = DOMINOES[number]
    if not touches(kingdom, left, left_end[0]) and not touches(kingdom, right, right_end[0]):
        yield "no match", f"neither {left_end[0]} at {left} nor {right_end[0]} at {right} touches its like"
    built = [*kingdom, left, right]
    width, height = extent([x for x, _ in built]), extent([y for _, y in built])
    if width > size:
        yield "wide", f"the kingdom would be {width} squares wide"
    if height > size:
        yield "tall", f"the kingdom would be {height} squares tall"


def is_legal(kingdom: Kingdom, size: int, number: int, left: Coordinates, right: Coordinates) -> bool:
    """Return whether this placement is legal."""
    return next(faults(kingdom, size, number, left, right), None) is None


def beside(kingdom: Kingdom, terrain: str) -> set[Coordinates]:
    """Name the free squares that touch the castle or this terrain."""
    return {
        near
        for square, (built, _) in kingdom.items()
        if built in ("castle", terrain)
        for near in neighbours(square)
        if near not in kingdom
    }


def placements(kingdom: Kingdom, size: int, number: int) -> set[tuple[Coordinates, Coordinates]]:
    """Try one end on every free square where it matches, the other end on all four neighbours."""
    (left_terrain, _), (right_terrain, _) = DOMINOES[number]
    pairs = {(left, right) for left in beside(kingdom, left_terrain) for right in neighbours(left)}
    pairs |= {(left, right) for right in beside(kingdom, right_terrain) for left in neighbours(right)}
    xs, ys = [x for x, _ in kingdom], [y for _, y in kingdom]
    west, east, south, north = min(xs), max(xs), min(ys), max(ys)
    return {
        (left, right)
        for left, right in pairs
        if left not in kingdom
        and right not in kingdom
        and extent([west, east, left[0], right[0]]) <= size
        and extent([south, north, left[1], right[1]]) <= size
    }


def lying(number: int, left: Coordinates, right: Coordinates) -> Lying:
    """Return the squares of a placed domino, equal for placements that lead to the same kingdom."""
    left_end, right_end = DOMINOES[number]
    return frozenset([(left, left_end), (right, right_end)])


def place(kingdom: Kingdom, number: int, left: Coordinates, right: Coordinates) -> Kingdom:
    """Return the kingdom with this domino added."""
    return kingdom | dict(lying(number, left, right))


def territories(kingdom: Kingdom) -> list[Territory]:
    """Find the connected sets of one terrain: (terrain, squares, crowns)."""
    found = []
    left_to_visit = set(kingdom) - {CASTLE}
    while left_to_visit:
        start = left_to_visit.pop()
        terrain = kingdom[start][0]
        squares, to_look_around = {start}, [start]
        while to_look_around:
            for other in neighbours(to_look_around.pop()):
                if other in left_to_visit and kingdom[other][0] == terrain:
                    left_to_visit.remove(other)
                    squares.add(other)
                    to_look_around.append(other)
        found.append((terrain, frozenset(squares), sum(kingdom[square][1] for square in squares)))
    return found


def territory_points(kingdom: Kingdom) -> int:
    """Add up squares times crowns of every territory."""
    return points(territories(kingdom))


def points(found: Iterable[Territory]) -> int:
    """Add up squares times crowns of these territories."""
    return sum(len(squares) * crowns for _, squares, crowns in found)


def harmony_points(kingdom: Kingdom, size: int) -> int:
    """Return 5 points for a kingdom without a gap."""
    return 5 if len(kingdom) == size * size else 0


def middle_kingdom_points(kingdom: Kingdom) -> int:
    """Return 10 points for a castle in the middle, equally far from the left and right edges, and so on."""
    xs, ys = [x for x, _ in kingdom], [y for _, y in kingdom]
    return 10 if max(xs) == -min(xs) and max(ys) == -min(ys) else 0


def largest_territory(kingdom: Kingdom) -> int:
    """Count the squares of the largest territory, with or without crowns."""
    return max((len(squares) for _, squares, _ in territories(kingdom)), default=0)


def crowns(kingdom: Kingdom) -> int:
    """Count the crowns of the whole kingdom."""
    return sum(number for _, number in kingdom.values())


class Table:
    """A whole game: kingdoms, the line whose kings act, the line being claimed, and whose turn it is.

    ``deck`` is all the dominoes in the order in which they come up, ``opening`` the seats in the order
    in which their kings are drawn.
    """

    def __init__(
        self,
        players: int,
        edition: str,
        deck: Sequence[int],
        opening: Sequence[int],
        *,
        mighty_duel: bool = False,
        harmony: bool = False,
        middle_kingdom: bool = False,
    ) -> None:
        self.edition, self.harmony, self.middle_kingdom = edition, harmony, middle_kingdom
        self.size = 7 if mighty_duel else 5
        self.line_length = 3 if players == 3 and edition == "first" else 4
        self.deck, self.opening = list(deck), list(opening)
        self.kingdoms = [castle_alone() for _ in range(players)]
        self.round = 0
        self.line: dict[int, int] = {}  # domino -> seat, lowest first: the line whose kings act
        self.to_act: list[int] = []  # its dominoes whose kings have not acted yet
        self.on_offer: dict[int, int | None] = {}  # domino -> seat whose king stands there
        self.in_hand: int | None = None  # the seat whose king has left its domino
        self.unseen = set(DOMINOES)
        self.reveal()

    def reveal(self) -> None:
        """Reveal the next line, if any."""
        line, self.deck = sorted(self.deck[: self.line_length]), self.deck[self.line_length :]
        self.on_offer = dict.fromkeys(line)
        self.unseen -= set(line)

    @property
    def to_move(self) -> int | None:
        """The seat to move."""
        if self.in_hand is not None:
            return self.in_hand
        if self.round == 0:
            return self.opening[0]
        return self.line[self.to_act[0]] if self.to_act else None

    @property
    def phase(self) -> str:
        """The kind of decision that is due."""
        if self.round == 0 or self.in_hand is not None:
            return "claim"
        return "place" if self.to_act else "over"

    @property
    def domino(self) -> int | None:
        """The domino to place now."""
        return self.to_act[0] if self.phase == "place" else None

    @property
    def claims(self) -> dict[int, int]:
        """The seat of the king on each claimed domino of both lines."""
        standing = {number: self.line[number] for number in self.to_act}
        return standing | {number: seat for number, seat in self.on_offer.items() if seat is not None}

    def legal_claims(self) -> set[int]:
        """Name the dominoes that may be claimed now."""
        free = {number for number, seat in self.on_offer.items() if seat is None}
        return free if self.phase == "claim" else set()

    def legal_placements(self) -> set[tuple[Coordinates, Coordinates]]:
        """Name the placements of the domino to place now."""
        number, seat = self.domino, self.to_move
        if number is None or seat is None:
            return set()
        return placements(self.kingdoms[seat], self.size, number)

    def claim(self, number: int) -> None:
        """Put the acting king on a domino."""
        seat = self.to_move
        assert seat is not None
        assert number in self.legal_claims()
        self.on_offer[number] = seat
        if self.round == 0:
            self.opening.pop(0)
        self.in_hand = None
        self._end_turn()

    def place(self, left: Coordinates, right: Coordinates) -> None:
        """Place the domino under the king."""
        number, seat = self.domino, self.to_move
        assert number is not None
        assert seat is not None
        assert is_legal(self.kingdoms[seat], self.size, number, left, right)
        self.kingdoms[seat] = place(self.kingdoms[seat], number, left, right)
        self._leave_domino(seat)

    def discard(self) -> None:
        """Discard the domino under the king."""
        seat = self.to_move
        assert seat is not None
        assert self.phase == "place"
        assert not self.legal_placements()
        self._leave_domino(seat)

    def _leave_domino(self, seat: int) -> None:
        self.to_act.pop(0)
        if self.on_offer:
            self.in_hand = seat
        else:  # in the last round there is nothing to claim
            self._end_turn()

    def _end_turn(self) -> None:
        kings_to_act = self.opening if self.round == 0 else self.to_act
        if kings_to_act or not self.on_offer:
            return
        # Unclaimed dominoes are discarded here.
        self.line = {number: seat for number, seat in self.on_offer.items() if seat is not None}
        self.to_act = list(self.line)
        self.round += 1
        self.reveal()

    def score(self, seat: int) -> tuple[int, int, int, int]:
        """Return the total of a seat, the points of its territories, and each bonus in play."""
        kingdom = self.kingdoms[seat]
        scored = territory_points(kingdom)
        full = harmony_points(kingdom, self.size) if self.harmony else 0
        centred = middle_kingdom_points(kingdom) if self.middle_kingdom else 0
        return scored + full + centred, scored, full, centred

    def outcome(self) -> tuple[list[int], list[int], str]:
        """Return scores, winners, and the deciding rule: the first on which the best two differ."""
        seats = range(len(self.kingdoms))
        rules = {
            "score": [self.score(seat)[0] for seat in seats],
            "largest_territory": [largest_territory(self.kingdoms[seat]) for seat in seats],
        }
        if self.edition == "first":
            rules["crowns"] = [crowns(self.kingdoms[seat]) for seat in seats]
        winners, decided_by = list(seats), "shared"
        for rule, values in rules.items():
            best = max(values[seat] for seat in winners)
            winners = [seat for seat in winners if values[seat] == best]
            if len(winners) == 1:
                decided_by = rule
                break
        return rules["score"], winners, decided_by
