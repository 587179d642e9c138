"""The forms of a review: the graph, the page, the annotated record, the sentences."""

import re
from dataclasses import replace
from html import escape
from html.parser import HTMLParser
from itertools import combinations
from xml.etree import ElementTree

import pytest

import kingdomino as kd
from kingdomino.analysis import CostPart
from kingdomino.analysis.graph import WIDTH, costliest, luckiest
from kingdomino.analysis.sentences import (
    account_sentence,
    cost_figure,
    cost_sentence,
    is_costly,
    level_words,
    parts_sentence,
    points_change,
    reason_sentence,
)
from kingdomino.analysis.why import LaterTurn, LeftToOpponents
from kingdomino.svg.drawing import text_width

NAMES = ["Ida", "<Oskar> & sons"]


@pytest.fixture(scope="module")
def record() -> kd.Record:
    """Return the record of a game between two weak players."""
    game, bot = kd.Game(kd.Rules(harmony=True), seed=11), kd.bots.make("random", seed=3)
    while not game.is_over:
        game.play(bot.choose(game.position))
    return kd.Record.from_game(game, NAMES, comments={0: "It begins."})


@pytest.fixture(scope="module")
def review(record: kd.Record) -> kd.analysis.Review:
    """Review it, roughly."""
    return kd.analysis.review(record, kd.bots.Limit(playouts=60))


def test_the_graph_has_a_line_per_seat_and_marks_mistakes(
    review: kd.analysis.Review, record: kd.Record
) -> None:
    picture = kd.analysis.graph(review, record)
    root = ElementTree.fromstring(picture)
    texts = ["".join(element.itertext()) for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"Kings", "Round 1", "Round 6", "100%"} <= set(texts)
    assert [cost_figure(one) for one in costliest(review)] == [
        text for text in texts if text.startswith("\N{MINUS SIGN}")
    ]
    assert sum(" for " in text for text in texts) == len(luckiest(review)) == 2
    assert picture == kd.analysis.graph(review, record)
    assert kd.analysis.graph(review, record, theme="dark") != picture
    assert "Ida starts at 50%" in str(root.get("aria-label"))


def boxes(picture: str) -> tuple[list[str], list[tuple[float, float, float, float]]]:
    """Return the figures beside the marks of a graph, and the boxes of what it writes above and around its lines: left,
    top, right, bottom.
    """
    figures, found = [], []
    for element in ElementTree.fromstring(picture).iter():
        words, size = "".join(element.itertext()), float(element.get("font-size", "0"))
        if element.tag.endswith("text") and not words.startswith(("Round", "Kings")):
            x, y, width = float(element.get("x", "0")), float(element.get("y", "0")), text_width(words, size)
            left = x - width if element.get("text-anchor") == "end" else x
            found.append((left, y - 0.75 * size, left + width, y))
            if element.get("font-weight") == "700":
                figures.append(words)
        elif mark := re.fullmatch(r"M(\S+) (\S+)h10l-5 7z", element.get("d", "")):
            left, top = map(float, mark.groups())
            found.append((left, top, left + 10, top + 7))
        elif element.get("height") == "10":
            left, top = float(element.get("x", "0")), float(element.get("y", "0"))
            found.append((left, top, left + 18, top + 10))
    return figures, found


@pytest.mark.parametrize("first", [0, 1, 20, 42])
@pytest.mark.parametrize("rate", [0.0, 0.03, 0.5, 0.97, 1.0])
def test_the_words_of_close_marks_cover_nothing(
    review: kd.analysis.Review, record: kd.Record, first: int, rate: float
) -> None:
    def close(one: kd.analysis.Decision) -> kd.analysis.Decision:
        cost = 10.0 + one.ply if first <= one.ply < first + 6 else 0.0
        return replace(one, cost_points=cost, before=replace(one.before, win_rates=(rate, rate)))

    marked = replace(review, decisions=tuple(map(close, review.decisions)))
    marked = replace(
        marked, luck=tuple(replace(one, ply=first + 2 * at) for at, one in enumerate(review.luck))
    )
    figures, found = boxes(kd.analysis.graph(marked, record))
    assert figures == [cost_figure(one) for one in costliest(marked)]
    assert len(figures) == 6
    for one, other in combinations(found, 2):
        apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
        assert apart, (one, other)
    assert all(left >= 0 and right <= WIDTH for left, _, right, _ in found)


def test_a_graph_is_drawn_while_nothing_is_known_yet(review: kd.analysis.Review, record: kd.Record) -> None:
    for known in (0, 1, 7):
        partial = replace(review, decisions=review.decisions[:known], luck=review.luck[:1])
        ElementTree.fromstring(kd.analysis.graph(partial, record))
        assert f"Decision {known} of 48 so far." in kd.analysis.page(partial, record)


class Tags(HTMLParser):
    """Checks that every element is closed, and collects the addresses that a browser could load."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.loads: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "br"):
            self.open.append(tag)
        self.loads += [value for name, value in attrs if name in ("src", "href", "xlink:href") and value]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_one_file_that_loads_nothing(review: kd.analysis.Review, record: kd.Record) -> None:
    page = kd.analysis.page(review, record)
    tags = Tags()
    tags.feed(page)
    assert tags.open == []
    assert all(load.startswith("#") for load in tags.loads)
    assert not re.search(r"@import|url\((?!#)|<script|<link", page)
    assert "<Oskar>" not in page
    assert "&lt;Oskar&gt; &amp; sons" in page


def test_the_page_shows_every_costly_decision(review: kd.analysis.Review, record: kd.Record) -> None:
    page = kd.analysis.page(review, record)
    costly = [one for one in review.decisions if is_costly(one)]
    assert len(costly) > 3
    assert page.count("What else there was") == len(costly)
    for one in costly:
        assert cost_sentence(one, "Ida" if one.seat == 0 else "&lt;Oskar&gt; &amp; sons") in page
    assert page.count("<tr>") == len(review.decisions) + 1
    assert page.count('<tr class="chance">') == len(review.luck)
    assert "Decisions cost" in page


def test_the_figures_of_a_review_become_annotations(review: kd.analysis.Review, record: kd.Record) -> None:
    annotated = kd.analysis.annotate(record, review)
    assert sorted(annotated.annotations) == list(range(48))
    one = review.decisions[8]
    assert annotated.annotations[8].best == one.best
    assert annotated.annotations[8].cost == round(one.cost, 4)
    assert annotated.annotations[8].win_rates == pytest.approx(one.before.win_rates, abs=1e-4)
    assert annotated.comments[0] == "It begins."
    told = {one.ply for one in review.decisions if is_costly(one)}
    assert set(annotated.comments) == told | {0}
    assert kd.Record.parse(annotated.to_text()) == annotated
    assert kd.analysis.annotate(annotated, review).annotations == annotated.annotations


def test_a_second_review_replaces_the_words_of_the_first(
    review: kd.analysis.Review, record: kd.Record
) -> None:
    rough = kd.analysis.review(record, kd.bots.Limit(playouts=20), seed=5)
    twice = kd.analysis.annotate(kd.analysis.annotate(record, rough), review)
    assert twice == kd.analysis.annotate(record, review)


def test_the_page_gives_the_playouts_used(review: kd.analysis.Review, record: kd.Record) -> None:
    assert "Each decision was judged with 60 playouts." in kd.analysis.page(review, record)
    first, *others = review.decisions
    uneven = replace(review, decisions=(replace(first, playouts=40), *others))
    assert "Each decision was judged with 40 to 60 playouts." in kd.analysis.page(uneven, record)
    exact = replace(review, decisions=tuple(replace(one, exact=True) for one in review.decisions))
    assert "worked out to the end of the game" in kd.analysis.page(exact, record)


def test_a_review_of_another_game_is_refused(review: kd.analysis.Review, record: kd.Record) -> None:
    game = record.replay()
    game.undo()
    for other in (kd.Record.from_game(game), kd.Record.from_game(kd.Game(seed=1))):
        for make in (kd.analysis.graph, kd.analysis.page):
            with pytest.raises(kd.KingdominoError, match="this review is of another game"):
                make(review, other)
        with pytest.raises(kd.KingdominoError, match="this review is of another game"):
            kd.analysis.annotate(other, review)


@pytest.mark.parametrize(
    ("cost", "cost_points", "decided", "said", "figure"),
    [
        (0.0, 0.0, False, "As good as the best.", ""),
        (0.009, 0.4, True, "As good as the best.", ""),
        (0.0, 4.2, False, "This cost Ida 4 points.", "\N{MINUS SIGN}4"),
        (0.03, 1.2, False, "This cost Ida 1 point and a 3% chance of winning.", "\N{MINUS SIGN}1"),
        (0.31, 1.0, False, "This cost Ida 1 point and a 31% chance of winning.", "\N{MINUS SIGN}1"),
        (0.1, 0.3, False, "This cost Ida a 10% chance of winning.", "\N{MINUS SIGN}10%"),
        (0.08, 0.0, False, "This cost Ida an 8% chance of winning.", "\N{MINUS SIGN}8%"),
        (0.012, 7.0, True, "This cost Ida 7 points; the game was decided.", "\N{MINUS SIGN}7"),
    ],
)
def test_the_cost_of_a_decision_in_words(
    review: kd.analysis.Review, cost: float, cost_points: float, decided: bool, said: str, figure: str
) -> None:
    decision = replace(review.decisions[0], cost=cost, cost_points=cost_points, decided=decided)
    assert cost_sentence(decision, "Ida") == said
    assert cost_figure(decision) == figure


def test_mistakes_are_ordered_by_points_and_then_by_chances(
    review: kd.analysis.Review, record: kd.Record
) -> None:
    costs = {3: (0.3, 0.0), 7: (0.2, 2.0), 9: (0.1, 5.0), 30: (0.4, 2.0)}
    decisions = [
        replace(one, cost=costs.get(one.ply, (0.0, 0.0))[0], cost_points=costs.get(one.ply, (0.0, 0.0))[1])
        for one in review.decisions
    ]
    ordered = replace(review, decisions=tuple(decisions))
    assert [one.ply for one in costliest(ordered)] == [7, 9, 30]  # 3 cost only chances
    page = kd.analysis.page(ordered, record)
    numbers = [int(number) for number in re.findall(r"Decision (\d+): ", page)]
    assert numbers == [10, 31, 8, 4]  # from 1, as at /review


@pytest.mark.parametrize(
    ("value", "words"), [(3.2, "+3 points"), (-1.4, "\N{MINUS SIGN}1 point"), (-0.3, "0 points")]
)
def test_a_change_of_points_has_a_sign(value: float, words: str) -> None:
    assert points_change(value) == words


def test_the_parts_of_a_cost_in_words(review: kd.analysis.Review) -> None:
    parts = (
        CostPart("terrain", 5.2, 5, terrain=kd.Terrain.WHEAT),
        CostPart("harmony", 1.8, 2, chances=(0.7, 0.34)),
        CostPart("opponent", 1.1, 1, seat=1),
        CostPart("opponent", -0.9, -1, seat=2),
        CostPart("terrain", -0.8, -1, terrain=kd.Terrain.LAKE),
        CostPart("middle_kingdom", 0.3, 0),
    )
    decision = replace(review.decisions[0], parts=parts)
    said = "Wheat -5, Harmony -2 (70% to 34%), Bramble +1, Sorrel -1, lake +1.".replace("-", "\N{MINUS SIGN}")
    assert parts_sentence(decision, ["Ida", "Bramble", "Sorrel"]) == said
    assert parts_sentence(replace(decision, parts=()), ["Ida", "Bramble"]) == ""


@pytest.mark.parametrize(
    ("margin", "start", "cost", "received", "luck", "said"),
    [
        (-12, 0, 48, 41, -5, "You lost by 12: 7 were play, 5 were luck."),
        (-12, 0, 20, 3, 5, "You lost by 12: 17 were play, luck gave back 5."),
        (-3, 0, 10, 15, -8, "You lost by 3, and luck cost 8."),
        (-3, -4, 10, 15, -4, "You lost by 3: 4 were the odds, 4 were luck, play gave back 5."),
        (9, 0, 6, 20, -5, "You won by 9: 14 were play, luck took 5."),
        (9, 0, 6, 7, 8, "You won by 9: 8 were luck, 1 was play."),
        (0, 0, 6, 11, -5, "You tied on points: 5 were play, luck took 5."),
        (0, 0, 6, 6, 0, "You tied on points."),
    ],
)
def test_the_account_of_a_game_in_a_sentence(
    margin: int, start: int, cost: int, received: int, luck: int, said: str
) -> None:
    account = kd.analysis.Account(margin, start, received - cost, cost, received, luck)
    assert account_sentence(account) == said


def test_the_page_gives_the_account_of_each_player(review: kd.analysis.Review, record: kd.Record) -> None:
    page = kd.analysis.page(review, record)
    for one, name in zip(review.seats, record.players, strict=True):
        assert one.account
        assert escape(account_sentence(one.account, name or "")) in page


def test_a_report_names_the_level_of_a_player_if_it_is_known(
    review: kd.analysis.Review, record: kd.Record
) -> None:
    ida, oskar = (replace(one, level=None) for one in review.seats)
    assert "Played like" not in kd.analysis.page(replace(review, seats=(ida, oskar)), record)
    ida = replace(ida, level=kd.analysis.Level(4, 3, 6))
    assert "<dt>Played like</dt><dd>level 4 (3 to 6)</dd>" in kd.analysis.page(
        replace(review, seats=(ida, oskar)), record
    )
    assert level_words(kd.analysis.Level(4, 4, 4)) == "level 4"


def test_reasons_name_the_players() -> None:
    left = LeftToOpponents(domino=34, seat=0, opponents=(1,), points=(2, 6))
    assert reason_sentence(left, ["Ida", "Bramble"]) == "34 was worth 6 points to Bramble, 2 to Ida."
    later = LaterTurn(47, 29, 4, 3)
    assert reason_sentence(later, ["Ida", "Bramble"]) == str(later)
