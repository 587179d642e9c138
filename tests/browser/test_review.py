"""The review of a game: the cost of each decision, and a second try, by mouse, touch and keys."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest
from axe_playwright_python.base import AXE_FILE_PATH  # type: ignore[import-untyped]
from playwright.sync_api import Locator, Page, Route, expect

import kingdomino as kd
from browser.player import (
    DESK,
    LANDSCAPE,
    LANGUAGES,
    PHONE,
    TABLET,
    THINKING,
    TRANSLATIONS,
    Device,
    Player,
    Sit,
)
from browser.test_access import faultless
from browser.test_words import leftovers

IDA = {"kind": "me", "name": "Ida"}
BOT = {"kind": "bot", "bot": "greedy"}


def careless(*players: str) -> kd.Record:
    """Return a game in which the first seat always takes the first action, and the others think."""
    game, greedy = kd.Game(kd.Rules(len(players), harmony=True), seed=5), kd.bots.make("greedy")
    while not game.is_over:
        first = game.position.to_move == 0
        game.play(game.legal_actions()[0] if first else greedy.choose(game.position))
    return kd.Record.from_game(game, players)


RECORD = careless("Ida", "Sorrel")
FOUR = careless("Ida", "Bramble", "Juniper", "Sorrel")


def even_game(first: int = 2, marks: int = 3, rate: float = 0.97) -> kd.analysis.Review:
    """Write a review in which the marks of the graph are close together.

    Three costly decisions in a row, or six, meet the luckiest and the unluckiest lines, the lines from ``first`` on.
    All chances of the first seat are ``rate``.
    """
    review = kd.analysis.review(RECORD, kd.bots.Limit(playouts=1))
    own = [one for one in review.decisions if one.seat == 0]
    events = [one for one in review.luck if one.line]
    step = 12 // marks
    costly = [one.ply for one in own if events[first].ply <= one.ply][: marks * step : step]

    def high(one: kd.analysis.Evaluation) -> kd.analysis.Evaluation:
        return kd.analysis.Evaluation((rate, 1 - rate), one.mean_scores, one.mean_margin)

    decisions = tuple(
        replace(
            one,
            before=high(one.before),
            cost=0.2 * (one.ply in costly),
            cost_points=12.0 * (one.ply in costly),
        )
        for one in review.decisions
    )
    changes = {events[first].ply: 0.24, events[first + 1].ply: -0.31}
    luck = tuple(
        replace(one, win_rates=(changes.get(one.ply, 0.0), -changes.get(one.ply, 0.0))) for one in review.luck
    )
    return replace(review, decisions=decisions, luck=luck)


KEEP = """async ([id, record, known]) => {
  const home = document.querySelector("script[src*=home]").src;
  await (await import(home.replace("pages/home.js", "review/kept.js"))).keep(id, record, known);
}"""


def show(
    player: Player, review: kd.analysis.Review, record: kd.Record = RECORD, ply: int | None = None
) -> None:
    """Open the review of the player's own game, which this device has kept."""
    game = keep(player, record)
    text = player.page.context.request.get(f"{player.address}/api/games/{game}/record").text().strip()
    known = json.loads(review.to_json())
    known |= {"judged": known["decisions"], "passes": [2] * review.plies}
    player.page.evaluate(KEEP, [f"{game}#1", text, known])
    player.go(f"/review/{game}" + ("" if ply is None else f"#{ply}"))


def quick(player: Player, playouts: int = 40) -> None:
    """Let reviews take few playouts."""

    def answer(route: Route) -> None:
        found = route.fetch()
        route.fulfill(response=found, body=found.text().replace("12_000", str(playouts)))

    player.page.context.route("**/js/review/work.js", answer)


KNOWN = """async () => {
  const done = (request) => new Promise((resolve) => { request.onsuccess = () => resolve(request.result); });
  if (!(await indexedDB.databases()).length) return undefined;
  const database = await done(indexedDB.open("kingdomino"));
  const [one] = await done(database.transaction("reviews").objectStore("reviews").getAll());
  database.close();
  return one?.known;
}"""
"""Reads the part of a review that the device has kept."""

WORKS = """
window.works = [];
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message) {
  if (message.work) works.push(JSON.stringify([message.work.name, message.work.args.ply, message.work.args.playouts]));
  post.call(this, message);
};
"""
"""Lists the tasks that the page gives its engines."""


def keep(player: Player, record: kd.Record = RECORD) -> str:
    """Add the game to the player's own, and return its id."""
    player.go()
    answer = player.ask("/api/me/games", {"records": [{"text": record.to_text(), "seat": 0}]})
    game: str = answer["games"][0]
    return game


def until_reviewed(page: Page) -> None:
    """Wait for the whole review."""
    expect(page.locator(".facts").first).to_be_visible(timeout=THINKING)
    expect(page.locator(".progress")).to_have_count(0, timeout=THINKING)


def review(player: Player, game: str, ply: int | None = None) -> None:
    """Open a review, and wait for the whole of it."""
    quick(player)
    player.go(f"/review/{game}" + ("" if ply is None else f"#{ply}"))
    until_reviewed(player.page)


def costly(player: Player, kind: str) -> Locator:
    """Go to a costly placement or claim of the player's; return the button to try it again."""
    page = player.page
    places = [ply for ply, action in enumerate(RECORD.actions()) if str(action).startswith(kind)]
    for ply in places:
        if RECORD.positions()[ply].to_move != 0:
            continue
        page.goto(f"{page.url.partition('#')[0]}#{ply + 1}")
        expect(page.locator("#where")).to_have_text(player.say("review.where", n=ply + 1, of=48))
        again = page.locator("#retry, #retry-wide").locator("visible=true")
        if again.count():
            return again
    raise AssertionError(f"no {kind} cost anything")


def test_play_lose_review_and_try_again(sit: Sit) -> None:
    ida = sit()
    quick(ida)
    ida.go()
    table = ida.create(IDA, BOT)
    ida.program(table)
    ida.go(f"/t/{table}")
    ida.link("review.look").click()
    page = ida.page
    until_reviewed(page)
    expect(page.locator(".choices")).to_be_visible()
    expect(page.locator("h1")).not_to_be_empty()
    expect(page.locator("#seats section")).to_have_count(2)
    expect(ida.link("review.to_analysis")).to_have_attribute(
        "href", re.compile(rf"^/analysis\?table={table}&game=1&ply=\d+$")
    )
    ida.link("end.look_back").click()
    expect(ida.link("review.look")).to_be_visible()


def test_the_mouse_retries_a_costly_placement(sit: Sit) -> None:
    ida = sit()
    game = keep(ida)
    review(ida, game)
    page = ida.page
    again = costly(ida, "place")
    expect(page.locator("h1")).to_have_text(ida.pattern("review.chance_you"))
    expect(page.locator("kd-kingdom .played use").first).to_be_attached()
    expect(page.locator(".choices li.is-best")).to_have_count(1)
    page.keyboard.press("b")
    expect(page.locator("input[value=yours]")).to_be_checked()
    again.click()
    expect(page.locator("h1")).to_have_text(ida.pattern("review.find_chance_you"))
    expect(page.locator("#kingdom .played use")).to_have_count(0)
    spots = page.locator("#kingdom .spots use")
    expect(spots.first).to_be_attached()
    box = spots.first.bounding_box()
    assert box
    for _ in range(2):
        page.mouse.click(box["x"] + box["width"] / 2 + 3, box["y"] + box["height"] / 2 + 3)
    answers = ["same", "best_there_is", "better", "worse", "better_points", "worse_points"]
    expect(page.locator("#caption")).to_have_text(ida.pattern(*(f"review.{answer}" for answer in answers)))
    ida.page.locator("#again").click()
    expect(spots.first).to_be_attached()
    ida.button("review.show_me").click()
    expect(page.locator("h1")).to_have_text(ida.pattern("review.chance_you"))


@pytest.mark.parametrize("is_judged", [True, False], ids=["judged", "not judged yet"])
def test_a_choice_without_a_better_one_is_visible(sit: Sit, is_judged: bool) -> None:
    ida = sit()
    ply = next(ply for ply, action in enumerate(RECORD.actions()) if str(action).startswith("place"))
    review = kd.analysis.review(RECORD, kd.bots.Limit(playouts=1))
    best = replace(review, decisions=tuple(replace(one, best=one.action) for one in review.decisions))
    if is_judged:
        show(ida, best, ply=ply + 1)
    else:
        game = keep(ida)
        ida.catch("**/kingdomino.wasm", lambda _: None)
        ida.go(f"/review/{game}#{ply + 1}")
    expect(ida.page.locator(".facts")).to_have_count(2 if is_judged else 0)
    expect(ida.page.locator("#kingdom .played .art")).to_have_css("opacity", "1")


def test_screen_readers_hear_costs_and_placements(sit: Sit) -> None:
    ida = sit()
    review = kd.analysis.review(RECORD, kd.bots.Limit(playouts=1))
    show(ida, review)
    expect(ida.page.locator(".facts").first).to_be_visible()
    costly(ida, "place")
    where, cost = (ida.page.locator(one).inner_text() for one in ("#where", "#cost"))
    expect(ida.page.locator("#announcer")).to_have_text(f"{where}. {cost}")
    ply = int(ida.page.url.partition("#")[2]) - 1
    best = review.decisions[ply].best.placement
    assert best
    (left, _), (_, top) = RECORD.positions()[ply].kingdoms[0].reach
    places = [ida.say("hint.where", column=x - left + 1, row=top - y + 1) for x, y in best]
    expect(ida.page.locator(".choices .is-best .what")).to_contain_text(" ".join(places))


def test_keys_retry_a_costly_placement(sit: Sit) -> None:
    ida = sit()
    review(ida, keep(ida))
    page = ida.page
    again = costly(ida, "place")
    expect(ida.kingdom).to_have_count(0)  # a picture
    ida.focus(again)
    ida.press("Enter")
    expect(page.locator("#kingdom .spots use").first).to_be_attached()
    ida.focus(ida.kingdom.locator("[tabindex='0']"))
    ida.walk_to_spot()
    turn, place = page.locator("#turn"), page.locator("#place")
    expect(turn).to_have_attribute("aria-disabled", "false")
    ida.focus(turn)
    ida.press("Enter")
    while place.get_attribute("aria-disabled") == "true":
        ida.press("Enter")  # no other placement there is legal
    ida.focus(place)
    ida.press("Enter")
    expect(place).to_be_hidden()
    expect(page.locator("#again")).to_be_focused()
    ida.focus(ida.button("review.show_me"))
    ida.press("Enter")
    expect(ida.kingdom).to_have_count(0)


def test_the_side_column_comes_back_after_a_try(sit: Sit) -> None:
    ida = sit()
    review(ida, keep(ida))
    for kind in ("place", "claim"):
        costly(ida, kind).click()
        expect(ida.page.locator(".choices")).to_be_hidden()
        ida.button("review.show_me").click()
        expect(ida.page.locator(".choices")).to_be_visible()


def test_a_tried_claim_is_marked(sit: Sit) -> None:
    ida = sit()
    review(ida, keep(ida))
    costly(ida, "claim").click()
    claims = ida.page.locator("#claims li", has=ida.page.get_by_role("button"))
    tried = claims.nth(1).locator(".no").inner_text()
    claims.nth(1).get_by_role("button").evaluate("button => button.click()")  # without focus, as in Safari
    expect(ida.page.locator("#claims .is-best .no")).to_have_text(tried)
    expect(ida.page.locator("#claims .is-best .tag")).to_have_text(ida.say("mistakes.now"))
    expect(ida.page.locator("#claims .is-yours")).to_have_count(0)
    ida.page.locator("#again").click()
    expect(claims.first).to_be_visible()
    expect(ida.page.locator("#claims .is-best")).to_have_count(0)


def test_keys_retry_a_costly_claim(sit: Sit) -> None:
    ida = sit()
    review(ida, keep(ida))
    page = ida.page
    again = costly(ida, "claim")
    expect(page.locator("#claims .is-best")).to_have_count(1)
    expect(page.locator("#claims .is-yours")).to_have_count(1)
    best = page.locator("#claims .is-best .no").inner_text()
    ida.focus(again)
    page.keyboard.press("Enter")
    button = page.locator("#claims li", has=page.get_by_text(best, exact=True)).get_by_role("button")
    ida.focus(button)
    page.keyboard.press("Enter")
    expect(page.locator("#caption")).to_have_text(ida.say("review.best_there_is"))


def test_keys_step_through_decisions(sit: Sit) -> None:
    ida = sit()
    review(ida, keep(ida), 1)
    page = ida.page
    where = page.locator("#where")

    def stands_at(number: int) -> None:
        expect(where).to_have_text(ida.say("review.where", n=number, of=48))

    stands_at(1)
    page.keyboard.press("ArrowRight")
    stands_at(2)
    page.keyboard.press("End")
    stands_at(48)
    assert page.url.endswith("#48")
    page.keyboard.press("Home")
    stands_at(1)
    page.keyboard.press("n")
    expect(page.locator("h1")).to_have_text(ida.pattern("review.cost_you"))
    box = page.locator("#lines").bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] - 28, box["y"] + 40)
    stands_at(48)
    page.get_by_text(ida.say("games.as_table")).click()
    expect(page.locator("#table tbody tr")).to_have_count(48)


OVERLAPPING = """() => {
  const marks = [...document.querySelectorAll(
    "#lines :is(.fig, .tri, .tile, .tile + text, .axis + text, text[text-anchor=middle])")];
  const boxes = marks.map((mark) => [mark.textContent || mark.getAttribute("class"), mark.getBoundingClientRect()]);
  const isOut = ([, { left, right }]) => left < 0 || right > innerWidth;
  const outside = boxes.filter(isOut).map(([name]) => `${name} outside`);
  return outside.concat(boxes.flatMap(([name, one], at) => boxes.slice(at + 1)
    .filter(([, other]) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
      Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 3)
    .map(([other, { left, top }]) => `${name} at ${one.left}, ${one.top} and ${other} at ${left}, ${top}`)));
}"""
"""Marks of the graph that overlap by more than the rounding and the space above a letter."""


@pytest.mark.parametrize(
    ("first", "marks", "rate"), [(0, 3, 0.97), (2, 3, 0.97), (0, 6, 0.97), (2, 6, 0.02), (2, 6, 0.5)]
)
@pytest.mark.parametrize("device", [PHONE, LANDSCAPE, DESK], ids=["phone", "landscape", "desk"])
def test_marks_of_the_graph_do_not_overlap(
    sit: Sit, device: Device, first: int, marks: int, rate: float
) -> None:
    ida = sit(device)
    show(ida, even_game(first, marks, rate))
    expect(ida.page.locator("#lines .fig")).to_have_count(marks)
    expect(ida.page.locator("#lines .tile")).to_have_count(2)
    assert ida.page.evaluate(OVERLAPPING) == []


def four() -> kd.analysis.Review:
    """Write a review of a game of four that three of them lose."""
    review = kd.analysis.review(FOUR, kd.bots.Limit(playouts=1))
    *decisions, last = review.decisions
    after = kd.analysis.Evaluation((0.0, 1.0, 0.0, 0.0), last.after.mean_scores, last.after.mean_margin)
    seats = tuple(replace(one, level=kd.analysis.Level(4, 3, 6)) for one in review.seats)
    return replace(review, decisions=(*decisions, replace(last, after=after)), seats=seats)


@pytest.mark.parametrize("device", [PHONE, DESK], ids=["phone", "desk"])
def test_a_graph_of_four_separates_emblems_and_rounds(sit: Sit, device: Device) -> None:
    ida = sit(device)
    show(ida, four(), FOUR)
    emblems = ida.page.locator("#lines .emblem use")
    expect(emblems).to_have_count(4)
    assert ida.page.evaluate(OVERLAPPING.replace(".fig, ", ".emblem, .fig, ")) == []
    edges = ida.page.locator("#lines text[text-anchor=middle]").evaluate_all(
        "all => all.map((each) => each.getBoundingClientRect()).map(({ left, right }) => [left, right])"
    )
    assert all(right + 3 < left for (_, right), (left, _) in pairwise(edges))


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_review_of_four_is_as_short_as_one_of_two(sit: Sit, language: str) -> None:
    heights = []
    for record, review in ((RECORD, even_game()), (FOUR, four())):
        ida = sit(language=language)
        places = [ply for ply, action in enumerate(record.actions()) if str(action).startswith("place")]
        show(ida, review, record, 1 + places[2])
        expect(ida.page.locator("#seats section")).to_have_count(len(record.players))
        expect(ida.page.locator(".facts").first).to_be_visible()
        heights.append(ida.page.evaluate("document.documentElement.scrollHeight"))
        expect(ida.page.locator("#compare")).to_be_in_viewport(ratio=1)
        gap = ida.page.evaluate("""() => {
          const [card, land, graph] = ["#mine", "#kingdom", "#graph"].map((each) =>
            document.querySelector(each).getBoundingClientRect());
          return [card.bottom - land.bottom, graph.top - card.bottom];
        }""")
        assert gap[0] < 160
        assert gap[1] < 40
    assert heights[1] <= heights[0] + 20


def test_a_phones_bar_is_as_wide_as_the_screen(sit: Sit) -> None:
    ida = sit(PHONE)
    show(ida, even_game(), ply=1)
    bar = ida.page.locator("#step")
    again = ida.page.locator("#retry")
    wide = "bar => bar.getBoundingClientRect().width"
    expect(bar).to_be_visible()
    while again.is_hidden():
        assert bar.evaluate(wide) == PHONE.width
        ida.page.locator("#later").tap()
    assert bar.evaluate(wide) == PHONE.width
    again.tap()
    expect(again).to_be_hidden()
    assert bar.evaluate(wide) == PHONE.width


def test_the_list_shows_all_of_four_choices_in_order(sit: Sit) -> None:
    ida = sit()
    review = kd.analysis.review(RECORD, kd.bots.Limit(playouts=1))
    first, *others = review.decisions
    best, second, third, fourth = RECORD.positions()[0].legal_actions()
    alternatives = tuple(
        kd.analysis.Alternative(action, first.after, 0.0, points)
        for action, points in ((best, 0.0), (second, 1.0), (third, 2.0), (fourth, 3.0))
    )
    shown = [("second", second, 4), ("fourth", fourth, 2)]
    for place, action, said in shown:
        one = replace(first, action=action, best=best, choices=4, place=said, alternatives=alternatives)
        show(ida, replace(review, decisions=(one, *others)), ply=1)
        titles = ida.page.locator(".choices .what")
        expect(titles).to_have_count(4)
        at = ("second", "third", "fourth").index(place) + 1
        words = ["Best", "2nd", "3rd", "4th"]
        words[at] = f"{words[at]} of 4"
        for title, word in zip(titles.all_inner_texts(), words, strict=True):
            assert word in title


@pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
def test_every_choice_opens_with_its_moves(sit: Sit, device: Device) -> None:
    ida = sit(device)
    place = next(ply for ply, action in enumerate(RECORD.actions()) if str(action).startswith("place"))
    known = kd.analysis.review(RECORD, kd.bots.Limit(playouts=1))
    one = known.decisions[place]
    best, second, *_ = RECORD.positions()[place].legal_actions()
    after = RECORD.positions()[place].play(second)
    moves = (second, after.legal_actions()[0])
    alternatives = (
        kd.analysis.Alternative(best, one.after, 0.0, 0.0),
        kd.analysis.Alternative(second, one.after, 0.0, 2.0, moves),
    )
    one = replace(one, action=best, best=best, alternatives=alternatives, exact=False, place=1)
    show(
        ida,
        replace(known, decisions=(*known.decisions[:place], one, *known.decisions[place + 1 :])),
        ply=1 + place,
    )
    page = ida.page
    expect(page.locator(".then ol")).to_have_count(2)
    expect(page.locator("#seats .mini")).to_have_count(1)
    expect(page.locator("#goes-on")).to_be_hidden()
    choices = page.locator(".choices button")
    choices.nth(1).click()
    expect(choices.nth(1)).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#mine")).to_be_in_viewport(ratio=0.9)
    expect(page.locator("#see-best")).to_have_text("2nd")
    score = page.locator("#score").inner_text()
    page.locator("#goes-on").click()
    walked = page.locator("#walked")
    expect(walked).to_contain_text("1 of 2")
    expect(page.locator("#back")).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Enter")
    expect(walked).to_contain_text("2 of 2")
    page.evaluate("document.querySelector('#score').textContent = 'of the walk'")
    page.locator("#compare input[value=yours]").check(force=True)
    expect(walked).to_be_hidden()
    expect(page.locator("#score")).to_have_text(score)
    choices.nth(0).click()
    expect(choices.nth(0)).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_level_has_an_interval(sit: Sit, language: str) -> None:
    ida = sit(language=language)
    review = kd.analysis.review(RECORD, kd.bots.Limit(playouts=1))
    one, other = review.seats
    levels = (kd.analysis.Level(3, 2, 5), kd.analysis.Level(6, 6, 6))
    seats = (replace(one, level=levels[0]), replace(other, level=levels[1]))
    show(ida, replace(review, seats=seats))
    sections = ida.page.locator("#seats section")
    level = ida.say("review.level_range", level=3, low=2, high=5)
    expect(sections.nth(0)).to_contain_text(ida.say("review.level_you", level=level))
    expect(sections.nth(1)).to_contain_text(ida.say("review.level_other", who="Sorrel", level=6))


def test_the_page_and_the_command_line_agree(sit: Sit) -> None:
    ida = sit()
    review(ida, keep(ida))
    ours = kd.analysis.review(RECORD, kd.bots.Limit(playouts=40))
    found = {
        name: value for name, value in ida.page.evaluate(KNOWN).items() if name in ("decisions", "seats")
    }
    assert kd.analysis.Review.from_json(json.dumps(json.loads(ours.to_json()) | found)) == ours


def test_a_stored_review_needs_no_engine(sit: Sit) -> None:
    ida = sit()
    game = keep(ida)
    review(ida, game)
    costs = ida.page.locator("dd").all_inner_texts()
    ida.catch("**/kingdomino.wasm", lambda route: route.abort())
    ida.go(f"/review/{game}")  # it opens at the costliest decision
    until_reviewed(ida.page)
    expect(ida.page.locator("h1")).to_have_text(ida.pattern("review.cost_you"))
    assert ida.page.locator("dd").all_inner_texts() == costs


def test_a_review_continues_after_a_reload(sit: Sit) -> None:
    ida = sit()
    game = keep(ida)
    ida.go(f"/review/{game}")
    ida.page.evaluate(f"""async () => {{
      const known = {KNOWN};
      while (!((await known())?.passes.filter(Boolean).length >= 8)) await new Promise(requestAnimationFrame);
    }}""")
    ida.page.context.route("**/kingdomino.wasm", lambda _: None)  # from now on the engine never arrives
    ida.page.reload()
    expect(ida.page.locator(".facts")).to_have_count(2)
    words = ida.page.locator(".progress").inner_text()
    assert int(re.findall(r"\d+", words)[0]) >= 8
    ida.page.context.unroute("**/kingdomino.wasm")
    review(ida, game)


def test_a_second_tab_continues_the_review(sit: Sit) -> None:
    ida = sit()
    game = keep(ida)
    quick(ida, 1200)
    ida.page.context.add_init_script(WORKS)
    ida.go(f"/review/{game}")
    expect(ida.page.locator(".facts").first).to_be_visible()
    other = ida.page.context.new_page()
    other.goto(ida.page.url)
    expect(other.locator(".facts").first).to_be_visible()
    assert other.evaluate("works") == []
    made = ida.page.evaluate("works")
    ida.page.close()
    until_reviewed(other)
    again = set(made) & set(other.evaluate("works"))
    assert len(again) <= 4, "but for what was being judged"


def cut_short(route: Route) -> None:
    """Answer with the first half of the engine."""
    body = route.fetch().body()
    route.fulfill(body=body[: len(body) // 2], content_type="application/wasm")


def of_another_version(route: Route) -> None:
    """Answer with an engine without any calls."""
    route.fulfill(body=b"\0asm\1\0\0\0", content_type="application/wasm")


def without_calls(route: Route) -> None:
    """Answer with an engine that does not know the calls of the page."""
    route.fulfill(
        body=route.fetch().text().replace("({ name,", "({ name: `${name}_2`,"), content_type="text/javascript"
    )


@pytest.mark.parametrize(
    ("file", "answer", "key"),
    [
        ("kingdomino.wasm", lambda route: route.fulfill(status=404), "engine.unbuilt"),
        ("kingdomino.wasm", lambda route: route.abort(), "engine.missing"),
        ("kingdomino.wasm", cut_short, "engine.misfit"),
        ("kingdomino.wasm", of_another_version, "engine.misfit"),
        ("engine/engine.js", without_calls, "engine.misfit"),
    ],
    ids=["not built", "unreachable", "cut short", "another version", "other calls"],
)
def test_an_engine_error_is_shown_once_and_can_be_retried(
    sit: Sit, file: str, answer: Callable[[Route], None], key: str
) -> None:
    ida = sit()
    game = keep(ida)
    quick(ida)
    ida.trouble.forgive("404|ERR_FAILED|Failed to fetch")
    ida.catch(re.compile(rf"/static/\w+/{'engine/' if '/' not in file else ''}{file}$"), answer)
    ida.go(f"/review/{game}")
    expect(ida.page.locator("#others .refusal")).to_contain_text(ida.say(key))
    expect(ida.page.locator(".refusal").filter(visible=True)).to_have_count(1)
    ida.page.keyboard.press("End")
    expect(ida.page.locator("#where")).to_have_text(ida.say("review.where", n=48, of=48))
    expect(ida.page.locator("#seats section")).to_have_count(2)
    ida.page.unroute_all()
    ida.button("offline.again").click()
    until_reviewed(ida.page)


def test_a_review_survives_a_killed_worker(sit: Sit) -> None:
    ida = sit()
    game = keep(ida)
    ida.page.clock.install()
    ida.go(f"/review/{game}")
    expect(ida.page.locator(".facts").first).to_be_visible()
    for worker in ida.page.workers:
        worker.evaluate("setTimeout(close)")
    ida.page.clock.run_for(11_000)
    refusal = ida.page.locator("#others .refusal")
    expect(refusal).to_contain_text(ida.say("engine.died"))
    ida.button("offline.again").click()
    expect(refusal).to_have_count(0)


@pytest.mark.parametrize("missing", ["WebAssembly", "indexedDB", "BroadcastChannel", "navigator.locks"])
def test_an_incomplete_browser_reviews_or_says_why(sit: Sit, missing: str) -> None:
    ida = sit()
    game = keep(ida)
    quick(ida)
    ida.page.add_init_script(
        f"Object.defineProperty({missing.rpartition('.')[0] or 'globalThis'}, "
        f"'{missing.rpartition('.')[2]}', {{ value: undefined }})"
    )
    ida.go(f"/review/{game}")
    if missing == "WebAssembly":
        expect(ida.page.locator("#others .refusal")).to_contain_text(ida.say("engine.none"))
        ida.link("end.look_back").click()
        expect(ida.page.get_by_role("slider", name=ida.say("replay.moment"))).to_be_visible()
    else:
        until_reviewed(ida.page)


def test_an_unfinished_game_has_no_review(sit: Sit) -> None:
    ida = sit()
    ida.go()
    table = ida.create(IDA, BOT)
    ida.go(f"/review/{table}")
    expect(ida.page.locator("h1")).to_have_text(ida.say("review.not_over"))
    ida.trouble.forgive("404")
    ida.go(f"/review/{'a' * 24}")
    expect(ida.page.locator("h1")).to_have_text(ida.say("common.refused_no_game"))


def test_the_list_of_games_links_to_the_page(sit: Sit) -> None:
    ida = sit()
    game = keep(ida)
    ida.go("/games")
    ida.link("review.look_short").first.click()
    expect(ida.page).to_have_url(re.compile(f"/review/{game}"))
    ida.go("/games")
    ida.link("analysis.open_short").first.click()
    expect(ida.page.get_by_label(ida.say("analysis.decision"))).to_be_visible()


@pytest.mark.parametrize(
    "device", [DESK, TABLET, PHONE, LANDSCAPE], ids=["desk", "tablet", "phone", "landscape"]
)
def test_the_page_fits_and_axe_finds_no_violation(sit: Sit, device: Device) -> None:
    ida = sit(device)
    ida.page.add_init_script(path=AXE_FILE_PATH)
    review(ida, keep(ida))
    page = ida.page
    for kind in ("place", "claim"):
        again = costly(ida, kind)
        faultless(ida, kind)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        if again.first.is_visible():
            (again.first.tap if device.touch else again.first.click)()
            expect(page.locator("#hand")).to_be_visible()
            faultless(ida, f"{kind}, again")
            ida.button("review.show_me").click()


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_every_text_is_translated(sit: Sit, language: str) -> None:
    ida = sit(language=language)
    review(ida, keep(ida))
    costly(ida, "place")
    leftovers(ida, language)


def test_arrow_keys_on_the_switch_stay_at_the_decision(sit: Sit) -> None:
    ida = sit()
    review(ida, keep(ida))
    costly(ida, "place")
    where = ida.page.locator("#where").inner_text()
    ida.focus(ida.page.locator("input[value=best]"))
    ida.press("ArrowLeft")
    expect(ida.page.locator("input[value=yours]")).to_be_checked()
    expect(ida.page.locator("#where")).to_have_text(where)
    ida.press("b")
    expect(ida.page.locator("input[value=best]")).to_be_checked()
