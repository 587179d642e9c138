"""The engine against the plain oracle: placing and scoring, on forty thousand kingdoms of both sizes.

Half of the kingdoms come from legal play; the others are arbitrary connected squares, which play would seldom
or never reach. Hypothesis reduces a difference to its smallest example.
"""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import oracle
from support.oracle import Coordinates, Kingdom

import kingdomino as kd

CHUNKS = 8
KINGDOMS_PER_CHUNK = 5_000
TERRAINS = [terrain.value for terrain in kd.Terrain if terrain is not kd.Terrain.CASTLE]


def made(squares: Kingdom, size: int) -> kd.Kingdom:
    """Convert a kingdom of the oracle to one of the engine."""
    return kd.Kingdom.from_squares({xy: square for xy, square in squares.items() if xy != (0, 0)}, size)


def check_placing(
    squares: Kingdom, size: int, number: int, pairs: list[tuple[Coordinates, Coordinates]]
) -> None:
    """Compare the legal placements, the resulting kingdoms, and the reasons against other placements."""
    kingdom = made(squares, size)
    legal = oracle.placements(squares, size, number)
    listed = kingdom.placements(number)
    assert {oracle.lying(number, *pair) for pair in listed} == {oracle.lying(number, *pair) for pair in legal}
    assert len(listed) == len({oracle.lying(number, *pair) for pair in listed})
    for pair in pairs:
        faults = list(oracle.faults(squares, size, number, *pair))
        refusal = kingdom.refusal(number, pair)
        assert (refusal is None) == (not faults)
        if refusal is None:
            assert kingdom.place(number, pair) == made(oracle.place(squares, number, *pair), size)
            continue
        reason = str(refusal)
        if reason.endswith(("is taken", "squares wide", "squares tall")):
            assert reason in [sentence for _, sentence in faults]
        else:
            assert {"apart", "no match"} & {kind for kind, _ in faults}
        with pytest.raises(kd.IllegalActionError) as refused:
            kingdom.place(number, pair)
        assert str(refused.value) == reason
        assert refused.value.refusal == refusal


def check_scoring(squares: Kingdom, size: int) -> None:
    """Compare squares, box, crowns, territories and the score under every choice of bonuses."""
    kingdom = made(squares, size)
    assert kingdom.squares == squares
    xs, ys = [x for x, _ in squares], [y for _, y in squares]
    assert kingdom.box == ((min(xs), min(ys)), (max(xs), max(ys)))
    assert kingdom.crowns == oracle.crowns(squares)
    territories = oracle.territories(squares)
    assert set(kingdom.territories()) == set(territories)
    assert len(kingdom.territories()) == len(territories)
    points = oracle.points(territories)
    full, centred = oracle.harmony_points(squares, size), oracle.middle_kingdom_points(squares)
    assert kingdom.score() == (points, points, 0, 0)
    both = kd.Rules(mighty_duel=size == 7, harmony=True, middle_kingdom=True)
    assert kingdom.score(both) == (points + full + centred, points, full, centred)


def free_beside(squares: Kingdom, size: int) -> list[Coordinates]:
    """Name the free squares beside a kingdom that are still inside some box, in order."""
    free = {near for built in squares for near in oracle.neighbours(built)} - set(squares)
    return sorted(
        (x, y)
        for x, y in free
        if oracle.extent([x, *(x for x, _ in squares)]) <= size
        and oracle.extent([y, *(y for _, y in squares)]) <= size
    )


def some_pairs(rng: Random, squares: Kingdom, size: int) -> list[tuple[Coordinates, Coordinates]]:
    """Choose pairs of squares: most of them near the kingdom, some anywhere."""
    near = rng.choice(sorted(squares))
    near = rng.choice(oracle.neighbours(near))
    far = rng.choice(oracle.neighbours(near))
    wild = (rng.randint(-size, size), rng.randint(-size, size))
    return [(near, far), (far, near), (wild, rng.choice(oracle.neighbours(wild))), (near, wild)]


def any_kingdom(rng: Random, size: int, squares_wanted: int = 0) -> Kingdom:
    """Cover connected squares one by one, from a few terrains so that territories become large."""
    squares, border = oracle.castle_alone(), oracle.neighbours((0, 0))
    terrains = rng.sample(TERRAINS, rng.randint(1, 6))
    low_x, low_y = -rng.randrange(size), -rng.randrange(size)
    wanted = squares_wanted or rng.randint(1, size * size)
    columns, rows = range(low_x, low_x + size), range(low_y, low_y + size)
    while len(squares) < wanted:
        x, y = border.pop(rng.randrange(len(border)))
        if (x, y) not in squares and x in columns and y in rows:
            squares[x, y] = (rng.choice(terrains), rng.choice((0, 0, 0, 1, 2, 3)))
            border += [near for near in oracle.neighbours((x, y)) if near not in squares]
    return squares


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(CHUNKS // 2))
def test_engine_and_oracle_agree_on_kingdoms_grown_by_play(chunk: int) -> None:
    rng, size, checked = Random(chunk), (5, 7)[chunk % 2], 0
    while checked < KINGDOMS_PER_CHUNK:
        squares, kingdom = oracle.castle_alone(), kd.Kingdom(size)
        for number in rng.sample(range(1, 49), size * size // 2):
            check_placing(squares, size, number, some_pairs(rng, squares, size))
            check_scoring(squares, size)
            assert kingdom == made(squares, size)
            checked += 1
            if placements := kingdom.placements(number):
                placement = rng.choice(placements)
                squares, kingdom = oracle.place(squares, number, *placement), kingdom.place(number, placement)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(CHUNKS // 2))
def test_engine_and_oracle_agree_on_any_connected_squares(chunk: int) -> None:
    rng, size = Random(1000 + chunk), (5, 7)[chunk % 2]
    for _ in range(KINGDOMS_PER_CHUNK):
        squares = any_kingdom(rng, size)
        check_placing(squares, size, rng.randint(1, 48), some_pairs(rng, squares, size))
        check_scoring(squares, size)


@st.composite
def sizes_and_kingdoms(draw: st.DrawFn) -> tuple[int, Kingdom]:
    """Draw any connected squares; fewer, nearer and plainer squares count as simpler."""
    size = draw(st.sampled_from((5, 7)))
    squares = oracle.castle_alone()
    for _ in range(draw(st.integers(0, size * size - 1))):
        square = draw(st.sampled_from(free_beside(squares, size)))
        squares[square] = (draw(st.sampled_from(TERRAINS)), draw(st.integers(0, 3)))
    return size, squares


coordinates = st.tuples(st.integers(-7, 7), st.integers(-7, 7))


@given(sizes_and_kingdoms(), st.integers(1, 48), st.lists(st.tuples(coordinates, coordinates), max_size=4))
def test_engine_and_oracle_agree_on_the_smallest_kingdoms_too(
    made_up: tuple[int, Kingdom], number: int, pairs: list[tuple[Coordinates, Coordinates]]
) -> None:
    size, squares = made_up
    check_placing(squares, size, number, pairs)
    check_scoring(squares, size)


def test_the_oracle_and_the_library_have_the_same_dominoes() -> None:
    assert {domino.number: (domino.left, domino.right) for domino in kd.DOMINOES} == oracle.DOMINOES


@pytest.mark.parametrize("size", [5, 7])
def test_the_oracle_misses_no_placement_anywhere_in_the_frame(size: int) -> None:
    rng = Random(size)
    frame = [(x, y) for x in range(-size, size + 1) for y in range(-size, size + 1)]
    for _ in range(5):
        squares, number = any_kingdom(rng, size), rng.randint(1, 48)
        everywhere = {
            (left, right)
            for left in frame
            for right in oracle.neighbours(left)
            if oracle.is_legal(squares, size, number, left, right)
        }
        assert oracle.placements(squares, size, number) == everywhere
