import re
from collections.abc import Callable
from pathlib import Path
from runpy import run_path
from xml.etree import ElementTree

import pytest
from support.fakes import KINGDOM, position_like
from support.outcomes import outcome_of

import kingdomino as kd
from kingdomino.svg.symbols import symbols as sheet

TIMES, MINUS = "\N{MULTIPLICATION SIGN}", "\N{MINUS SIGN}"

LAKES = kd.Kingdom.from_squares({(1, 0): ("lake", 0), (2, 0): ("lake", 2), (0, 1): ("lake", 0)}, size=5)
DOMINO = kd.DOMINOES[22]  # forest, 1 crown; wheat

OVER = position_like(
    to_move=None,
    phase="over",
    is_over=True,
    domino=None,
    outcome=lambda: outcome_of((5, 0), (0, 1), (0,), "score"),
    scores=lambda: (kd.Score(20, 5, 5, 10), kd.Score(0, 0)),
)
PICTURES: dict[str, Callable[[str], str]] = {
    "kingdom": lambda theme: kd.svg.kingdom(KINGDOM, theme=theme),
    "kingdom with marks": lambda theme: kd.svg.kingdom(
        KINGDOM,
        seat=3,
        domino=DOMINO,
        placements=KINGDOM.placements(DOMINO),
        highlight=[(1, 0), (2, 0)],
        territories=True,
        coordinates=True,
        theme=theme,
    ),
    "line": lambda theme: kd.svg.line(
        [kd.Slot(kd.DOMINOES[19], 0), 10, kd.Slot(kd.DOMINOES[46], 3)], theme=theme
    ),
    "empty line": lambda theme: kd.svg.line([], theme=theme),
    "position": lambda theme: kd.svg.position(position_like(), theme=theme),
    "opening": lambda theme: kd.svg.position(
        position_like(round=0, phase="claim", domino=None, next_line=()), theme=theme
    ),
    "end": lambda theme: kd.svg.position(OVER, theme=theme),
    "result": lambda theme: kd.svg.result(OVER, theme=theme),
    "domino": lambda theme: kd.svg.domino(48, theme=theme),
    "back": lambda theme: kd.svg.back(37, theme=theme),
}


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_a_standalone_document(name: str, theme: str) -> None:
    text = PICTURES[name](theme)
    root = ElementTree.fromstring(text)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert {"viewBox", "width", "height", "aria-label"} <= root.attrib.keys()
    assert root[0].tag.endswith("title")
    assert root[0].text == root.get("aria-label")
    assert re.findall(r'https?://[^"]*', text) == ["http://www.w3.org/2000/svg"], (
        "it refers to something outside"
    )
    assert not re.search(r"<(style|script|image|foreignObject)|var\(", text)


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_has_every_symbol_that_it_uses_once_and_no_other(name: str) -> None:
    text = PICTURES[name]("light")
    defined = re.findall(r'\bid="([^"]+)"', text)
    used = set(re.findall(r'href="#([^"]+)"', text)) | set(re.findall(r"url\(#([^)]+)\)", text))
    assert sorted(defined) == sorted(used)


def test_the_same_arguments_give_the_same_picture() -> None:
    for draw in PICTURES.values():
        assert draw("light") == draw("light") != draw("dark")


def test_pictures_beside_each_other_on_a_page_share_no_id() -> None:
    ids = [
        set(re.findall(r'\bid="([^"]+)"', draw(theme)))
        for draw in PICTURES.values()
        for theme in ("light", "dark")
    ]
    assert sum(map(len, ids)) == len(set[str]().union(*ids))


def test_a_whole_position_is_below_80_kilobytes() -> None:
    for seats in (2, 3, 4):
        full = kd.Kingdom.from_squares(
            {
                (x, y): (list(kd.Terrain)[(x + 2 * y) % 6], (x * y) % 4)
                for x in range(7)
                for y in range(7)
                if (x, y) != (0, 0)
            },
            size=7,
        )
        position = position_like(
            kingdoms=(full,) * seats, scores=lambda seats=seats: (kd.Score(9, 9),) * seats
        )
        assert len(kd.svg.position(position).encode()) < 80_000


def test_the_frame_grows_two_squares_beyond_the_box_as_far_as_the_size_allows() -> None:
    assert empty_squares(kd.svg.kingdom(kd.Kingdom(5))) == 24
    row = kd.Kingdom.from_squares({(x, 0): ("lake", 0) for x in range(1, 5)}, size=5)
    assert empty_squares(kd.svg.kingdom(row)) == 20
    four = kd.Kingdom.from_squares({(x, 0): ("lake", 0) for x in range(1, 4)}, size=5)
    assert empty_squares(kd.svg.kingdom(four)) == 6 * 5 - 4


def test_the_castle_and_the_kings_have_the_colour_of_their_seat() -> None:
    castles = {kd.svg.kingdom(kd.Kingdom(), seat=seat) for seat in range(4)}
    assert len(castles) == 4
    for seat, colour in enumerate(("pink", "yellow", "green", "blue")):
        assert f"king-{colour}" in kd.svg.line([kd.Slot(kd.DOMINOES[19], seat)])


def test_a_kingdom_shows_plain_squares_without_a_layout_and_variants_with_one() -> None:
    kingdom = kd.Kingdom().place(1, ((1, 0), (2, 0)))
    layout = {(1, 0): (kd.DOMINOES[0], "left"), (2, 0): (kd.DOMINOES[0], "right")}
    assert symbols(kd.svg.kingdom(kingdom), "wheat") == ["wheat-1", "wheat-1"]
    assert symbols(kd.svg.kingdom(kingdom, layout=layout), "wheat") == ["wheat-1", "wheat-2"]


def test_a_domino_alone_has_a_ring_at_each_joint_of_its_legal_placements() -> None:
    legal = {frozenset(placement) for placement in KINGDOM.placements(DOMINO)}
    assert symbols(kd.svg.kingdom(KINGDOM, domino=DOMINO)).count("spot") == len(legal)


def test_a_ghost_lies_on_the_first_placement_with_the_points_it_would_score() -> None:
    picture = kd.svg.kingdom(LAKES, domino=17, placements=[((4, 0), (3, 0))])
    assert "ghost-legal" in picture
    assert texts(picture) == ["+2"]


def test_a_placement_that_was_played_has_a_dashed_frame() -> None:
    plain = kd.svg.kingdom(LAKES, domino=17, placements=[((4, 0), (3, 0))])
    picture = kd.svg.kingdom(LAKES, domino=17, placements=[((4, 0), (3, 0))], played=((0, 1), (0, 2)))
    assert "stroke-dasharray" not in plain
    assert picture.count("stroke-dasharray") == 1
    with pytest.raises(kd.KingdominoError, match="not two neighbouring squares"):
        kd.svg.kingdom(LAKES, played=((0, 1), (0, 3)))


def test_territories_show_their_scores() -> None:
    assert texts(kd.svg.kingdom(LAKES, territories=True)) == [f"2 {TIMES} 2 = 4", f"1 {TIMES} 0"]


def test_highlighted_squares_are_framed_together() -> None:
    plain = kd.svg.kingdom(LAKES)
    pair, single = (kd.svg.kingdom(LAKES, highlight=squares) for squares in ([(1, 0), (2, 0)], [(1, 0)]))
    assert [picture.count('stroke-width="7"') for picture in (plain, single, pair)] == [0, 1, 1]
    assert framed_sides(single) == 4
    assert framed_sides(pair) == 6


def test_a_line_lies_in_the_order_of_its_numbers() -> None:
    assert texts(kd.svg.line([47, kd.DOMINOES[9], 20])) == ["10", "20", "47"]


def test_a_position_shows_names_scores_rounds_and_both_lines() -> None:
    said = texts(kd.svg.position(position_like(), names=["Ida", "Oskar"]))
    assert said[:3] == ["Oskar places domino 6.", "Then Oskar claims 3, 30 or 48.", "Round 2 of 6"]
    assert {"Ida", "Oskar", "5", "0", "This line", "Next line", "places 20", "places now"} <= set(said)
    assert [word for word in said if word.isdigit()][2:] == ["2", "6", "20", "47", "3", "30", "36", "48"]


def test_a_name_may_contain_any_character() -> None:
    said = texts(
        kd.svg.position(
            position_like(), names=['<&">\0', "a name that is much longer than there is room for"]
        )
    )
    assert '<&">\N{REPLACEMENT CHARACTER}' in said
    assert any(word.startswith("a name that") and word.endswith("…") for word in said)


@pytest.mark.parametrize(
    "rules", [kd.Rules(2), kd.Rules(2, mighty_duel=True), kd.Rules(3), kd.Rules(3, "first"), kd.Rules(4)]
)
def test_every_position_of_a_game_can_be_drawn(rules: kd.Rules) -> None:
    game = kd.Game(rules, seed=11)
    while True:
        layouts = [game.layout(seat) for seat in range(rules.players)]
        picture = kd.svg.position(game.position, layouts=layouts)
        ElementTree.fromstring(picture)
        assert kd.svg.position(game.position) != picture or not any(layouts)
        assert str(game.position) == kd.text.position(game.position)
        if game.is_over:
            break
        game.play(game.legal_actions()[-1])


def test_the_pictures_of_the_documentation_are_up_to_date() -> None:
    folder = Path(__file__).parents[1] / "docs" / "pictures"
    for name, picture in run_path(str(folder / "draw.py"))["pictures"]().items():
        drawn = (folder / f"{name}.svg").read_text(encoding="utf-8")
        assert drawn == picture, f"{name}.svg is out of date: run python docs/pictures/draw.py"


def test_the_animation_is_small_and_respects_reduced_motion() -> None:
    file = Path(__file__).parents[1] / "docs" / "pictures" / "game.svg"
    text = file.read_text(encoding="utf-8")
    assert len(text.encode()) < 500_000
    ElementTree.fromstring(text)
    assert set(re.findall(r'(?:href="|url\()#([^")]+)', text)) <= set(re.findall(r' id="([^"]+)"', text))
    assert not re.findall(r'href="[^#]|<script|@import', text)
    assert set(re.findall(r'class="f (f\d+-\d+)', text)) == set(re.findall(r"@keyframes (f\d+-\d+)", text))
    assert "@media(prefers-reduced-motion:reduce){.f{animation:none}.end{visibility:visible}}" in text


def test_every_symbol_of_the_sheet_is_plain_and_well_formed() -> None:
    assert len(sheet()) == 56
    for name, (_, content) in sheet().items():
        ElementTree.fromstring(f"<symbol>{content}</symbol>")
        assert not re.search(r"<style|<use|Gradient|filter|clip|url\(", content), name


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: kd.svg.kingdom(KINGDOM, seat=4),
        lambda: kd.svg.kingdom(KINGDOM, theme="sepia"),
        lambda: kd.svg.kingdom(KINGDOM, size=0),
        lambda: kd.svg.kingdom(KINGDOM, domino=kd.Domino(1, "lake", "lake")),
        lambda: kd.svg.kingdom(KINGDOM, placements=[((1, 1), (2, 2))]),
        lambda: kd.svg.kingdom(KINGDOM, highlight=[(1000, 0)]),
        lambda: kd.svg.kingdom(KINGDOM, layout={(1, 0): (kd.DOMINOES[47], "left"), (9, 9): (DOMINO, "left")}),
        lambda: kd.svg.line([0]),
        lambda: kd.svg.position(position_like(), names=["Ida"]),
        lambda: kd.svg.position(position_like(), layouts=[None]),
        lambda: kd.svg.back(49),
    ],
)
def test_wrong_arguments_raise_an_error_of_the_library(wrong: Callable[[], str]) -> None:
    with pytest.raises(kd.KingdominoError):
        wrong()


def symbols(picture: str, start: str = "") -> list[str]:
    """List the symbols of a picture, in the order of drawing."""
    used = re.findall(r'<use href="#kd-[0-9a-f]+-([^"]+)"', picture)
    return [symbol for symbol in used if symbol.startswith(start)]


def texts(picture: str) -> list[str]:
    """List the texts in a picture, in the order of drawing."""
    return [
        element.text or ""
        for element in ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}text")
    ]


def empty_squares(picture: str) -> int:
    return symbols(picture).count("square-empty")


def framed_sides(picture: str) -> int:
    path = re.search(r'<path d="([^"]+)"[^>]*stroke-width="7"', picture)
    return path[1].count("M") if path else 0


def test_a_result_has_the_shape_of_a_link_and_says_who_has_won() -> None:
    picture = kd.svg.result(OVER, names=["Ida", "Oskar"])
    root = ElementTree.fromstring(picture)
    assert (root.get("width"), root.get("height")) == ("1200", "630")
    assert {"Ida wins with 5 points.", "Ida", "Oskar", "Kingdomino"} <= set(texts(picture))
    assert "Ida a gagné." in texts(kd.svg.result(OVER, title="Ida a gagné."))
    long = kd.svg.result(OVER, title="W" * 200 + " " + "and much more " * 40)
    assert ElementTree.fromstring(long).get("width") == "1200"
    with pytest.raises(kd.KingdominoError, match="not over"):
        kd.svg.result(position_like())
