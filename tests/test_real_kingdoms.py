"""Kingdoms on real tables: grids, tilings by real dominoes, doubts, and the best arrangement."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any, cast

import pytest
from support import oracle
from support.oracle import Coordinates

import kingdomino as kd

Tiling = frozenset[tuple[frozenset[Coordinates], tuple[Any, ...]]]

HOLED = "w1fw/.Cl1/ff."


def kingdoms(seed: int, games: int, *, every: int = 1) -> Iterator[kd.Kingdom]:
    """Yield the kingdoms of random games of both sizes, after each placement or each ``every``-th one."""
    random = Random(seed)
    for number in range(games):
        game = kd.Game(kd.Rules(mighty_duel=number % 4 == 0), seed=random.getrandbits(64))
        placed = 0
        while not game.is_over:
            action = random.choice(game.legal_actions())
            seat = game.position.to_move
            game.play(action)
            if action.kind == "place":
                placed += 1
                if placed % every == 0:
                    assert seat is not None
                    yield game.position.kingdoms[seat]


def plain_tilings(squares: dict[Coordinates, kd.Square]) -> set[Tiling]:
    """Return all tilings, covering the first square in every way, with equal dominoes as one."""
    kinds = Counter(frozenset(Counter([domino.left, domino.right]).items()) for domino in kd.DOMINOES)

    def tile(free: list[Coordinates], laid: list[Any]) -> Iterator[Tiling]:
        if not free:
            used = Counter(kind for _, kind in laid)
            if all(count <= kinds[kind] for kind, count in used.items()):
                yield frozenset((pair, tuple(sorted(kind))) for pair, kind in laid)
            return
        first, *others = free
        for other in others:
            if abs(first[0] - other[0]) + abs(first[1] - other[1]) == 1:
                kind = frozenset(Counter([kd.End(*squares[first]), kd.End(*squares[other])]).items())
                if kind in kinds:
                    rest = [square for square in others if square != other]
                    yield from tile(rest, [*laid, (frozenset([first, other]), kind)])

    return set(tile(sorted(set(squares) - {(0, 0)}), []))


def as_plain(tiling: tuple[tuple[kd.Domino, kd.Placement], ...]) -> Tiling:
    """Return a tiling of the engine in the form of `plain_tilings`."""
    return frozenset(
        (frozenset(placement), tuple(sorted(Counter([domino.left, domino.right]).items())))
        for domino, placement in tiling
    )


def test_ten_thousand_kingdoms_agree_with_the_oracle() -> None:
    count = 0
    for kingdom in kingdoms(1, 400):
        count += 1
        assert kingdom.can_be_built(), kingdom.to_text()
        squares = {xy: tuple(square) for xy, square in kingdom.squares.items()}
        assert kingdom.score().total == oracle.territory_points(squares)  # type: ignore[arg-type]
        assert kingdom.doubts() == []
    assert count >= 10_000


def test_tilings_equal_the_results_of_a_plain_search() -> None:
    for kingdom in kingdoms(2, 12, every=5):
        if kingdom.size == 5:
            tilings = kingdom.tilings(10_000)
            found = {as_plain(tiling) for tiling in tilings}
            assert len(found) == len(tilings)
            assert found == plain_tilings(kingdom.squares)


def test_a_tiling_builds_the_kingdom_legally() -> None:
    for kingdom in kingdoms(3, 6, every=7):
        [tiling] = kingdom.tilings(1)
        assert len({domino for domino, _ in tiling}) == len(tiling)
        covered = {
            square: end
            for domino, placement in tiling
            for square, end in zip(placement, (domino.left, domino.right), strict=True)
        }
        assert covered == {xy: kd.End(*square) for xy, square in kingdom.squares.items() if xy != (0, 0)}
    built = kd.Kingdom()
    [tiling] = kd.Kingdom.parse("wwC").tilings()
    for domino, placement in tiling:
        built = built.place(domino, placement)
    assert built.to_text() == "wwC"


def test_the_number_of_tilings_is_limited() -> None:
    square = kd.Kingdom.parse("ff/ff/C.")
    assert [len(square.tilings(limit)) for limit in (0, 1, 2, 10)] == [0, 1, 2, 2]
    with pytest.raises(kd.KingdominoError):
        square.tilings(-1)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Cw", ["square_count"]),
        ("Cw2w", ["no_such_end"]),
        ("Cm3m", ["no_tiling"]),
        ("wwwww/wwCww/wwwww", ["no_tiling"]),
        ("wm3w/.C./wm3w", ["end_count"]),
        ("mmmmm/mmCm./mm...", ["terrain_count"]),
        ("C", []),
    ],
)
def test_what_cannot_be_is_doubted(text: str, codes: list[str]) -> None:
    kingdom = kd.Kingdom.parse(text)
    assert [doubt.code for doubt in kingdom.doubts()] == codes
    assert kingdom.can_be_built() == (not codes)


def test_a_doubt_names_its_squares_and_facts() -> None:
    [doubt] = kd.Kingdom.parse("Cs3s").doubts()
    assert doubt == kd.Doubt(
        "no_such_end", "no domino has swamp with 3 crowns", ((1, 0),), kd.Terrain.SWAMP, 3, 3
    )
    assert str(doubt) == doubt.sentence
    [doubt] = kd.Kingdom.parse("ffC/m3m.").doubts()
    assert (doubt.code, set(doubt.squares)) == ("no_tiling", {(-2, -1)})


def test_a_grid_is_read_in_every_usual_spelling() -> None:
    kingdom = kd.Kingdom.parse(HOLED)
    for rows in (
        ["w1fw", ".Cl1", "ff."],
        "w1fw\n.Cl1\nff.",
        "W1FW/.cL1/FF.",
        [["w1", "f", "w"], [".", "C", "l1"], ["f", "f", ""]],
        [[("wheat", 1), "wood", "wheat"], [None, "castle", ("ocean", 1)], ["forests", kd.Terrain.FOREST]],
        ["wheat 1, wood, field", ", castle, lakes 1", "Forest, forest,"],
        "| wheat:1 | forest 0 | wheat |\n| | C | lake(1) |\n| forest | forest | |",
        ["wheat 1 forest wheat", "- castle water 1", "forest forest"],
        [".....", ".w1fw.", "..Cl1.", ".ff..", "....."],
        kingdom.to_text(),
        str(kingdom),
        kingdom.squares,
    ):
        assert kd.Kingdom.from_grid(cast(Any, rows)) == kingdom, rows
    assert kd.Kingdom.from_squares(kingdom.squares) == kingdom


def test_kingdoms_are_read_from_all_their_forms() -> None:
    for kingdom in kingdoms(4, 8, every=3):
        size = kingdom.size
        for said in (
            kingdom.to_text(),
            str(kingdom),
            kingdom.squares,
            kd.text.kingdom(kingdom, coordinates=False),
        ):
            assert kd.Kingdom.from_grid(said, size=size) == kingdom


def test_a_grid_can_have_words_of_its_own() -> None:
    names = {"P": "pasture", "Blé": "wheat", "X": "castle", "o": ""}
    assert (
        kd.Kingdom.from_grid([["P1", "X"], ["o", "blé"]], names={**names, "blé": "wheat"}).to_text()
        == "g1C/.w"
    )
    assert kd.Kingdom.from_grid(["P1X", "oo"], names).to_text() == "g1C"


def test_all_faults_of_a_grid_are_reported_with_row_and_column() -> None:
    with pytest.raises(kd.SetupError) as error:
        kd.Kingdom.from_grid([["w4", "lava", "C", "w"], ["w", ".", ".", "."], [".", ".", ".", "", "", "s"]])
    for said in (
        "row 1, column 1: 4 crowns",
        "row 1, column 2: no terrain is called",
        "row 2, column 1: square (-2, -1) is not connected to the castle",
        "row 3, column 6: square (3, -2) is not connected to the castle",
        "6 squares wide",
    ):
        assert [fault for fault in error.value.faults if fault.startswith(said) or said in fault], said


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("", "0 castles"),
        ([], "0 castles"),
        ("ww", "0 castles"),
        ("CwC", "row 1, column 3: it has 2 castles"),
        ("C" + "w" * 20_000, "longer than"),
        ([["C", ("wheat", 9)]], "row 1, column 2: 9 crowns"),
        ([["C", ("wheat", 10**30)]], "row 1, column 2"),
    ],
)
def test_a_grid_that_is_no_kingdom_is_refused(rows: object, said: str) -> None:
    with pytest.raises(kd.SetupError) as error:
        kd.Kingdom.from_grid(cast(Any, rows))
    assert [fault for fault in error.value.faults if said in fault]


@pytest.mark.parametrize("rows", [7, [7], [["C", 7]], [["C", ("wheat", "1", 2)]], None])
def test_what_is_no_grid_is_refused(rows: object) -> None:
    with pytest.raises((TypeError, kd.KingdominoError)):
        kd.Kingdom.from_grid(cast(Any, rows))


def test_the_best_arrangement_is_legal_and_at_least_as_good_as_the_kingdom() -> None:
    for kingdom in kingdoms(5, 3, every=12):
        best = kd.analysis.best_arrangement(kingdom, steps=200)
        again = kd.Kingdom(kingdom.size)
        for domino, placement in best.tiling:
            again = again.place(domino, placement)
        assert again == best.kingdom
        assert best.score == again.score()
        assert best == kd.analysis.best_arrangement(kingdom, steps=200)
    rules = kd.Rules(harmony=True, middle_kingdom=True)
    best = kd.analysis.best_arrangement([48, kd.DOMINOES[0]], rules, steps=100)
    assert {domino.number for domino, _ in best.tiling} == {1, 48}
    assert best.score.total == 13


def test_an_arrangement_of_impossible_dominoes_is_refused() -> None:
    for dominoes, said in (
        ([1, 1], "twice"),
        ([49], "no domino 49"),
        ([True], "True"),
        (kd.Kingdom.parse("Cm3m"), "no dominoes make this kingdom"),
    ):
        with pytest.raises(kd.KingdominoError, match=said):
            kd.analysis.best_arrangement(dominoes)
    with pytest.raises(kd.KingdominoError, match="has size 5, the rules have 7"):
        kd.analysis.best_arrangement(kd.Kingdom(), kd.Rules(mighty_duel=True))
