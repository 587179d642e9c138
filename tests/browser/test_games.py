"""Your games: current games on the home page, the whole list, importing and exporting files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from axe_playwright_python.base import AXE_FILE_PATH  # type: ignore[import-untyped]
from playwright.sync_api import Locator, Response, Route, expect
from support.outcomes import ended, totals

import kingdomino as kd
from browser.player import BASE, PHONE, Device, Player, Sit
from browser.test_access import faultless
from browser.test_review import FOUR
from browser.test_words import leftovers

BOT = {"kind": "bot", "bot": "king:level=1"}
IDA = {"kind": "me", "name": "Ida"}


def record(
    seed: int, tags: dict[str, str] | None = None, names: tuple[str, str] = ("Ida", "Oskar")
) -> kd.Record:
    """Return the record of a game in which everyone always plays the first action."""
    game = kd.Game(kd.Rules(2, harmony=bool(seed % 2)), seed=seed)
    while not game.is_over:
        game.play(game.legal_actions()[0])
    return kd.Record.from_game(game, names, tags or {})


def winner(one: kd.Record) -> int:
    return ended(one).winners[0]


def keep(player: Player, *records: kd.Record) -> None:
    """Add these records to the player's games."""
    for start in range(0, len(records), 25):
        texts = [{"text": one.to_text()} for one in records[start : start + 25]]
        player.ask("/api/me/games", {"records": texts})


def rows(player: Player) -> Locator:
    return player.page.locator("#ended .played > li")


def is_sent(answer: Response) -> bool:
    """Return whether this answers a device that sent its games."""
    return answer.request.method == "POST" and answer.url.endswith("/api/me/games")


def choose(player: Player, name: str, content: bytes) -> None:
    """Choose a file on the page of games."""
    player.page.locator("#chosen").set_input_files(
        {"name": name, "mimeType": "text/plain", "buffer": content}
    )


CUT_OFF = """(choice) => [...choice.querySelectorAll("label")]
  .filter((label) => label.getBoundingClientRect().right > choice.getBoundingClientRect().right)
  .map((label) => label.textContent)"""
"""Options that extend beyond the frame around all of them."""


def test_newcomers_see_no_games(sit: Sit) -> None:
    ida = sit()
    ida.go()
    expect(ida.button("home.play")).to_have_class(re.compile("primary"))
    expect(ida.page.locator("#seats")).not_to_be_empty()
    for hidden in ("#go-on", "#last", "#to-games", "#mine"):
        expect(ida.page.locator(hidden)).to_be_hidden()
    ida.go("/games")
    expect(ida.page.get_by_text(ida.say("games.none"))).to_be_visible()
    ida.link("home.play").click()
    expect(ida.button("home.play")).to_be_visible()


def test_a_finished_game_is_listed_with_its_replay(sit: Sit) -> None:
    ida = sit(language="fr")
    ida.go()
    ida.button("home.play").click()
    table = ida.arrive()
    name = ida.snapshot()["seats"][1]["name"]
    ida.go()
    go_on = ida.page.get_by_role("link", name=ida.say("home.go_on_with", names=name), exact=True)
    go_on.click()
    assert ida.arrive() == table
    ida.program(table)
    ida.go()
    expect(go_on).to_have_count(0)
    last = ida.page.locator("#last")
    expect(last).to_contain_text(ida.say("home.all_games", n=1))
    leftovers(ida, "fr")
    last.get_by_role("link", name=ida.say("home.all_games", n=1)).click()
    ida.page.wait_for_url(re.compile("/games$"))
    expect(rows(ida)).to_have_count(1)
    finished = ida.snapshot(table)["finished"]
    for score in finished["scores"]:
        if finished["decided_by"] == "score":  # otherwise the sentence names the tie-break
            expect(rows(ida)).to_contain_text(str(score["total"]))
    leftovers(ida, "fr")
    ida.link("games.look_back").click()
    ida.page.wait_for_url(re.compile(rf"/replay\?id={table}"))
    expect(ida.page.get_by_role("slider", name=ida.say("replay.moment"))).to_be_visible()


def test_a_bot_has_the_same_name_and_level_everywhere(sit: Sit) -> None:
    ida = sit()
    table = ida.create(IDA, BOT, BOT)
    weakest = "Clover, level 1"
    ida.go(f"/t/{table}")
    panels = ida.page.locator(".opponents section")
    expect(panels.locator(".name")).to_have_text([weakest, "Clover 2, level 1"])
    panels.get_by_role("button").first.click()
    expect(ida.page.locator(".details .label").first).to_have_text(weakest)
    ida.program(table)
    for path, names in [
        (f"/t/{table}", "kd-end .name"),
        (f"/review/{table}", "#seats .name"),
        ("/games", "#ended .label span"),
        ("/", "#last p"),
    ]:
        ida.go(path)
        expect(ida.page.locator(names).filter(has_text=weakest).first).to_be_visible()


def test_current_games_come_first(sit: Sit) -> None:
    ida, oskar = sit(), sit()
    keep(ida, record(1))
    table = ida.create(IDA, {"kind": "open"}, public=True)
    oskar.ask(f"/api/tables/{table}/seats", {"seat": 1, "name": "Oskar"})
    ida.go("/games")
    row = ida.page.locator("#unfinished .played > li")
    mine = ida.snapshot(table)["turn"]["seat"] == 0
    said = ida.say("games.your_turn", names="Oskar") if mine else ida.say("games.turn_of", name="Oskar")
    expect(row).to_contain_text(said)
    expect(ida.page.locator("#intro")).to_contain_text(ida.say("games.waiting", n=1).replace("{n}", "1"))
    row.get_by_role("link").click()
    assert ida.arrive() == table


def test_lists_number_guests_and_announce_their_turns(sit: Sit) -> None:
    ida, oskar = sit(), sit()
    table = ida.create("me", "open", public=True)
    oskar.ask(f"/api/tables/{table}/seats", {"seat": 1})
    ida.go()
    expect(ida.page.locator("#go-on")).to_have_text(ida.say("home.go_on_with", names="Guest 2"))
    ida.go("/games")
    row = ida.page.locator("#unfinished h3")
    said = (ida.say("games.your_turn", names="Guest 2"), ida.say("games.turn_of", name="Guest 2"))
    heard: set[int] = set()
    while len(heard) < 2:  # the page does not reload
        turn = ida.snapshot(table)["turn"]
        ida.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        expect(row).to_have_text(said[turn["seat"]])
        heard.add(turn["seat"])
        (ida, oskar)[turn["seat"]].program_turn(table, turn)


def test_a_list_names_the_player_to_move_on_a_shared_browser(sit: Sit) -> None:
    ida = sit()
    table = ida.create(IDA, {"kind": "me", "name": "Oskar"})
    ida.go("/games")
    name = ("Ida", "Oskar")[ida.snapshot(table)["turn"]["seat"]]
    expect(ida.page.locator("#unfinished h3")).to_have_text(ida.say("games.your_turn_name", name=name))


def test_a_game_ended_early_is_not_finished(sit: Sit) -> None:
    ida = sit()
    early, later = ida.create(IDA, BOT), ida.create(IDA, BOT)
    ida.program(later, lambda stands: stands["round"] == 2)
    for table in (early, later):
        ida.ask(f"/api/tables/{table}/end", {"wish": True})
    ida.go("/games")
    rounds = ida.snapshot(later)["rules"]["rounds"]
    stopped = [ida.say("games.stopped", round=2, rounds=rounds), ida.say("games.stopped_opening")]
    expect(rows(ida).locator("h3")).to_have_text(stopped)
    expect(ida.page.locator("#ended-head")).to_have_text("Past games")


@pytest.mark.parametrize("place", [1, 4])
def test_the_list_gives_your_place(sit: Sit, place: int) -> None:
    ida = sit()
    outcome = FOUR.outcome()
    assert outcome
    seat = outcome.ranking[place - 1]
    assert outcome.places[seat] == place
    ida.ask("/api/me/games", {"records": [{"text": FOUR.to_text(), "seat": seat}]})
    ida.go("/games")
    points, four = outcome.scores[seat].total, ida.say("games.players_4")
    said = ida.say("games.came", place=ida.say(f"end.place_{place}"), points=points, players=four) if place > 1 else (
        ida.say("games.won_among_you", points=points, players=four)
    )  # fmt: skip
    expect(rows(ida).locator("h3")).to_have_text(said)


def test_a_long_list_filters_and_loads_more(sit: Sit) -> None:
    ida = sit()
    made = [record(seed, {"you": "0", "bot-1": "king:level=2"}) for seed in range(60)]
    keep(ida, *made)
    won = sum(winner(one) == 0 for one in made)
    ida.go("/games")
    expect(rows(ida)).to_have_count(50)
    ida.button("games.older").click()
    expect(rows(ida)).to_have_count(60)
    expect(ida.button("games.older")).to_be_hidden()
    ida.page.get_by_role("radio", name=ida.say("games.which_won"), exact=True).check()
    expect(rows(ida)).to_have_count(min(50, won))
    ida.page.get_by_role("combobox", name=ida.say("games.rules"), exact=True).select_option(index=1)
    expect(rows(ida)).not_to_have_count(min(50, won))
    ida.page.get_by_role("combobox", name=ida.say("games.against"), exact=True).select_option(index=1)
    expect(ida.page.locator(".multiples .won")).not_to_have_count(0)
    ida.page.get_by_text(ida.say("games.as_table")).first.click()
    expect(ida.page.get_by_role("table").first).to_contain_text(ida.say("games.all_of_them"))


def test_a_late_answer_for_another_filter_is_ignored(sit: Sit) -> None:
    ida = sit()
    made = [record(seed, {"you": "0"}) for seed in range(60)]
    keep(ida, *made)
    won = sum(winner(one) == 0 for one in made)
    ida.go("/games")
    expect(rows(ida)).to_have_count(50)
    late: list[Route] = []
    ida.catch("**/games?*before=*", lambda route: late.append(route))
    with ida.page.expect_request("**/games?*before=*"):
        ida.button("games.older").click()
    ida.page.get_by_role("radio", name=ida.say("games.which_won"), exact=True).check()
    expect(rows(ida)).to_have_count(won)
    with ida.page.expect_response("**/games?*before=*"):
        late[0].continue_()
    ida.settle()
    expect(rows(ida)).to_have_count(won)


def test_a_failed_filter_changes_nothing(sit: Sit) -> None:
    ida = sit()
    ida.trouble.forgive("ERR_FAILED")
    keep(ida, *(record(seed, {"you": "0"}) for seed in range(60)))
    ida.go("/games")
    expect(rows(ida)).to_have_count(50)
    ida.catch("**/games?outcome=won", lambda route: route.abort())
    every, won = (
        ida.page.get_by_role("radio", name=ida.say(f"games.which_{which}"), exact=True)
        for which in ("all", "won")
    )
    every.focus()
    ida.press("ArrowRight")
    expect(ida.page.locator("#not-listed")).to_have_text(ida.say("common.refused_offline"))
    expect(every).to_be_checked()
    expect(won).to_be_focused()
    ida.button("games.older").click()
    expect(rows(ida)).to_have_count(60)


def test_a_refusal_is_shown_in_view(sit: Sit) -> None:
    ida = sit(PHONE)
    ida.trouble.forgive("ERR_FAILED")
    keep(ida, *(record(seed) for seed in range(51)))
    ida.go("/games")
    offline = ida.say("common.refused_offline")
    ida.catch("**/api/me/games?before=*", lambda route: route.abort())
    ida.button("games.older").press("Enter")
    older = ida.page.locator("#no-older")
    expect(older).to_have_text(offline)
    expect(older).to_be_in_viewport()
    ida.catch("**/api/me/games", lambda route: route.abort())
    ida.button("games.delete_all").tap()
    ida.button("games.delete_all").tap()
    expect(ida.page.locator("#delete-all").get_by_text(offline)).to_be_in_viewport()
    choose(ida, "cat.png", b"\x89PNG")
    expect(ida.page.locator("#refused")).to_have_text(
        ida.say("games.not_record", start="kingdomino-record 1")
    )
    expect(ida.page.locator("#refused")).to_be_in_viewport()


def test_without_the_server_the_list_is_the_devices(sit: Sit) -> None:
    ida = sit()
    ida.trouble.forgive("ERR_FAILED")
    keep(ida, record(1))
    late: list[Route] = []
    ida.catch("**/api/me/statistics", lambda route: late.append(route))
    ida.page.goto(f"{ida.address}/games")
    intro = ida.page.locator("#intro")
    expect(intro).to_have_text(ida.say("games.loading"))
    late[0].abort()
    expect(intro).to_have_text(f"{ida.say('games.none')} {ida.say('games.only_here')}")
    ida.page.unroute("**/api/me/statistics")
    ida.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(rows(ida)).to_have_count(1)
    expect(intro).not_to_contain_text(ida.say("games.only_here"))


def test_a_dynasty_is_one_entry(sit: Sit) -> None:
    ida = sit()
    table = ida.create(IDA, BOT, dynasty="total")
    for game in range(3):
        if game:
            ida.ask(f"/api/tables/{table}/next", {})
        ida.program(table)
    ida.go("/games")
    expect(rows(ida)).to_have_count(1)
    rows(ida).get_by_role("link", name=ida.say("end.game_n", game=2)).click()
    ida.page.wait_for_url(re.compile("/replay#"))
    second = ida.page.get_by_role("button", name=ida.say("end.game_n", game=2))
    expect(second).to_have_attribute("aria-pressed", "true")
    third = ida.page.get_by_role("button", name=ida.say("end.game_n", game=3))
    ida.focus(third)
    ida.press("Enter")
    expect(third).to_have_attribute("aria-pressed", "true")
    expect(third).to_be_focused()


def test_a_record_is_watched_and_imported(sit: Sit) -> None:
    ida = sit()
    one = record(3)
    ida.go("/games")
    choose(ida, "game.txt", one.to_text().encode())
    sheet = ida.page.locator("#file")
    expect(sheet).to_contain_text("game.txt")
    ida.button("games.watch").click()
    ida.page.wait_for_url(re.compile("/g$"))
    expect(ida.mine).to_contain_text("Ida")
    ida.press("End")
    expect(ida.mine.locator(".score")).to_contain_text(str(totals(ended(one))[0]))
    ida.link("games.to_games").click()
    ida.page.wait_for_url(re.compile("/games$"))
    expect(rows(ida)).to_have_count(0)
    choose(ida, "game.json", one.to_json().encode())
    ida.page.get_by_role("radio", name="Oskar").check()
    ida.button("games.keep").click()
    expect(ida.page.get_by_text(ida.say("games.added", n=1))).to_be_visible()
    expect(rows(ida)).to_have_count(1)
    form = "games.won_score_you" if winner(one) == 1 else "games.won_score_other"
    best, second = sorted(totals(ended(one)), reverse=True)
    figures = ida.say("end.figures", best=best, second=second)
    expect(rows(ida)).to_contain_text(ida.say(form, who="Ida", figures=figures))
    ida.link("games.look_back").click()
    ida.page.wait_for_url(re.compile(r"/g/\w+"))
    expect(ida.mine).to_contain_text("Oskar")
    ida.page.reload()
    expect(ida.mine).to_contain_text("Oskar")


def test_a_narrow_phone_shows_every_player_of_a_file(sit: Sit) -> None:
    ida = sit(Device(320, 740, touch=True))
    ida.go("/games")
    choose(ida, "game.txt", FOUR.to_text().encode())
    choice = ida.page.locator("#file .seg")
    expect(choice.locator("label")).to_have_count(5)
    assert choice.evaluate(CUT_OFF) == []


LATE_FILE = """() => {
  const { text } = File.prototype;
  File.prototype.text = async function () {
    const content = await text.call(this);
    if (this.name === "first.txt") await new Promise((resolve) => { window.release = resolve; });
    return content;
  };
}"""
"""Reading first.txt waits for `release`."""


def test_the_last_opened_file_is_shown(sit: Sit) -> None:
    ida = sit()
    ida.go("/games")
    ida.page.evaluate(LATE_FILE)
    choose(ida, "first.txt", record(3).to_text().encode())
    ida.page.wait_for_function("() => Boolean(window.release)")
    choose(ida, "second.txt", record(4).to_text().encode())
    sheet = ida.page.locator("#file")
    expect(sheet).to_contain_text("second.txt")
    ida.page.evaluate("() => window.release()")
    ida.settle()
    expect(sheet).to_contain_text("second.txt")


def test_a_deleted_file_is_refused(sit: Sit) -> None:
    ida = sit()
    ida.go("/games")
    ida.page.evaluate(
        "() => { File.prototype.text = () => Promise.reject(new DOMException('', 'NotReadableError')); }"
    )
    choose(ida, "game.txt", record(3).to_text().encode())
    expect(ida.page.locator("#refused")).to_have_text(ida.say("games.unreadable"))


def test_an_import_survives_a_failed_reload_of_the_list(sit: Sit) -> None:
    ida = sit()
    ida.trouble.forgive("ERR_FAILED")
    ida.go("/games")
    choose(ida, "game.txt", record(3).to_text().encode())
    expect(ida.button("games.keep")).to_be_visible()
    ida.catch("**/api/me/statistics", lambda route: route.abort())
    ida.button("games.keep").click()
    expect(ida.page.locator("#not-listed")).to_have_text(ida.say("common.refused_offline"))
    expect(ida.page.locator("#refused")).to_have_text(ida.say("games.added", n=1))


def test_closing_a_file_keeps_the_focus(sit: Sit) -> None:
    ida = sit()
    ida.go("/games")
    for key in ("games.cancel", "games.keep"):
        choose(ida, "game.txt", record(3).to_text().encode())
        ida.focus(ida.button(key))
        ida.press("Enter")
        expect(ida.page.locator("#file")).to_be_hidden()
        expect(ida.title).to_be_focused()


DROP = """([name, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name, { type: "text/plain" }));
  for (const kind of ["dragover", "drop"]) {
    document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
  }
}"""


def test_the_page_accepts_a_dropped_record(sit: Sit) -> None:
    ida = sit()
    ida.go("/games")
    ida.page.evaluate(DROP, ["games.txt", record(3).to_text() + record(4).to_text()])
    expect(ida.page.locator("#file")).to_contain_text(ida.say("games.file_many", n=2))
    ida.button("games.keep_all").click()
    expect(rows(ida)).to_have_count(2)
    ida.page.evaluate(DROP, ["games.txt", record(4).to_text() + record(5).to_text()])
    ida.button("games.keep_all").click()
    expect(ida.page.get_by_text(ida.say("games.known", n=1))).to_be_visible()
    expect(rows(ida)).to_have_count(3)


READ = f"""async (text) => {{
  const {{ readRecords }} = await import({BASE} + "local/import.js");
  const {{ engine }} = await import({BASE} + "engine/engine.js");
  const {{ game, events }} = await readRecords((name, args) => engine.ask(name, args), text);
  return {{ game, events }};
}}"""


@pytest.mark.parametrize("form", ["text", "json"])
def test_the_page_and_the_server_read_a_record_alike(sit: Sit, form: str) -> None:
    ida = sit()
    ida.go("/games")
    began = kd.Game(kd.Rules(3, "first", harmony=True), seed=5)
    for _ in range(12):
        began.play(began.legal_actions()[-1])
    games = [
        kd.Game(rules, seed=3) for rules in (kd.Rules(2, mighty_duel=True), kd.Rules(4, middle_kingdom=True))
    ]
    for game in [*games, *(later := [kd.Game.from_position(began.position, seed=2)])]:
        while not game.is_over:
            game.play(game.legal_actions()[0])
    tags = {"date": "2020-02-03", "time": "04:05:06", "you": "1", "bot-0": "greedy"}
    for game in [*games, *later, began]:
        made = kd.Record.from_game(
            game, ["Ida  of Thorn", "x" * 20, "Mara", "Ann"][: game.rules.players], tags
        )
        text = made.to_text() if form == "text" else made.to_json()
        here, there = ida.page.evaluate(READ, text), ida.ask("/api/records", {"record": text})
        own = {"id": "", "imported": True}
        assert here["game"] | own == there["game"] | own
        closed = [{"kind": "closed"}] if game is began else []
        kinds = [event["kind"] for event in there["events"]] + [each["kind"] for each in closed]
        assert [event["kind"] for event in here["events"]] == kinds


def test_a_file_is_imported_without_a_server(sit: Sit) -> None:
    ida = sit()
    ida.trouble.forgive("ERR_FAILED")
    ida.page.route("**/api/**", lambda route: route.abort())
    dynasty = [
        record(2 * n, {"dynasty": "total", "game": str(n), "table": "x", "you": "1"}) for n in (1, 2, 3)
    ]
    text = "".join(one.to_text() for one in [*dynasty, record(4, {"bot-1": "king:level=2"})])
    ida.go("/games")
    for _ in range(2):
        choose(ida, "games.txt", text.encode())
        expect(ida.page.locator("#file")).to_contain_text(ida.say("games.file_many", n=2))
        ida.button("games.keep_all").click()
        expect(rows(ida)).to_have_count(2)
    expect(ida.page.get_by_text(ida.say("games.known", n=2))).to_be_visible()
    choose(ida, "wrong.txt", (record(5).to_text() + record(6).to_text().replace("\n1 ", "\n0 ", 1)).encode())
    ida.button("games.keep_all").click()
    expect(ida.page.locator("#refused")).to_contain_text(ida.say("games.bad_game", game=2))
    expect(rows(ida)).to_have_count(2)
    other_rules = record(5, dynasty[2].tags)
    choose(ida, "wrong.txt", "".join(one.to_text() for one in [*dynasty[:2], other_rules]).encode())
    expect(ida.page.locator("#refused")).to_contain_text(ida.say("record.no_dynasty"))
    with ida.page.expect_download() as downloaded:
        ida.page.locator("#export").click()
    again = [kd.Record.parse(each) for _, each in kd.Record.split(downloaded.value.path().read_text())]
    assert sorted(one.to_text() for one in again) == sorted(
        one.to_text() for one in [*dynasty, record(4, {"bot-1": "king:level=2"})]
    )
    rows(ida).get_by_role("link", name=ida.say("end.game_n", game=2)).click()
    ida.page.wait_for_url(re.compile(r"/replay\?id=here-"))
    second = ida.page.get_by_role("button", name=ida.say("end.game_n", game=2))
    expect(second).to_have_attribute("aria-pressed", "true")
    expect(ida.mine).to_contain_text("Oskar")
    ida.go("/games")
    rows(ida).get_by_role("link", name=ida.say("review.look_short")).click()
    expect(ida.page.locator("#where")).to_contain_text("1")
    ida.page.unroute_all()
    with ida.page.expect_response(is_sent) as answered:
        ida.go("/games")
    assert answered.value.ok, answered.value.text()
    expect(rows(ida)).to_have_count(2)


def test_a_bad_file_gets_a_sentence_with_the_place(sit: Sit, tmp_path: Path) -> None:
    ida = sit()
    ida.trouble.forgive("422")
    ida.go("/games")
    refused = ida.page.locator("#refused")
    good = record(3).to_text()
    wrong = good.replace("\n1 ", "\n0 ", 1)
    choose(ida, "cat.png", b"\x89PNG\r\n\x1a\n" * 50)
    expect(refused).to_have_text(ida.say("games.not_record", start="kingdomino-record 1"))
    choose(ida, "wrong.txt", wrong.encode())
    expect(refused).to_contain_text(ida.say("games.bad_file"))
    expect(refused).to_contain_text(re.compile(r"Line \d+: "))
    large = tmp_path / "large.txt"  # a path, because Playwright sends contents slowly
    large.write_bytes(b"kingdomino-record 1\n" + b" " * 20_000_001)
    ida.page.locator("#chosen").set_input_files(large)
    expect(refused).to_have_text(ida.say("games.too_large", size=20))
    choose(ida, "second.txt", (good + wrong).encode())
    ida.button("games.keep_all").click()
    expect(refused).to_contain_text(ida.say("games.bad_game", game=2))
    expect(rows(ida)).to_have_count(0)


def test_the_error_for_a_record_is_in_the_language_of_the_page(sit: Sit) -> None:
    ida = sit(language="fr")
    ida.trouble.forgive("422")
    ida.go("/games")
    refused = ida.page.locator("#refused")
    good = record(3).to_text()
    lines = good.splitlines()
    claim = next(at for at, line in enumerate(lines) if "claim" in line)
    seat = int(lines[claim].split()[0])
    wrong = good.replace(lines[claim], f"{1 - seat}{lines[claim][1:]}", 1)
    choose(ida, "turn.txt", wrong.encode())
    words = ida.say("record.in_line", number=claim + 1, words=ida.say("record.turn", seat=seat))
    expect(refused).to_have_text(f"{ida.say('games.bad_file')} {words}")
    choose(ida, "claim.txt", good.replace(lines[claim], f"{seat} claim 49", 1).encode())
    expect(refused).to_contain_text(ida.say("record.unreadable"))
    missing = next(n for n in range(1, 49) if f" {n} " not in f"{lines[claim - 1]} ")
    choose(ida, "illegal.txt", good.replace(lines[claim], f"{seat} claim {missing}", 1).encode())
    expect(refused).to_contain_text(ida.say("record.why_not_on_offer", domino=missing))
    expect(refused.locator("[lang]")).to_have_count(0)


def test_games_are_deleted_singly_and_at_once(sit: Sit) -> None:
    ida = sit()
    keep(ida, *(record(seed) for seed in range(3)))
    ida.go("/games")
    expect(rows(ida)).to_have_count(3)
    delete = rows(ida).first.get_by_role("button", name=ida.say("games.delete"))
    delete.click()
    ida.button("games.delete_not").click()
    expect(delete).to_be_focused()
    delete.click()
    delete.click()
    expect(rows(ida)).to_have_count(2)
    ida.button("games.delete_all").click()
    expect(ida.page.get_by_text(ida.say("games.delete_all_sure", n=2))).to_be_visible()
    ida.button("games.delete_all").click()
    expect(ida.page.get_by_text(ida.say("games.none"))).to_be_visible()
    expect(rows(ida)).to_have_count(0)


def test_three_wins_suggest_another_level(sit: Sit) -> None:
    ida = sit()
    for seed in range(3):
        seat = winner(record(seed))
        keep(ida, record(seed, {"you": str(seat), f"bot-{1 - seat}": "king:level=2"}))
    ida.go()
    line = ida.page.locator(".suggestion")
    expect(line).to_contain_text(ida.say("games.suggest_won", name="Tansy", next="Yarrow", level=3))
    line.get_by_role("button").click()
    ida.arrive()
    assert ida.snapshot()["seats"][1]["bot"] == "king:level=3"


def test_a_missing_game_links_back(sit: Sit) -> None:
    ida = sit()
    ida.trouble.forgive("404")
    ida.trouble.forgive("422")
    for path in (f"/g/{'a' * 24}", "/g"):
        ida.go(path)
        ida.link("games.to_games").click()
        ida.page.wait_for_url(re.compile("/games$"))


def test_axe_finds_no_violation_among_the_games(sit: Sit) -> None:
    ida = sit(PHONE)
    ida.page.add_init_script(path=AXE_FILE_PATH)
    ida.go("/games")
    expect(ida.page.get_by_text(ida.say("games.none"))).to_be_visible()
    faultless(ida, "no games")
    keep(ida, *(record(seed, {"you": "0", "bot-1": "king:level=2"}) for seed in range(24)))
    ida.create(IDA, BOT)
    ida.go()
    expect(ida.page.locator("#last li")).to_have_count(3)
    faultless(ida, "home with games")
    ida.go("/games")
    expect(rows(ida)).to_have_count(24)
    ida.page.get_by_text(ida.say("games.as_table")).first.click()
    rows(ida).first.get_by_role("button", name=ida.say("games.delete")).click()
    ida.button("games.delete_all").click()
    faultless(ida, "the list")
    choose(ida, "game.txt", record(99).to_text().encode())
    expect(ida.page.locator("#file")).to_be_visible()
    faultless(ida, "a file")
    width = ida.page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE.width
